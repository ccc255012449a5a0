public import ArgumentParser
import PerennialCommandSupport
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// `perennial import`: an export into an empty database, or existing subscribers into a running server.
public struct ImportCommand: AsyncParsableCommand {
    /// The name, help and subcommands.
    public static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Read an export into an empty database, or existing subscribers into a running server.",
        subcommands: [ImportDatabaseCommand.self, ImportSubscribersCommand.self],
        defaultSubcommand: ImportDatabaseCommand.self
    )

    /// Makes the command; the parser sets its values.
    public init() {}
}

/// `perennial import database`: an export into an empty database.
public struct ImportDatabaseCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "database",
        abstract: "Read an export into an empty database, of either engine (the default).",
        discussion: """
            All files are checked first. Then one transaction writes every row: after a failure or a kill the database \
            is empty, and the same command can run again. A server on the new database gives the same answers, and \
            cursors of the event feed stay valid. Stop the old server before its last export.

            Example:
              perennial import backup --database postgres://perennial@localhost/perennial
            """
    )

    @Argument(help: ArgumentHelp("The folder of a complete export.", valueName: "directory"))
    var directory: String

    @Option(
        help: ArgumentHelp(
            "The empty database (default: as perennial serve).",
            valueName: "sqlite:path|postgres://…"
        )
    )
    var database: String?

    @Option(help: ArgumentHelp("A file with settings (default: perennial.yaml).", valueName: "file"))
    var config: String?

    @Flag(help: "Only check the files.")
    var dryRun = false

    @Flag(help: "Print one JSON object.")
    var json = false

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Imports and prints a summary.
    public func run() async throws {
        let progress = Progress()
        guard !dryRun else {
            let manifest = try await CopyCommands.reported { try DatabaseImport.check(directory) }
            return CopyCommands.show(manifest, verb: "checked", asJSON: json, progress)
        }
        let address = try CopyCommands.address(database, config: config)
        let manifest = try await CopyCommands.reported {
            // Before the database, which would be made.
            _ = try DatabaseImport.check(directory)
            let database = try await DatabaseAddress.openForImport(address)
            return try await CopyCommands.closing(database) {
                try await DatabaseImport(into: database, from: directory) { done in
                    progress.update("imported \(done.rows) rows of \(done.table)")
                }.run()
            }
        }
        CopyCommands.show(manifest, verb: "imported", asJSON: json, progress)
    }
}
