import SubscriptionCore
import Testing

/// The owner of a purchase that several customers claim.
@Suite struct `The ownership rule` {
    /// The claimant other than the owner "a".
    enum Other: String, CaseIterable {
        case withPublishableKey, withSecretKey
    }

    private static let owner = CustomerID("a")
    private static let other = CustomerID("b")

    private static func claimant(_ other: Other) -> Claimant {
        Claimant(Self.other, isSubmittedByServer: other == .withSecretKey)
    }

    @Test(
        arguments: [
            (.keep, true, .refused(.submittedBefore)),
            (.keep, false, .refused(.submittedBefore)),
            (.transfer, true, .moved(from: owner)),
            (.transfer, false, .moved(from: owner)),
            (.transferIfInactive, true, .refused(.submittedBefore)),
            (.transferIfInactive, false, .moved(from: owner)),
            (.share, true, .shared),
            (.share, false, .shared),
        ] as [(TransferPolicy, Bool, OwnershipDecision.Outcome)],
        Other.allCases
    )
    func `decides on the claim of a second customer, with either key`(
        row: (rule: TransferPolicy, isActive: Bool, outcome: OwnershipDecision.Outcome),
        other: Other
    ) {
        var purchase = ClaimedPurchase()
        if row.isActive { purchase.activeTimes = Set((0..<9).map { Timestamp(milliseconds: $0) }) }
        #expect(purchase.submit("a", row.rule).outcome == .accepted)
        #expect(purchase.submit(Self.claimant(other), under: row.rule).outcome == row.outcome)
        let isMoved = row.outcome == .moved(from: Self.owner)
        #expect(purchase.ownership.owner == (isMoved ? Self.other : Self.owner))
        #expect(purchase.ownership.sharers == (row.outcome == .shared ? [Self.other] : []))
        // The owner may submit it again.
        let again = purchase.submit(isMoved ? "b" : "a", row.rule)
        #expect(again.outcome == .accepted)
    }

    @Test(
        arguments: [
            (.owner, .withPublishableKey, .keep, .refused(.accountToken)),
            (.owner, .withPublishableKey, .transfer, .moved(from: owner)),
            (.owner, .withPublishableKey, .share, .shared),
            (.owner, .withSecretKey, .keep, .accepted),
            (.hint, .withPublishableKey, .keep, .accepted),
            (.hint, .withSecretKey, .keep, .accepted),
        ] as [(AccountTokenRule, Other, TransferPolicy, OwnershipDecision.Outcome)]
    )
    func `treats the account token as the first claim, unless a secret key outranks it or it is a hint`(
        tokens: AccountTokenRule,
        other: Other,
        rule: TransferPolicy,
        outcome: OwnershipDecision.Outcome
    ) {
        var purchase = ClaimedPurchase()
        purchase.policy.accountToken = tokens
        purchase.notify(token: "a")
        #expect(purchase.ownership == PurchaseOwnership(owner: Self.owner, basis: .accountToken))
        #expect(purchase.submit(Self.claimant(other), under: rule).outcome == outcome)
        let isMoved = outcome == .accepted || outcome == .moved(from: Self.owner)
        #expect(purchase.ownership.owner == (isMoved ? Self.other : Self.owner))
    }

    @Test func `ranks a submission by the token's customer above a later secret key`() {
        var purchase = ClaimedPurchase()
        purchase.notify(token: "a")
        #expect(purchase.submit("a", .keep).outcome == .accepted)
        #expect(purchase.submit(Self.claimant(.withSecretKey), under: .keep).refusal == .submittedBefore)
        #expect(purchase.ownership.owner == Self.owner)
    }

    @Test(arguments: TransferPolicy.allCases, Other.allCases)
    func `keeps a purchase that an operator moved`(rule: TransferPolicy, other: Other) {
        var purchase = ClaimedPurchase()
        _ = purchase.submit("a", .keep)
        purchase.ownership = PurchaseOwnership(owner: CustomerID("moved"), basis: .transferred)
        #expect(purchase.submit(Self.claimant(other), under: rule).refusal == .transferred)
        #expect(purchase.submit(Claimant(CustomerID("moved")), under: rule).outcome == .accepted)
        purchase.notify(token: "b")
        #expect(purchase.ownership == PurchaseOwnership(owner: CustomerID("moved"), basis: .transferred))
        #expect(purchase.claims.count == 1)
    }

    @Test(arguments: TransferPolicy.allCases)
    func `leaves the purchase of an erased customer without an owner until a submission`(rule: TransferPolicy) {
        var purchase = ClaimedPurchase()
        purchase.ownership = PurchaseOwnership(basis: .erased)
        purchase.notify(token: "a")
        #expect(purchase.ownership == PurchaseOwnership(basis: .erased))
        #expect(purchase.submit("b", rule).outcome == .accepted)
        #expect(purchase.ownership == PurchaseOwnership(owner: Self.other, basis: .submitted))
        // Its earlier token does not count afterwards.
        #expect(purchase.submit("a", .keep).refusal == .submittedBefore)
    }

    @Test func `treats a claim by an alias as a claim by its customer`() {
        var purchase = ClaimedPurchase()
        purchase.aliases = [CustomerID("a2"): Self.owner]
        #expect(purchase.submit("a2", .keep).outcome == .accepted)
        #expect(purchase.ownership.owner == Self.owner)
        #expect(purchase.submit("a", .keep).outcome == .accepted)
        #expect(purchase.claims.first?.customer == CustomerID("a2"))
        purchase.notify(token: "a2")
        #expect(purchase.ownership.owner == Self.owner)
    }

    @Test func `revises a decision about activity after a late fact`() {
        var purchase = ClaimedPurchase()
        purchase.activeTimes = [Timestamp(milliseconds: 2)]
        _ = purchase.submit("a", .transferIfInactive)
        #expect(purchase.submit("b", .transferIfInactive).refusal == .submittedBefore)
        #expect(purchase.ownership.basis == .contested)
        purchase.activeTimes = []
        purchase.notify()
        #expect(purchase.ownership.owner == Self.other)
    }

    @Test func `refuses customers above the limit of sharers`() {
        var purchase = ClaimedPurchase()
        for number in 0...ClaimedOwnership.sharersMax {
            #expect(purchase.submit("u_\(number)", .share).refusal == nil)
        }
        #expect(purchase.submit("one too many", .share).refusal == .sharedWithTooMany)
        #expect(purchase.ownership.others.count == ClaimedOwnership.sharersMax)
    }
}
