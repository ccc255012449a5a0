import SubscriptionStorage

/// A database that damages its content in every transaction: a defect to be found.
struct DamagingDatabase: SubscriptionDatabase {
    let base: any SubscriptionDatabase
    /// Runs in each transaction, after its body.
    let damage: @Sendable (any StorageWriting) throws(StorageError) -> Void

    var commits: CustomerCommits? { nil }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.write { [damage] storage throws(StorageError) in
            let result = try body(storage)
            try damage(storage)
            return result
        }
    }

    func close() async throws(StorageError) { try await base.close() }
}
