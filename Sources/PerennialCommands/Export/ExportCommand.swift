import AppStoreModel
public import ArgumentParser
import PerennialCommandSupport
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage

/// `perennial export`: everything in a database, as files.
public struct ExportCommand: AsyncParsableCommand {
    /// What the files are for.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case archive, ndjson, csv

        /// The form of readable files; nil for an archive.
        var readable: ReadableExport.Format? {
            switch self {
            case .archive: nil
            case .ndjson: .ndjson
            case .csv: .csv
            }
        }
    }

    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything in the server's database into a folder, while servers use the database.",
        discussion: """
            The folder gets one file per table, with one JSON object per line, and manifest.json with their SHA-256. \
            All files show one moment. perennial import reads them into an empty database of either engine. The files \
            hold customers' purchases; only this user can read them.

            An interrupted export continues with the same command. The tables must be up to date (perennial migrate).

            --format ndjson and --format csv write customers, purchases, signed inputs and events in a readable form, \
            which perennial import does not take; perennial import subscribers takes the purchases. In CSV, a text \
            that a spreadsheet would run as a formula begins with an apostrophe.

            Example:
              perennial export backup --with-keys
              perennial export backup --database postgres://perennial@localhost/perennial
              perennial export tables --format csv
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

    @Option(help: "Files for perennial import, or readable files.")
    var format = Format.archive

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

    /// Readable files have no keys.
    public func validate() throws {
        guard format == .archive || !withKeys else { throw ValidationError("--with-keys needs --format archive.") }
    }

    /// Exports and prints a summary.
    public func run() async throws {
        let address = try CopyCommands.address(database, config: config)
        let progress = Progress()
        guard let readable = format.readable else { return try await archive(address, progress) }
        let done = try await CopyCommands.reported {
            let database = try await DatabaseAddress.openForExport(address)
            return try await CopyCommands.closing(database) {
                try await ReadableExport(of: database, to: directory, format: readable) { done in
                    progress.update("exported \(done.rows) rows of \(done.table)")
                }.run()
            }
        }
        CopyCommands.show(done, asJSON: json, progress)
    }

    private func archive(_ address: String, _ progress: Progress) async throws {
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
            throw CommandFailure.report(TerminalText.escaped(error.descriptionToReport), status: .failed)
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

    /// Prints the number of rows of each readable file.
    static func show(_ done: [CopyProgress], asJSON: Bool, _ progress: Progress) {
        guard asJSON else {
            for table in done { progress.show("\(table.table)  \(table.rows)") }
            return
        }
        var tables = JSONObject()
        for table in done { tables[table.table] = .integer(Int64(table.rows)) }
        var object = JSONObject()
        object["rows"] = .integer(Int64(done.reduce(0) { $0 + $1.rows }))
        object["tables"] = .object(tables)
        progress.show(String(decoding: object.serialize(), as: UTF8.self))
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
