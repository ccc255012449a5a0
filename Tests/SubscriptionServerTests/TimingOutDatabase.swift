import SubscriptionCore
import SubscriptionStorage

/// A database in which writes fail for some purchases only.
struct TimingOutDatabase: SubscriptionDatabase {
    let base: any SubscriptionDatabase
    let error: StorageError
    let isBroken: @Sendable (OriginalTransactionID) -> Bool

    init(
        base: any SubscriptionDatabase,
        error: StorageError = StorageError(.corrupt, "A stored value cannot be read.", isRetryable: false),
        isBroken: @escaping @Sendable (OriginalTransactionID) -> Bool
    ) {
        self.base = base
        self.error = error
        self.isBroken = isBroken
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.write { [error, isBroken] storage throws(StorageError) in
            try body(DamagedStorage(base: storage, damage: error, isUnreadable: isBroken))
        }
    }

    func close() async throws(StorageError) { try await base.close() }
}
