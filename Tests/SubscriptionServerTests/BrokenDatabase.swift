import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization

/// A database that reports a full disk after `fill()`.
final class BrokenDatabase: SubscriptionDatabase {
    private let base = InMemoryDatabase()
    private let isFull = Mutex(false)

    func fill() { isFull.withLock { $0 = true } }

    func makeRoom() { isFull.withLock { $0 = false } }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        guard !isFull.withLock({ $0 }) else {
            throw StorageError(.full, "No space is left. Free some.", isRetryable: true)
        }
        return try await base.write(body)
    }

    func close() async throws(StorageError) { try await base.close() }
}
