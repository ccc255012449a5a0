import Foundation
import GRDB
import PostgreSQLTesting
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import SubscriptionStorageSQLite
import Testing

/// An export has every column of every table: a new one cannot be forgotten.
@Suite struct `The tables of an export` {
    private static let copied = Set(
        CopiedTables.all.flatMap { table in table.columns.map { "\(table.name).\($0.name)" } }
    )

    @Test func `are all tables of SQLite, without what the import derives`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            try await SQLiteDatabase.open(path: path).close()
            let stored = try await DatabaseQueue(path: path).read { db in
                try String.fetchSet(
                    db,
                    sql: """
                        SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c
                        WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
                        """
                )
            }
            let derived: Set = [
                "app_numbers.app_number", "app_numbers.app_id", "evidence.position", "evidence.app_number",
                "evidence.previous", "purchases.last_evidence", "grdb_migrations.identifier",
            ]
            let leases = stored.filter { $0.hasPrefix("leases.") }
            #expect(!leases.isEmpty)
            // The row has the number of the app; the sequence number is a part of the position.
            let computed: Set = ["evidence.app_id", "evidence.sequence"]
            #expect(
                stored.subtracting(derived).subtracting(leases).subtracting(computed)
                    == Self.copied.subtracting(computed)
            )
        }
    }

    @Test func `are all tables of PostgreSQL, without what the import derives`() async throws {
        let fixture = try PostgreSQLFixture()
        try await fixture.open().close()
        let text = try fixture.run(
            """
            SELECT string_agg(table_name || '.' || column_name, ' ') FROM information_schema.columns
            WHERE table_schema = current_schema()
            """
        )
        let stored = Set(try #require(text).split(whereSeparator: \.isWhitespace).map(String.init))
        let derived = stored.filter { column in
            ["app_counters.", "leases.", "perennial_schema."].contains(where: column.hasPrefix)
        }
        #expect(stored.subtracting(derived) == Self.copied)
    }

    @Test func `have secrets only where keys are stored`() {
        let secret = ["api_keys", "operators", "operator_keys", "signing_keys", "webhook_secrets"]
        #expect(CopiedTables.all.filter(\.isSecret).map(\.name) == secret)
        let columns = CopiedTables.all.flatMap { table in
            table.columns.filter(\.isSecret).map { "\(table.name).\($0.name)" }
        }
        let expected = [
            "api_keys.digest", "operators.password", "operators.totp_secret", "operator_keys.digest",
            "signing_keys.private_key", "webhook_secrets.secret",
        ]
        #expect(columns == expected)
    }
}
