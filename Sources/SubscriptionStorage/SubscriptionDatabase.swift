/// A database that keeps evidence, facts, state and events.
///
/// Bodies are synchronous and touch nothing outside the transaction, so an engine may run one again after a conflict.
/// Engines own their threads; a body never runs on the cooperative pool.
public protocol SubscriptionDatabase: Sendable {
    /// Runs a body on a consistent view that does not change meanwhile.
    ///
    /// - Throws: ``StorageError``; what the body throws passes through.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result

    /// Runs a body in one transaction: all of it is durable when the call returns, or nothing of it happened.
    ///
    /// - Throws: ``StorageError``; what the body throws rolls back and passes through.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result

    /// Closes the database; later calls throw ``StorageError/Code/unavailable``.
    func close() async throws(StorageError)

    /// Counts every commit that touches a customer, where this process is the only one that writes; nil where it is
    /// not.
    var commits: CustomerCommits? { get }
}

/// What can be read inside a transaction: the tables that have descriptions, and what needs statements of its own.
///
/// Every call names the app: nothing is read across apps but what is due.
public protocol StorageReading:
    TableReading, StoredEvidenceReading, StoredPurchasesReading, StoredCustomersReading, StoredOwnershipReading,
    StoredGrantsReading, StoredEventsReading, StoredAdministrationReading
{}

/// What can be changed inside a transaction.
public protocol StorageWriting:
    StorageReading, TableWriting, StoredEvidenceWriting, StoredPurchasesWriting, StoredCustomersWriting,
    StoredOwnershipWriting, StoredGrantsWriting, StoredEventsWriting, StoredAdministrationWriting
{
    /// Says what the body goes on to touch, so that an engine can hold all of it in one order, and read it at once.
    ///
    /// It changes nothing that the body sees. What was not expected is found all the same, at a cost.
    func expect(_ work: [ExpectedWork]) throws(StorageError)
}
