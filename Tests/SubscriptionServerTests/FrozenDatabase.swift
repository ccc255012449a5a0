import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization

/// A database whose reads wait from `freeze()` to `thaw()`.
final class FrozenDatabase: SubscriptionDatabase {
    private struct State {
        var isFrozen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let base = InMemoryDatabase()
    private let state = Mutex(State())

    /// The number of waiting reads.
    var waiting: Int { state.withLock { $0.waiting.count } }

    func freeze() { state.withLock { $0.isFrozen = true } }

    func thaw() {
        let waiting = state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        await withCheckedContinuation { continuation in
            let isFrozen = state.withLock { state in
                if state.isFrozen { state.waiting.append(continuation) }
                return state.isFrozen
            }
            if !isFrozen { continuation.resume() }
        }
        return try await base.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.write(body)
    }

    func close() async throws(StorageError) { try await base.close() }
}
