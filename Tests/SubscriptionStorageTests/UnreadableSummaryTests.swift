import Foundation
import GRDB
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageSQLite
import Testing

/// A notification whose row is damaged does not hide the others.
@Suite struct `A list of notifications` {
    @Test func `has only the sequence number of a row that cannot be read`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            let database = try SQLiteDatabase.open(path: path)
            for number in 1...4 {
                _ = try await database.write { storage throws(StorageError) in
                    try storage.insert(PostgreSQLFixture.evidence(number))
                }
            }
            let before = try await Self.list(after: 0, limit: 10, database)
            #expect(before.allSatisfy { $0.summary?.sequence == $0.sequence })
            let queue = try DatabaseQueue(path: path)
            try await queue.write { db in
                try db.execute(sql: "UPDATE evidence SET evidence_id = x'ff' WHERE sequence = 2")
            }
            try queue.close()
            let after = try await Self.list(after: 0, limit: 10, database)
            #expect(after.map(\.sequence) == [1, 2, 3, 4])
            #expect(after.map { $0.summary == nil } == [false, true, false, false])
            #expect(after.compactMap(\.summary) == [before[0], before[2], before[3]].compactMap(\.summary))
            let page = try await Self.list(after: 1, limit: 1, database)
            #expect(page.map(\.sequence) == [2])
            try await database.close()
        }
    }

    private static func list(
        after sequence: Int64,
        limit: Int,
        _ database: any SubscriptionDatabase
    ) async throws -> [FoundSummary] {
        try await database.read { storage throws(StorageError) in
            try storage.evidence(.notification, of: PostgreSQLFixture.app, after: sequence, limit: limit)
        }
    }
}
