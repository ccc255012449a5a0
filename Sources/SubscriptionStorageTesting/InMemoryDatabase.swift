import Dispatch
public import SubscriptionStorage
import Synchronization

/// The reference engine: values in memory, one copy per write, gone with the process.
///
/// It is simple so that it is obviously right; the conformance suite holds the other engines to it. A write works on a
/// copy of everything, and the copy takes the place of the original only when the body returned.
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

    /// Runs a body on the values as they are now; later writes do not show.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await perform(on: readers) { () throws(StorageError) in
            try body(InMemoryTransaction(try self.snapshot()))
        }
    }

    /// Runs a body on a copy, which takes the place of the values when the body returns.
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

    /// Forgets everything.
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

    /// Keeps bodies off the cooperative pool.
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
