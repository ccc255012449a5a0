public import ArgumentParser
import PerennialCommandSupport

/// `perennial bench webhooks`: deliveries to fast, dead and many receivers.
public struct BenchWebhooksCommand: AsyncParsableCommand {
    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "Deliver a feed to receivers: a fast one, many, and some that are dead.",
        discussion: """
            A separate server process takes notifications at full speed: in turn without an endpoint, with one that \
            wants none of the events, and with one that gets them all. Then a new endpoint gets the whole feed. Then \
            it gets the events of notifications that are sent at --pace: the time from such a notification to its \
            webhook is measured. At last, --endpoints receivers get each event, without and with --dead further ones \
            that never answer or refuse connections. The receivers run in this process, on the same machine. CPU \
            time is that of the server process; that of the intake is without the deliveries.
            """
    )

    @OptionGroup var output: BenchOptions

    @Option(help: "Monthly subscriptions that cause events.")
    var subscriptions = 2_000

    @Option(help: "The number of months of each subscription.")
    var months = 6

    @Option(help: "The rate of the latency measurement, in notifications per second.")
    var pace = 500

    @Option(help: "The number of receivers that get each event.")
    var endpoints = 900

    @Option(help: "The number of further receivers that never answer or refuse connections.")
    var dead = 100

    @OptionGroup var databaseOption: EmptyDatabaseOption

    /// Makes the command.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard (100...100_000).contains(subscriptions), (1...24).contains(months) else {
            throw ValidationError("--subscriptions must be from 100 to 100000, --months from 1 to 24.")
        }
        guard (1...10_000).contains(pace) else { throw ValidationError("--pace must be from 1 to 10000.") }
        guard (1...1_500).contains(endpoints), (0...400).contains(dead) else {
            throw ValidationError("--endpoints must be from 1 to 1500, --dead from 0 to 400.")
        }
    }

    /// Measures and prints.
    public func run() async throws {
        let benchmark = WebhooksBenchmark(
            subscriptions: subscriptions,
            months: months,
            pace: pace,
            endpoints: endpoints,
            dead: dead,
            database: databaseOption.given
        )
        BenchOutput.show(try await benchmark.run(), asJSON: output.json)
    }
}
