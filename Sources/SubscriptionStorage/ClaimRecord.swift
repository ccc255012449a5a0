public import SubscriptionCore

/// That an app submitted a purchase for a customer: what ownership is derived from, kept for good.
public struct ClaimRecord: Hashable, Sendable {
    /// The purchase.
    public var purchaseID: OriginalTransactionID
    /// The customer it was submitted for, whether or not that customer got it.
    public var customerID: CustomerID
    /// The signed input that was submitted.
    public var evidenceID: EvidenceID
    /// When the server took it.
    public var claimedAt: Timestamp
    /// The app's rule for purchases that another customer has, at that time.
    public var policy: TransferPolicy

    /// Makes a record.
    public init(
        purchaseID: OriginalTransactionID,
        customerID: CustomerID,
        evidenceID: EvidenceID,
        claimedAt: Timestamp,
        policy: TransferPolicy = .keep
    ) {
        self.purchaseID = purchaseID
        self.customerID = customerID
        self.evidenceID = evidenceID
        self.claimedAt = claimedAt
        self.policy = policy
    }
}
