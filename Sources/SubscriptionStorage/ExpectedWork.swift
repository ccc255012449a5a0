public import SubscriptionCore

/// The rows that a write is expected to use for one signed input.
public struct ExpectedWork: Hashable, Sendable {
    /// The input.
    public var evidence: EvidenceRecord
    /// The purchases in it.
    public var purchases: [OriginalTransactionID]
    /// The identifiers of customers in it.
    public var customers: [CustomerID]
    /// Whether it claims the purchases: then their earlier claims are needed.
    public var isClaim: Bool

    /// Makes an expectation.
    public init(
        evidence: EvidenceRecord,
        purchases: [OriginalTransactionID],
        customers: [CustomerID],
        isClaim: Bool = false
    ) {
        self.evidence = evidence
        self.purchases = purchases
        self.customers = customers
        self.isClaim = isClaim
    }
}

extension StorageWriting {
    /// Does nothing, because reads need no round trip to a server and no other write runs concurrently.
    public func expect(_ work: [ExpectedWork]) throws(StorageError) {}
}
