import Dispatch
public import SubscriptionStorage
import Synchronization

/// The reference engine: values in memory, with one copy per write.
///
/// It is simple, so that its correctness is easy to check; the conformance suite compares the other engines with it. A
/// write changes a copy, which replaces the original when the body returns.
public final class InMemoryDatabase: SubscriptionDatabase {
    private enum Contents: Sendable {
        case open(InMemorySnapshot)
        case closed
    }

    private let contents = Mutex<Contents>(.open(InMemorySnapshot()))
    private let readers = DispatchQueue(label: "perennial.memory.readers", attributes: .concurrent)
    private let writer = DispatchQueue(label: "perennial.memory.writer")

    /// Makes an empty database.
    public init() {}

    /// Runs a body on a snapshot of the values.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await perform(on: readers) { () throws(StorageError) in
            try body(InMemoryTransaction(try self.snapshot()))
        }
    }

    /// Runs a body on a copy, which replaces the values when the body returns.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await perform(on: writer) { () throws(StorageError) in
            let transaction = InMemoryTransaction(try self.snapshot())
            let result = try body(transaction)
            self.contents.withLock { $0 = .open(transaction.snapshot) }
            return result
        }
    }

    /// Removes everything.
    public func close() async throws(StorageError) {
        try await perform(on: writer) { () throws(StorageError) in self.contents.withLock { $0 = .closed } }
    }

    private func snapshot() throws(StorageError) -> InMemorySnapshot {
        guard case .open(let snapshot) = contents.withLock({ $0 }) else {
            throw StorageError(
                .unavailable,
                "The database is closed. Retry against a running server.",
                isRetryable: true
            )
        }
        return snapshot
    }

    /// Runs bodies outside the cooperative thread pool.
    private func perform<Output: Sendable>(
        on queue: DispatchQueue,
        _ work: @escaping @Sendable () throws(StorageError) -> Output
    ) async throws(StorageError) -> Output {
        let outcome = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Swift.Result { () throws(StorageError) in try work() })
            }
        }
        return try outcome.get()
    }
}
