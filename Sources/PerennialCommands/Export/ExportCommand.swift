import AppStoreModel
public import ArgumentParser
import PerennialCommandSupport
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// `perennial export`: everything in a database, as files.
public struct ExportCommand: AsyncParsableCommand {
    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything in the server's database into a folder, while servers use the database.",
        discussion: """
            The folder gets one file per table, with one JSON object per line, and manifest.json with their SHA-256. \
            All files show one moment. perennial import reads them into an empty database of either engine. The files \
            hold customers' purchases; only this user can read them.

            An interrupted export continues with the same command. The tables must be up to date (perennial migrate).

            Example:
              perennial export backup --with-keys
              perennial export backup --database postgres://perennial@localhost/perennial
            """
    )

    @Argument(help: ArgumentHelp("A new or empty folder, or one with an unfinished export.", valueName: "directory"))
    var directory: String

    @Option(
        help: ArgumentHelp(
            "The database (default: as perennial serve).",
            valueName: "sqlite:path|postgres://…"
        )
    )
    var database: String?

    @Option(help: ArgumentHelp("A file with settings (default: perennial.yaml).", valueName: "file"))
    var config: String?

    @Flag(
        help: """
            Export API keys (as hashes) and the private keys of entitlement tokens too, so that apps need no new keys. \
            The folder then holds secrets.
            """
    )
    var withKeys = false

    @Flag(help: "Print one JSON object.")
    var json = false

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Exports and prints a summary.
    public func run() async throws {
        let address = try CopyCommands.address(database, config: config)
        let progress = Progress()
        let manifest = try await CopyCommands.reported {
            let database = try await DatabaseAddress.openForExport(address)
            return try await CopyCommands.closing(database) {
                try await DatabaseExport(of: database, to: directory, withKeys: withKeys) { done in
                    progress.update("exported \(done.rows) rows of \(done.table)")
                }.run()
            }
        }
        CopyCommands.show(manifest, verb: "exported", asJSON: json, progress)
    }
}

/// What exports and imports have in common.
enum CopyCommands {
    /// The database of the option, or of the server's settings.
    ///
    /// - Throws: Exit status 78, with every problem on standard error.
    static func address(_ database: String?, config: String?) throws -> String {
        var settings = try SettingOptions.parse([])
        settings.database = database
        settings.config = config
        return try settings.checked().server.database
    }

    /// Runs the work and reports its failure as the command's.
    static func reported<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as StartError {
            let status = error.kind == .configuration ? CommandFailure.Status.wrongConfiguration : .failed
            throw CommandFailure.report("\(error)", status: status)
        } catch let error as StorageError {
            throw CommandFailure.report(TerminalText.escaped("\(error)"), status: .failed)
        }
    }

    /// Runs the work and closes the database.
    static func closing<Value>(
        _ database: any SubscriptionDatabase,
        _ work: () async throws -> Value
    ) async throws -> Value {
        let value: Value
        do {
            value = try await work()
        } catch {
            // The first error is the one to report.
            do { try await database.close() } catch {}
            throw error
        }
        try await database.close()
        return value
    }

    /// Prints the number of rows of each table.
    static func show(_ manifest: ExportManifest, verb: String, asJSON: Bool, _ progress: Progress) {
        guard asJSON else {
            for table in manifest.tables where table.rows > 0 { progress.show("\(table.name)  \(table.rows)") }
            progress.show("\(verb) \(manifest.rows) rows, \(manifest.bytes) bytes")
            return
        }
        var tables = JSONObject()
        for table in manifest.tables { tables[table.name] = .integer(Int64(table.rows)) }
        var object = JSONObject()
        object["rows"] = .integer(Int64(manifest.rows))
        object["bytes"] = .integer(Int64(manifest.bytes))
        object["tables"] = .object(tables)
        progress.show(String(decoding: object.serialize(), as: UTF8.self))
    }
}
