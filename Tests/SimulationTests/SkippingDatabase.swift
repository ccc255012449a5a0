import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageTesting

/// A database that does not return the first event without a price: a defect to be found.
struct SkippingDatabase: SubscriptionDatabase {
    let base: any SubscriptionDatabase

    var commits: CustomerCommits? { nil }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.read { storage throws(StorageError) in try body(SkippingStorage(forwarded: storage)) }
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.write(body)
    }

    func close() async throws(StorageError) { try await base.close() }
}

/// Forwards to the database, except for one event.
private struct SkippingStorage: ForwardingReads {
    let forwarded: any StorageReading

    private func skipped(of app: AppID) throws(StorageError) -> Int64? {
        try forwarded.events(of: app, after: 0, limit: .max).first { $0.event.price == nil }?.sequence
    }

    func events(of app: AppID, after sequence: Int64, limit: Int) throws(StorageError) -> [EventRecord] {
        let skipped = try skipped(of: app)
        return try forwarded.events(of: app, after: sequence, limit: limit).filter { $0.sequence != skipped }
    }

    func events(
        about customer: CustomerID,
        of app: AppID,
        after sequence: Int64,
        through end: Int64
    ) throws(StorageError) -> [EventRecord] {
        let skipped = try skipped(of: app)
        return try forwarded.events(about: customer, of: app, after: sequence, through: end)
            .filter { $0.sequence != skipped }
    }
}
