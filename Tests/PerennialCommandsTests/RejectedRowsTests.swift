import AppStoreModel
import Foundation
import Synchronization
import Testing

@testable import PerennialCommands

/// Rows that were not imported, in a file and in the output of a dry run.
@Suite struct `Rejected rows of an import` {
    @Test func `have no formula, and their users are read back as they were`() async throws {
        let users = ["=1+1", "-4", "'=1", "''-4", "'7", " u ", "\t9", "u,\"2\"\r\n3"]
        try await withFolder { folder in
            let file = folder.appendingPathComponent("users.ndjson")
            let lines = users.enumerated().map { index, user -> [UInt8] in
                var row = JSONObject()
                row["user"] = .string(user)
                row["transaction_id"] = .integer(Int64(index))
                return row.serialize() + [UInt8(ascii: "\n")]
            }
            try Data(lines.joined()).write(to: file)
            let refusing = ScriptedServer { _, _ in .refused }
            let refused = try await importing(file, into: refusing).run()
            #expect(refused == ImportJournal.Counts(imported: 0, skipped: 0, rejected: users.count))
            let rejected = folder.appendingPathComponent("users.ndjson.rejected.csv")
            let text = try String(contentsOf: rejected, encoding: .utf8)
            for field in [",'=1+1,", ",'-4,", ",''=1,", ",'''-4,", ",'7,", ", u ,", ",'\t9,"] {
                #expect(text.contains(field), "\(field) in \(text)")
            }
            let server = ScriptedServer { _, _ in .taken }
            let counts = try await importing(rejected, into: server).run()
            #expect(counts == ImportJournal.Counts(imported: users.count, skipped: 0, rejected: 0))
            #expect(server.bodies.compactMap { $0["app_user_id"]?.stringValue }.sorted() == users.sorted())
        }
    }

    @Test func `are described by a dry run, the first ten of them`() async throws {
        let rows = "user,transaction_id\nu_0,1\n" + (1...12).map { "u_\($0),2E+15\n" }.joined()
        let (counts, lines) = try await check(rows)
        #expect(counts == ImportJournal.Counts(imported: 1, skipped: 0, rejected: 12))
        #expect(lines.count == 11)
        #expect(lines.first?.hasPrefix("line 3: transaction_malformed: A transaction id has digits only.") == true)
        #expect(lines.dropLast().last?.hasPrefix("line 12: ") == true)
        #expect(lines.last?.hasPrefix("rejected rows that are not shown here: 2. ") == true)
        #expect(lines.last?.hasSuffix("users.csv.rejected.csv") == true)
        #expect(lines.dropLast().allSatisfy { !$0.contains("u_") })
    }

    @Test func `are all described by a dry run if they are few`() async throws {
        let (counts, lines) = try await check("{\"User\":\"u_1\"}\nnonsense\n{\"user\":\"u_2\",\"transaction_id\":2}\n")
        #expect(counts == ImportJournal.Counts(imported: 1, skipped: 0, rejected: 2))
        let codes = lines.map { $0.split(separator: ":").prefix(2).joined(separator: ":") }
        #expect(codes == ["line 1: columns_missing", "line 2: json_malformed"])
    }

    @Test(arguments: [
        ("us\"er,transaction_id\nu_1,1\n", "csv_stray_quote"),
        ("\"user,transaction_id\nu_1,1\n", "csv_unclosed_quote"),
        ("\nuser,\0transaction_id\nu_1,1\n", "csv_zero_byte"),
    ])
    func `are not meant if the names of the columns cannot be read`(text: String, code: String) async throws {
        let error = await #expect(throws: InputError.self) { _ = try await check(text) }
        #expect(error?.code == .malformed)
        let line = text.hasPrefix("\n") ? 2 : 1
        #expect(error?.message.hasPrefix("line \(line) of ") == true)
        #expect(error?.message.contains("has no column names that can be read (\(code)). ") == true)
        #expect(error?.message.hasSuffix("Separate the columns with commas, semicolons or tabs") == true)
    }

    @Test func `are not meant if the file is empty, or has no names`() async throws {
        for text in ["", " \r\n\n"] {
            let error = await #expect(throws: InputError.self) { _ = try await check(text) }
            #expect(error?.code == .empty)
        }
        let error = await #expect(throws: InputError.self) { _ = try await check("u_1,1\n") }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("(it has: u_1, 1): name them with --user-column and ") == true)
    }

    @Test func `are not meant if the file has no column of an option, which is named`() async throws {
        let error = await #expect(throws: InputError.self) {
            _ = try await check("user,transaction_id\nu_1,1\n", userColumn: "nope")
        }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains(" no column for --user-column nope (it has: user, transaction_id): ") == true)
        let (_, lines) = try await check("{\"user\":\"u_1\",\"transaction_id\":1}\n", userColumn: "nope")
        #expect(lines.first?.hasPrefix("line 1: columns_missing: ") == true)
        #expect(lines.first?.contains(" It has no member for --user-column nope. ") == true)
    }

    /// Checks a file without a server.
    private func check(_ text: String, userColumn: String? = nil) async throws -> (
        counts: ImportJournal.Counts, lines: [String]
    ) {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("users.csv")
            try Data(text.utf8).write(to: file)
            let lines = Mutex<[String]>([])
            var options = options(file)
            options.userColumn = userColumn
            let work = SubscriberImport(
                options: options,
                calls: nil,
                progress: { _ in },
                report: { line in lines.withLock { $0.append(line) } }
            )
            let counts = try await work.run()
            return (counts, lines.withLock { $0 })
        }
    }

    private func importing(_ file: URL, into server: ScriptedServer) throws -> SubscriberImport {
        SubscriberImport(
            options: options(file),
            calls: ServerCalls(
                url: try HTTPBaseURL("http://127.0.0.1:1", setting: "--server"),
                key: "sk_1",
                transport: server
            )
        ) { _ in }
    }

    private func options(_ file: URL) -> SubscriberImport.Options {
        SubscriberImport.Options(path: file.path, form: .transactionID, events: "none", connections: 1)
    }

    private func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}
