import Foundation
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageSQLite
import Testing

/// Reads share threads and snapshots without an effect on their results.
@Suite struct `Reads that share a snapshot` {
    private static let app = AppID("com.example.app/sandbox")

    private static func customer(_ id: String, version: Int64) -> CustomerRecord {
        CustomerRecord(id: CustomerID(id), firstSeenAt: Timestamp(milliseconds: 1), stateVersion: version)
    }

    private static func open(in folder: URL, readsOnCaller: Bool) throws(StorageError) -> SQLiteDatabase {
        try SQLiteDatabase.open(
            path: folder.appendingPathComponent("test.db").path,
            options: SQLiteOptions(readsOnCaller: readsOnCaller)
        )
    }

    @Test(arguments: [false, true])
    func `return every earlier commit, for any number of readers`(readsOnCaller: Bool) async throws {
        try await withTemporaryFolder { folder in
            let database = try Self.open(in: folder, readsOnCaller: readsOnCaller)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for reader in 0..<40 {
                    group.addTask {
                        let record = Self.customer("u_\(reader)", version: Int64(reader))
                        for round in 0..<5 {
                            var record = record
                            record.stateVersion += Int64(round)
                            let saved = record
                            try await database.write { storage throws(StorageError) in
                                try storage.save(saved, of: Self.app)
                            }
                            let read = try await database.read { storage throws(StorageError) in
                                try storage.customer(saved.id, of: Self.app)
                            }
                            #expect(read == saved)
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await database.close()
        }
    }

    @Test(arguments: [false, true])
    func `throw only their own errors`(readsOnCaller: Bool) async throws {
        try await withTemporaryFolder { folder in
            let database = try Self.open(in: folder, readsOnCaller: readsOnCaller)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        do throws(StorageError) {
                            return try await database.read { storage throws(StorageError) in
                                guard number % 3 != 0 else { throw StorageError(.busy, "No.", isRetryable: true) }
                                return try storage.apps().isEmpty
                            }
                        } catch {
                            let isExpected = error.code == .busy && number % 3 == 0
                            #expect(isExpected)
                            return false
                        }
                    }
                }
                let succeeded = try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                #expect(succeeded == 42)
            }
            try await database.close()
        }
    }

    @Test(arguments: [false, true])
    func `are completed while the database closes`(readsOnCaller: Bool) async throws {
        try await withTemporaryFolder { folder in
            let database = try Self.open(in: folder, readsOnCaller: readsOnCaller)
            await withTaskGroup(of: StorageError.Code?.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        do throws(StorageError) {
                            if number == 100 { try await database.close() }
                            _ = try await database.read { storage throws(StorageError) in try storage.apps() }
                            return nil
                        } catch {
                            return error.code
                        }
                    }
                }
                for await code in group { #expect(code == nil || code == .unavailable) }
            }
        }
    }

    @Test func `depend on commit counts that change for the saved customers before the write returns`() async throws {
        try await withTemporaryFolder { folder in
            let database = try SQLiteDatabase.open(path: folder.appendingPathComponent("test.db").path)
            let commits = try await Self.commits(of: database)
            let touched = CustomerID("u_1")
            let others = (2..<22).map { CustomerID("u_\($0)") }
            func counts() -> [CustomerCommits.Count] { others.map { commits.count(of: $0, app: Self.app) } }
            let before = (touched: commits.count(of: touched, app: Self.app), others: counts())
            let record = Self.customer("u_1", version: 1)
            try await database.write { storage throws(StorageError) in try storage.save(record, of: Self.app) }
            #expect(commits.count(of: touched, app: Self.app) != before.touched)
            // Two customers can share a counter, but not all of them.
            #expect(zip(counts(), before.others).filter { $0 == $1 }.count > 15)
            // The caller does not know whether a failed write was committed.
            await #expect(throws: StorageError.self) {
                try await database.write { _ throws(StorageError) in throw StorageError(.busy, "", isRetryable: true) }
            }
            #expect(zip(counts(), before.others).allSatisfy { $0 != $1 })
            try await database.close()
        }
    }

    @Test func `depend on commit counts that change when another process commits`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            let database = try SQLiteDatabase.open(path: path)
            let other = try SQLiteDatabase.open(path: path)
            let customer = CustomerID("u_1")
            for version in 1...3 as ClosedRange<Int64> {
                let commits = try await Self.commits(of: database)
                let before = commits.count(of: customer, app: Self.app)
                let record = Self.customer("u_1", version: version)
                try await other.write { storage throws(StorageError) in try storage.save(record, of: Self.app) }
                // Counts are not given until somebody has looked again.
                try await until { database.commits == nil }
                var after: CustomerCommits?
                try await until {
                    after = database.commits
                    return after != nil
                }
                #expect(after?.count(of: customer, app: Self.app) != before)
            }
            try await other.close()
            try await database.close()
        }
    }

    /// The counts, which are not given before the first look for other processes' commits.
    private static func commits(of database: SQLiteDatabase) async throws -> CustomerCommits {
        while true {
            if let commits = database.commits { return commits }
            try await database.write { _ throws(StorageError) in }
        }
    }
}
