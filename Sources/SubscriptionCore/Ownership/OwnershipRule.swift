/// The ownership rule: decides who owns a purchase that several customers claim.
///
/// The app's transfer policy decides between customers who submit the same purchase. The signed account token counts as
/// the first claim (``AccountTokenRule``). An operator's decision takes precedence. The rule is a pure function of the
/// query.
public struct OwnershipRule {
    let query: OwnershipQuery
    private var decision: OwnershipDecision
    private var ownership: PurchaseOwnership

    /// Returns the decision, or the input that it needs.
    ///
    /// It never requests the same input twice, so a caller that supplies each input gets a decision.
    public static func next(_ query: OwnershipQuery) -> OwnershipStep {
        var rule = OwnershipRule(query)
        do throws(OwnershipInput) {
            if let owner = try rule.customerToJoin(), let submission = query.submission {
                return .links(alias: submission.customer, to: owner)
            }
            return .decided(try rule.decide())
        } catch {
            return .needs(error)
        }
    }

    private init(_ query: OwnershipQuery) {
        self.query = query
        ownership = PurchaseOwnership(owner: query.owner, basis: query.basis)
        decision = OwnershipDecision(outcome: nil, ownership: ownership)
    }

    private mutating func decide() throws(OwnershipInput) -> OwnershipDecision {
        switch ownership.basis {
        case .erased:
            if let submission = query.submission { takeUnowned(submission) }
        case nil, .accountToken:
            if let submission = query.submission {
                try decideWithoutClaimant(submission)
            } else if let named = try tokenCustomer() {
                ownership.owner = named
                ownership.basis = .accountToken
            }
        case .submitted, .contested, .shared, .transferred:
            if ownership.basis != .submitted {
                decision.previousSharers = try sharers()
                ownership.sharers = decision.previousSharers
            }
            try decideOwned()
        }
        decision.ownership = ownership
        return decision
    }

    /// The previous owner was erased: the next customer to submit it gets it, regardless of earlier claims and of its
    /// token.
    private mutating func takeUnowned(_ submission: OwnershipQuery.Submission) {
        var claim = submission.claim
        claim.policy = .transfer
        claim.outranksToken = true
        decision.claims = .append(claim)
        ownership.owner = submission.customer
        ownership.basis = .submitted
        accept(.accepted)
    }

    /// No submission has succeeded so far.
    private mutating func decideWithoutClaimant(_ submission: OwnershipQuery.Submission) throws(OwnershipInput) {
        let claims = try claims()
        if ownership.owner == nil, !claims.isEmpty { return takeUnowned(submission) }
        if let named = try tokenCustomer() {
            ownership.owner = named
            ownership.basis = .accountToken
        }
        try decideSubmission(submission, after: claims)
    }

    /// A customer owns it by a claim, or by an operator's decision, which no claim overrides.
    private mutating func decideOwned() throws(OwnershipInput) {
        if ownership.basis == .transferred { return try compareWithOwner() }
        let dependsOnFacts = ownership.basis == .contested || query.isTokenNew
        guard dependsOnFacts || query.submission != nil else { return }
        let claims = try claims()
        // Without claims, the owner got it back when a transfer was undone. Facts and tokens do not change that.
        guard !claims.isEmpty else { return try compareWithOwner() }
        if dependsOnFacts { ownership = try evaluate(claims, from: ownership).ownership }
        if let submission = query.submission { try decideSubmission(submission, after: claims) }
    }

    private mutating func decideSubmission(
        _ submission: OwnershipQuery.Submission,
        after claims: [PurchaseClaim]
    ) throws(OwnershipInput) {
        let claim = submission.claim
        // A claim that cannot change the result needs no evaluation.
        guard claim.mayCount(after: claims) || claims.count > PurchaseClaim.countMax else {
            return try compareWithOwner(named: try tokenCustomer())
        }
        let before = ownership.owner
        let result = try evaluate(claims + [claim], from: ownership)
        ownership = result.ownership
        switch result.claims.outcomes.last {
        case .refused: accept(.refused(try refusal(of: claim)))
        case .transferred: accept(before.map { .moved(from: $0) } ?? .accepted)
        case .shared: accept(.shared)
        case .first, .alreadyOwned, nil: accept(.accepted)
        }
        decision.claims = claim.isKept(after: claims, by: result.claims) ? .append(claim) : .insert(claim)
        if claims.count >= PurchaseClaim.countMax { try reduce(claims + [claim], by: result.claims) }
    }

    /// Compares a submission with the current owner, without evaluating the claims.
    private mutating func compareWithOwner(named: CustomerID? = nil) throws(OwnershipInput) {
        guard let submission = query.submission else { return }
        guard ownership.owner != submission.customer, !ownership.sharers.contains(submission.customer) else {
            return accept(.accepted)
        }
        if ownership.basis == .transferred { return accept(.refused(.transferred)) }
        let isByToken = named == ownership.owner && !submission.claim.outranksToken
        accept(.refused(isByToken ? .accountToken : .submittedBefore))
    }

    private func refusal(of claim: PurchaseClaim) throws(OwnershipInput) -> ClaimRefusal {
        if claim.policy == .share { return .sharedWithTooMany }
        let isByToken = try tokenCustomer() == ownership.owner && !claim.outranksToken
        return isByToken ? .accountToken : .submittedBefore
    }

