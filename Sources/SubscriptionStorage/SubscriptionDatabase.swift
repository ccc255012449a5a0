/// A database for evidence, facts, state and events.
///
/// Bodies are synchronous and have no effects outside the transaction, so an engine may repeat one after a conflict.
/// Engines have their own threads; a body never runs on the cooperative thread pool.
public protocol SubscriptionDatabase: Sendable {
    /// Runs a body on a consistent snapshot.
    ///
    /// - Throws: ``StorageError``; what the body throws passes through.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result

    /// Runs a body in one transaction. It is durable when the call returns; if the call throws, nothing was changed
    /// (except after ``StorageError/Code/commitUnknown``).
    ///
    /// - Throws: ``StorageError``; what the body throws rolls back and passes through.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result

    /// Closes the database; later calls throw ``StorageError/Code/unavailable``.
    func close() async throws(StorageError)

    /// The counts of commits per customer if only this process writes; otherwise nil.
    var commits: CustomerCommits? { get }
}

/// The reads of a transaction: of tables with descriptions and of tables with their own statements.
///
/// Every call has the app as a parameter; only due items are read across apps.
public protocol StorageReading:
    TableReading, StoredEvidenceReading, StoredPurchasesReading, StoredCustomersReading, StoredOwnershipReading,
    StoredGrantsReading, StoredEventsReading, StoredAdministrationReading
{}

/// The writes of a transaction.
public protocol StorageWriting:
    StorageReading, TableWriting, StoredEvidenceWriting, StoredPurchasesWriting, StoredCustomersWriting,
    StoredOwnershipWriting, StoredGrantsWriting, StoredEventsWriting, StoredAdministrationWriting
{
    /// Announces the rows that the body will use, so that an engine can lock them in a fixed order and read them at
    /// once.
    ///
    /// It does not affect the results of the body. Other rows can be used too, but need additional reads.
    func expect(_ work: [ExpectedWork]) throws(StorageError)
}
