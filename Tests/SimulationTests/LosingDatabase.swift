import SubscriptionStorage
import Synchronization

/// A database that says "committed" although it rolled the transaction back, now and then: a defect to be found.
final class LosingDatabase: SubscriptionDatabase {
    private let base: any SubscriptionDatabase
    private let every: Int
    private let writes = Mutex(0)

    init(_ base: any SubscriptionDatabase, every: Int) {
        self.base = base
        self.every = every
    }

    var commits: CustomerCommits? { nil }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        let number = writes.withLock { writes in
            writes += 1
            return writes
        }
        guard number.isMultiple(of: every) else { return try await base.write(body) }
        let lost = LostResult<Result>()
        let failure = StorageError(.busy, "Rolled back.", isRetryable: true)
        do throws(StorageError) {
            return try await base.write { storage throws(StorageError) in
                lost.set(try body(storage))
                throw failure
            }
        } catch {
            guard error == failure, let result = lost.get() else { throw error }
            return result
        }
    }

    func close() async throws(StorageError) { try await base.close() }
}

/// The result of a transaction that is rolled back.
private final class LostResult<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ new: Value) { value.withLock { $0 = new } }
    func get() -> Value? { value.withLock { $0 } }
}
