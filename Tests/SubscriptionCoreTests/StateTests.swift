import SubscriptionCore
import Testing

@Suite
struct `What a state says` {
    @Test func `nothing is known of a purchase before its first transaction`() {
        let facts: [Fact] = [
            .renewal(Example.renewal(inPeriod: 0)), .status(Example.status(.active, signedAt: Example.day(0))),
        ]
        #expect(Example.ledger(facts).state(at: Example.day(1), policy: Example.policy) == nil)
    }

    @Test func `a renewal record that came first counts once the transaction is there`() throws {
        let cancelled = Example.renewal(inPeriod: 0, signedAt: Example.day(2)) { $0.autoRenew = false }
        let state = try #require(
            Example.state([.renewal(cancelled), .transaction(Example.period(0))], at: Example.day(3))
        )
        #expect(state.status == .active)
        #expect(!state.autoRenew)
        #expect(state.nextProductID == nil)
    }

    @Test func `an upgraded transaction is never the present one`() throws {
        let old = Example.period(0) { $0.isUpgraded = true }
        let new = Example.period(1) { fact in
            fact.productID = Example.yearly
            fact.purchasedAt = Example.day(10)
            fact.expiresAt = Example.day(20)
        }
        let state = try #require(Example.state([.transaction(old), .transaction(new)], at: Example.day(25)))
        #expect(state.productID == Example.yearly)
        #expect(state.status == .expired)
    }

    @Test func `a plan that changes at the next renewal is named before it does`() throws {
        let record = Example.renewal(inPeriod: 0, signedAt: Example.day(5)) { $0.nextProductID = Example.yearly }
        let state = try #require(
            Example.state([.transaction(Example.period(0)), .renewal(record)], at: Example.day(6))
        )
        #expect(state.productID == Example.monthly)
        #expect(state.nextProductID == Example.yearly)
    }

    @Test func `a state names the present period, its price, and the first start`() throws {
        let facts = (0...2).map { Fact.transaction(Example.period($0)) }
        let state = try #require(Example.state(facts, at: Example.day(61)))
        #expect(state.startedAt == Example.day(0))
        #expect(state.periodStartsAt == Example.day(60))
        #expect(state.periodEndsAt == Example.day(90))
        #expect(state.price == Example.price)
        #expect(state.storefront == "USA")
        #expect(state.groupID == Example.group)
    }

    @Test(arguments: [
        (Offer(kind: .introductory, payment: .freeTrial), SubscriptionState.PeriodType.trial),
        (Offer(kind: .introductory, payment: .payAsYouGo), .introductory),
        (Offer(kind: .introductory), .introductory), (Offer(kind: .promotional), .promotional),
        (Offer(kind: .offerCode), .offerCode), (Offer(kind: .winBack), .winBack), (Offer(kind: .other), .normal),
    ])
    func `the offer on a transaction names the type of its period`(
        offer: Offer,
        type: SubscriptionState.PeriodType
    ) throws {
        let state = try #require(
            Example.state([.transaction(Example.period(0) { $0.offer = offer })], at: Example.day(1))
        )
        #expect(state.periodType == type)
    }

    @Test(arguments: [ProductKind.nonConsumable, .consumable, .nonRenewing])
    func `a one-time purchase gives access until it is taken back`(kind: ProductKind) throws {
        let bought = Example.ledger([.transaction(Example.oneTime(kind))])
        let state = try #require(bought.state(at: Example.day(5_000), policy: Example.policy))
        #expect(state.givesAccess)
        #expect(state.nextChangeAt == nil)
        let refunded = Example.oneTime(kind) { fact in
            fact.revocation = Revocation(at: Example.day(9), kind: .refund)
            fact.signedAt = Example.day(9)
        }
        let taken = Example.ledger([.transaction(Example.oneTime(kind)), .transaction(refunded)])
        #expect(taken.state(at: Example.day(10), policy: Example.policy)?.givesAccess == false)
    }

    @Test func `a product of a kind that is not known gives nothing`() {
        let ledger = Example.ledger([.transaction(Example.oneTime(.unknown))])
        #expect(ledger.state(at: Example.day(1), policy: Example.policy)?.givesAccess == false)
    }

    @Test func `times at the ends of the range are no trap`() throws {
        let odd = Example.period(0) { fact in
            fact.purchasedAt = Timestamp(milliseconds: .min)
            fact.expiresAt = Timestamp(milliseconds: .max - 1)
        }
        let facts: [Fact] = [.transaction(odd), .renewal(Example.renewal(inPeriod: 0) { $0.renewsAt = odd.expiresAt })]
        let state = try #require(Example.state(facts, at: Timestamp(milliseconds: .max)))
        #expect(state.status == .expired)
        #expect(Example.state(facts, at: Example.day(0))?.status == .active)
    }
}
