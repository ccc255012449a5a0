/// The rule of ownership: who has a purchase that several customers claim.
///
/// The app's transfer policy decides between customers who submit the same purchase. The signed account token counts as
/// the first claim (``AccountTokenRule``). What an operator decided stands. The rule is a pure function of the
/// question.
public struct OwnershipRule {
    let question: OwnershipQuestion
    private var decision: OwnershipDecision
    private var ownership: PurchaseOwnership

    /// Answers a question, or names what is needed to answer it.
    ///
    /// It never asks for the same input twice, so a caller that reads each input reaches a decision.
    public static func next(_ question: OwnershipQuestion) -> OwnershipStep {
        var rule = OwnershipRule(question)
        do throws(OwnershipInput) {
            if let owner = try rule.customerToJoin(), let submission = question.submission {
                return .links(alias: submission.customer, to: owner)
            }
            return .decided(try rule.decide())
        } catch {
            return .needs(error)
        }
    }

    private init(_ question: OwnershipQuestion) {
        self.question = question
        ownership = PurchaseOwnership(owner: question.owner, basis: question.basis)
        decision = OwnershipDecision(outcome: nil, ownership: ownership)
    }

    private mutating func decide() throws(OwnershipInput) -> OwnershipDecision {
        switch ownership.basis {
        case .erased:
            if let submission = question.submission { takeUnowned(submission) }
        case nil, .accountToken:
            if let submission = question.submission {
                try decideFirst(submission)
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

    /// Nobody has it any more: whoever submits it now gets it, whatever was asked before and whatever token it carries.
    private mutating func takeUnowned(_ submission: OwnershipQuestion.Submission) {
        var claim = submission.claim
        claim.policy = .transfer
        claim.outranksToken = true
        decision.claims = .append(claim)
        ownership.owner = submission.customer
        ownership.basis = .submitted
        accept(.accepted)
    }

    /// Nobody has submitted it with success so far.
    private mutating func decideFirst(_ submission: OwnershipQuestion.Submission) throws(OwnershipInput) {
        let claims = try claims()
        if ownership.owner == nil, !claims.isEmpty { return takeUnowned(submission) }
        if let named = try tokenCustomer() {
            ownership.owner = named
            ownership.basis = .accountToken
        }
        try decide(submission, after: claims)
    }

    /// Somebody has it by a claim, or by an operator's decision, against which no claim counts.
    private mutating func decideOwned() throws(OwnershipInput) {
        if ownership.basis == .transferred { return try judge() }
        let dependsOnFacts = ownership.basis == .contested || question.isTokenNew
        guard dependsOnFacts || question.submission != nil else { return }
        let claims = try claims()
        // Without claims, the customer got it back by an undone transfer. Facts and tokens do not change that.
        guard !claims.isEmpty else { return try judge() }
        if dependsOnFacts { ownership = try followed(claims, from: ownership).ownership }
        if let submission = question.submission { try decide(submission, after: claims) }
    }

    private mutating func decide(
        _ submission: OwnershipQuestion.Submission,
        after claims: [PurchaseClaim]
    ) throws(OwnershipInput) {
        let claim = submission.claim
        // A claim that can never change anything costs no look at the others.
        guard claim.mayCount(after: claims) || claims.count > PurchaseClaim.countMax else {
            return try judge(against: try tokenCustomer())
        }
        let before = ownership.owner
        let result = try followed(claims + [claim], from: ownership)
        ownership = result.ownership
        switch result.claims.outcomes.last {
        case .refused: accept(.refused(try refusal(of: claim)))
        case .transferred: accept(before.map { .moved(from: $0) } ?? .accepted)
        case .shared: accept(.shared)
        case .first, .held, nil: accept(.accepted)
        }
        decision.claims = claim.isKept(after: claims, by: result.claims) ? .append(claim) : .insert(claim)
        if claims.count >= PurchaseClaim.countMax { try reduce(claims + [claim], by: result.claims) }
    }

    /// Compares a submission with who has the purchase, without following the claims.
    private mutating func judge(against named: CustomerID? = nil) throws(OwnershipInput) {
        guard let submission = question.submission else { return }
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

    /// Notes the outcome. An identifier that became an alias has what its customer has.
    private mutating func accept(_ outcome: OwnershipDecision.Outcome) {
        decision.outcome = outcome
        if let customer = question.linkedTo, decision.refusal == nil { decision.outcome = .linked(to: customer) }
    }

    /// Keeps fewer claims: those that led to whoever has the purchase, and the newest of those that led to nothing; or,
    /// where that is not the same or not few enough, one for each who has it.
    private mutating func reduce(
        _ claims: [PurchaseClaim],
        by followed: ClaimedOwnership
    ) throws(OwnershipInput) {
        let idle = claims.indices.filter { followed.outcomes[$0] == .refused || followed.outcomes[$0] == .held }
        let dropped = Set(idle.dropLast(PurchaseClaim.countMax / 4))
        let kept = claims.indices.filter { !dropped.contains($0) }.map { claims[$0] }
        if kept.count <= PurchaseClaim.countMax * 3 / 4 {
            let same = try self.followed(kept, from: ownership).ownership
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
    /// Follows claims by what is known now.
    private func followed(
        _ claims: [PurchaseClaim],
        from before: PurchaseOwnership
    ) throws(OwnershipInput) -> (claims: ClaimedOwnership, ownership: PurchaseOwnership) {
        let result = try followed(claims)
        var ownership = result.ownership
        ownership.owner = ownership.owner ?? before.owner
        // The owner is none of those who share it.
        ownership.sharers = result.ownership.others
        return (result, ownership)
    }

    func followed(_ claims: [PurchaseClaim]) throws(OwnershipInput) -> ClaimedOwnership {
        let token = try tokenCustomer()
        let customers = try customers()
        if let open = ClaimedOwnership(claims: claims, customers: customers, token: token) { return open }
        return ClaimedOwnership(claims: claims, customers: customers, token: token, history: try history())
    }

    private func sharers() throws(OwnershipInput) -> [CustomerID] {
        guard let sharers = question.known.sharers else { throw .sharers }
        return sharers
    }

    func claims() throws(OwnershipInput) -> [PurchaseClaim] {
        guard let claims = question.known.claims else { throw .claims }
        return claims
    }

    /// The customer whom the account token names; nil without one.
    ///
    /// Whoever has the purchase under this very identifier has it still: as an alias they would have lost it.
    private func tokenCustomer() throws(OwnershipInput) -> CustomerID? {
        guard let name = question.accountToken.map(CustomerID.init(rawValue:)) else { return nil }
        if name == question.owner { return name }
        guard let customer = question.known.tokenCustomer else { throw .tokenCustomer(name) }
        return customer
    }

    /// The customers for whom the identifiers in the claims stand, where those are others; the present claim's
    /// included.
    private func customers() throws(OwnershipInput) -> [CustomerID: CustomerID] {
        var names = Set(try claims().map(\.customer))
        if let submission = question.submission { names.remove(submission.claim.customer) }
        var customers: [CustomerID: CustomerID] = [:]
        if !names.isEmpty {
            guard let known = question.known.customers else { throw .customers(names) }
            customers = known
        }
        if let submission = question.submission { customers[submission.claim.customer] = submission.customer }
        return customers
    }

    private func history() throws(OwnershipInput) -> AccessHistory {
        if let history = question.known.history { return history }
        let claims = try claims() + [question.submission?.claim].compactMap(\.self)
        throw .accessHistory(claims.timesInQuestion)
    }
}

extension [PurchaseClaim] {
    /// The times at which it may matter whether the purchase gave access.
    public var timesInQuestion: [Timestamp] { filter { $0.policy == .transferIfInactive }.map(\.at) }
}

extension PurchaseClaim {
    /// Whether the claim is kept even where the customer claimed by the same evidence before: it changes who has the
    /// purchase, now or by what may still become known.
    ///
    /// - Parameters:
    ///   - earlier: The claims before it, in order.
    ///   - followed: What they and this claim lead to.
    fileprivate func isKept(after earlier: [PurchaseClaim], by followed: ClaimedOwnership) -> Bool {
        switch followed.outcomes.last {
        case .first, .transferred, .shared: return true
        case .held, .refused, nil: break
        }
        let own = earlier.filter { $0.customer == customer }
        if !isAnonymous, own.last?.isAnonymous ?? false { return true }
        // The token of a later notification may name another customer.
        if outranksToken, !own.contains(where: \.outranksToken) { return true }
        let dependsOnFacts = followed.dependsOnFacts || !outranksToken
        // Each asks of another time whether the purchase was active.
        if policy == .transferIfInactive { return dependsOnFacts }
        guard dependsOnFacts, let last = earlier.last else { return false }
        return last.customer != customer || last.policy != policy
    }
}
