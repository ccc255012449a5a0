import Foundation
import GRDB
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageSQLite
import Synchronization
import Testing

@Suite struct `Opening a database file` {
    /// So many that without the care for deleted companions at least one is refused.
    private let openingCount = 100

    private func open(_ file: URL) throws -> SQLiteDatabase {
        try SQLiteDatabase.open(path: file.path)
    }

    private func code(of work: () throws -> SQLiteDatabase) throws -> StorageError.Code? {
        do {
            _ = try work()
            return nil
        } catch let error as StorageError {
            #expect(!error.message.isEmpty)
            return error.code
        }
    }

    @Test(arguments: ["not a database\n", "SQLite format 3", "x", String(repeating: "garbage ", count: 4_096)])
    func `refuses a file that is not a database, and does not change it`(content: String) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("garbage.db")
            try Data(content.utf8).write(to: file)
            #expect(try code { try open(file) } == .notADatabase)
            #expect(try Data(contentsOf: file) == Data(content.utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["garbage.db"])
        }
    }

    @Test func `refuses a damaged database with a code`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("damaged.db")
            try await open(file).close()
            var bytes = try Data(contentsOf: file)
            for index in 100..<bytes.count { bytes[index] = 0xFF }
            try bytes.write(to: file)
            #expect(try code { try open(file) } == .corrupt)
        }
    }

    @Test func `creates files that only their owner can read`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("new.db")
            let database = try open(file)
            try await database.write { storage throws(StorageError) in
                try storage.save(AppRecord(bundleID: "com.example.a", environment: .sandbox, appleID: nil))
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(names == ["new.db", "new.db-shm", "new.db-wal"])
            for name in names {
                let path = folder.appendingPathComponent(name).path
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
                #expect(mode?.intValue == 0o600, "\(name)")
            }
            #expect(SQLiteDatabase.filesOpenToOthers(path: file.path).isEmpty)
            try await database.close()
        }
    }

    @Test func `accepts an existing file that others can read, and reports it`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("old.db")
            try await open(file).close()
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            try await open(file).close()
            // The other files of the database have the same mode as the main file.
            let exposed = SQLiteDatabase.filesOpenToOthers(path: file.path)
            #expect(exposed.first == file.path)
            #expect(exposed.allSatisfy { $0.hasPrefix(file.path) })
        }
    }

    @Test func `creates a database in an empty file`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("empty.db")
            try Data().write(to: file)
            try await open(file).close()
            #expect(try code { try open(file) } == nil)
        }
    }

    @Test func `repairs a first start that failed because the disk was full`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("test.db")
            let threePages = SQLiteOptions(fileBytesMax: 3 * 4_096)
            #expect(try code { try SQLiteDatabase.open(path: file.path, options: threePages) } == .full)
            let tables = try await DatabaseQueue(path: file.path).read { db in
                try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
            }
            #expect(tables == ["grdb_migrations"], "the file is as the first start left it")
            try await open(file).close()
            try await open(file).close()
        }
    }

    @Test(arguments: [false, true])
    func `accepts a file with an empty migration table only, and refuses one with an unknown migration`(
        hasStep: Bool
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("test.db")
            let raw = try DatabaseQueue(path: file.path)
            try await raw.write { db in
                try db.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
                if hasStep { try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('theirs')") }
            }
            try raw.close()
            #expect(try code { try open(file) } == (hasStep ? .notADatabase : nil))
        }
    }

    @Test func `refuses a database of another program, and does not change it`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("foreign.db")
            let foreign = try DatabaseQueue(path: file.path)
            try await foreign.write { db in try db.execute(sql: "CREATE TABLE notes (text TEXT)") }
            let before = try Data(contentsOf: file)
            #expect(try code { try open(file) } == .notADatabase)
            #expect(try Data(contentsOf: file) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["foreign.db"])
            let tables = try await foreign.read { db in
                try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema")
            }
            #expect(tables == ["notes"])
        }
    }

    @Test func `refuses a read-only file`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("test.db")
            try await open(file).close()
            let before = try Data(contentsOf: file)
            try setPermissions(0o444, of: file)
            #expect(try code { try open(file) } == .readOnly)
            #expect(try Data(contentsOf: file) == before)
        }
    }

    @Test func `opens while a backup opens and closes the file, which deletes its companions`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("test.db")
            try await open(file).close()
            let isFinished = Mutex(false)
            var waiting = Configuration()
            waiting.busyMode = .timeout(60)
            async let reads = Task.detached { [waiting] in
                var reads = 0
                while !isFinished.withLock({ $0 }) {
                    let backup = try DatabaseQueue(path: file.path, configuration: waiting)
                    try backup.read { db in _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM apps") }
                    try backup.close()
                    reads += 1
                }
                return reads
            }.value
            do {
                defer { isFinished.withLock { $0 = true } }
                for _ in 0..<openingCount { try await open(file).close() }
            }
            #expect(try await reads > 0)
        }
    }

    @Test func `refuses a read-only folder`() async throws {
        try await withTemporaryFolder { folder in
            try setPermissions(0o555, of: folder)
            #expect(try code { try open(folder.appendingPathComponent("test.db")) } == .readOnly)
            try setPermissions(0o755, of: folder)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    @Test func `reports the path of a missing folder with a suggestion`() async throws {
        try await withTemporaryFolder { folder in
            let missing = folder.appendingPathComponent("missing")
            let error = try #require(throws: StorageError.self) {
                try open(missing.appendingPathComponent("test.db"))
            }
            #expect(error.code == .unavailable)
            #expect(error.message.contains(missing.path))
            #expect(error.message.contains("Create it"))
            #expect(error.isRetryable)
        }
    }

    @Test func `refuses a folder instead of a file`() async throws {
        try await withTemporaryFolder { folder in
            let refusal = try code { try open(folder) }
            #expect(refusal == .unavailable)
        }
    }

    @Test func `refuses an unreleased schema with its own code, and does not change it`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("older.db")
            try await open(file).close()
            let raw = try DatabaseQueue(path: file.path)
            let first = "0001 apps, evidence, facts, purchases, events"
            try await raw.write { db in
                try db.execute(sql: "DELETE FROM grdb_migrations")
                try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [first])
            }
            #expect(try code { try open(file) } == .schemaUnreleased)
            let steps = try await raw.read { db in try String.fetchAll(db, sql: "SELECT * FROM grdb_migrations") }
            #expect(steps == [first])
        }
    }

    @Test func `refuses a database of a newer version, and does not change it`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("newer.db")
            try await open(file).close()
            let raw = try DatabaseQueue(path: file.path)
            let count = "SELECT count(*) FROM grdb_migrations"
            let own = try #require(try await raw.read { db in try Int.fetchOne(db, sql: count) })
            try await raw.write { db in
                try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('9999 from the future')")
            }
            #expect(try code { try open(file) } == .schemaTooNew)
            let steps = try await raw.read { db in try Int.fetchOne(db, sql: count) }
            #expect(steps == own + 1)
        }
    }
}
