import AppStoreModel
import Testing

@testable import LocalAppStore

/// The steps of each input in each state, without a store.
@Suite struct `The machine of a subscription` {
    private static let start: Int64 = 1_000_000_000_000
    private static let month = CalendarPeriod(months: 1)
    private static let end = month.added(to: start)
    private static let day = Milliseconds.day

    private static let states: [Subscription.State] = [
        .active, .gracePeriod(ends: end + 16 * day), .billingRetry(graceEnded: nil), .expired(.billingError), .revoked,
    ]

    @Test(arguments: [true, false], [(true, true), (true, false), (false, true), (false, false)])
    func `at the end of a period it renews, fails or ends`(renews: Bool, terms: (Bool, Bool)) throws {
        let (isPaid, consents) = terms
        let machine = try machine(isAutoRenewOn: renews, isPaymentValid: isPaid, lacksConsent: !consents)
        let actions = machine.timerElapsed()
        switch (renews, consents, isPaid) {
        case (false, _, _): #expect(actions == Self.ended(.customerCancelled, .voluntary))
        case (true, false, _): #expect(actions == Self.ended(.priceIncreaseNotConsented, .priceIncrease))
        case (true, true, false):
            #expect(
                actions == [
                    .retry(.gracePeriod(ends: Self.end + 16 * Self.day), until: Self.end + 16 * Self.day),
                    .record(.chargeFailed(hasGrace: true)), .announce(.didFailToRenew, .gracePeriod),
                    .send(.billingProblem),
                ]
            )
        case (true, true, true):
            let sale = try #require(actions.sale)
            #expect((sale.start, sale.price, sale.reason) == (Self.end, 100, .renewal))
            #expect(sale.end == Self.month.added(to: Self.start, times: 2))
            #expect(actions.dropFirst() == [.announce(.didRenew, nil)])
        }
    }

    @Test func `without a product it ends, and without grace the charge is retried for sixty days`() throws {
        let lost = try machine(hasProduct: false).timerElapsed()
        #expect(lost == Self.ended(.productUnavailable, .productNotForSale))
        let failed = try machine(isPaymentValid: false, grace: nil).timerElapsed()
        #expect(failed.first == .retry(.billingRetry(graceEnded: nil), until: Self.end + 60 * Self.day))
        #expect(failed.contains(.announce(.didFailToRenew, nil)))
    }

    @Test func `the end of grace takes the access, and the end of the retries ends the subscription`() throws {
        let graceEnd = Self.end + 16 * Self.day
        #expect(
            try machine(in: .gracePeriod(ends: graceEnd), isPaymentValid: false, now: graceEnd).timerElapsed() == [
                .retry(.billingRetry(graceEnded: graceEnd), until: Self.end + 60 * Self.day), .record(.graceEnded),
                .announce(.gracePeriodExpired, nil),
            ]
        )
        let retryEnd = Self.end + 60 * Self.day
        let retried = try machine(in: .billingRetry(graceEnded: graceEnd), isPaymentValid: false, now: retryEnd)
        #expect(retried.timerElapsed() == Self.ended(.billingError, .billingRetry))
    }

    @Test func `a renewal before the end happens only if nothing speaks against it`() throws {
        let early = Self.end - Self.day
        #expect(try machine(now: early).timerElapsed().sale?.start == Self.end)
        for machine in [
            try machine(isAutoRenewOn: false, now: early), try machine(isPaymentValid: false, now: early),
            try machine(lacksConsent: true, now: early), try machine(hasProduct: false, now: early),
        ] {
            #expect(machine.timerElapsed() == [.wait(until: Self.end)])
        }
    }

    @Test func `another product, and fewer seats than members, are charged at the end`() throws {
        var plan = try standard()
        #expect(plan.canRenewEarly)
        #expect(SeatRenewal(single: plan, seats: 2, assignedSeats: 2).canRenewEarly)
        #expect(!SeatRenewal(single: plan, seats: 1, assignedSeats: 2).canRenewEarly)
        plan.changesProduct = true
        #expect(!plan.canRenewEarly)
        #expect(!SeatRenewal(single: plan, seats: 2, assignedSeats: 2).canRenewEarly)
    }

    @Test func `a card that works within grace keeps the billing date, and later starts a new cycle`() throws {
        let graceEnd = Self.end + 16 * Self.day
        let later = Self.end + 3 * Self.day
        let kept = try machine(in: .gracePeriod(ends: graceEnd), now: later).paymentFixed()
        #expect(kept.sale?.start == Self.end && kept.sale?.cycle.anchor == Self.start)
        let moved = try machine(in: .billingRetry(graceEnded: nil), now: later).paymentFixed()
        #expect(moved.sale?.start == later && moved.sale?.cycle.anchor == later)
        #expect(kept.last == .announce(.didRenew, .billingRecovery) && moved.last == kept.last)
    }

    @Test(arguments: states)
    func `only a retried charge is paid by a card that works`(state: Subscription.State) throws {
        let machine = try machine(in: state)
        #expect(machine.paymentFixed().isEmpty == !machine.subscription.isInBillingRetry)
    }

    @Test(arguments: states)
    func `turning the renewal off ends a retried subscription, and repeating it changes nothing`(
        state: Subscription.State
    ) throws {
        let machine = try machine(in: state)
        let actions = machine.setRenewal(false)
        #expect(actions.contains(.end(.expired(.customerCancelled))) == machine.subscription.isInBillingRetry)
        #expect(actions.contains(.announce(.didChangeRenewalStatus, .autoRenewDisabled)))
        #expect(machine.setRenewal(true).isEmpty)
    }

    @Test(arguments: states)
    func `a refund ends a running subscription, and its reversal restores only a refunded one`(
        state: Subscription.State
    ) throws {
        let machine = try machine(in: state, now: Self.end - 1)
        #expect(machine.periodRefunded().contains(.end(.revoked)) == machine.subscription.isLive)
        #expect(machine.refundReversed() == (state == .revoked ? [.restore(.active), .record(.resumed)] : []))
    }

    @Test func `a reversal after the end of the period leaves the subscription ended`() throws {
        #expect(try machine(in: .revoked).refundReversed() == [.restore(.expired(.customerCancelled))])
    }

    @Test func `the twelfth renewal of the accelerated sandbox turns the renewal off`() throws {
        let counted = try machine(sandboxRenewals: 10).timerElapsed()
        #expect(counted.last == .countSandboxRenewals(11))
        let last = try machine(sandboxRenewals: 11).timerElapsed()
        #expect(last.suffix(5).first == .countSandboxRenewals(nil))
        #expect(last.last == .announce(.didChangeRenewalStatus, .autoRenewDisabled))
        for state in [Subscription.State.gracePeriod(ends: Self.end + Self.day), .billingRetry(graceEnded: nil)] {
            #expect(try machine(in: state, sandboxRenewals: 10).paymentFixed().last == .countSandboxRenewals(11))
        }
    }

    @Test func `seats multiply a period, and a commitment sells its months and then the next year`() throws {
        let single = try standard()
        let seats = SeatRenewal(single: single, seats: 3)
        let sold = seats.sell(productId, from: Self.end, in: single.cycle)
        #expect((sold.sale?.price, sold.sale?.quantity) == (300, 3))
        #expect(sold.last == .releaseSeats(beyond: 3, withMembers: true))
        var commitment = Commitment(start: Self.start, yearlyPrice: 1_200, monthLength: Self.month)
        var cycle = single.cycle
        for month in 2...13 {
            let renewal = CommitmentRenewal(
                productId: productId,
                period: Self.month,
                cycle: cycle,
                commitment: commitment,
                yearlyPrice: 2_400,
                lacksConsentToYear: true,
                retry: RetryTerms(grace: nil, length: 90 * Self.day)
            )
            #expect(renewal.lacksConsent == (month == 13))
            let sale = try #require(renewal.sell(productId, from: cycle.nextEnd, in: cycle).sale)
            commitment = try #require(sale.commitment)
            #expect(commitment.month == (month == 13 ? 1 : month))
            #expect(sale.price == (month == 13 ? 200 : 100))
            cycle = sale.cycle
        }
    }

    @Test func `an extension needs a running period, and another attempt moves only the timer of a retry`() throws {
        let length = 3 * Self.day
        #expect(try machine().extend(by: length).first == .moveEnd(to: Self.end + length))
        let graceEnd = Self.end + 16 * Self.day
        #expect(try machine(in: .gracePeriod(ends: graceEnd)).extend(by: length).isEmpty)
        let attempts = PaymentAttempts(succeeding: 2, pace: nil)
        let retried = try machine(in: .gracePeriod(ends: graceEnd), isPaymentValid: false, attempts: attempts)
        #expect(retried.attemptsChanged() == [.wait(until: Self.end + Self.day)])
        #expect(retried.timerElapsed() == retried.attemptsChanged())
        let due = try machine(
            in: .gracePeriod(ends: graceEnd),
            isPaymentValid: false,
            now: Self.end + Self.day,
            attempts: attempts
        )
        #expect(due.timerElapsed() == due.paymentFixed() && due.timerElapsed().sale?.start == Self.end)
        #expect(try machine().attemptsChanged().isEmpty)
    }

    @Test(arguments: [PlanChange.Kind.upgrade, .crossgrade, .recovery, .downgrade, .crossgradeAtRenewal, .undo])
    func `a change of plan is sold now, or waits and turns the renewal on`(kind: PlanChange.Kind) throws {
        let product = try #require(try Catalog.example().products[productId])
        let terms = try #require(product.terms)
        let state = kind == .recovery ? Subscription.State.billingRetry(graceEnded: nil) : .active
        let machine = try machine(in: state, isAutoRenewOn: false, now: Self.end - Self.day)
        let actions = machine.changePlan(kind, to: product.productId, terms: terms, price: 300, grant: .none)
        #expect(actions.sale?.isChoice == (kind.isImmediate ? true : nil))
        #expect(actions.contains(.choose(productId: product.productId)) == !kind.isImmediate)
        #expect(actions.contains(.setRenewal(true)) == !kind.isImmediate)
        let replaced = actions.contains { if case .replace = $0 { true } else { false } }
        #expect(replaced == (kind == .upgrade || kind == .crossgrade))
    }

    private static func ended(_ intent: ExpirationIntent, _ subtype: NotificationSubtype) -> [LifecycleAction] {
        [
            .record(.ended(intent)), .end(.expired(intent)), .releaseSeats(beyond: 0, withMembers: false),
            .announce(.expired, subtype),
        ]
    }

    private func standard(
        hasProduct: Bool = true,
        lacksConsent: Bool = false,
        grace: Int64? = 16 * day
    ) throws -> StandardRenewal {
        StandardRenewal(
            productId: hasProduct ? productId : nil,
            period: Self.month,
            cycle: Subscription.BillingCycle(anchor: Self.start, period: Self.month, count: 1),
            price: 100,
            offer: nil,
            lacksConsent: lacksConsent,
            retry: RetryTerms(grace: grace, length: 60 * Self.day, mail: .billingProblem)
        )
    }

    private func machine(
        in state: Subscription.State = .active,
        isAutoRenewOn: Bool = true,
        isPaymentValid: Bool = true,
        hasProduct: Bool = true,
        lacksConsent: Bool = false,
        grace: Int64? = 16 * day,
        now: Int64 = end,
        sandboxRenewals: Int? = nil,
        attempts: PaymentAttempts? = nil
    ) throws -> SubscriptionMachine {
        let plan = try standard(hasProduct: hasProduct, lacksConsent: lacksConsent, grace: grace)
        let transaction = LedgerIndex<Transaction>(offset: 0)
        let subscription = Subscription(
            original: transaction,
            account: LedgerIndex(offset: 0),
            groupId: "g",
            originalPurchaseDate: Self.start,
            state: state,
            productId: "pro.monthly",
            renewalProductId: "pro.monthly",
            isAutoRenewOn: isAutoRenewOn,
            cycle: plan.cycle,
            latest: transaction,
            recentStart: Self.start
        )
        let latest = Transaction(
            index: transaction,
            original: transaction,
            account: LedgerIndex(offset: 0),
            subscription: LedgerIndex(offset: 0),
            productId: "pro.monthly",
            groupId: "g",
            type: .autoRenewableSubscription,
            purchaseDate: Self.start,
            originalPurchaseDate: Self.start,
            expiresDate: Self.end,
            quantity: 1,
            offer: nil,
            price: 100,
            reason: .purchase
        )
        let facts = SubscriptionMachine.Facts(
            now: now,
            latest: latest,
            isPaymentValid: isPaymentValid,
            attempts: attempts,
            sandboxRenewals: sandboxRenewals
        )
        return SubscriptionMachine(subscription: subscription, facts: facts, plan: plan)
    }
}

/// A subscription of the example catalogue.
let productId = "pro.monthly"
