import Foundation
import GRDB
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageSQLite
import Testing

@Suite
struct `A database file` {
    private let app = AppID("com.example.app/sandbox")
    private let customerID = CustomerID("u_42")

    private func evidence(_ number: Int, bytes: Int = 100, header: String = "header") -> EvidenceRecord {
        EvidenceRecord(
            appID: app,
            id: EvidenceID("notification:\(number)"),
            kind: .notification,
            signedAt: Timestamp(milliseconds: 1),
            receivedAt: Timestamp(milliseconds: 2),
            signedBytes: Array("\(header).".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: bytes)
        )
    }

    private func customer(_ version: Int64) -> CustomerRecord {
        CustomerRecord(id: customerID, firstSeenAt: Timestamp(milliseconds: 1), stateVersion: version)
    }

    private func held(_ database: SQLiteDatabase) async throws -> [String] {
        try await database.read { [app] storage throws(StorageError) in
            try storage.evidence(.notification, of: app, after: 0, limit: 1_000).map(\.id.rawValue)
        }
    }

    private func insert(_ record: EvidenceRecord, _ database: SQLiteDatabase) async throws {
        _ = try await database.write { storage throws(StorageError) in try storage.insert(record) }
    }

    @Test func `is closed without an error after tasks that were cancelled at any moment of a write`() async throws {
        try await withTemporaryFolder { folder in
            for number in 0..<100 {
                let database = try SQLiteDatabase.open(path: folder.appendingPathComponent("\(number).db").path)
                let record = evidence(number)
                let writing = Task { try await insert(record, database) }
                // Another moment each time: so many turns of other tasks.
                for _ in 0..<number { await Task.yield() }
                writing.cancel()
                _ = await writing.result
                try await database.close()
            }
        }
    }

