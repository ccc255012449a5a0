public import SubscriptionCore

/// A claim: an app submitted a purchase for a customer. Ownership is derived from claims. A claim that can never change
/// the ownership is stored as a ``RefusedClaim`` instead.
public struct ClaimRecord: Hashable, Sendable {
    /// The purchase.
    public var purchaseID: OriginalTransactionID
    /// The customer it was submitted for, even if that customer did not get it.
    public var customerID: CustomerID
    /// The signed input that was submitted.
    public var evidenceID: EvidenceID
    /// When the server received it.
    public var claimedAt: Timestamp
    /// The app's transfer policy at that time.
    public var policy: TransferPolicy
    /// Whether it outranks the purchase's account token: it was made with a secret key, or tokens were only hints.
    public var outranksToken: Bool
    /// Whether the identifier is anonymous, according to the app.
    public var isAnonymous: Bool

    /// Makes a record.
    public init(
        purchaseID: OriginalTransactionID,
        customerID: CustomerID,
        evidenceID: EvidenceID,
        claimedAt: Timestamp,
        policy: TransferPolicy = .keep,
        outranksToken: Bool = true,
        isAnonymous: Bool = false
    ) {
        self.purchaseID = purchaseID
        self.customerID = customerID
        self.evidenceID = evidenceID
        self.claimedAt = claimedAt
        self.policy = policy
        self.outranksToken = outranksToken
        self.isAnonymous = isAnonymous
    }
}

extension ClaimRecord {
    /// Makes the record of a claim on a purchase.
    public init(_ claim: PurchaseClaim, on purchase: OriginalTransactionID) {
        self.init(
            purchaseID: purchase,
            customerID: claim.customer,
            evidenceID: claim.evidence,
            claimedAt: claim.at,
            policy: claim.policy,
            outranksToken: claim.outranksToken,
            isAnonymous: claim.isAnonymous
        )
    }

    /// The claim for deriving the ownership.
    public var claim: PurchaseClaim {
        PurchaseClaim(
            customer: customerID,
            evidence: evidenceID,
            at: claimedAt,
            policy: policy,
            outranksToken: outranksToken,
            isAnonymous: isAnonymous
        )
    }
}
