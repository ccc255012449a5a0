import Foundation
import GRDB
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageSQLite
import Testing

@Suite
struct `A database file of an older version` {
    private let app = AppID("com.example.app/production")

    private func events(_ database: SQLiteDatabase) async throws -> [EventRecord] {
        try await database.read { [app] storage throws(StorageError) in
            try storage.events(of: app, after: 0, limit: 10)
        }
    }

    private func append(_ event: SubscriptionEvent, _ database: SQLiteDatabase) async throws {
        try await database.write { [app] storage throws(StorageError) in
            try storage.append([event], customer: nil, recordedAt: event.occurredAt, app: app)
        }
    }

    @Test func `keeps its events when they may be about no purchase, and takes such from then on`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            let told = SubscriptionEvent(
                kind: .started,
                occurredAt: Timestamp(milliseconds: 1),
                purchaseID: OriginalTransactionID("1"),
                productID: ProductID("pro")
            )
            let first = try SQLiteDatabase.open(path: path)
            try await append(told, first)
            try await first.close()
            try await makeOlder(path)

            let second = try SQLiteDatabase.open(path: path)
            #expect(try await events(second).map(\.event) == [told])
            let token = SubscriptionEvent(kind: .externalTokenCreated, occurredAt: Timestamp(milliseconds: 2))
            try await append(token, second)
            #expect(try await events(second).map(\.event) == [told, token])
            #expect(try await events(second).map(\.sequence) == [1, 2])
            try await second.close()
        }
    }

    /// Takes back what the steps after the second did.
    private func makeOlder(_ path: String) async throws {
        let raw = try DatabaseQueue(path: path)
        try await raw.write { db in
            try db.execute(
                sql: """
                    DELETE FROM grdb_migrations WHERE identifier >= '0003';
                    DROP TABLE transfers; DROP TABLE grants; DROP TABLE idempotency_keys; DROP TABLE unknown_notifications;
                    DROP INDEX evidence_by_purchase; ALTER TABLE evidence DROP COLUMN original_transaction_id;
                    CREATE TABLE older (
                        app_id TEXT NOT NULL, sequence INTEGER NOT NULL, kind TEXT NOT NULL, customer_id TEXT,
                        state_version INTEGER, occurred_at INTEGER NOT NULL, recorded_at INTEGER NOT NULL,
                        original_transaction_id TEXT NOT NULL, event TEXT NOT NULL, PRIMARY KEY (app_id, sequence)
                    ) STRICT, WITHOUT ROWID;
                    INSERT INTO older SELECT * FROM events;
                    DROP TABLE events;
                    ALTER TABLE older RENAME TO events;
                    """
            )
        }
        try raw.close()
    }
}
