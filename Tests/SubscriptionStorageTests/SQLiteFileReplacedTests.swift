import Foundation
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageSQLite
import Testing

/// SQLite keeps using a deleted file, and its writes are lost when the file is closed.
@Suite struct `An open database file that is removed or replaced` {
    private static let record = AppRecord(bundleID: "com.example.a", environment: .sandbox, appleID: nil)

    private func read(_ database: SQLiteDatabase) async throws -> [AppRecord] {
        try await database.read { storage throws(StorageError) in try storage.apps() }
    }

    private func write(_ database: SQLiteDatabase) async throws {
        try await database.write { storage throws(StorageError) in try storage.save(Self.record) }
    }

    private func expectRefusals(_ database: SQLiteDatabase) async throws {
        for work in [{ _ = try await read(database) }, { try await write(database) }] {
            let error = await #expect(throws: StorageError.self) { try await work() }
            #expect(error?.code == .fileReplaced)
            #expect(error?.isRetryable == true)
        }
    }

    @Test func `is neither read nor written until it is restored`() async throws {
        try await withTemporaryFolder { folder in
            let (file, aside) = (folder.appendingPathComponent("test.db"), folder.appendingPathComponent("aside.db"))
            let database = try SQLiteDatabase.open(path: file.path)
            try FileManager.default.moveItem(at: file, to: aside)
            try await expectRefusals(database)
            try FileManager.default.moveItem(at: aside, to: file)
            try await write(database)
            #expect(try await read(database) == [Self.record])
            try await database.close()
        }
    }

    @Test func `is not the same file as a copy of it`() async throws {
        try await withTemporaryFolder { folder in
            let (file, copy) = (folder.appendingPathComponent("test.db"), folder.appendingPathComponent("copy.db"))
            let database = try SQLiteDatabase.open(path: file.path)
            try await write(database)
            try FileManager.default.copyItem(at: file, to: copy)
            try FileManager.default.removeItem(at: file)
            try FileManager.default.moveItem(at: copy, to: file)
            try await expectRefusals(database)
            try await database.close()
        }
    }

    @Test func `is distinguished from a link to the file`() async throws {
        try await withTemporaryFolder { folder in
            let (file, link) = (folder.appendingPathComponent("test.db"), folder.appendingPathComponent("link.db"))
            try await SQLiteDatabase.open(path: file.path).close()
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            let database = try SQLiteDatabase.open(path: link.path)
            try await write(database)
            #expect(try await read(database) == [Self.record])
            try await database.close()
        }
    }
}
