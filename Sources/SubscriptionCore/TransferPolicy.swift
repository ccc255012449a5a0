/// What happens when a customer submits a purchase that another one has.
public enum TransferPolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// It stays with the first; the second is refused.
    case keep
    /// It moves to the last who submitted it.
    case transfer
    /// It moves where it gave no access when it was submitted, and stays where it did.
    case transferIfInactive = "transfer_if_inactive"
    /// It stays with the first, and gives access to the others too.
    case share
}

/// Whose a purchase is by those who submitted it, in their order: a pure function of the claims and of the signed facts.
///
/// Claims keep their order; facts may come in any: whether a purchase gave access at a claim is asked of what was signed by
/// then, so that a notification that comes late ends in the same owner.
public struct ClaimedOwnership: Hashable, Sendable {
    /// That a customer submitted the purchase.
    public struct Claim: Hashable, Sendable {
        /// The customer, under one identifier however many there are.
        public var customer: CustomerID
        /// When.
        public var at: Timestamp
        /// The app's rule at that time.
        public var policy: TransferPolicy

        /// Makes a claim.
        public init(customer: CustomerID, at: Timestamp, policy: TransferPolicy) {
            self.customer = customer
            self.at = at
            self.policy = policy
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

    /// Who has it; nil where nobody claimed it.
    public private(set) var owner: CustomerID?
    /// Who has access beside the owner, in order of their claims.
    public private(set) var sharers: [CustomerID] = []
    /// What became of each claim, in order.
    public private(set) var outcomes: [Outcome] = []
    /// Who had it after each claim, in order.
    public private(set) var owners: [CustomerID?] = []
    /// Whether what was signed about the purchase decides whose it is.
    public private(set) var dependsOnFacts = false

    /// Follows the claims.
    ///
    /// - Parameters:
    ///   - claims: In order of commit.
    ///   - wasActive: Whether the purchase gave access at an instant, by what was signed until then.
    /// - Throws: What `wasActive` throws.
    public init<Failure>(
        claims: [Claim],
        wasActive: (Timestamp) throws(Failure) -> Bool
    ) throws(Failure) {
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
            self.owner = claim.customer
            return .first
        }
        if owner == claim.customer { return .held }
        switch claim.policy {
        case .keep:
            return sharers.contains(claim.customer) ? .held : .refused
        case .share:
            guard !sharers.contains(claim.customer) else { return .held }
            sharers.append(claim.customer)
            return .shared
        case .transfer:
            move(to: claim.customer)
            return .transferred
        case .transferIfInactive:
            dependsOnFacts = true
            guard try !wasActive(claim.at) else {
                return sharers.contains(claim.customer) ? .held : .refused
            }
            move(to: claim.customer)
            return .transferred
        }
    }

    private mutating func move(to customer: CustomerID) {
        owner = customer
        sharers.removeAll { $0 == customer }
    }
}