    /// Sets the outcome. An identifier that became an alias has the purchases of its customer.
    private mutating func accept(_ outcome: OwnershipDecision.Outcome) {
        decision.outcome = outcome
        if let customer = query.linkedTo, decision.refusal == nil { decision.outcome = .linked(to: customer) }
    }

    /// Reduces the claims to those that changed the ownership and the newest of the others. If that changes the result
    /// or keeps too many, one claim remains for each customer who has the purchase.
    private mutating func reduce(
        _ claims: [PurchaseClaim],
        by evaluation: ClaimedOwnership
    ) throws(OwnershipInput) {
        let idle = claims.indices.filter {
            evaluation.outcomes[$0] == .refused || evaluation.outcomes[$0] == .alreadyOwned
        }
        let dropped = Set(idle.dropLast(PurchaseClaim.countMax / 4))
        let kept = claims.indices.filter { !dropped.contains($0) }.map { claims[$0] }
        if kept.count <= PurchaseClaim.countMax * 3 / 4 {
            let same = try evaluate(kept, from: ownership).ownership
            if same.hasSameCustomers(as: ownership) {
                ownership = same
                decision.claims = .replace(kept)
                return
            }
        }
        let names = [ownership.owner].compactMap(\.self) + ownership.others
        decision.claims = .replace(claims.reduced(to: names, customers: try customers()))
        ownership.basis = ownership.others.isEmpty ? .submitted : .shared
        ownership.sharers = ownership.others
    }
}

extension OwnershipRule {
    /// Evaluates claims with the data read so far.
    private func evaluate(
        _ claims: [PurchaseClaim],
        from before: PurchaseOwnership
    ) throws(OwnershipInput) -> (claims: ClaimedOwnership, ownership: PurchaseOwnership) {
        let result = try evaluate(claims)
        var ownership = result.ownership
        ownership.owner = ownership.owner ?? before.owner
        // The owner is not among the sharers.
        ownership.sharers = result.ownership.others
        return (result, ownership)
    }

    func evaluate(_ claims: [PurchaseClaim]) throws(OwnershipInput) -> ClaimedOwnership {
        let token = try tokenCustomer()
        let customers = try customers()
        if let open = ClaimedOwnership(claims: claims, customers: customers, token: token) { return open }
        return ClaimedOwnership(claims: claims, customers: customers, token: token, history: try history())
    }

    private func sharers() throws(OwnershipInput) -> [CustomerID] {
        guard let sharers = query.known.sharers else { throw .sharers }
        return sharers
    }

    func claims() throws(OwnershipInput) -> [PurchaseClaim] {
        guard let claims = query.known.claims else { throw .claims }
        return claims
    }

    /// The customer of the account token; nil without one.
    ///
    /// The current owner may have exactly this identifier. It needs no lookup, because an alias cannot own a purchase.
    private func tokenCustomer() throws(OwnershipInput) -> CustomerID? {
        guard let name = query.accountToken.map(CustomerID.init(rawValue:)) else { return nil }
        if name == query.owner { return name }
        guard let customer = query.known.tokenCustomer else { throw .tokenCustomer(name) }
        return customer
    }

    /// The customer of each identifier in the claims, including the current one, that is an alias.
    private func customers() throws(OwnershipInput) -> [CustomerID: CustomerID] {
        var names = Set(try claims().map(\.customer))
        if let submission = query.submission { names.remove(submission.claim.customer) }
        var customers: [CustomerID: CustomerID] = [:]
        if !names.isEmpty {
            guard let known = query.known.customers else { throw .customers(names) }
            customers = known
        }
        if let submission = query.submission { customers[submission.claim.customer] = submission.customer }
        return customers
    }

    private func history() throws(OwnershipInput) -> AccessHistory {
        if let history = query.known.history { return history }
        let claims = try claims() + [query.submission?.claim].compactMap(\.self)
        throw .accessHistory(claims.timesToCheck)
    }
}

extension [PurchaseClaim] {
    /// The times at which past access may decide a claim.
    public var timesToCheck: [Timestamp] { filter { $0.policy == .transferIfInactive }.map(\.at) }
}

extension PurchaseClaim {
    /// Whether the claim is stored even if the customer claimed by the same evidence before: it changes the ownership
    /// now, or may do so with later facts.
    ///
    /// - Parameters:
    ///   - earlier: The claims before it, in order.
    ///   - evaluation: The evaluation of these claims and this one.
    fileprivate func isKept(after earlier: [PurchaseClaim], by evaluation: ClaimedOwnership) -> Bool {
        switch evaluation.outcomes.last {
        case .first, .transferred, .shared: return true
        case .alreadyOwned, .refused, nil: break
        }
        let own = earlier.filter { $0.customer == customer }
        if !isAnonymous, own.last?.isAnonymous ?? false { return true }
        // A later notification may have the token of another customer.
        if outranksToken, !own.contains(where: \.outranksToken) { return true }
        let dependsOnFacts = evaluation.dependsOnFacts || !outranksToken
        // Each claim checks the access at another time.
        if policy == .transferIfInactive { return dependsOnFacts }
        guard dependsOnFacts, let last = earlier.last else { return false }
        return last.customer != customer || last.policy != policy
    }
}
