import AppStoreModel
import ArgumentParser
import PerennialCommandSupport

/// The options of a command that sends a file of subscribers to a running server.
struct SubscriberOptions: ParsableArguments {
    /// How a server treats the past of a purchase that is new to it.
    enum Events: String, CaseIterable, ExpressibleByArgument {
        case backfill
        case none
    }

    @Argument(help: ArgumentHelp("The file of subscribers.", valueName: "file"))
    var file: String

    @OptionGroup var connection: ServerOptions

    @Option(help: "Whether purchases that are new to the server cause events about their past.")
    var events = Events.backfill

    @Option(help: ArgumentHelp("The column with the user (default: a known name).", valueName: "name"))
    var userColumn: String?

    @Option(help: "The number of concurrent requests.")
    var connections = 8

    @Flag(help: "Only read and check the file, and describe the first bad rows.")
    var dryRun = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard (1...64).contains(connections) else { throw ValidationError("--connections must be from 1 to 64.") }
    }

    /// Sends the rows and prints the counts.
    func run(_ form: PurchaseForm, purchaseColumn: String?) async throws {
        guard !dryRun else { return try await Self.reported { try await run(form, purchaseColumn, nil) } }
        try await connection.withCalls { calls in
            try await Self.reported { try await run(form, purchaseColumn, calls) }
        }
    }

    private func run(_ form: PurchaseForm, _ purchaseColumn: String?, _ calls: ServerCalls?) async throws {
        let progress = Progress()
        let work = SubscriberImport(
            options: SubscriberImport.Options(
                path: file,
                userColumn: userColumn,
                purchaseColumn: purchaseColumn,
                form: form,
                events: events.rawValue,
                connections: connections
            ),
            calls: calls,
            progress: { progress.update($0.text) },
            report: { progress.log($0) }
        )
        let counts = try await work.run()
        let done = calls == nil ? "valid" : "imported"
        if json {
            var object = JSONObject()
            object["dry_run"] = .bool(calls == nil)
            object[done] = .integer(Int64(counts.imported))
            object["rejected"] = .integer(Int64(counts.rejected))
            object["skipped"] = .integer(Int64(counts.skipped))
            progress.show(String(decoding: object.serialize(), as: UTF8.self))
        } else {
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
