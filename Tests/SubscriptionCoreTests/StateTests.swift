import SubscriptionCore
import Testing

@Suite struct `The state of a purchase` {
    @Test func `does not exist before the first transaction`() {
        let facts: [Fact] = [
            .renewal(Example.renewal(inPeriod: 0)), .status(Example.status(.active, signedAt: Example.day(0))),
        ]
        #expect(Example.ledger(facts).state(at: Example.day(1), policy: Example.policy) == nil)
    }

    @Test func `includes a renewal record that arrived before the transaction`() throws {
        let cancelled = Example.renewal(inPeriod: 0, signedAt: Example.day(2)) { $0.autoRenew = false }
        let state = try #require(
            Example.state([.renewal(cancelled), .transaction(Example.period(0))], at: Example.day(3))
        )
        #expect(state.status == .active)
        #expect(!state.autoRenew)
        #expect(state.nextProductID == nil)
    }

    @Test func `never has an upgraded transaction as the current one`() throws {
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

    @Test func `contains the next plan before the plan changes`() throws {
        let record = Example.renewal(inPeriod: 0, signedAt: Example.day(5)) { $0.nextProductID = Example.yearly }
        let state = try #require(
            Example.state([.transaction(Example.period(0)), .renewal(record)], at: Example.day(6))
        )
        #expect(state.productID == Example.monthly)
        #expect(state.nextProductID == Example.yearly)
    }

    @Test func `contains the current period, its price, and the first start`() throws {
        let facts = (0...2).map { Fact.transaction(Example.period($0)) }
        let state = try #require(Example.state(facts, at: Example.day(61)))
        #expect(state.startedAt == Example.day(0))
        #expect(state.periodStartsAt == Example.day(60))
        #expect(state.periodEndsAt == Example.day(90))
        #expect(state.price == Example.price)
        #expect(state.storefront == "USA")
        #expect(state.groupID == Example.group)
    }

    @Test func `contains the early end of a revoked period, from its transaction or from a status`() throws {
        func endedEarly(_ facts: [Fact]) throws -> Timestamp? {
            try #require(Example.state([.transaction(Example.period(0))] + facts, at: Example.day(40))).endedEarlyAt
        }
        let refunded = Example.period(0) { fact in
            fact.revocation = Revocation(at: Example.day(9), kind: .refund)
            fact.signedAt = Example.day(10)
        }
        func status(_ status: SubscriptionStatus, on day: Int) -> Fact {
            .status(Example.status(status, signedAt: Example.day(day)))
        }
        #expect(try endedEarly([.transaction(refunded), status(.revoked, on: 10)]) == Example.day(9))
        #expect(try endedEarly([status(.revoked, on: 10)]) == Example.day(10))
        #expect(try endedEarly([status(.revoked, on: 30)]) == nil)
        #expect(try endedEarly([status(.expired, on: 10)]) == nil)
        #expect(try endedEarly([]) == nil)
    }

    @Test(arguments: [
        (Offer(kind: .introductory, payment: .freeTrial), SubscriptionState.PeriodType.trial),
        (Offer(kind: .introductory, payment: .payAsYouGo), .introductory),
        (Offer(kind: .introductory), .introductory), (Offer(kind: .promotional), .promotional),
        (Offer(kind: .offerCode), .offerCode), (Offer(kind: .winBack), .winBack), (Offer(kind: .other), .normal),
    ])
    func `has the period type of the transaction's offer`(
        offer: Offer,
        type: SubscriptionState.PeriodType
    ) throws {
        let state = try #require(
            Example.state([.transaction(Example.period(0) { $0.offer = offer })], at: Example.day(1))
        )
        #expect(state.periodType == type)
    }

    @Test(arguments: [ProductKind.nonConsumable, .consumable, .nonRenewing])
    func `gives access to a one-time purchase until it is revoked`(kind: ProductKind) throws {
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

    @Test func `gives no access to a product of an unknown kind`() {
        let ledger = Example.ledger([.transaction(Example.oneTime(.unknown))])
        #expect(ledger.state(at: Example.day(1), policy: Example.policy)?.givesAccess == false)
    }

    @Test func `does not overflow at the ends of the time range`() throws {
        let odd = Example.period(0) { fact in
            fact.purchasedAt = Timestamp(milliseconds: .min)
            fact.expiresAt = Timestamp(milliseconds: .max - 1)
        }
        let facts: [Fact] = [.transaction(odd), .renewal(Example.renewal(inPeriod: 0) { $0.renewsAt = odd.expiresAt })]
        let state = try #require(Example.state(facts, at: Timestamp(milliseconds: .max)))
        #expect(state.status == .expired)
        #expect(Example.state(facts, at: Example.day(0))?.status == .active)
    }

    @Test func `has an early renewal as the next period until the current period ends`() throws {
        let early = Example.period(1) { fact in
            fact.productID = Example.yearly
            fact.signedAt = Example.day(29, hours: 14)
        }
        let cancelled = Example.renewal(inPeriod: 1, signedAt: Example.day(29, hours: 15)) { $0.autoRenew = false }
        let facts: [Fact] = [.transaction(Example.period(0)), .transaction(early), .renewal(cancelled)]

        let before = try #require(Example.state(facts, at: Example.day(29, hours: 16)))
        #expect(before.productID == Example.monthly && before.periodEndsAt == Example.day(30))
        #expect(before.autoRenew && before.nextProductID == Example.yearly)
        #expect(before.nextChangeAt == Example.day(30))

        let after = try #require(Example.state(facts, at: Example.day(30)))
        #expect(after.productID == Example.yearly && after.periodStartsAt == Example.day(30))
        #expect(!after.autoRenew && after.givesAccess)

        // If the previous period is unknown, the new one counts at once: a signed renewal is evidence of it.
        let alone = try #require(Example.state([.transaction(early)], at: Example.day(29, hours: 16)))
        #expect(alone.givesAccess && alone.productID == Example.yearly)
    }

    @Test func `replaces a period that was charged early by an upgrade before its start`() throws {
        let early = Example.period(1) { $0.signedAt = Example.day(29, hours: 14) }
        let upgrade = Example.period(2) { fact in
            fact.productID = Example.yearly
            fact.isRenewal = false
            fact.purchasedAt = Example.day(29, hours: 16)
            fact.signedAt = fact.purchasedAt
            fact.expiresAt = Example.day(394)
        }
        let facts = [Example.period(0), early, upgrade].map(Fact.transaction)
        for time in [Example.day(29, hours: 16), Example.day(30), Example.day(59), Example.day(61)] {
            let state = try #require(Example.state(facts, at: time))
            #expect(state.productID == Example.yearly && state.nextChangeAt == Example.day(394))
        }
        // The period stays replaced when the upgrade expires, fails to renew or is refunded.
        let over = try #require(Example.state(facts, at: Example.day(395)))
        #expect(over.status == .expired && over.productID == Example.yearly && over.periodEndsAt == Example.day(394))
        let failed = Example.renewal(inPeriod: 0, signedAt: Example.day(394)) { record in
            record.renewsAt = Example.day(394)
            record.isInBillingRetry = true
            record.graceExpiresAt = Example.day(400)
        }
        let inGrace = try #require(Example.state(facts + [.renewal(failed)], at: Example.day(395)))
        #expect(inGrace.status == .inGracePeriod && inGrace.productID == Example.yearly)
        var refunded = upgrade
        refunded.revocation = Revocation(at: Example.day(35), kind: .refund)
        refunded.signedAt = Example.day(35)
        let taken = try #require(Example.state(facts + [.transaction(refunded)], at: Example.day(36)))
        #expect(taken.status == .revoked && !taken.givesAccess && taken.productID == Example.yearly)
        // The price of the period that never started is returned in full.
        let returned = PurchaseChange(
            before: Example.ledger([]),
            after: Example.ledger(facts),
            stateBefore: nil,
            stateAfter: nil,
            now: upgrade.purchasedAt
        ).events.filter { $0.kind == .prorated && $0.transactionID == early.id }
        #expect(returned.map { $0.price?.milliunits } == [0 - Example.price.milliunits])
    }

    @Test func `distinguishes a renewal after an upgrade from one before it`() throws {
        let upgrade = Example.period(1) { fact in
            fact.productID = Example.yearly
            fact.isRenewal = false
            fact.purchasedAt = Example.day(10)
            fact.expiresAt = Example.day(40)
        }
        let downgraded = Example.period(2) { fact in
            fact.purchasedAt = Example.day(40)
            fact.expiresAt = Example.day(70)
        }
        let state = Example.state([Example.period(0), upgrade, downgraded].map(Fact.transaction), at: Example.day(41))
        #expect(state?.productID == Example.monthly && state?.givesAccess == true)
    }

    @Test func `restores the period of a reversed refund, regardless of purchases in between`() throws {
        let reversed = Example.period(0) { fact in
            fact.productID = Example.yearly
            fact.expiresAt = Example.day(365)
            fact.signedAt = Example.day(20)
        }
        let between = Example.period(1) { fact in
            fact.isRenewal = false
            fact.purchasedAt = Example.day(12)
            fact.expiresAt = Example.day(42)
        }
        let facts = [reversed, between].map(Fact.transaction)
        #expect(Example.state(facts, at: Example.day(30))?.productID == Example.monthly)
        let later = try #require(Example.state(facts, at: Example.day(42)))
        #expect(later.productID == Example.yearly && later.givesAccess && later.periodEndsAt == Example.day(365))
        let ended = try #require(Example.state(facts, at: Example.day(366)))
        #expect(ended.productID == Example.yearly && ended.periodEndsAt == Example.day(365))
    }

    @Test func `has the leeway after a renewal that only the app reported`() throws {
        let facts: [Fact] = [
            .transaction(Example.period(0)), .renewal(Example.renewal(inPeriod: 0)), .transaction(Example.period(1)),
        ]
        #expect(Example.state(facts, at: Example.day(60, hours: 1))?.status == .active)
        let after = try #require(Example.state(facts, at: Example.day(60, hours: 2)))
        #expect(after.status == .expired && after.endReason == .unknown)
        // The newer paid period resolves the failure in an older record.
        let failed = Example.renewal(inPeriod: 0, signedAt: Example.day(30)) { record in
            record.isInBillingRetry = true
            record.graceExpiresAt = Example.day(100)
        }
        let recovered = [facts[0], facts[2], .renewal(failed)]
        #expect(Example.state(recovered, at: Example.day(60, hours: 1))?.status == .expired)
    }

    @Test func `ends a period that only a status and a record report`() throws {
        let refunded = Example.period(0) { fact in
            fact.revocation = Revocation(at: Example.day(40), kind: .refund)
            fact.signedAt = Example.day(40)
        }
        func facts(
            _ status: SubscriptionStatus,
            day: Int = 40,
            _ change: (inout RenewalFact) -> Void = { _ in }
        ) -> [Fact] {
            let record = Example.renewal(inPeriod: 1, signedAt: Example.day(day), change)
            return [
                .transaction(refunded), .renewal(record), .status(Example.status(status, signedAt: Example.day(day))),
            ]
        }
        #expect(Example.state(facts(.active), at: Example.day(60, hours: 1))?.status == .active)
        let ended = try #require(Example.state(facts(.active), at: Example.day(60, hours: 2)))
        #expect(ended.status == .expired && ended.periodEndsAt == Example.day(60))

        let grace = facts(.inGracePeriod, day: 60) { record in
            record.isInBillingRetry = true
            record.graceExpiresAt = Example.day(76)
        }
        let inGrace = try #require(Example.state(grace, at: Example.day(61)))
        #expect(inGrace.status == .inGracePeriod && inGrace.givesAccess && inGrace.periodEndsAt == Example.day(60))
        #expect(Example.state(grace, at: Example.day(76))?.status == .inBillingRetry)
        // A status that was signed during the period of the record does not affect that period.
        let odd: [Fact] = [
            .transaction(Example.period(0)), .status(Example.status(.inBillingRetry, signedAt: Example.day(30))),
            .renewal(Example.renewal(inPeriod: 1, signedAt: Example.day(30)) { $0.isInBillingRetry = true }),
        ]
        #expect(Example.state(odd, at: Example.day(31))?.status == .inBillingRetry)
    }

    @Test(arguments: [0, 20, 29, 30, 31])
    func `never gives access in a refunded period, regardless of the status`(day: Int) {
        let refunded = Example.period(0) { fact in
            fact.revocation = Revocation(at: Example.day(20), kind: .refund)
            fact.signedAt = Example.day(20)
        }
        for status in SubscriptionStatus.allCases {
            let facts: [Fact] = [
                .transaction(refunded), .renewal(Example.renewal(inPeriod: 0, signedAt: Example.day(20))),
                .status(Example.status(status, signedAt: Example.day(20))),
            ]
            #expect(Example.state(facts, at: Example.day(day))?.givesAccess == false, "\(status)")
        }
    }

    @Test func `counts an introductory offer as used if the start is unknown`() {
        let later = Example.period(3)
        #expect(Example.state([.transaction(later)], at: Example.day(91))?.introductoryOfferUsed == true)
        let facts = [Example.period(0), later].map(Fact.transaction)
        #expect(Example.state(facts, at: Example.day(91))?.introductoryOfferUsed == false)
    }
}
