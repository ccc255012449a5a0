import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Foundation
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageSQLite
import SubscriptionStorageTesting
import Synchronization
import Testing

@testable import SubscriptionOperations

/// Retryable errors that affect the work of one notification only.
private let retryableFaults = [
    StorageError(.exhausted, "No locks are left.", isRetryable: true),
    StorageError(.timedOut, "The statement was cancelled.", isRetryable: true),
    StorageError(.busy, "Another transaction holds the data.", isRetryable: true),
]

/// Notifications share commits.
@Suite struct `Notifications in one commit` {
    /// Counts writes, and blocks them from `shut()` to `open()`.
    private final class GatedDatabase: SubscriptionDatabase {
        private let base: any SubscriptionDatabase
        private let (steps, step) = AsyncStream.makeStream(of: Void.self)
        private let state = Mutex((writes: 0, isFull: false, isGated: false))

        init(_ base: any SubscriptionDatabase) { self.base = base }

        var writes: Int { state.withLock(\.writes) }

        func shut() { state.withLock { $0 = (0, $0.isFull, true) } }

        /// Makes every write after `shut()` fail with a full disk.
        func fill() { state.withLock { $0.isFull = true } }

        func open() { step.finish() }

        func read<Result: Sendable>(
            _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            try await base.read(body)
        }

        func write<Result: Sendable>(
            _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            let state = state.withLock { state in
                state.writes += 1
                return state
            }
            if state.isGated { for await _ in steps {} }
            guard !state.isFull || !state.isGated else {
                throw StorageError(.full, "No space is left. Free some.", isRetryable: true)
            }
            return try await base.write(body)
        }

        func close() async throws(StorageError) { try await base.close() }
    }

    /// Ingests notifications while the first commit is blocked. Returns "taken" or the error code for each of them.
    private func ingest(_ count: Int, poisoned: Int?, into database: GatedDatabase) async throws -> [Int: String] {
        let apple = try SignedApple()
        let app = AppRecord(bundleID: ServerFixture.bundle, environment: .production, appleID: ServerFixture.appleID)
        let ingestion = Ingestion(
            database: database,
            verifier: SignedDataVerifier(roots: [apple.authority.trustedRoot], apps: [AppIdentity(app)]),
            policy: AccessPolicy(),
            time: FollowedTimeSource(Timestamp(milliseconds: ServerFixture.now))
        )
        try await database.write { storage throws(StorageError) in try storage.save(app) }
        database.shut()
        return try await withThrowingTaskGroup(of: (Int, String).self) { group in
            defer { database.open() }
            for number in 0..<count {
                var period = SignedApple.period(id: "\(3_000 + number)", original: "\(3_000 + number)")
                // SQLite cannot store a string with a zero character.
                if number == poisoned { period.productId = "pro\u{0}monthly" }
                let signed = Array(try apple.notification(UUID().uuidString.lowercased(), transaction: period).utf8)
                group.addTask {
                    do throws(OperationError) {
                        _ = try await ingestion.takeNotification(signed)
                        return (number, "taken")
                    } catch {
                        return (number, error.code)
                    }
                }
                try await ServerFixture.until { database.writes > 0 }
            }
            try await ServerFixture.until { ingestion.waitingForCommit >= count - 1 }
            database.open()
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    private func storedCount(in database: any SubscriptionDatabase) async throws -> Int {
        try await database.read { storage throws(StorageError) in
            try storage.evidence(.notification, of: ServerFixture.app, after: 0, limit: 100).count
        }
    }

    private func withSQLite(_ body: (GatedDatabase) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let base = try SQLiteDatabase.open(path: folder.appendingPathComponent("perennial.db").path)
        let database = GatedDatabase(base)
        try await body(database)
        try await database.close()
    }

    @Test func `form the next commit if they arrive during one`() async throws {
        try await withSQLite { database in
            let outcomes = try await ingest(40, poisoned: nil, into: database)
            #expect(outcomes.count == 40 && outcomes.values.allSatisfy { $0 == "taken" })
            #expect(try await storedCount(in: database) == 40)
            #expect(database.writes == 2)
        }
    }

    @Test func `fail alone if they can never be stored`() async throws {
        try await withSQLite { database in
            let outcomes = try await ingest(40, poisoned: 20, into: database)
            #expect(outcomes.allSatisfy { number, outcome in (outcome == "taken") == (number != 20) })
            #expect(outcomes[20] == "storage_failed")
            #expect(try await storedCount(in: database) == 39)
            // The first commit, the failed commit of 39, and one commit for each of them.
            #expect(database.writes == 2 + 39)
        }
    }

    @Test(arguments: retryableFaults)
    func `fail alone if their work fails repeatedly, even with a retryable error`(
        error: StorageError
    ) async throws {
        let base = InMemoryDatabase()
        let broken = TimingOutDatabase(base: base, error: error) { $0.rawValue == "3020" }
        let database = GatedDatabase(broken)
        let outcomes = try await ingest(40, poisoned: nil, into: database)
        #expect(outcomes.allSatisfy { number, outcome in (outcome == "taken") == (number != 20) })
        #expect(outcomes[20] == error.code.rawValue)
        #expect(try await storedCount(in: database) == 39)
    }

    @Test func `are not retried one by one if the database is too slow`() async throws {
        let error = StorageError(.timedOut, "The database is slow.", isRetryable: true)
        let database = GatedDatabase(TimingOutDatabase(base: InMemoryDatabase(), error: error) { _ in true })
        let outcomes = try await ingest(40, poisoned: nil, into: database)
        #expect(outcomes.count == 40 && outcomes.values.allSatisfy { $0 == "storage_timed_out" })
        // The first commit, the commit of 39, and three single commits.
        #expect(database.writes == 5)
    }

    @Test func `all fail after one try on a full disk, and none is stored`() async throws {
        let database = GatedDatabase(InMemoryDatabase())
        database.fill()
        let outcomes = try await ingest(40, poisoned: nil, into: database)
        #expect(outcomes.count == 40 && outcomes.values.allSatisfy { $0 == "storage_full" })
        #expect(try await storedCount(in: database) == 0)
        #expect(database.writes == 2)
    }
}
