/// How the customers of a purchase get its successor: the App Store gives a subscription that moves to Advanced
/// Commerce a new identifier.
public struct OwnershipSuccession: Hashable, Sendable {
    /// Claims on the new purchase for the customers of the old one: first the owner, then the sharers. Empty if there
    /// is nothing to claim.
    public var submissions: [OwnershipQuery.Submission] = []
    /// The account token that decides the owner of the old purchase, if no claim does.
    public var accountToken: String?

    /// No customer gets the new purchase.
    public static let none = OwnershipSuccession()

    /// The account token of the old purchase decides the owner of the new one.
    public init(accountToken: String?) {
        self.accountToken = accountToken
    }

    /// No customer gets the new purchase.
    public init() {}

    /// The customers of the old purchase claim the new one.
    ///
    /// - Parameters:
    ///   - ownership: The ownership of the old purchase.
    ///   - claims: The claims on the old purchase, in order.
    ///   - evidence: The signed input with the new purchase.
    ///   - time: The time of the claims.
    ///   - policy: The app's rule.
    public init(
        from ownership: PurchaseOwnership,
        claims: [PurchaseClaim],
        evidence: EvidenceID,
        at time: Timestamp,
        policy: TransferPolicy
    ) {
        submissions = ([ownership.owner].compactMap(\.self) + ownership.others).map { customer in
            let claim = PurchaseClaim(
                customer: customer,
                evidence: evidence,
                at: time,
                policy: customer == ownership.owner ? policy : .share,
                isAnonymous: claims.last { $0.customer == customer }?.isAnonymous ?? false
            )
            return OwnershipQuery.Submission(claim: claim, customer: customer)
        }
    }
}
