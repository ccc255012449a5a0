import AppStoreModel
import Foundation
import Synchronization
import Testing

@testable import PerennialCommands

/// The requests of an import, with a server that is busy, refuses a row, or refuses the key.
@Suite struct `An import of subscribers` {
    @Test func `waits for a busy server, and sends every row until it is taken`() async throws {
        let server = ScriptedServer { count, _ in
            count.isMultiple(of: 3) ? .taken : .busy
        }
        let counts = try await run(server, rows: 7)
        #expect(counts == ImportJournal.Counts(imported: 7, skipped: 0, rejected: 0))
        #expect(server.bodies.count == 21)
        #expect(Set(server.bodies.compactMap { $0["app_user_id"]?.stringValue }) == Set((0..<7).map { "u_\($0)" }))
        #expect(server.bodies.allSatisfy { $0["events"] == .string("none") })
    }

    @Test func `lists what the server refuses, and goes on`() async throws {
        let server = ScriptedServer { _, user in user == "u_3" ? .refused : .taken }
        let counts = try await run(server, rows: 100)
        #expect(counts == ImportJournal.Counts(imported: 99, skipped: 0, rejected: 1))
        #expect(server.bodies.count == 100)
    }

    /// A wrong key is not the fault of a row. The next run begins with the group that was interrupted.
    @Test func `stops when the server takes no row, and continues later`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let forbidding = ScriptedServer { count, _ in count > 100 ? .forbidden : .taken }
        await #expect(throws: ServerCallError.self) { _ = try await run(forbidding, rows: 200, in: folder) }
        let server = ScriptedServer { _, _ in .taken }
        let counts = try await run(server, rows: 200, in: folder)
        #expect(counts == ImportJournal.Counts(imported: 200, skipped: 0, rejected: 0))
        #expect(server.bodies.count == 200 - 64)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["users.csv"])
    }

    /// The columns are named without regard to case. A repeated column that is not read does no harm.
    @Test(
        arguments: [
            ("user,User,transaction_id", "user"), ("user,transaction_id,transaction_id", "transaction_id"),
            ("user,transaction_id,note,note", nil),
        ] as [(String, String?)]
    )
    func `refuses a column that is named twice, by its name, and leaves no list of rejected rows`(
        names: String,
        repeated: String?
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("users.csv")
        // Of an earlier import of another file with this name.
        try Data("line,user\n".utf8).write(to: folder.appendingPathComponent("users.csv.rejected.csv"))
        let row = repeated == nil ? "u_1,2000000000000001,a,b" : "u_1,2000000000000001,2000000000000001"
        try Data("\(names)\n\(row)\n".utf8).write(to: file)
        let server = ScriptedServer { _, _ in .taken }
        if let repeated {
            let error = await #expect(throws: InputError.self) { _ = try await work(server, file).run() }
            #expect(error?.message.contains("several columns with the name \(repeated):") == true)
            #expect(server.bodies.isEmpty)
        } else {
            #expect(try await work(server, file).run().imported == 1)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["users.csv"])
    }

    @Test func `lists rows that are rejected before and after an interruption, once each`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let forbidding = ScriptedServer { count, user in count > 100 ? .forbidden : user == "u_3" ? .refused : .taken }
        await #expect(throws: ServerCallError.self) { _ = try await run(forbidding, rows: 200, in: folder) }
        let server = ScriptedServer { _, user in user == "u_150" ? .refused : .taken }
        let counts = try await run(server, rows: 200, in: folder)
        #expect(counts == ImportJournal.Counts(imported: 198, skipped: 0, rejected: 2))
        let path = folder.appendingPathComponent("users.csv.rejected.csv")
        let lines = try String(contentsOf: path, encoding: .utf8).split(whereSeparator: \.isNewline)
        #expect(lines.map { line in line.prefix(while: { $0 != "," }) } == ["line", "5", "152"])
    }

    /// The size of the file stays the same.
    @Test(arguments: [false, true])
    func `does not continue with a file whose rows have changed, except those that were not read`(
        isUnread: Bool
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // The last row is in a piece of the file that the interrupted run did not read.
        let rows = isUnread ? 20_000 : 200
        let forbidding = ScriptedServer { count, _ in count > 100 ? .forbidden : .taken }
        await #expect(throws: ServerCallError.self) { _ = try await run(forbidding, rows: rows, in: folder) }
        let file = folder.appendingPathComponent("users.csv")
        let change = isUnread ? ("u_19999,", "u_99991,") : ("u_10,", "u_01,")
        let text = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(of: change.0, with: change.1)
        try Data(text.utf8).write(to: file)
        let server = ScriptedServer { _, _ in .taken }
        if isUnread {
            _ = try await work(server, file).run()
            #expect(server.bodies.count == rows - 64)
        } else {
            let error = await #expect(throws: InputError.self) { _ = try await work(server, file).run() }
            #expect(error.map { "\($0)" }?.contains("has changed since 64 of its rows were read") == true)
            #expect(server.bodies.isEmpty)
        }
    }

    /// Three of four rows are of the App Store.
    @Test func `says of a changed file how many rows were imported, and how many skipped`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("users.csv")
        let lines = (0..<200).map { number in
            let store = number.isMultiple(of: 4) ? "play_store" : "app_store"
            return "u_\(number),\(2_000_000_000_000_000 + number),\(store)\n"
        }
        let text = "user,transaction_id,store\n" + lines.joined()
        try Data(text.utf8).write(to: file)
        // The third group of 64 rows is interrupted.
        let forbidding = ScriptedServer { count, _ in count > 100 ? .forbidden : .taken }
        await #expect(throws: ServerCallError.self) { _ = try await work(forbidding, file).run() }
        try Data(text.replacingOccurrences(of: "u_10,", with: "u_01,").utf8).write(to: file)
        let server = ScriptedServer { _, _ in .taken }
        let error = await #expect(throws: InputError.self) { _ = try await work(server, file).run() }
        let numbers = "has changed since 128 of its rows were read (96 imported, 0 rejected, 32 skipped): "
        #expect(error?.message.contains(numbers) == true)
        #expect(server.bodies.isEmpty)
    }

    @Test func `tells that a journal is of an earlier version, and begins again without it`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let forbidding = ScriptedServer { count, _ in count > 100 ? .forbidden : .taken }
        await #expect(throws: ServerCallError.self) { _ = try await run(forbidding, rows: 200, in: folder) }
        // Earlier versions did not have this field.
        let journal = folder.appendingPathComponent("users.csv.import.json")
        let text = try String(contentsOf: journal, encoding: .utf8)
        #expect(text.contains(#""read_sha256""#))
        try Data(text.replacingOccurrences(of: "read_sha256", with: "other").utf8).write(to: journal)
        let server = ScriptedServer { _, _ in .taken }
        let error = await #expect(throws: InputError.self) { _ = try await run(server, rows: 200, in: folder) }
        #expect(error?.message.contains("the journal of an earlier version") == true)
        #expect(error?.message.contains("remove it to begin again") == true)
        #expect(error?.message.contains("has changed") == false)
        #expect(server.bodies.isEmpty)
        try FileManager.default.removeItem(at: journal)
        let counts = try await run(server, rows: 200, in: folder)
        #expect(counts == ImportJournal.Counts(imported: 200, skipped: 0, rejected: 0))
    }

    @Test func `says that a server does not answer at once, that it is busy after some attempts, and neither often`() {
        let busy = ServerCallError(code: "overloaded", message: "Busy.")
        let away = ServerCallError(code: "server_unreachable", message: "No \u{1B}[2Janswer.")
        func lines(_ notes: [(error: ServerCallError, attempts: Int)]) -> [String] {
            let lines = Mutex<[String]>([])
            let waits = ImportWaits { line in lines.withLock { $0.append(line) } }
            for note in notes { waits.note(note.error, attempts: note.attempts, pause: .seconds(8)) }
            return lines.withLock { $0 }
        }
        #expect(lines([(busy, 1), (busy, 3)]).isEmpty)
        #expect(lines([(busy, 3), (busy, 4), (busy, 5), (away, 1)]) == ["waiting 8 s: overloaded: Busy."])
        let unreachable = lines([(away, 1), (away, 2)])
        #expect(unreachable.count == 1 && unreachable[0].hasPrefix("waiting 8 s: server_unreachable: No "))
        #expect(!unreachable[0].contains("\u{1B}"))
    }

    private func run(_ server: ScriptedServer, rows: Int) async throws -> ImportJournal.Counts {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await run(server, rows: rows, in: folder)
    }

    private func run(_ server: ScriptedServer, rows: Int, in folder: URL) async throws -> ImportJournal.Counts {
        let file = folder.appendingPathComponent("users.csv")
        let lines = (0..<rows).map { "u_\($0),\(2_000_000_000_000_000 + $0)\n" }
        try Data(("user,transaction_id\n" + lines.joined()).utf8).write(to: file)
        return try await work(server, file).run()
    }

    private func work(_ server: ScriptedServer, _ file: URL) throws -> SubscriberImport {
        SubscriberImport(
            options: SubscriberImport.Options(path: file.path, form: .transactionID, events: "none", connections: 1),
            calls: ServerCalls(
                url: try HTTPBaseURL("http://127.0.0.1:1", setting: "--server"),
                key: "sk_1",
                transport: server
            )
        ) { _ in }
    }
}
