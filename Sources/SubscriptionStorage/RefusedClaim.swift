public import SubscriptionCore

/// That a customer submitted a purchase that another one has, and did not get it. Nothing is derived from it: it is kept for
/// people, the newest of a purchase only.
public struct RefusedClaim: Hashable, Sendable {
    /// How many are kept of one purchase.
    public static let keptMax = 20

    /// Why the customer did not get the purchase.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Another customer submitted it before.
        case submittedBefore = "submitted_before"
        /// Its signed account token names another customer.
        case accountToken = "account_token"
        /// An operator moved it to another customer.
        case transferred
        /// It is shared with as many customers as it may be.
        case sharedWithTooMany = "shared_with_too_many"
    }

    /// The purchase.
    public var purchaseID: OriginalTransactionID
    /// The customer it was submitted for, by the identifier that was used.
    public var customerID: CustomerID
    /// The signed input that was submitted.
    public var evidenceID: EvidenceID
    /// When.
    public var claimedAt: Timestamp
    /// The app's rule for purchases that another customer has, at that time.
    public var policy: TransferPolicy
    /// Why it was refused.
    public var reason: Reason
    /// How many older ones of the purchase had been dropped by then.
    public var droppedBefore: Int64

    /// Makes a record.
    public init(
        of claim: ClaimRecord,
        because reason: Reason,
        droppedBefore: Int64 = 0
    ) {
        purchaseID = claim.purchaseID
        customerID = claim.customerID
        evidenceID = claim.evidenceID
        claimedAt = claim.claimedAt
        policy = claim.policy
        self.reason = reason
        self.droppedBefore = droppedBefore
    }
}
