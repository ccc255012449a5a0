public import ArgumentParser
import PerennialCommandSupport

/// `perennial bench polls`: whether a tick of status polling costs more with more subscriptions.
public struct BenchPollsCommand: AsyncParsableCommand {
    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: "polls",
        abstract: "Compare a tick of status polling with few subscriptions and with many.",
        discussion: """
            Two databases are filled, which is not measured. Every subscription has its facts and an entry that is \
            not due. A tick finds nothing due, or finds some entries that newer facts have made unnecessary, and \
            moves them. Apple is not asked. The databases take turns. Everything runs in this process; CPU time is \
            without that of a database server.
            """
    )

    @OptionGroup var output: BenchOptions

    @Option(help: "The number of few subscriptions.")
    var few = 10_000

    @Option(help: "The number of many subscriptions.")
    var many = 5_000_000

    @Option(help: "The number of entries that are due in a tick.")
    var due = 20

    @Option(help: "The number of measured ticks of each kind.")
    var ticks = 500

    @Option(
        help: ArgumentHelp(
            "A database, which must be empty. Give it twice: for few and for many (default: temporary SQLite files).",
            valueName: "sqlite:path|postgres://…"
        )
    )
    var database: [String] = []

    /// Makes the command.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard few >= 100, many > few, many <= 100_000_000 else {
            throw ValidationError("--few must be at least 100, --many larger than that, up to 100000000.")
        }
        guard database.isEmpty || database.count == 2, Set(database).count == database.count else {
            throw ValidationError("Give two different --database, or none.")
        }
        guard (1...100).contains(due), (1...100_000).contains(ticks) else {
            throw ValidationError("--due must be from 1 to 100, --ticks from 1 to 100000.")
        }
    }

    /// Measures and prints.
    public func run() async throws {
        let benchmark = PollsBenchmark(
            few: few,
            many: many,
            due: due,
            ticks: ticks,
            databases: database.isEmpty
                ? nil : (EmptyDatabase(address: database[0]), EmptyDatabase(address: database[1]))
        )
        BenchOutput.show(try await benchmark.run(), asJSON: output.json)
    }
}
