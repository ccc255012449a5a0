import SubscriptionCore
import Testing

/// Which of several periods determines the state, and how it is explained.
@Suite struct `The current period of a state` {
    private func record(on day: Int = 0, _ change: (inout RenewalFact) -> Void = { _ in }) -> Fact {
        .renewal(Example.renewal(inPeriod: 0, signedAt: Example.day(day), change))
    }

    private func other(
        from start: Int,
        to end: Int,
        _ product: ProductID = Example.monthly,
        isRenewal: Bool = true
    ) -> Fact {
        .transaction(
            Example.period(1) { fact in
                fact.productID = product
                fact.purchasedAt = Example.day(start)
                fact.expiresAt = Example.day(end)
                fact.isRenewal = isRenewal
            }
        )
    }

    private let first = Fact.transaction(Example.period(0))

    @Test func `is the one that started last, with another product or another end`() {
        let another = Example.state([first, other(from: 10, to: 30, Example.yearly)], at: Example.day(11))
        #expect(another?.productID == Example.yearly && another?.periodStartsAt == Example.day(10))
        let longer = Example.state([first, other(from: 10, to: 40)], at: Example.day(11))
        #expect(longer?.periodStartsAt == Example.day(10) && longer?.nextChangeAt == Example.day(40))
        let seats = Example.state([first, other(from: 10, to: 30, isRenewal: false)], at: Example.day(11))
        #expect(seats?.periodStartsAt == Example.day(0) && seats?.nextChangeAt == Example.day(30))
    }

    @Test func `is the newest of the periods with the latest end`() {
        let state = Example.state([first, other(from: 10, to: 30, Example.yearly)], at: Example.day(31))
        #expect(state?.productID == Example.yearly)
    }

    @Test func `is the last that began if the store reports the end, and the next one was refunded before its start`() {
        func state(refundedOn day: Int, endedOn end: Int) -> SubscriptionState? {
            let next = Example.period(1) { fact in
                fact.revocation = Revocation(at: Example.day(day), kind: .refund)
                fact.signedAt = Example.day(day)
            }
            let status = Example.status(.expired, signedAt: Example.day(end))
            return Example.state([first, .transaction(next), .status(status)], at: Example.day(end))
        }
        let before = state(refundedOn: 29, endedOn: 30)
        #expect(before?.status == .expired && before?.periodStartsAt == Example.day(0))
        let after = state(refundedOn: 31, endedOn: 60)
        #expect(after?.status == .expired && after?.periodStartsAt == Example.day(30))
    }

    @Test func `renews unless a record turns renewal off, and has no next period after its end`() {
        #expect(Example.state([first], at: Example.day(1))?.autoRenew == true)
        let offer = record { $0.offer = Offer(kind: .promotional) }
        #expect(Example.state([first, offer], at: Example.day(1))?.nextPeriod.offer != nil)
        let ended = Example.state([first, offer], at: Example.day(31))
        #expect(ended?.status == .expired)
        #expect(ended?.nextPeriod == SubscriptionState.NextPeriod())
        let off = record { fact in
            fact.autoRenew = false
            fact.offer = Offer(kind: .promotional)
        }
        #expect(Example.state([first, off], at: Example.day(1))?.nextPeriod.offer == nil)
    }

    @Test func `is the first period if its transaction has the identifier or the date of the purchase`() {
        let byIdentifier = Example.period(0) { $0.originallyPurchasedAt = Example.day(-5) }
        #expect(Example.state([.transaction(byIdentifier)], at: Example.day(1))?.introductoryOfferUsed == false)
        let byDate = Example.period(0) { $0.id = TransactionID("7") }
        #expect(Example.state([.transaction(byDate)], at: Example.day(1))?.introductoryOfferUsed == false)
        let neither = Example.period(0) { fact in
            fact.id = TransactionID("7")
            fact.originallyPurchasedAt = Example.day(-5)
        }
        #expect(Example.state([.transaction(neither)], at: Example.day(1))?.introductoryOfferUsed == true)
    }

    private func texts(_ facts: [Fact], at now: Timestamp) -> [String] {
        Example.ledger(facts).explanation(at: now, policy: Example.policy)?.steps.map(\.text) ?? []
    }

    @Test func `is explained as paid, free, or upgraded`() {
        let free = Fact.transaction(
            Example.period(0) { $0.offer = Offer(kind: .introductory, payment: .freeTrial) }
        )
        let reduced = Fact.transaction(
            Example.period(0) { $0.offer = Offer(kind: .introductory, payment: .payAsYouGo) }
        )
        let upgraded = Fact.transaction(Example.period(0) { $0.isUpgraded = true })
        #expect(texts([first], at: Example.day(1)).first == "The period is paid.")
        #expect(texts([free], at: Example.day(1)).first == "The period is a free trial.")
        #expect(texts([reduced], at: Example.day(1)).first == "The period is paid.")
        let text =
            "The customer upgraded to another product. Its transaction has not arrived, so this period counts."
        #expect(texts([upgraded], at: Example.day(1)).first == text)
    }

    @Test func `is explained by whether it renews, and by the leeway after its end`() {
        #expect(texts([first, record()], at: Example.day(1)).last == "It renews.")
        #expect(texts([first, record { $0.autoRenew = false }], at: Example.day(1)).last == "It will not renew.")
        let late = "The renewal has not been reported yet. A late renewal keeps access for a limited time."
        #expect(texts([first, record()], at: Example.day(30)).last == late)
        #expect(texts([first, record()], at: Example.day(30, milliseconds: -1)).last == "It renews.")
    }

    @Test func `is explained by its own transaction if the next one is known too`() throws {
        let early = Example.period(1) { $0.signedAt = Example.day(29) }
        let steps = try #require(
            Example.ledger([first, .transaction(early)])
                .explanation(at: Example.day(29), policy: Example.policy)?.steps
        )
        #expect(steps.first?.basis == .transaction(Example.period(0)))
        #expect(steps.last?.basis == .transaction(early))
    }

    @Test(arguments: [
        (RenewalFact.ExpirationReason.cancelled, "The customer had turned renewal off."),
        (.billingError, "The store could not charge and stopped trying."),
        (.priceIncreaseNotAccepted, "The customer did not agree to a higher price."),
        (.productUnavailable, "The product was no longer sold."),
        (.other, "The store gave another reason, without details."),
    ])
    func `is explained by the reason of its end`(reason: RenewalFact.ExpirationReason, text: String) {
        #expect(texts([first, record(on: 30) { $0.expirationReason = reason }], at: Example.day(31)).last == text)
    }

    @Test func `is explained by the end of the retries, or by the lack of facts`() {
        let failed = record(on: 30) { $0.isInBillingRetry = true }
        let over = "The charge failed, and the time in which the store tries again is over."
        #expect(texts([first, failed], at: Example.day(91)).last == over)
        let unknown = "It did not renew; no signed fact says why."
        #expect(texts([first, record()], at: Example.day(31)).last == unknown)
    }
}
