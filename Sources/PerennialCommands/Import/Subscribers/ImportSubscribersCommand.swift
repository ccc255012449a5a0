import AppStoreModel
public import ArgumentParser
import Foundation
import PerennialCommandSupport

/// `perennial import subscribers`: existing subscribers into a running server.
public struct ImportSubscribersCommand: AsyncParsableCommand {
    /// How a server treats the past of a purchase that is new to it.
    enum Events: String, CaseIterable, ExpressibleByArgument {
        case backfill
        case none
    }

    /// The name and help of the command.
    public static let configuration = CommandConfiguration(
        commandName: "subscribers",
        abstract: "Send existing subscribers to a running server, which asks the App Store about each.",
        discussion: """
            The file has a row per purchase: a user and a transaction id. It is CSV with a line of column names, or \
            one JSON object per line: a plain list (user, original_transaction_id), claims.ndjson of perennial export, \
            or RevenueCat's export of transactions (its column names are unverified). Other stores' rows are skipped.

            Rows that cannot be imported go to FILE.rejected.csv, with line, code and reason. An interrupted import \
            continues with the same command. A row that is sent twice changes nothing. The exit status is 1 if a row \
            was rejected. The secret key is read as by perennial customer.

            Example:
              perennial import subscribers users.csv --dry-run
              perennial import subscribers users.csv --events none --server https://subs.example.com
            """
    )

    @Argument(help: ArgumentHelp("The file of subscribers.", valueName: "file"))
    var file: String

    @OptionGroup var connection: ServerOptions

    @Option(help: "Whether purchases that are new to the server cause events about their past.")
    var events = Events.backfill

    @Option(help: ArgumentHelp("The column with the user (default: a known name).", valueName: "name"))
    var userColumn: String?

    @Option(help: ArgumentHelp("The column with the transaction id (default: a known name).", valueName: "name"))
    var transactionColumn: String?

    @Option(help: "The number of concurrent requests.")
    var connections = 8

    @Flag(help: "Only read and check the file.")
    var dryRun = false

    @Flag(help: "Print one JSON object.")
    var json = false

    /// Makes the command; the parser sets its values.
    public init() {}

    /// Refuses invalid parameters.
    public func validate() throws {
        guard (1...64).contains(connections) else { throw ValidationError("--connections must be from 1 to 64.") }
    }

    /// Imports and prints the counts.
    public func run() async throws {
        guard !dryRun else { return try await Self.reported { try await run(nil) } }
        try await connection.withCalls { calls in try await Self.reported { try await run(calls) } }
    }

    private func run(_ calls: ServerCalls?) async throws {
        let progress = Progress()
        let work = SubscriberImport(
            options: SubscriberImport.Options(
                path: file,
                userColumn: userColumn,
                transactionColumn: transactionColumn,
                events: events.rawValue,
                connections: connections
            ),
            calls: calls
        ) { counts in
            progress.update("\(counts.imported) imported, \(counts.rejected) rejected, \(counts.skipped) skipped")
        }
        let counts = try await work.run()
        if json {
            var object = JSONObject()
            object["dry_run"] = .bool(calls == nil)
            object[calls == nil ? "valid" : "imported"] = .integer(Int64(counts.imported))
            object["rejected"] = .integer(Int64(counts.rejected))
            object["skipped"] = .integer(Int64(counts.skipped))
            progress.show(String(decoding: object.serialize(), as: UTF8.self))
        } else {
            let done = calls == nil ? "valid" : "imported"
            progress.show("\(counts.imported) \(done), \(counts.rejected) rejected, \(counts.skipped) skipped")
            if counts.rejected > 0, calls != nil { progress.show("The reasons are in \(work.rejectedPath)") }
        }
        if counts.rejected > 0 { throw ExitCode.failure }
    }

    private static func reported(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let error as InputError {
            throw CommandFailure.report("\(error)", status: .failed)
        } catch let error as ImportFileError {
            throw CommandFailure.report("\(error)", status: .failed)
        }
    }
}
