import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization

/// A database that loses its connection at the commit of an event. The commit succeeds, but its result is lost.
final class UncertainCommitDatabase: SubscriptionDatabase {
    private let base = InMemoryDatabase()
    private let isUncertain = Mutex(false)

    /// Loses the result of the next write that stores an event.
    func loseNextCommit() { isUncertain.withLock { $0 = true } }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        let before = try await eventCount()
        let result = try await base.write(body)
        guard try await eventCount() > before else { return result }
        let isLost = isUncertain.withLock { isUncertain in
            defer { isUncertain = false }
            return isUncertain
        }
        guard !isLost else {
            throw StorageError(.commitUnknown, "The connection was lost while committing.", isRetryable: true)
        }
        return result
    }

    func close() async throws(StorageError) { try await base.close() }

    private func eventCount() async throws(StorageError) -> Int64 {
        try await base.read { storage throws(StorageError) in try storage.lastEvent(of: ServerFixture.app) }
    }
}
