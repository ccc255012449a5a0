import PostgreSQLTesting
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import Testing

/// Each test has its own server, because the test stops it.
@Suite struct `A PostgreSQL server that is stopped` {
    @Test func `has its connections opened again, and an interrupted transaction runs once more`() async throws {
        let fixture = try PostgreSQLFixture(server: PostgreSQLTestServer())
        let database = try await fixture.open()
        try await database.countUp("u_1")
        try fixture.endConnections()
        #expect(try await database.version(of: "u_1") == 1)
        try await database.countUp("u_1")
        try await database.write { storage throws(StorageError) in
            try storage.countUp("u_1")
            guard try storage.customer(CustomerID("u_1"), of: PostgreSQLFixture.app)?.stateVersion == 3 else {
                throw StorageError(.failed, "The body does not see its own write.", isRetryable: false)
            }
            let isFirstRun = try storage.customer(CustomerID("mark"), of: PostgreSQLFixture.app) == nil
            guard isFirstRun else { return }
            do {
                // Outside of the transaction, so that the second run sees it.
                try fixture.run("INSERT INTO customers VALUES ('\(PostgreSQLFixture.app)', 'mark', 1, 1)")
                try fixture.endConnections()
            } catch {
                throw StorageError(.failed, "\(error)", isRetryable: false)
            }
            _ = try storage.customer(CustomerID("u_2"), of: PostgreSQLFixture.app)
        }
        #expect(try await database.version(of: "u_1") == 3)
        #expect(try await database.version(of: "mark") == 1)
        #expect(try await database.eventSequences() == [1, 2, 3])
        try await database.close()
        try fixture.server.remove()
    }

    @Test func `is unavailable at once, and the database works after a restart`() async throws {
        let fixture = try PostgreSQLFixture(server: PostgreSQLTestServer())
        let database = try await fixture.open()
        try await database.countUp("u_1")
        for isCrash in [false, true] {
            try isCrash ? fixture.server.crash() : fixture.server.stop()
            for _ in 0..<20 {
                let error = await #expect(throws: StorageError.self) { try await database.countUp("u_1") }
                #expect(error?.code == .unavailable)
                #expect(error?.isRetryable == true)
            }
            try fixture.server.start()
            let before = try await database.versionWhenAvailable(of: "u_1")
            try await database.countUpWhenAvailable("u_1")
            #expect(try await database.version(of: "u_1") == before + 1)
        }
        #expect(try await database.version(of: "u_1") == 3)
        #expect(try await database.eventSequences() == [1, 2, 3])
        try await database.close()
        try fixture.server.remove()
    }

    @Test func `is replaced by its standby, with everything that was committed`() async throws {
        let fixture = try PostgreSQLFixture(server: PostgreSQLTestServer())
        let primary = fixture.server
        let first = try await fixture.open()
        try await first.close()
        let standby = try primary.makeStandby()
        // A commit returns when the standby has it too.
        try primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try primary.run("SELECT pg_reload_conf()")
        let followers = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        try await until { try primary.run(followers) == "1" }
        let url = primary.url(schema: fixture.schema)
            .replacing("127.0.0.1:\(primary.port)", with: "127.0.0.1:\(standby.port),127.0.0.1:\(primary.port)")
        let database = try await PostgreSQLDatabase.open(url: url)
        for _ in 0..<10 { try await database.countUp("u_1") }
        try primary.crash()
        let away = await #expect(throws: StorageError.self) { try await database.countUp("u_1") }
        #expect(away?.isRetryable == true)
        try standby.promote()
        try await database.countUpWhenAvailable("u_1")
        #expect(try await database.version(of: "u_1") == 11)
        #expect(try await database.eventSequences() == Array(1...11))
        try await database.close()
        try standby.remove()
        try primary.remove()
    }
}

extension SubscriptionDatabase {
    /// Retries until the database is available again, for at most three minutes.
    private func whenAvailable<Value>(_ work: () async throws -> Value) async throws -> Value {
        var value: Value?
        try await until {
            do {
                value = try await work()
                return true
            } catch let error as StorageError where error.isRetryable {
                return false
            }
        }
        return try #require(value)
    }

    fileprivate func countUpWhenAvailable(_ id: String) async throws {
        try await whenAvailable { try await countUp(id) }
    }

    fileprivate func versionWhenAvailable(of id: String) async throws -> Int64 {
        try await whenAvailable { try #require(try await version(of: id)) }
    }
}
