import SubscriptionCore
import Testing

/// What the ledger shows against an extension of the present period.
@Suite struct `Obstacles to an extension` {
    private static func obstacles(
        _ facts: [Fact],
        day: Int = 10,
        extendedOn days: [Int] = []
    ) -> [ExtensionObstacle] {
        Example.ledger(facts).extensionObstacles(
            at: Example.day(day),
            policy: Example.policy,
            extensions: days.map { Example.day($0) }
        )
    }

    private static func period(_ change: (inout TransactionFact) -> Void = { _ in }) -> Fact {
        .transaction(Example.period(0, change))
    }

    @Test func `are none in a paid period`() {
        #expect(Self.obstacles([Self.period(), .renewal(Example.renewal(inPeriod: 0))]).isEmpty)
        // Switching auto-renew off changes nothing.
        #expect(
            Self.obstacles([Self.period(), .renewal(Example.renewal(inPeriod: 0) { $0.autoRenew = false })]).isEmpty
        )
    }

    @Test func `are about the period that ends last`() {
        let early = Fact.transaction(Example.period(1) { $0.price = Money(milliunits: 0, currency: "USD") })
        let ledger = Example.ledger([Self.period(), early])
        let period = ledger.extendablePeriod(at: Example.day(29))
        #expect(period?.id == Example.period(1).id && period?.end == Example.day(60))
        #expect(Self.obstacles([Self.period(), early], day: 29) == [.freePeriod])
    }

    @Test func `name who pays`() {
        #expect(Self.obstacles([Self.period { $0.ownership = .familyShared }]) == [.familyShared])
        #expect(Self.obstacles([Self.period { $0.ownership = .assigned }]) == [.assigned])
        // Neither a copy nor a seat costs anything.
        let free = Money(milliunits: 0, currency: "USD")
        let copy = Self.period { fact in
            fact.ownership = .familyShared
            fact.price = free
        }
        let seat = Self.period { fact in
            fact.ownership = .assigned
            fact.price = free
        }
        #expect(Self.obstacles([copy]) == [.familyShared])
        #expect(Self.obstacles([seat]) == [.assigned])
    }

    @Test func `name a free period, by its offer or its price`() {
        let trial = Self.period { $0.offer = Offer(kind: .introductory, payment: .freeTrial) }
        #expect(Self.obstacles([trial]) == [.freePeriod])
        #expect(Self.obstacles([Self.period { $0.price = Money(milliunits: 0, currency: "USD") }]) == [.freePeriod])
        #expect(Self.obstacles([Self.period { $0.price = nil }]).isEmpty)
        let paid = Fact.transaction(Example.period(1))
        #expect(Self.obstacles([trial, paid], day: 40).isEmpty)
    }

    @Test func `name a failed charge`() {
        func failed(graceUntil day: Int?) -> Fact {
            .renewal(
                Example.renewal(inPeriod: 0, signedAt: Example.day(30)) {
                    $0.isInBillingRetry = true
                    $0.graceExpiresAt = day.map { Example.day($0) }
                }
            )
        }
        #expect(Self.obstacles([Self.period(), failed(graceUntil: 46)], day: 35) == [.gracePeriod])
        #expect(Self.obstacles([Self.period(), failed(graceUntil: nil)], day: 35) == [.billingRetry])
    }

    @Test func `name the end`() {
        #expect(Self.obstacles([Self.period()], day: 60) == [.expired])
        let refunded = Self.period { $0.revocation = Revocation(at: Example.day(5), kind: .refund) }
        #expect(Self.obstacles([refunded]) == [.revoked])
        let now = Example.day(30, hours: 1)
        let ledger = Example.ledger([Self.period(), .renewal(Example.renewal(inPeriod: 0))])
        #expect(ledger.extensionObstacles(at: now, policy: Example.policy, extensions: []) == [.renewalAwaited])
    }

    @Test func `name what cannot be extended at all`() {
        #expect(Self.obstacles([.transaction(Example.oneTime(.nonConsumable))]) == [.notASubscription])
        let ledger = PurchaseLedger(originalID: Example.subscription)
        #expect(
            ledger.extensionObstacles(at: Example.day(1), policy: Example.policy, extensions: []) == [.notASubscription]
        )
    }

    @Test func `count two extensions for 365 days`() {
        #expect(Self.obstacles([Self.period()], extendedOn: [1]).isEmpty)
        #expect(Self.obstacles([Self.period()], extendedOn: [1, 2]) == [.limitReached])
        #expect(Self.obstacles([Self.period()], day: 10, extendedOn: [-354, 2]) == [.limitReached])
        #expect(Self.obstacles([Self.period()], day: 10, extendedOn: [-355, 2]).isEmpty)
    }

    @Test func `are listed together`() {
        let shared = Self.period { $0.ownership = .familyShared }
        #expect(Self.obstacles([shared], day: 60, extendedOn: [1, 2]) == [.expired, .familyShared, .limitReached])
    }
}
