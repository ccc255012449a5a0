public import ArgumentParser
import PerennialCommandSupport

/// `perennial bench rebuild`: the cost of a verification for each stored fact.
public struct BenchRebuildCommand: AsyncParsableCommand {
    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Compare everything derived with the stored evidence, relative to reading the evidence.",
        discussion: """
            The database is filled with a notification for each month of each subscription. Each has a transaction, a \
            renewal record and a status. CPU time is that of this process, without a database server.
            """
    )

    @OptionGroup var output: BenchOptions

    @Option(help: "The number of subscriptions.")
    var subscriptions = 5_000

    @Option(help: "The number of months of each subscription.")
    var months = 12

    @Option(help: "The number of measured verifications.")
    var rounds = 5

    @OptionGroup var databaseOption: EmptyDatabaseOption

    /// Makes the command.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard (10...1_000_000).contains(subscriptions), (1...120).contains(months), (1...100).contains(rounds) else {
            throw ValidationError("--subscriptions must be from 10 to 1000000, --months to 120, --rounds to 100.")
        }
    }

    /// Measures and prints.
    public func run() async throws {
        let benchmark = RebuildBenchmark(
            subscriptions: subscriptions,
            months: months,
            rounds: rounds,
            database: databaseOption.given
        )
        BenchOutput.show(try await benchmark.run(), asJSON: output.json)
    }
}
