import SubscriptionCore
import Testing

/// Erasures, aliases and undone transfers set the owner of a purchase, and store claims that lead to this owner.
@Suite struct `Settled ownership` {
    private static let (a, b, c) = (CustomerID("a"), CustomerID("b"), CustomerID("c"))

    private static func claims(_ names: [CustomerID], _ policy: TransferPolicy = .keep) -> [PurchaseClaim] {
        names.enumerated().map { number, name in
            PurchaseClaim(
                customer: name,
                evidence: EvidenceID("e_\(number)"),
                at: Timestamp(milliseconds: Int64(number)),
                policy: policy
            )
        }
    }

    private static func evaluation(_ claims: [PurchaseClaim]) -> ClaimedOwnership {
        ClaimedOwnership(claims: claims, history: AccessHistory(activeAt: []))
    }

    @Test func `keeps claims that lead to the same customers`() {
        let claims = Self.claims([Self.a, Self.b], .share)
        let ownership = PurchaseOwnership(owner: Self.a, basis: .shared, sharers: [Self.b])
        let settlement = ownership.settlement(of: claims, evaluation: Self.evaluation(claims), customers: [:])
        #expect(settlement.claims == nil)
        #expect(settlement.basis == .shared)
    }

    @Test(arguments: TransferPolicy.allCases, [[a], [b], [c, a], [b, c, a]])
    func `replaces claims that lead to other customers`(
        rule: TransferPolicy,
        wanted: [CustomerID]
    ) {
        let claims = Self.claims([Self.a, Self.b], rule)
        let ownership = PurchaseOwnership(owner: wanted[0], basis: .submitted, sharers: Array(wanted.dropFirst()))
        let settlement = ownership.settlement(of: claims, evaluation: Self.evaluation(claims), customers: [:])
        let evaluation = Self.evaluation(settlement.claims ?? claims)
        #expect(evaluation.ownership.hasSameCustomers(as: ownership))
        #expect(settlement.basis == evaluation.ownership.basis)
        // Later facts do not affect the new claims.
        if settlement.claims != nil { #expect(!evaluation.dependsOnFacts) }
    }

    @Test func `has a claim without a name after a transfer by an operator`() throws {
        let claims = Self.claims([Self.a, Self.b], .share)
        let ownership = PurchaseOwnership(owner: Self.c, basis: .transferred, sharers: [])
        let settlement = ownership.settlement(of: claims, evaluation: Self.evaluation(claims), customers: [:])
        let replaced = try #require(settlement.claims)
        #expect(replaced.map(\.customer) == [CustomerID("")])
        #expect(settlement.basis == .transferred)
    }

    @Test func `is final after an operator's choice`() {
        let claims = Self.claims([Self.a, Self.b], .transferIfInactive)
        let evaluation = Self.evaluation(claims)
        let ownership = PurchaseOwnership(owner: Self.b, basis: .contested)
        #expect(ownership.settlement(of: claims, evaluation: evaluation, customers: [:]).claims == nil)
        #expect(ownership.settlement(of: claims, evaluation: evaluation, customers: [:], isFinal: true).claims != nil)
    }

    @Test func `passes from an erased customer to the first sharer, or to nobody`() {
        let shared = PurchaseOwnership(owner: Self.a, basis: .shared, sharers: [Self.b, Self.c])
        #expect(shared.without(Self.b) == PurchaseOwnership(owner: Self.a, basis: .shared, sharers: [Self.c]))
        #expect(shared.without(Self.a) == PurchaseOwnership(owner: Self.b, basis: .shared, sharers: [Self.c]))
        #expect(PurchaseOwnership(owner: Self.a, basis: .submitted).without(Self.a) == nil)
    }

    @Test(
        arguments: [
            (nil, .accountToken, a, .accountToken),
            (b, .accountToken, b, .submitted),
            (a, .accountToken, a, .accountToken),
            (b, .submitted, b, .submitted),
            (nil, .erased, nil, .erased),
        ] as [(CustomerID?, OwnershipBasis, CustomerID?, OwnershipBasis)]
    )
    func `is restored by an undone transfer, regardless of later tokens`(
        owner: CustomerID?,
        basis: OwnershipBasis,
        expected: CustomerID?,
        on expectedBasis: OwnershipBasis
    ) {
        let restored = PurchaseOwnership(owner: owner, basis: basis).restored(to: owner, token: Self.a)
        #expect(restored == PurchaseOwnership(owner: expected, basis: expectedBasis))
    }

    @Test func `passes to the purchase that continues this one`() {
        let ownership = PurchaseOwnership(owner: Self.a, basis: .shared, sharers: [Self.b])
        let succession = OwnershipSuccession(
            from: ownership,
            claims: Self.claims([Self.a, Self.b], .share),
            evidence: EvidenceID("new"),
            at: Timestamp(milliseconds: 7),
            policy: .keep
        )
        var purchase = ClaimedPurchase()
        for submission in succession.submissions { #expect(purchase.submit(submission.claim).refusal == nil) }
        #expect(purchase.ownership == ownership)
    }
}
