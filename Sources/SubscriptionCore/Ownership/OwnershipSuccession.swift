/// How those who have a purchase come to the one that it goes on as: the App Store gives a subscription that moves to
/// Advanced Commerce a new identifier.
public struct OwnershipSuccession: Hashable, Sendable {
    /// The claims of those who have the old purchase, as if the app of each had submitted the new one: of the owner
    /// first, then of those who share it. Empty where nobody is to claim it.
    public var submissions: [OwnershipQuestion.Submission] = []
    /// The account token by which the old purchase is owned, where no claim decides.
    public var accountToken: String?

    /// Nobody comes to the new purchase.
    public static let none = OwnershipSuccession()

    /// The old purchase's account token names the owner of the new one.
    public init(accountToken: String?) {
        self.accountToken = accountToken
    }

    /// Nobody comes to the new purchase.
    public init() {}

    /// Whoever has the old purchase claims the new one.
    ///
    /// - Parameters:
    ///   - ownership: Who has the old purchase.
    ///   - claims: The claims on the old purchase, in order.
    ///   - evidence: The signed input that names the new purchase.
    ///   - time: When the claims are made.
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
            return OwnershipQuestion.Submission(claim: claim, customer: customer)
        }
    }
}
