public import ArgumentParser
import AppStoreModel

/// `perennial bench ingest`: the cost of a notification in the server, from request to answer.
public struct BenchIngestCommand: AsyncParsableCommand {
    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Send notifications to a server of its own process: verified, joined and durable before each answer.",
        discussion: """
            CPU is that of the server's process, or of all servers together. The first tenth of the notifications is \
            not counted; six tenths go out as fast as they are taken, the rest at half that rate, or at --pace, for \
            the \
            latency. The senders share the machine.
            """
    )

    @OptionGroup var output: BenchOptions

    @Option(help: "Monthly subscriptions that notify.")
    var subscriptions = 2_000

    @Option(help: "How many months they run.")
    var months = 6

    @Option(help: "How many notifications are under way at a time.")
    var connections = 64

    @Option(help: "How many servers share the database, and the notifications.")
    var servers = 1

    @Option(help: "The rate at which the latency is measured, per second (default: half of what is reached).")
    var pace: Int?

    @OptionGroup var databaseOptions: MeasuredDatabaseOptions

    /// Makes the command.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard (100...100_000).contains(subscriptions), (1...24).contains(months) else {
            throw ValidationError("--subscriptions is from 100 to 100000, --months from 1 to 24.")
        }
        guard (1...1_000).contains(connections) else { throw ValidationError("--connections is from 1 to 1000.") }
        guard servers == 1 || databaseOptions.database?.hasPrefix("sqlite:") == false else {
            throw ValidationError("several --servers need a --database that they can share: postgres://…")
        }
        guard (1...16).contains(servers), servers <= connections else {
            throw ValidationError("--servers is from 1 to 16, and not more than --connections.")
        }
        guard (1...100_000).contains(pace ?? 1) else { throw ValidationError("--pace is from 1 to 100000 per second.") }
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
        abstract: "Read customers' entitlements from a server of its own process, as new and as unchanged.",
        discussion: "CPU is that of the server's process; the latency is at half the rate that it reached."
    )

    @OptionGroup var output: BenchOptions

    @Option(help: "Customers with a monthly subscription each.")
    var subscriptions = 2_000

    @Option(help: "How many answers of each kind.")
    var reads = 20_000

    @Option(help: "How many requests are under way at a time.")
    var connections = 32

    @OptionGroup var databaseOptions: MeasuredDatabaseOptions

    /// Makes the command.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard (100...100_000).contains(subscriptions), (1_000...10_000_000).contains(reads) else {
            throw ValidationError("--subscriptions is from 100 to 100000, --reads from 1000 to 10000000.")
        }
        guard (1...1_000).contains(connections) else { throw ValidationError("--connections is from 1 to 1000.") }
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
        abstract: "Submit one purchase for many invented customers: what a refused submission costs, early and late.",
        discussion: "The work is done in this process, one submission after the other, each with its signature check."
    )

    @OptionGroup var output: BenchOptions

    @Option(help: "How many submissions are refused.")
    var submissions = 100_000

    @OptionGroup var databaseOptions: MeasuredDatabaseOptions

    /// Makes the command.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard (3 * ClaimsBenchmark.measured...10_000_000).contains(submissions) else {
            throw ValidationError("--submissions is from \(3 * ClaimsBenchmark.measured) to 10000000.")
        }
    }

    /// Measures and prints.
    public func run() async throws {
        let benchmark = ClaimsBenchmark(submissions: submissions, database: databaseOptions.given)
        BenchOutput.show(try await benchmark.run(), asJSON: output.json)
    }
}
