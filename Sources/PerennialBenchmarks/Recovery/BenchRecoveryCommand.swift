public import ArgumentParser
import PerennialCommandSupport

/// `perennial bench recovery`: the recovery of missed notifications, relative to their plain intake.
public struct BenchRecoveryCommand: AsyncParsableCommand {
    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: "recovery",
        abstract: "Recover missed notifications from a local store, relative to receiving as many.",
        discussion: """
            The work is done in rounds, which bound the memory. In each round, two stores renew subscriptions. The \
            notifications of one store are sent to a separate server process. Those of the other one are missed, and \
            the server recovers them from the store's notification history. The database is kept from round to \
            round. The stores have no rate limits. They run in this process, on the same machine as the server.
            """
    )

    @OptionGroup var output: BenchOptions

    @Option(help: "The number of missed notifications, and of received ones.")
    var notifications = 1_000_000

    @Option(help: "The number of subscriptions of each store, which decides the memory.")
    var subscriptions = 2_000

    @Option(help: "The number of concurrent notifications when they are sent.")
    var connections = 64

    @OptionGroup var databaseOption: EmptyDatabaseOption

    /// Makes the command.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard (100...100_000_000).contains(notifications) else {
            throw ValidationError("--notifications must be from 100 to 100000000.")
        }
        guard (10...100_000).contains(subscriptions) else {
            throw ValidationError("--subscriptions must be from 10 to 100000.")
        }
        guard (1...1_000).contains(connections) else { throw ValidationError("--connections must be 1 to 1000.") }
    }

    /// Measures and prints.
    public func run() async throws {
        let benchmark = RecoveryBenchmark(
            notifications: notifications,
            subscriptions: subscriptions,
            connections: connections,
            database: databaseOption.given
        )
        BenchOutput.show(try await benchmark.run(), asJSON: output.json)
    }
}
