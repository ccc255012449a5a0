import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization
import Testing

/// A database that counts its reads, and whose keys can be taken back behind its back, as another process does.
private final class Keyring: SubscriptionDatabase {
    private let base = InMemoryDatabase()
    private let state = Mutex((reads: 0, isEmpty: false))

    var reads: Int { state.withLock { $0.reads } }

    func takeBack() { state.withLock { $0.isEmpty = true } }

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

/// Keys are remembered for a short time, by their digests.
@Suite struct `Known keys` {
    private static let text = "sk_0123456789abcdef0123"

    private static func keyring() async throws -> (Keyring, APIKeyRecord) {
        let keyring = Keyring()
        let now = Timestamp(milliseconds: 1)
        let record = try #require(KeyIssuing.record(of: text, app: AppID("com.example/sandbox"), createdAt: now))
        try await keyring.write { storage throws(StorageError) in try storage.insert(record) }
        return (keyring, record)
    }

    @Test func `a key that another process took back opens nothing after the bound, and the database is asked once`()
        async throws
    {
        let (keyring, record) = try await Self.keyring()
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let known = KnownKeys(database: keyring) { start + passed.withLock { $0 } }
        for _ in 0..<10 { #expect(try await known.record(of: record.digest) == record) }
        #expect(keyring.reads == 1)
        keyring.takeBack()
        passed.withLock { $0 = KnownKeys.trustedFor - .milliseconds(1) }
        #expect(try await known.record(of: record.digest) == record)
        passed.withLock { $0 = KnownKeys.trustedFor }
        #expect(try await known.record(of: record.digest) == nil)
    }

    @Test func `a key that is not known is asked for each time, so that a new one works at once`() async throws {
        let keyring = Keyring()
        let known = KnownKeys(database: keyring)
        let now = Timestamp(milliseconds: 1)
        let record = try #require(
            KeyIssuing.record(of: Self.text, app: AppID("com.example/sandbox"), createdAt: now)
        )
        #expect(try await known.record(of: record.digest) == nil)
        try await keyring.write { storage throws(StorageError) in try storage.insert(record) }
        #expect(try await known.record(of: record.digest) == record)
    }
}
