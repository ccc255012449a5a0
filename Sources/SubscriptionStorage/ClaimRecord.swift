public import SubscriptionCore

/// That an app submitted a purchase for a customer: what ownership is derived from. One that can never change it is no
/// such record, but a ``RefusedClaim``.
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
    /// Whether it counts for more than the purchase's account token: a secret key made it, or tokens were only hints.
    public var outranksToken: Bool
    /// Whether the identifier was said to be an anonymous one.
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
    /// Keeps a claim on a purchase.
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

    /// The claim, as ownership is derived from it.
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
