public import ArgumentParser
import PerennialCommandSupport

/// `perennial bench campaign`: the dry run of an extension campaign over many subscriptions.
public struct BenchCampaignCommand: AsyncParsableCommand {
    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: "campaign",
        abstract: "Measure the dry run of an extension campaign over many active subscriptions.",
        discussion: """
            The database is filled first; that is not measured. All subscriptions are active and can be extended. \
            Apple is not asked. Everything runs in this process; CPU time is without that of a database server.
            """
    )

    @OptionGroup var output: BenchOptions

    @Option(help: "The number of subscriptions.")
    var subscriptions = 1_000_000

    @OptionGroup var databaseOption: EmptyDatabaseOption

    /// Makes the command.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard (100...100_000_000).contains(subscriptions) else {
            throw ValidationError("--subscriptions must be from 100 to 100000000.")
        }
    }

    /// Measures and prints.
    public func run() async throws {
        let benchmark = CampaignBenchmark(subscriptions: subscriptions, database: databaseOption.given)
        BenchOutput.show(try await benchmark.run(), asJSON: output.json)
    }
}
