import GRDB
import SubscriptionCore
import SubscriptionStorage
import Testing

/// A notification whose row is damaged does not hide the others.
@Suite struct `A list of notifications` {
    private typealias Engine = `A purchase that cannot be read`.Engine

    /// PostgreSQL keeps everything that a summary cannot have out of its columns.
    @Test func `has the sequence number of a row that cannot be read`() async throws {
        let engine = Engine.sqlite
        try await withTemporaryFolder { folder in
            let (database, run) = try await engine.open(in: folder)
            for number in 1...4 {
                _ = try await database.write { storage throws(StorageError) in
                    try storage.insert(PostgreSQLFixture.evidence(number))
                }
            }
            let before = try await Self.list(after: 0, limit: 10, database)
            #expect(before.allSatisfy { $0.summary?.sequence == $0.sequence })
            try await run("UPDATE evidence SET evidence_id = \(engine.damage) WHERE sequence = 3")
            let after = try await Self.list(after: 0, limit: 10, database)
            #expect(after.map(\.sequence) == [1, 2, 3, 4])
            #expect(after.map { $0.summary == nil } == [false, false, true, false])
            #expect(after.compactMap(\.summary) == [before[0], before[1], before[3]].compactMap(\.summary))
            #expect(try await Self.list(after: 2, limit: 1, database).map(\.sequence) == [3])
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
