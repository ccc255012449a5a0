/// Who owns a purchase by the claims on it, in their order, and by the customer whom its signed account token names.
///
/// Claims keep their order; facts may come in any. The account token counts as the first claim, whenever it becomes
/// known. Whether a purchase gave access at a claim is asked of what was signed by then. So a notification that comes
/// late ends in the same owner.
public struct ClaimedOwnership: Hashable, Sendable {
    /// With how many customers a purchase is shared beside its owner.
    public static let sharersMax = 100

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
    ///   - customers: The customers that the identifiers in the claims stand for, where those are others: their
    ///     aliases.
    ///   - token: The customer whom the account token names; nil where there is none, or where it names nobody.
    ///   - history: Whether the purchase gave access at the times of the claims.
    public init(
        claims: [PurchaseClaim],
        customers: [CustomerID: CustomerID] = [:],
        token: CustomerID? = nil,
        history: AccessHistory
    ) {
        self.init(token: token)
        // With a history no claim is left open.
        _ = follow(claims, customers: customers, history: history)
    }

    /// Follows the claims where their outcome does not depend on whether the purchase gave access.
    ///
    /// - Returns: nil where it does: then the history is needed.
    public init?(
        claims: [PurchaseClaim],
        customers: [CustomerID: CustomerID] = [:],
        token: CustomerID? = nil
    ) {
        self.init(token: token)
        guard follow(claims, customers: customers, history: nil) else { return nil }
    }

    private init(token: CustomerID?) {
        owner = token
        isHeldByToken = token != nil
    }

    /// - Returns: Whether every claim was followed; false where the history is needed and is not there.
    private mutating func follow(
        _ claims: [PurchaseClaim],
        customers: [CustomerID: CustomerID],
        history: AccessHistory?
    ) -> Bool {
        outcomes.reserveCapacity(claims.count)
        owners.reserveCapacity(claims.count)
        for claim in claims {
            let customer = customers[claim.customer, default: claim.customer]
            guard let outcome = take(claim, by: customer, history: history) else { return false }
            outcomes.append(outcome)
            owners.append(owner)
        }
        return true
    }

    /// - Returns: nil where the history is needed and is not there.
    private mutating func take(_ claim: PurchaseClaim, by customer: CustomerID, history: AccessHistory?) -> Outcome? {
        guard let owner else {
            move(to: customer, by: claim)
            return .first
        }
        if owner == customer {
            // A customer named by the signed account token is not anonymous because an app says so.
            if isHeldByToken {
                isHeldAnonymously = claim.isAnonymous && claim.outranksToken
            } else if !claim.isAnonymous {
                isHeldAnonymously = false
            }
            isHeldByToken = false
            return .held
        }
        if isHeldByToken, claim.outranksToken {
            move(to: customer, by: claim)
            return .first
        }
        // A known customer takes over from an anonymous one.
        let takesOver = isHeldAnonymously && !claim.isAnonymous
        switch claim.policy {
        case .keep:
            guard takesOver else { return sharers.contains(customer) ? .held : .refused }
        case .share:
            guard !sharers.contains(customer) else { return .held }
            guard sharers.count < Self.sharersMax else { return .refused }
            sharers.append(customer)
            return .shared
        case .transfer: break
        case .transferIfInactive:
            guard !takesOver else { break }
            dependsOnFacts = true
            guard let history else { return nil }
            guard !history.gaveAccess(at: claim.at) else { return sharers.contains(customer) ? .held : .refused }
        }
        move(to: customer, by: claim)
        return .transferred
    }

    private mutating func move(to customer: CustomerID, by claim: PurchaseClaim) {
        owner = customer
        isHeldByToken = false
        isHeldAnonymously = claim.isAnonymous
        sharers.removeAll { $0 == customer }
    }
}
