/// Whose a purchase is by those who submitted it, in their order, and by the customer whom its signed account token
/// names: a pure function of the claims and of the signed facts.
///
/// Claims keep their order; facts may come in any. The account token counts as the first claim, whenever it becomes
/// known. Whether a purchase gave access at a claim is asked of what was signed by then. So a notification that comes
/// late ends in the same owner.
public struct ClaimedOwnership: Hashable, Sendable {
    /// With how many customers a purchase is shared beside its owner.
    public static let sharersMax = 100

    /// That a customer submitted the purchase.
    public struct Claim: Hashable, Sendable {
        /// The customer, under one identifier however many there are.
        public var customer: CustomerID
        /// When.
        public var at: Timestamp
        /// The app's rule at that time.
        public var policy: TransferPolicy
        /// Whether it counts for more than the purchase's account token: a secret key made it, or tokens were only
        /// hints.
        public var outranksToken: Bool
        /// Whether the identifier was said to be an anonymous one.
        public var isAnonymous: Bool

        /// Makes a claim.
        public init(
            customer: CustomerID,
            at: Timestamp,
            policy: TransferPolicy,
            outranksToken: Bool = true,
            isAnonymous: Bool = false
        ) {
            self.customer = customer
            self.at = at
            self.policy = policy
            self.outranksToken = outranksToken
            self.isAnonymous = isAnonymous
        }

        /// Whether the claim could change who has the purchase, whatever is signed about it and whatever its token
        /// names.
        ///
        /// Does not look at facts, so that the same claims are kept in whatever order facts come.
        ///
        /// - Parameter earlier: The claims before it, in order.
        public func mayCount(after earlier: some BidirectionalCollection<Claim>) -> Bool {
            guard policy == .keep, earlier.contains(where: { $0.outranksToken || !outranksToken }) else { return true }
            guard !isAnonymous else { return false }
            // Somebody has it. Only who has it anonymously gives way, and nobody does after a known customer's claim.
            return earlier.last { $0.isAnonymous || $0.policy != .share }?.isAnonymous ?? false
        }
    }

    /// What became of a claim.
    public enum Outcome: String, Hashable, Sendable {
        /// Nobody had the purchase.
        case first
        /// The customer had it already, or shared it.
        case held
        /// Another customer had it, and kept it.
        case refused
        /// Another customer had it, and lost it.
        case transferred
        /// Another customer has it, and shares it.
        case shared
    }

    /// Who has it; nil where nobody claimed it and no account token counts.
    public private(set) var owner: CustomerID?
    /// Who has access beside the owner, in order of their claims.
    public private(set) var sharers: [CustomerID] = []
    /// What became of each claim, in order.
    public private(set) var outcomes: [Outcome] = []
    /// Who had it after each claim, in order.
    public private(set) var owners: [CustomerID?] = []
    /// Whether what was signed about the purchase decides whose it is, other than by its account token.
    public private(set) var dependsOnFacts = false
    /// Whether the owner has it by the account token, and claimed it by nothing else.
    public private(set) var isHeldByToken = false
    /// Whether the owner has it under an identifier that was said to be anonymous.
    public private(set) var isHeldAnonymously = false

    /// Follows the claims.
    ///
    /// - Parameters:
    ///   - claims: In order of commit.
    ///   - token: The customer whom the account token names; nil where there is none, or where it names nobody.
    ///   - wasActive: Whether the purchase gave access at an instant, by what was signed until then.
    /// - Throws: What `wasActive` throws.
    public init<Failure>(
        claims: [Claim],
        token: CustomerID? = nil,
        wasActive: (Timestamp) throws(Failure) -> Bool
    ) throws(Failure) {
        owner = token
        isHeldByToken = token != nil
        for claim in claims {
            outcomes.append(try take(claim, wasActive: wasActive))
            owners.append(owner)
        }
    }

    private mutating func take<Failure>(
        _ claim: Claim,
        wasActive: (Timestamp) throws(Failure) -> Bool
    ) throws(Failure) -> Outcome {
        guard let owner else {
            move(to: claim)
            return .first
        }
        if owner == claim.customer {
            // Nobody whom Apple's signed word names is anonymous by an app's word.
            if isHeldByToken {
                isHeldAnonymously = claim.isAnonymous && claim.outranksToken
            } else if !claim.isAnonymous {
                isHeldAnonymously = false
            }
            isHeldByToken = false
            return .held
        }
        if isHeldByToken, claim.outranksToken {
            move(to: claim)
            return .first
        }
        // A known customer takes over from an anonymous one.
        let takesOver = isHeldAnonymously && !claim.isAnonymous
        switch claim.policy {
        case .keep:
            guard takesOver else { return sharers.contains(claim.customer) ? .held : .refused }
        case .share:
            guard !sharers.contains(claim.customer) else { return .held }
            guard sharers.count < Self.sharersMax else { return .refused }
            sharers.append(claim.customer)
            return .shared
        case .transfer: break
        case .transferIfInactive:
            guard !takesOver else { break }
            dependsOnFacts = true
            guard try !wasActive(claim.at) else { return sharers.contains(claim.customer) ? .held : .refused }
        }
        move(to: claim)
        return .transferred
    }

    private mutating func move(to claim: Claim) {
        owner = claim.customer
        isHeldByToken = false
        isHeldAnonymously = claim.isAnonymous
        sharers.removeAll { $0 == claim.customer }
    }
}
