import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageTesting

/// A database that does not return one of the events: a defect to be found.
struct SkippingDatabase: SubscriptionDatabase {
    let base: any SubscriptionDatabase
    /// The sequence number of the event.
    let skipped: Int64

    var commits: CustomerCommits? { nil }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.read { [skipped] storage throws(StorageError) in
            try body(SkippingStorage(forwarded: storage, skipped: skipped))
        }
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
    let skipped: Int64

    func events(of app: AppID, after sequence: Int64, limit: Int) throws(StorageError) -> [EventRecord] {
        try forwarded.events(of: app, after: sequence, limit: limit).filter { $0.sequence != skipped }
    }

    func events(
        about customer: CustomerID,
        of app: AppID,
        after sequence: Int64,
        through end: Int64
    ) throws(StorageError) -> [EventRecord] {
        try forwarded.events(about: customer, of: app, after: sequence, through: end).filter { $0.sequence != skipped }
    }
}
