import SubscriptionCore

/// A purchase in a caller of the ownership rule. It asks the rule, supplies the inputs that the rule needs, and stores
/// the decision.
struct ClaimedPurchase {
    /// Its customers.
    var ownership = PurchaseOwnership()
    /// The stored claims.
    var claims: [PurchaseClaim] = []
    /// Its signed account token.
    private(set) var token: String?
    /// Which identifiers are aliases of others.
    var aliases: [CustomerID: CustomerID] = [:]
    /// The times at which it gave access.
    var activeTimes: Set<Timestamp> = []
    /// The developer's settings.
    var policy = AccessPolicy()
    /// Other claims of an identifier, and the bases of a customer's other purchases.
    var otherClaims: [CustomerID: [PurchaseClaim]] = [:]
    var otherBases: [CustomerID: [OwnershipBasis?]] = [:]
    var granted: Set<CustomerID> = []
    /// Whether an alias can be created.
    var canLink = true
    /// The inputs that the rule needed, in order.
    private(set) var inputs: [OwnershipInput] = []
    private var time: Int64 = 0

    /// A submission one millisecond later, with its own input.
    mutating func submit(_ claimant: Claimant, under rule: TransferPolicy) -> OwnershipDecision {
        time += 1
        let claim = PurchaseClaim(
            by: claimant,
            evidence: EvidenceID("e_\(time)"),
            at: Timestamp(milliseconds: time),
            policy: rule,
            under: policy
        )
        return submit(claim)
    }

    /// A submission.
    mutating func submit(_ claim: PurchaseClaim) -> OwnershipDecision {
        let customer = aliases[claim.customer, default: claim.customer]
        return decide(OwnershipQuery.Submission(claim: claim, customer: customer), isTokenNew: false)
    }

    /// A submission by a customer's app with the publishable key.
    mutating func submit(_ name: String, _ rule: TransferPolicy) -> OwnershipDecision {
        submit(Claimant(CustomerID(name)), under: rule)
    }

    /// A notification, with or without an account token.
    @discardableResult
    mutating func notify(token: String? = nil) -> OwnershipDecision {
        let isNew = token != nil && token != self.token
        self.token = token ?? self.token
        return decide(nil, isTokenNew: isNew)
    }

    private mutating func decide(
        _ submission: OwnershipQuery.Submission?,
        isTokenNew: Bool
    ) -> OwnershipDecision {
        inputs = []
        var query = OwnershipQuery(
            owner: ownership.owner,
            basis: ownership.basis,
            submission: submission,
            accountToken: token,
            isTokenNew: isTokenNew,
            policy: policy
        )
        while true {
            switch OwnershipRule.next(query) {
            case .needs(let input):
                inputs.append(input)
                supply(input, to: &query.known)
            case .links(let alias, let customer):
                guard canLink else {
                    query.mayLink = false
                    continue
                }
                aliases[alias] = customer
                query = query.linked(to: customer)
            case .decided(let decision):
                store(decision)
                return decision
            }
        }
    }

    private func supply(_ input: OwnershipInput, to known: inout OwnershipKnowledge) {
        switch input {
        case .sharers: known.sharers = ownership.sharers
        case .claims: known.claims = claims
        case .tokenCustomer(let name): known.tokenCustomer = aliases[name, default: name]
        case .customers(let names): known.customers = aliases.filter { names.contains($0.key) }
        case .accessHistory(let times):
            known.history = AccessHistory(activeAt: activeTimes.intersection(times))
        case .identifiers(let customer):
            known.identifiers[customer] = [customer] + aliases.filter { $0.value == customer }.map(\.key)
        case .claimsBy(let name):
            known.claimsBy[name] = claims.filter { $0.customer == name } + otherClaims[name, default: []]
        case .bases(let customer):
            let own = ownership.owner == customer ? [ownership.basis] : []
            known.bases[customer] = own + otherBases[customer, default: []]
        case .grants(let customer): known.hasGrants[customer] = granted.contains(customer)
        }
    }

    private mutating func store(_ decision: OwnershipDecision) {
        ownership = decision.ownership
        switch decision.claims {
        case .none: break
        case .insert(let claim):
            let isKnown = claims.contains { $0.customer == claim.customer && $0.evidence == claim.evidence }
            if !isKnown { claims.append(claim) }
        case .append(let claim): claims.append(claim)
        case .replace(let fewer): claims = fewer
        }
    }

    /// The ownership that follows from the stored claims and the account token.
    var evaluation: ClaimedOwnership {
        let named = token.map { CustomerID($0) }.map { aliases[$0, default: $0] }
        let history = AccessHistory(activeAt: activeTimes)
        return ClaimedOwnership(claims: claims, customers: aliases, token: named, history: history)
    }
}
