public import SubscriptionCore

/// What a write is about to touch with one signed input.
public struct ExpectedWork: Hashable, Sendable {
    /// The input.
    public var evidence: EvidenceRecord
    /// The purchases that it speaks of.
    public var purchases: [OriginalTransactionID]
    /// The identifiers of customers that it names.
    public var customers: [CustomerID]
    /// Whether somebody claims the purchases: then those who claimed them before count.
    public var isClaim: Bool

    /// Says what is expected.
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
    /// Nothing: what is read costs no exchange with a server, and no other write is under way.
    public func expect(_ work: [ExpectedWork]) throws(StorageError) {}
}
