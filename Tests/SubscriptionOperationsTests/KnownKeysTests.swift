import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization
import Testing

/// A database that counts its reads. Its keys can be revoked without a write, as by another process.
private final class RevocableKeyDatabase: SubscriptionDatabase {
    private let base = InMemoryDatabase()
    private let state = Mutex((reads: 0, isEmpty: false))

    var reads: Int { state.withLock { $0.reads } }

    func revokeKeys() { state.withLock { $0.isEmpty = true } }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        let isEmpty = state.withLock { state in
            state.reads += 1
            return state.isEmpty
        }
        return try await (isEmpty ? InMemoryDatabase() : base).read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.write(body)
    }

    func close() async throws(StorageError) { try await base.close() }
}

/// Keys are cached for a short time, by their digests.
@Suite struct `Known keys` {
    private static let text = "sk_0123456789abcdef0123"

    private static func makeDatabase() async throws -> (RevocableKeyDatabase, APIKeyRecord) {
        let database = RevocableKeyDatabase()
        let now = Timestamp(milliseconds: 1)
        let record = try #require(KeyIssuing.record(of: text, app: AppID("com.example/sandbox"), createdAt: now))
        try await database.write { storage throws(StorageError) in try storage.insert(record) }
        return (database, record)
    }

    @Test func `include a key revoked by another process only until the cache expires, with one read`() async throws {
        let (database, record) = try await Self.makeDatabase()
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let known = KnownKeys(database: database) { start + passed.withLock { $0 } }
        for _ in 0..<10 { #expect(try await known.record(of: record.digest) == record) }
        #expect(database.reads == 1)
        database.revokeKeys()
        passed.withLock { $0 = KnownKeys.trustedFor - .milliseconds(1) }
        #expect(try await known.record(of: record.digest) == record)
        passed.withLock { $0 = KnownKeys.trustedFor }
        #expect(try await known.record(of: record.digest) == nil)
    }

    @Test func `are read again for an unknown key, so that a new key works at once`() async throws {
        let database = RevocableKeyDatabase()
        let known = KnownKeys(database: database)
        let now = Timestamp(milliseconds: 1)
        let record = try #require(
            KeyIssuing.record(of: Self.text, app: AppID("com.example/sandbox"), createdAt: now)
        )
        #expect(try await known.record(of: record.digest) == nil)
        try await database.write { storage throws(StorageError) in try storage.insert(record) }
        #expect(try await known.record(of: record.digest) == record)
    }

    @Test(arguments: [false, true])
    func `leave no use of a key that was revoked before the use was stored`(isRevoked: Bool) async throws {
        let (database, record) = try await Self.makeDatabase()
        let known = KnownKeys(database: database)
        #expect(try await known.record(of: record.digest) == record)
        if isRevoked {
            try await database.write { storage throws(StorageError) in
                try storage.removeAPIKey(digest: record.digest, of: record.appID)
                try storage.removeUse(ofKey: record.publicID)
            }
        }
        try await known.settle()
        let last = try await database.read { storage throws(StorageError) in
            try storage.lastUse(ofKey: record.publicID)
        }
        #expect((last == nil) == isRevoked)
    }
}
