public import ArgumentParser
import PerennialCommandSupport

/// `perennial bench extensions`: an extension campaign by single calls, and one by an order.
public struct BenchExtensionsCommand: AsyncParsableCommand {
    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: "extensions",
        abstract: "Extend subscriptions of a local store by single calls, and by one order.",
        discussion: """
            A local store renews its subscriptions and sends the notifications to a separate server process. Then the \
            server extends all of them by one order, and the store announces each extension. Then the server extends \
            all of them again, by a call for each. The store announces these extensions before it answers, unless \
            --silent-calls is given. The store has no rate limits. It runs in this process, on the same machine as \
            the server, and signs everything that it sends.
            """
    )

    @OptionGroup var output: BenchOptions

    @Option(help: "The number of subscriptions.")
    var subscriptions = 100_000

    @Flag(help: "The store does not announce the extensions that are made by single calls.")
    var silentCalls = false

    @OptionGroup var databaseOption: EmptyDatabaseOption

    /// Makes the command.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard (100...1_000_000).contains(subscriptions) else {
            throw ValidationError("--subscriptions must be from 100 to 1000000.")
        }
    }

    /// Measures and prints.
    public func run() async throws {
        let benchmark = ExtensionsBenchmark(
            subscriptions: subscriptions,
            announcesCalls: !silentCalls,
            database: databaseOption.given
        )
        BenchOutput.show(try await benchmark.run(), asJSON: output.json)
    }
}
