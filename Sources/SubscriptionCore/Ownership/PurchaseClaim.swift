/// One claim on a purchase: an app or a server submitted the purchase for a customer.
///
/// Claims are stored in the order of their commits. Ownership is derived from them (``ClaimedOwnership``).
public struct PurchaseClaim: Hashable, Sendable {
    /// The maximum number of stored claims on one purchase.
    public static let countMax = 200

    /// The customer, by the identifier that the app used; it may be an alias.
    public var customer: CustomerID
    /// The signed input that was submitted.
    public var evidence: EvidenceID
    /// When it was submitted.
    public var at: Timestamp
    /// The app's rule at that time.
    public var policy: TransferPolicy
    /// Whether it outranks the purchase's account token: it was made with a secret key, or tokens were only hints.
    public var outranksToken: Bool
    /// Whether the identifier is anonymous, according to the app.
    public var isAnonymous: Bool

    /// Makes a claim.
    public init(
        customer: CustomerID,
        evidence: EvidenceID,
        at: Timestamp,
        policy: TransferPolicy,
        outranksToken: Bool = true,
        isAnonymous: Bool = false
    ) {
        self.customer = customer
        self.evidence = evidence
        self.at = at
        self.policy = policy
        self.outranksToken = outranksToken
        self.isAnonymous = isAnonymous
    }

    /// Makes the claim of a submission, by the developer's policy on account tokens and anonymous identifiers.
    public init(
        by claimant: Claimant,
        evidence: EvidenceID,
        at: Timestamp,
        policy: TransferPolicy,
        under access: AccessPolicy
    ) {
        let prefix = access.anonymousPrefix
        self.init(
            customer: claimant.customer,
            evidence: evidence,
            at: at,
            policy: policy,
            outranksToken: claimant.isSubmittedByServer || access.accountToken == .hint,
            isAnonymous: claimant.isAnonymous || prefix.map { claimant.customer.rawValue.hasPrefix($0) } ?? false
        )
    }

    /// Whether there are facts, or an account token, with which the claim changes the ownership.
    ///
    /// It ignores facts, so the stored claims do not depend on the order of facts.
    ///
    /// - Parameter earlier: The claims before it, in order.
    public func mayCount(after earlier: some BidirectionalCollection<PurchaseClaim>) -> Bool {
        guard policy == .keep, earlier.contains(where: { $0.outranksToken || !outranksToken }) else { return true }
        guard !isAnonymous else { return false }
        // The purchase has an owner. Only an anonymous owner can lose it, and only until a known customer claims it.
        return earlier.last { $0.isAnonymous || $0.policy != .share }?.isAnonymous ?? false
    }
}
