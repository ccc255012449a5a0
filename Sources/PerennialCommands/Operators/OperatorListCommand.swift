import ArgumentParser
import PerennialCommandSupport
import SubscriptionOperations

/// `perennial operators list`: all people.
struct OperatorListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List all people, by name."
    )

    @OptionGroup var database: OperatorDatabaseOptions

    @Flag(help: "Print each person as a JSON object on a line.")
    var json = false

    func run() async throws {
        let views = try await database.run { try await $0.all() }
        let now = SystemTimeSource().now()
        let lines = json ? views.map { OperatorText.json($0) } : OperatorText.table(views, at: now)
        for line in lines { StandardOutput.printLine(line) }
    }
}

/// `perennial operators show`: one person with keys and sessions.
struct OperatorShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a person with keys and sessions."
    )

    @OptionGroup var target: NamedOperatorOptions

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() async throws {
        let view = try await target.database.run { try await $0.view(of: target.name) }
        let now = SystemTimeSource().now()
        let lines = json ? [OperatorText.json(view)] : OperatorText.lines(view, at: now)
        for line in lines { StandardOutput.printLine(line) }
    }
}