    @Test func `what was committed is there after opening again`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            let first = try SQLiteDatabase.open(path: path)
            try await insert(evidence(1), first)
            try await first.close()
            let second = try SQLiteDatabase.open(path: path)
            try await insert(evidence(2), second)
            #expect(try await held(second) == ["notification:1", "notification:2"])
            let bytes = try await second.read { [app] storage throws(StorageError) in
                try storage.evidence(EvidenceID("notification:1"), of: app)?.signedBytes
            }
            #expect(bytes == evidence(1).signedBytes)
            try await second.close()
        }
    }

    /// The files as a killed process leaves them: copied while a transaction larger than the cache is half written.
    @Test func `a process killed in the middle of a write leaves what was committed and nothing else`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            let copy = folder.appendingPathComponent("copy.db").path
            let database = try SQLiteDatabase.open(path: path)
            try await insert(evidence(1), database)
            let records = (2...81).map { evidence($0, bytes: 1_000_000) }
            try await database.write { storage throws(StorageError) in
                for record in records { _ = try storage.insert(record) }
                do {
                    try FileManager.default.copyItem(atPath: path, toPath: copy)
                    try FileManager.default.copyItem(atPath: path + "-wal", toPath: copy + "-wal")
                } catch {
                    throw StorageError(.failed, "The files could not be copied: \(error)", isRetryable: false)
                }
            }
            let logBytes = try Data(contentsOf: URL(fileURLWithPath: copy + "-wal")).count
            #expect(logBytes > 1_000_000, "the open transaction has reached the log")
            let survivor = try SQLiteDatabase.open(path: copy)
            #expect(try await held(survivor) == ["notification:1"])
            try await insert(evidence(2), survivor)
            #expect(try await held(survivor) == ["notification:1", "notification:2"])
            try await survivor.close()
            #expect(try await held(database).count == 81)
            try await database.close()
        }
    }

    @Test func `a full database refuses the whole transaction, goes on working, and takes it once there is space`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            let small = try SQLiteDatabase.open(path: path, options: SQLiteOptions(fileBytesMax: 400_000))
            try await insert(evidence(1), small)
            let (before, after) = (customer(1), customer(2))
            try await small.write { [app] storage throws(StorageError) in try storage.save(before, of: app) }
            let large = evidence(2, bytes: 1_000_000)
            let error = await #expect(throws: StorageError.self) {
                try await small.write { [app] storage throws(StorageError) in
                    try storage.save(after, of: app)
                    _ = try storage.insert(large)
                }
            }
            #expect(error?.code == .full)
            #expect(error?.isRetryable == true)
            #expect(try await held(small) == ["notification:1"])
            #expect(try await version(small) == 1)
            try await small.write { [app] storage throws(StorageError) in try storage.save(after, of: app) }
            #expect(try await version(small) == 2)
            try await small.close()
            let roomy = try SQLiteDatabase.open(path: path)
            try await insert(large, roomy)
            #expect(try await held(roomy) == ["notification:1", "notification:2"])
            try await roomy.close()
        }
    }

    private func version(_ database: SQLiteDatabase) async throws -> Int64? {
        try await database.read { [app, customerID] storage throws(StorageError) in
            try storage.customer(customerID, of: app)?.stateVersion
        }
    }

    @Test func `a body that swallows an error of the engine is not committed`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            let database = try SQLiteDatabase.open(path: path, options: SQLiteOptions(fileBytesMax: 400_000))
            let (record, large) = (customer(1), evidence(1, bytes: 1_000_000))
            let error = await #expect(throws: StorageError.self) {
                try await database.write { [app] storage throws(StorageError) -> StorageError.Code? in
                    try storage.save(record, of: app)
                    do throws(StorageError) { _ = try storage.insert(large) } catch { return error.code }
                    return nil
                }
            }
            #expect(error?.code == .full)
            #expect(try await version(database) == nil)
            try await database.close()
        }
    }

    @Test func `a database that another process holds is busy, and free again afterwards`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            let database = try SQLiteDatabase.open(path: path, options: SQLiteOptions(busyTimeoutMilliseconds: 1))
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: path, configuration: configuration)
            try await other.writeWithoutTransaction { db in try db.beginTransaction(.immediate) }
            let error = await #expect(throws: StorageError.self) { try await insert(evidence(1), database) }
            #expect(error?.code == .busy)
            #expect(error?.isRetryable == true)
            try await other.writeWithoutTransaction { db in try db.rollback() }
            try await insert(evidence(1), database)
            #expect(try await held(database) == ["notification:1"])
            try await database.close()
        }
    }

    @Test func `the certificates in a header are kept once`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            let database = try SQLiteDatabase.open(path: path)
            let header = String(repeating: "c", count: 4_500)
            for number in 1...20 { try await insert(evidence(number, header: header), database) }
            try await insert(evidence(21, header: header + "d"), database)
            try await database.close()
            let raw = try DatabaseQueue(path: path)
            let headers = try await raw.read { db in
                try Int.fetchAll(db, sql: "SELECT length(bytes) FROM evidence_headers ORDER BY header_id")
            }
            #expect(headers == [4_500, 4_501])
        }
    }

    @Test func `text with a zero character is refused rather than cut`() async throws {
        try await withTemporaryFolder { folder in
            let database = try SQLiteDatabase.open(path: folder.appendingPathComponent("test.db").path)
            let record = CustomerRecord(
                id: CustomerID("u_42\0x"),
                firstSeenAt: Timestamp(milliseconds: 1),
                stateVersion: 1
            )
            let error = await #expect(throws: StorageError.self) {
                try await database.write { [app] storage throws(StorageError) in try storage.save(record, of: app) }
            }
            #expect(error?.code == .failed)
            #expect(try await version(database) == nil)
            try await database.close()
        }
    }

    @Test(arguments: [
        "UPDATE events SET event = x'01'", "UPDATE events SET event = x'09'",
        "UPDATE events SET event = CAST(event || x'00' AS BLOB)",
        "UPDATE events SET event = x'01FF00000000000000'", "UPDATE events SET event = x''",
    ])
    func `a stored value that does not read back is an error with a code, never a trap`(damage: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            let database = try SQLiteDatabase.open(path: path)
            let event = SubscriptionEvent(
                kind: .started,
                occurredAt: Timestamp(milliseconds: 1),
                purchaseID: OriginalTransactionID("1"),
                productID: ProductID("pro")
            )
            try await database.write { [app] storage throws(StorageError) in
                try storage.append([event], customer: nil, recordedAt: event.occurredAt, app: app)
            }
            let raw = try DatabaseQueue(path: path)
            try await raw.write { db in try db.execute(sql: damage) }
            let error = await #expect(throws: StorageError.self) {
                try await database.read { [app] storage throws(StorageError) in
                    try storage.events(of: app, after: 0, limit: 10)
                }
            }
            #expect(error?.code == .corrupt)
            try await database.close()
        }
    }

    @Test func `two open databases on one file see each other's commits`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            let (one, two) = (try SQLiteDatabase.open(path: path), try SQLiteDatabase.open(path: path))
            try await insert(evidence(1), one)
            try await insert(evidence(2), two)
            #expect(try await held(one) == ["notification:1", "notification:2"])
            try await one.close()
            #expect(try await held(two) == ["notification:1", "notification:2"])
            try await two.close()
        }
    }
}
