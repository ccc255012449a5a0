/// One claim on a purchase: an app submitted the purchase for a customer.
///
/// Claims are kept in the order of their commits. Ownership follows from them (``ClaimedOwnership``).
public struct PurchaseClaim: Hashable, Sendable {
    /// How many claims on one purchase are kept: each names a customer who has it, or may count later.
    public static let countMax = 200

    /// The customer, by the identifier that the app used; it may be an alias.
    public var customer: CustomerID
    /// The signed input that was submitted.
    public var evidence: EvidenceID
    /// When it was submitted.
    public var at: Timestamp
    /// The app's rule at that time.
    public var policy: TransferPolicy
    /// Whether it counts for more than the purchase's account token: a secret key made it, or tokens were only hints.
    public var outranksToken: Bool
    /// Whether the identifier was said to be an anonymous one.
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

    /// Makes the claim of a submission, under the developer's choices about account tokens and anonymous identifiers.
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
            outranksToken: claimant.isVouchedFor || access.accountToken == .hint,
            isAnonymous: claimant.isAnonymous || prefix.map { claimant.customer.rawValue.hasPrefix($0) } ?? false
        )
    }

    /// Whether the claim could change who has the purchase, whatever is signed about it and whatever its token names.
    ///
    /// Does not look at facts, so that the same claims are kept in whatever order facts come.
    ///
    /// - Parameter earlier: The claims before it, in order.
    public func mayCount(after earlier: some BidirectionalCollection<PurchaseClaim>) -> Bool {
        guard policy == .keep, earlier.contains(where: { $0.outranksToken || !outranksToken }) else { return true }
        guard !isAnonymous else { return false }
        // Somebody has it. Only who has it anonymously gives way, and nobody does after a known customer's claim.
        return earlier.last { $0.isAnonymous || $0.policy != .share }?.isAnonymous ?? false
    }
}
