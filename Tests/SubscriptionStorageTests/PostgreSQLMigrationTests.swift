import PostgreSQLTesting
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import Testing

@testable import SubscriptionStorageSQLite

@Suite struct `Migrations on PostgreSQL` {
    @Test func `wait for locks regardless of the limits of requests`() async throws {
        let fixture = try PostgreSQLFixture()
        try await fixture.open().close()
        // PostgreSQL's limits use real time. The wait for the lock lasts longer than both of them.
        let holder = Task.detached { try fixture.run("LOCK TABLE perennial_schema", waitedForInSeconds: 1) }
        let lockCount = """
            SELECT count(*) FROM pg_locks WHERE relation = 'perennial_schema'::regclass AND granted
            AND mode = 'AccessExclusiveLock'
            """
        try await until { try fixture.run(lockCount) == "1" }
        let options = PostgreSQLOptions(statementTimeoutMilliseconds: 400, lockTimeoutMilliseconds: 400)
        try await fixture.open(options).close()
        try await holder.value
    }

    @Test func `are refused if the options disable them, and not needed again once they are done`() async throws {
        let fixture = try PostgreSQLFixture()
        let url = fixture.server.url(schema: fixture.schema)
        #expect(try await PostgreSQLDatabase.schemaStatus(url: url).pending > 0)
        await #expect(throws: StorageError.schemaOutdated) {
            try await fixture.open(PostgreSQLOptions(migrates: false)).close()
        }
        #expect(try fixture.run("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()") == "0")
        try await fixture.open().close()
        let status = try await PostgreSQLDatabase.schemaStatus(url: url)
        #expect(status.pending == 0)
        for (index, step) in status.steps.enumerated() {
            #expect(step.name.hasPrefix("\("000\(index + 1)".suffix(4)) "), "steps are numbered without a gap")
        }
        #expect(status.steps.map(\.name) == SQLiteSchema.status(done: []).steps.map(\.name))
        try await fixture.open(PostgreSQLOptions(migrates: false)).close()
        try fixture.run("INSERT INTO perennial_schema (step, name) VALUES (999, 'from the future')")
        await #expect(throws: StorageError(.schemaTooNew, "", isRetryable: false)) {
            _ = try await PostgreSQLDatabase.schemaStatus(url: url)
        }
    }

    @Test func `report a missing password and missing TLS`() async throws {
        let server = try PostgreSQLTestServer.shared()
        let url = server.url(schema: try server.makeSchema())
        do throws(StorageError) {
            try await PostgreSQLDatabase.open(url: url + "&sslmode=require").close()
            Issue.record("the test server does not support TLS")
        } catch {
            #expect(error.code == .serverUnsuitable)
            #expect(error.message.contains("TLS"))
        }
        do throws(StorageError) {
            try await PostgreSQLDatabase.open(url: server.url(user: PostgreSQLTestServer.guardedUser)).close()
            Issue.record("the test server requires a password for this user")
        } catch {
            #expect(error.code == .accessDenied)
            #expect(error.message.contains("PGPASSWORD"))
        }
    }
}
