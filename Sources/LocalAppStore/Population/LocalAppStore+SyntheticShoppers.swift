import AppStoreModel
import PerennialPrimitives

extension LocalAppStore {
    /// Executes the next decision of a synthetic customer, and schedules the following one.
    mutating func act(_ position: Int) {
        var shopper = customers[position]
        let next: Int64? =
            switch shopper.step {
            case .arrive: arrive(&shopper)
            case .consider: consider(&shopper)
            case .payAgain: payAgain(&shopper)
            case .comeBack: comeBack(&shopper)
            }
        let goesOn = next.map { $0 <= shopper.until } ?? false
        customers[position] = shopper
        if goesOn, let next { schedule.push(.customer(position), dueAt: max(next, now)) }
    }

    private mutating func arrive(_ shopper: inout SyntheticShopper) -> Int64? {
        let account = openAccount(in: drawStorefront(&shopper))
        shopper.account = account
        let buysOnce = shopper.generator.happens(shopper.behaviour.oneTimePurchases)
        if buysOnce, let product = shopper.generator.pick(catalog.oneTimeProducts) {
            _ = charge(account, for: product, quantity: 1, token: nil)
        }
        let next = buyPlan(&shopper, account: account)
        foundFamily(&shopper)
        return next
    }

    private mutating func buyPlan(_ shopper: inout SyntheticShopper, account: LedgerIndex<Account>) -> Int64? {
        guard let product = shopper.generator.pick(catalog.subscriptions), let terms = product.terms else { return nil }
        let transaction = subscribe(account, to: product, terms: terms, token: nil)
        shopper.subscription = ledger[transaction].subscription
        shopper.renewals = 0
        shopper.step = .consider
        return nextMoment(&shopper)
    }

    /// A random time within the newest period, or within the next one if that time has passed.
    private func nextMoment(_ shopper: inout SyntheticShopper) -> Int64? {
        guard let subscription = shopper.subscription else { return nil }
        return shopper.moment(in: decisionTime(of: ledger[ledger[subscription].latest]))
    }

    /// When a customer may decide about a period: from its start until its renewal is charged.
    private func decisionTime(of period: Transaction) -> Range<Int64> {
        let start = period.purchaseDate
        let end = period.expiresDate ?? start
        // If an argument calls a function of the store, Swift copies the whole store.
        let renewal = renewalTime(ofPeriodFrom: start, to: end)
        return start..<max(start + 1, min(end, renewal))
    }

    private mutating func consider(_ shopper: inout SyntheticShopper) -> Int64? {
        guard let index = shopper.subscription, ledger[index].state == .active, ledger[index].isAutoRenewOn else {
            return nil
        }
        let behaviour = shopper.behaviour
        let latest = ledger[ledger[index].latest]
        let expiry = latest.expiresDate ?? now
        if latest.price > 0 { shopper.renewals += 1 }
        if shopper.generator.happens(behaviour.refunds), latest.price > 0 {
            refund(latest.index, reason: .other, percentage: Self.fullPercentage)
            return leave(&shopper, at: now)
        }
        // If an argument calls a function of the store, Swift copies the whole store.
        let leaving = shareThatLeaves(after: latest, of: ledger[index].cycle, shopper)
        if shopper.generator.happens(leaving) {
            setAutoRenew(of: index, enabled: false)
            return leave(&shopper, at: expiry)
        }
        if latest.price > 0 {
            loseFamilyMember(&shopper)
            if changesPlanAtOnce(&shopper, index) { return nextMoment(&shopper) }
        }
        guard shopper.generator.happens(behaviour.billingFailures), let account = shopper.account else {
            let period = decisionTime(of: latest)
            return expiry + max(1, shopper.moment(in: period) - period.lowerBound)
        }
        declinePayment(of: account)
        guard shopper.generator.happens(behaviour.recoveries) else {
            return leave(&shopper, at: expiry + billingRetryLength)
        }
        shopper.step = .payAgain
        return expiry + shopper.delayOfPayment()
    }

    private func shareThatLeaves(
        after period: Transaction,
        of cycle: Subscription.BillingCycle,
        _ shopper: SyntheticShopper
    ) -> Double {
        if period.offer?.discountType == .freeTrial { return 1 - shopper.behaviour.trialConversion }
        return shopper.behaviour.churn.share(of: cycle.period, after: max(0, shopper.renewals - 1))
    }

    /// The next action of a customer who has left: may return.
    private func leave(_ shopper: inout SyntheticShopper, at time: Int64) -> Int64? {
        guard shopper.generator.happens(shopper.behaviour.resubscriptions) else { return nil }
        shopper.step = .comeBack
        return time + shopper.absence()
    }

    private mutating func payAgain(_ shopper: inout SyntheticShopper) -> Int64? {
        guard let account = shopper.account else { return nil }
        fixPayment(of: account)
        shopper.step = .consider
        return nextMoment(&shopper).map { max($0, now + Milliseconds.hour) }
    }

    private mutating func comeBack(_ shopper: inout SyntheticShopper) -> Int64? {
        guard let account = shopper.account, let index = shopper.subscription, !ledger[index].isLive else { return nil }
        fixPayment(of: account)
        return buyPlan(&shopper, account: account)
    }

    /// Half of the customers are in the developer's country, the others anywhere.
    private func drawStorefront(_ shopper: inout SyntheticShopper) -> Storefront {
        let own = Storefront.named(settings.defaultStorefront)
        if let own, shopper.generator.happens(0.5) { return own }
        return shopper.generator.pick(Storefront.all) ?? Storefront.all[0]
    }
}
