public import ArgumentParser
import AppStoreModel
import PerennialCommandSupport

/// `perennial bench ingest`: the cost of a notification in the server, from request to answer.
public struct BenchIngestCommand: AsyncParsableCommand {
    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Send notifications to a separate server process, which stores each one before it answers.",
        discussion: """
            CPU time is that of the server process, or of all servers together. The first tenth of the notifications \
            is not counted. Six tenths are sent at full speed. The rest is sent at half that rate, or at --pace, to \
            measure the latency. The senders run on the same machine. Recovery, status polling and rate limits are off.
            """
    )

    @OptionGroup var output: BenchOptions

    @Option(help: "Monthly subscriptions that cause notifications.")
    var subscriptions = 2_000

    @Option(help: "The number of months of each subscription.")
    var months = 6

    @Option(help: "The number of concurrent notifications.")
    var connections = 64

    @Option(help: "The number of servers that share the database and the notifications.")
    var servers = 1

    @Option(help: "The rate of the latency measurement, per second (default: half of the full rate).")
    var pace: Int?

    @OptionGroup var databaseOptions: MeasuredDatabaseOptions

    /// Makes the command.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard (100...100_000).contains(subscriptions), (1...24).contains(months) else {
            throw ValidationError("--subscriptions must be from 100 to 100000, --months from 1 to 24.")
        }
        guard (1...1_000).contains(connections) else { throw ValidationError("--connections must be 1 to 1000.") }
        guard servers == 1 || databaseOptions.given?.engine == "postgresql" else {
            throw ValidationError("several --servers need a shared --database: postgres://…")
        }
        guard (1...16).contains(servers), servers <= connections else {
            throw ValidationError("--servers must be from 1 to 16, and not more than --connections.")
        }
        guard (1...100_000).contains(pace ?? 1) else { throw ValidationError("--pace must be 1 to 100000 per second.") }
    }

    /// Measures and prints.
    public func run() async throws {
        let benchmark = IngestBenchmark(
            subscriptions: subscriptions,
            months: months,
            connections: connections,
            servers: servers,
            pace: pace,
            database: databaseOptions.given,
            fill: databaseOptions.fillProgram
        )
        BenchOutput.show(try await benchmark.run(), asJSON: output.json)
    }
}

/// `perennial bench read`: the cost of an entitlement answer in the server.
public struct BenchReadCommand: AsyncParsableCommand {
    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Read customers' entitlements from a separate server process, as new and as unchanged.",
        discussion: """
            CPU time is that of the server process; the latency is measured at half of the full rate. Rate limits are \
            off.
            """
    )

    @OptionGroup var output: BenchOptions

    @Option(help: "Customers with a monthly subscription each.")
    var subscriptions = 2_000

    @Option(help: "The number of answers of each kind.")
    var reads = 20_000

    @Option(help: "The number of concurrent requests.")
    var connections = 32

    @OptionGroup var databaseOptions: MeasuredDatabaseOptions

    /// Makes the command.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard (100...100_000).contains(subscriptions), (1_000...10_000_000).contains(reads) else {
            throw ValidationError("--subscriptions must be from 100 to 100000, --reads from 1000 to 10000000.")
        }
        guard (1...1_000).contains(connections) else { throw ValidationError("--connections must be 1 to 1000.") }
    }

    /// Measures and prints.
    public func run() async throws {
        let benchmark = ReadBenchmark(
            subscriptions: subscriptions,
            reads: reads,
            connections: connections,
            database: databaseOptions.given,
            fill: databaseOptions.fillProgram
        )
        BenchOutput.show(try await benchmark.run(), asJSON: output.json)
    }
}

/// `perennial bench claims`: whether refused submissions make later ones more expensive.
public struct BenchClaimsCommand: AsyncParsableCommand {
    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: "claims",
        abstract: "Submit one purchase for many invented customers; compare the cost of early and late refusals.",
        discussion: "The submissions run in this process, one after the other, each with its signature check."
    )

    @OptionGroup var output: BenchOptions

    @Option(help: "The number of refused submissions.")
    var submissions = 100_000

    @OptionGroup var databaseOptions: MeasuredDatabaseOptions

    /// Makes the command.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard (3 * ClaimsBenchmark.measured...10_000_000).contains(submissions) else {
            throw ValidationError("--submissions must be from \(3 * ClaimsBenchmark.measured) to 10000000.")
        }
    }

    /// Measures and prints.
    public func run() async throws {
        let benchmark = ClaimsBenchmark(submissions: submissions, database: databaseOptions.given)
        BenchOutput.show(try await benchmark.run(), asJSON: output.json)
    }
}
