import SubscriptionCore
import Testing

/// Identifiers of users without an account. Only the signed purchase identifies these users.
@Suite struct `Anonymous claims` {
    private static let first = CustomerID("anon_1")
    private static let second = CustomerID("anon_2")

    /// A purchase of the first anonymous identifier.
    private static func purchase(prefix: String? = "anon_", vouchedFor: Bool = false) -> ClaimedPurchase {
        var purchase = ClaimedPurchase()
        purchase.policy.anonymousPrefix = prefix
        _ = purchase.submit(Claimant(first, isSubmittedByServer: vouchedFor, isAnonymous: true), under: .keep)
        return purchase
    }

    @Test(arguments: [TransferPolicy.keep, .transferIfInactive])
    func `a second anonymous identifier becomes an alias of the first`(rule: TransferPolicy) {
        var purchase = Self.purchase()
        purchase.activeTimes = Set((0..<9).map { Timestamp(milliseconds: $0) })
        #expect(purchase.submit("anon_2", rule).outcome == .linked(to: Self.first))
        #expect(purchase.aliases == [Self.second: Self.first])
        #expect(purchase.ownership.owner == Self.first)
    }

    @Test(arguments: [TransferPolicy.transfer, .share])
    func `a rule without refusals creates no alias`(rule: TransferPolicy) {
        var purchase = Self.purchase()
        #expect(purchase.submit("anon_2", rule).refusal == nil)
        #expect(purchase.aliases.isEmpty)
    }

    @Test(arguments: [false, true])
    func `without a prefix only claims with a secret key create an alias`(vouched: Bool) {
        var purchase = Self.purchase(prefix: nil, vouchedFor: vouched)
        let outcome = purchase.submit(
            Claimant(Self.second, isSubmittedByServer: vouched, isAnonymous: true),
            under: .keep
        ).outcome
        #expect(outcome == (vouched ? .linked(to: Self.first) : .refused(.submittedBefore)))
    }

    @Test(arguments: TransferPolicy.allCases)
    func `a known customer replaces an anonymous owner`(rule: TransferPolicy) {
        var purchase = Self.purchase()
        let decision = purchase.submit("known", rule)
        #expect(decision.outcome == (rule == .share ? .shared : .moved(from: Self.first)))
        // If the purchase is shared, the anonymous customer still has it.
        let next = purchase.submit("anon_2", .keep).outcome
        #expect(next == (rule == .share ? .linked(to: Self.first) : .refused(.submittedBefore)))
    }

    /// What makes the owner or the claimant a known customer.
    enum Known: CaseIterable {
        case ownerHasPurchaseByToken, claimantHasPurchaseByToken, ownerHasTransferred, claimantHasGrant
        case ownerClaimedByName, claimantClaimedByName, isAliasAlready
    }

    @Test(arguments: Known.allCases)
    func `a customer who is known otherwise gets no alias`(known: Known) {
        var purchase = Self.purchase()
        let named = PurchaseClaim(
            customer: known == .ownerClaimedByName ? Self.first : Self.second,
            evidence: EvidenceID("other"),
            at: Timestamp(milliseconds: 0),
            policy: .keep,
            isAnonymous: false
        )
        switch known {
        case .ownerHasPurchaseByToken: purchase.otherBases[Self.first] = [.accountToken]
        case .claimantHasPurchaseByToken: purchase.otherBases[Self.second] = [.accountToken]
        case .ownerHasTransferred: purchase.otherBases[Self.first] = [.transferred]
        case .claimantHasGrant: purchase.granted = [Self.second]
        case .ownerClaimedByName, .claimantClaimedByName: purchase.otherClaims[named.customer] = [named]
        case .isAliasAlready: purchase.canLink = false
        }
        #expect(purchase.submit("anon_2", .keep).refusal == .submittedBefore)
        #expect(purchase.aliases.isEmpty)
        #expect(purchase.ownership.owner == Self.first)
    }

    @Test func `a token that is only a hint does not make a customer known`() {
        var purchase = Self.purchase()
        purchase.policy.accountToken = .hint
        purchase.otherBases[Self.first] = [.accountToken]
        #expect(purchase.submit("anon_2", .keep).outcome == .linked(to: Self.first))
    }

    @Test func `a customer named by the account token gets no alias`() {
        var purchase = ClaimedPurchase()
        purchase.policy.anonymousPrefix = "anon_"
        purchase.notify(token: "anon_1")
        #expect(purchase.submit("anon_1", .keep).outcome == .accepted)
        #expect(purchase.submit("anon_2", .keep).refusal == .accountToken)
        #expect(purchase.aliases.isEmpty)
    }
}
