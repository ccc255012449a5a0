import Foundation
import GRDB
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageSQLite
import Testing

@Suite struct `A database file` {
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

    private func notifications(_ database: SQLiteDatabase) async throws -> [String] {
        try await database.read { [app] storage throws(StorageError) in
            try storage.evidence(.notification, of: app, after: 0, limit: 1_000).compactMap(\.summary?.id.rawValue)
        }
    }

    private func insert(_ record: EvidenceRecord, _ database: SQLiteDatabase) async throws {
        _ = try await database.write { storage throws(StorageError) in try storage.insert(record) }
    }

    @Test func `is closed without an error after a write is cancelled at any point`() async throws {
        try await withTemporaryFolder { folder in
            for number in 0..<100 {
                let database = try SQLiteDatabase.open(path: folder.appendingPathComponent("\(number).db").path)
                let record = evidence(number)
                let writing = Task { try await insert(record, database) }
                // Another point in each round, after this number of suspensions.
                for _ in 0..<number { await Task.yield() }
                writing.cancel()
                _ = await writing.result
                try await database.close()
            }
        }
    }

    @Test func `keeps committed data after it is opened again`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            let first = try SQLiteDatabase.open(path: path)
            try await insert(evidence(1), first)
            try await first.close()
            let second = try SQLiteDatabase.open(path: path)
            try await insert(evidence(2), second)
            #expect(try await notifications(second) == ["notification:1", "notification:2"])
            let bytes = try await second.read { [app] storage throws(StorageError) in
                try storage.evidence(EvidenceID("notification:1"), of: app)?.signedBytes
            }
            #expect(bytes == evidence(1).signedBytes)
            try await second.close()
        }
    }

    /// Simulates a killed process: the files are copied while a transaction larger than the cache is partly written.
    @Test func `contains only committed data after a process is killed during a write`() async throws {
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
            let recovered = try SQLiteDatabase.open(path: copy)
            #expect(try await notifications(recovered) == ["notification:1"])
            try await insert(evidence(2), recovered)
            #expect(try await notifications(recovered) == ["notification:1", "notification:2"])
            try await recovered.close()
            #expect(try await notifications(database).count == 81)
            try await database.close()
        }
    }

    @Test func `refuses a whole transaction if it is full, and accepts it once there is space`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            let small = try SQLiteDatabase.open(path: path, options: SQLiteOptions(fileBytesMax: 480_000))
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
            #expect(try await notifications(small) == ["notification:1"])
            #expect(try await version(small) == 1)
            try await small.write { [app] storage throws(StorageError) in try storage.save(after, of: app) }
            #expect(try await version(small) == 2)
            try await small.close()
            let unlimited = try SQLiteDatabase.open(path: path)
            try await insert(large, unlimited)
            #expect(try await notifications(unlimited) == ["notification:1", "notification:2"])
            try await unlimited.close()
        }
    }

    private func version(_ database: SQLiteDatabase) async throws -> Int64? {
        try await database.read { [app, customerID] storage throws(StorageError) in
            try storage.customer(customerID, of: app)?.stateVersion
        }
    }

    @Test func `does not commit a body that ignores an error of the engine`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            let database = try SQLiteDatabase.open(path: path, options: SQLiteOptions(fileBytesMax: 480_000))
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

    @Test func `is busy while another process has a lock, and available afterwards`() async throws {
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
            #expect(try await notifications(database) == ["notification:1"])
            try await database.close()
        }
    }

    @Test func `stores the certificates of a header once`() async throws {
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

    @Test func `refuses text with a null character instead of truncating it`() async throws {
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
    func `returns an error with a code for an unreadable value, and never crashes`(damage: String) async throws {
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

    @Test func `shows commits to every database that has it open`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            let (one, two) = (try SQLiteDatabase.open(path: path), try SQLiteDatabase.open(path: path))
            try await insert(evidence(1), one)
            try await insert(evidence(2), two)
            #expect(try await notifications(one) == ["notification:1", "notification:2"])
            try await one.close()
            #expect(try await notifications(two) == ["notification:1", "notification:2"])
            try await two.close()
        }
    }
}
