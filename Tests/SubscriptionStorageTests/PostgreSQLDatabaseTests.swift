import Dispatch
import PostgreSQLTesting
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import Testing

@Suite struct `A PostgreSQL database` {
    private let fixture: PostgreSQLFixture

    init() throws {
        fixture = try PostgreSQLFixture()
    }

    @Test func `keeps committed data after it is opened again, byte for byte`() async throws {
        let first = try await fixture.open()
        _ = try await first.insert(PostgreSQLFixture.evidence(1))
        try await first.close()
        let second = try await fixture.open()
        _ = try await second.insert(PostgreSQLFixture.evidence(2))
        #expect(try await second.storedNotifications().map(\.id.rawValue) == ["notification:1", "notification:2"])
        let bytes = try await second.read { storage throws(StorageError) in
            try storage.evidence(EvidenceID("notification:1"), of: PostgreSQLFixture.app)?.signedBytes
        }
        #expect(bytes == PostgreSQLFixture.evidence(1).signedBytes)
        try await second.close()
    }

    @Test func `stores the certificates of a header once, for any number of servers`() async throws {
        let databases = [try await fixture.open(), try await fixture.open()]
        let header = String(repeating: "c", count: 4_500)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask {
                    _ = try await databases[number % 2].insert(PostgreSQLFixture.evidence(number, header: header))
                }
            }
            try await group.waitForAll()
        }
        _ = try await databases[0].insert(PostgreSQLFixture.evidence(21, header: header + "d"))
        let headers = try fixture.run(
            "SELECT string_agg(length(bytes)::text, ' ' ORDER BY header_id) FROM evidence_headers"
        )
        #expect(headers == "4500 4501")
        for database in databases { try await database.close() }
    }

    @Test func `refuses text with a null character instead of truncating it`() async throws {
        let database = try await fixture.open()
        let error = await #expect(throws: StorageError.self) {
            try await database.save(PostgreSQLFixture.customer("u_42\0x"))
        }
        #expect(error?.code == .failed)
        #expect(try fixture.run("SELECT count(*) FROM customers") == "0")
        try await database.close()
    }

    @Test func `does not commit a body that ignores an error of the engine`() async throws {
        let database = try await fixture.open()
        try fixture.run("ALTER TABLE customers ADD CHECK (state_version < 100)")
        let error = await #expect(throws: StorageError.self) {
            try await database.write { storage throws(StorageError) in
                let app = PostgreSQLFixture.app
                try storage.save(PostgreSQLFixture.customer("u_1"), of: app)
                do throws(StorageError) {
                    try storage.save(PostgreSQLFixture.customer("u_2", version: 100), of: app)
                    _ = try storage.customer(CustomerID("u_2"), of: app)
                } catch {}
            }
        }
        #expect(error?.code == .failed)
        #expect(try await database.version(of: "u_1") == nil)
        try await database.save(PostgreSQLFixture.customer("u_1"))
        #expect(try await database.version(of: "u_1") == 0)
        try await database.close()
    }

    @Test(arguments: [
        "UPDATE events SET event = '\\x01'", "UPDATE events SET event = '\\x09'",
        "UPDATE events SET event = event || '\\x00'",
        "UPDATE events SET event = '\\x01FF00000000000000'", "UPDATE events SET event = ''",
    ])
    func `returns an error with a code for an unreadable value, and never crashes`(damage: String) async throws {
        let database = try await fixture.open()
        try await database.write { storage throws(StorageError) in try storage.countUp("u_1") }
        try fixture.run(damage)
        let error = await #expect(throws: StorageError.self) { try await database.eventSequences() }
        #expect(error?.code == .corrupt)
        try await database.close()
    }

    @Test(arguments: [(60_000, 50, StorageError.Code.busy), (500, 60_000, .timedOut)])
    func `is busy or times out while another transaction has a lock, and available afterwards`(
        statement: Int,
        lock: Int,
        code: StorageError.Code
    ) async throws {
        let options = PostgreSQLOptions(statementTimeoutMilliseconds: statement, lockTimeoutMilliseconds: lock)
        let (holder, other) = (try await fixture.open(), try await fixture.open(options))
        let (locking, isLocked) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        async let write: Void = holder.write { storage throws(StorageError) in
            _ = try storage.customer(CustomerID("u_1"), of: PostgreSQLFixture.app)
            isLocked.finish()
            _ = release.wait(timeout: .now() + .seconds(60))
            try storage.countUp("u_1")
        }
        for await _ in locking {}
        let error = await #expect(throws: StorageError.self) { try await other.countUp("u_1") }
        release.signal()
        try await write
        #expect(error?.code == code)
        #expect(error?.isRetryable == true)
        // A machine that stands still for a moment exceeds such short limits once more.
        try await until { (try? await other.countUp("u_1")) != nil }
        #expect(try await holder.version(of: "u_1") == 2)
        try await holder.close()
        try await other.close()
    }

    @Test func `refuses requests as busy when the queue is full, and processes the others`() async throws {
        let database = try await fixture.open(PostgreSQLOptions(writersMax: 1, waitingMax: 4))
        let outcomes = await withTaskGroup(of: StorageError.Code?.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    do {
                        try await database.countUp("u_1")
                        return nil
                    } catch {
                        return (error as? StorageError)?.code ?? .failed
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0 == nil || $0 == .busy })
        let done = outcomes.filter { $0 == nil }.count
        #expect(done >= 4)
        #expect(try await database.version(of: "u_1") == Int64(done))
        try await database.close()
    }
}
