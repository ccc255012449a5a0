/// The owner of a purchase, derived from its claims in order and from the customer in its signed account token.
///
/// Claims have an order; facts may arrive in any order. The account token counts as the first claim, whenever it
/// becomes known. Access at the time of a claim is derived from what was signed by then. So a late notification leads
/// to the same owner.
public struct ClaimedOwnership: Hashable, Sendable {
    /// The maximum number of customers who share a purchase with its owner.
    public static let sharersMax = 100

    /// The outcome of a claim.
    public enum Outcome: String, Hashable, Sendable {
        /// No claim gave it to another customer before.
        case first
        /// The customer had it already, or shared it.
        case alreadyOwned = "held"
        /// Another customer had it, and kept it.
        case refused
        /// Another customer had it, and lost it.
        case transferred
        /// Another customer has it, and shares it.
        case shared
    }

    /// The owner; nil if there is no claim and no account token that counts.
    public private(set) var owner: CustomerID?
    /// The customers who have access besides the owner, in order of their claims.
    public private(set) var sharers: [CustomerID] = []
    /// The outcome of each claim, in order.
    public private(set) var outcomes: [Outcome] = []
    /// The owner after each claim, in order.
    public private(set) var owners: [CustomerID?] = []
    /// Whether signed facts other than the account token decide the owner.
    public private(set) var dependsOnFacts = false
    /// Whether the owner has it only by the account token.
    public private(set) var isOwnedByToken = false
    /// Whether the owner has it by an anonymous identifier.
    public private(set) var isOwnedAnonymously = false

    /// Applies the claims in order.
    ///
    /// - Parameters:
    ///   - claims: In order of commit.
    ///   - customers: The customer of each identifier in the claims that is an alias.
    ///   - token: The customer in the account token; nil if there is none.
    ///   - history: Whether the purchase gave access at the times of the claims.
    public init(
        claims: [PurchaseClaim],
        customers: [CustomerID: CustomerID] = [:],
        token: CustomerID? = nil,
        history: AccessHistory
    ) {
        self.init(token: token)
        // With a history, every claim can be decided.
        _ = follow(claims, customers: customers, history: history)
    }

    /// Applies the claims if their outcome does not depend on past access.
    ///
    /// - Returns: nil if the outcome depends on past access: then the history is needed.
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
        isOwnedByToken = token != nil
    }

    /// - Returns: Whether every claim was applied; false if the history is needed and missing.
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

    /// - Returns: nil if the history is needed and missing.
    private mutating func take(_ claim: PurchaseClaim, by customer: CustomerID, history: AccessHistory?) -> Outcome? {
        guard let owner else {
            move(to: customer, by: claim)
            return .first
        }
        if owner == customer {
            // An app cannot make the customer in the signed account token anonymous.
            if isOwnedByToken {
                isOwnedAnonymously = claim.isAnonymous && claim.outranksToken
            } else if !claim.isAnonymous {
                isOwnedAnonymously = false
            }
            isOwnedByToken = false
            return .alreadyOwned
        }
        if isOwnedByToken, claim.outranksToken {
            move(to: customer, by: claim)
            return .first
        }
        // A known customer takes over from an anonymous one.
        let takesOver = isOwnedAnonymously && !claim.isAnonymous
        switch claim.policy {
        case .keep:
            guard takesOver else { return sharers.contains(customer) ? .alreadyOwned : .refused }
        case .share:
            guard !sharers.contains(customer) else { return .alreadyOwned }
            guard sharers.count < Self.sharersMax else { return .refused }
            sharers.append(customer)
            return .shared
        case .transfer: break
        case .transferIfInactive:
            guard !takesOver else { break }
            dependsOnFacts = true
            guard let history else { return nil }
            guard !history.gaveAccess(at: claim.at) else {
                return sharers.contains(customer) ? .alreadyOwned : .refused
            }
        }
        move(to: customer, by: claim)
        return .transferred
    }

    private mutating func move(to customer: CustomerID, by claim: PurchaseClaim) {
        owner = customer
        isOwnedByToken = false
        isOwnedAnonymously = claim.isAnonymous
        sharers.removeAll { $0 == customer }
    }
}
