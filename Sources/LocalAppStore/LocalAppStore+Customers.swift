import AppStoreModel
import PerennialPrimitives

extension LocalAppStore {
    /// Lets a synthetic customer take its next decision, and schedules the one after it.
    mutating func act(_ place: Int) {
        var customer = customers[place]
        let next: Int64? =
            switch customer.step {
            case .arrive: arrive(&customer)
            case .consider: consider(&customer)
            case .payAgain: payAgain(&customer)
            case .comeBack: comeBack(&customer)
            }
        let goesOn = next.map { $0 <= customer.until } ?? false
        customers[place] = customer
        if goesOn, let next { schedule.push(.customer(place), dueAt: max(next, now)) }
    }

    private mutating func arrive(_ customer: inout Customer) -> Int64? {
        let account = openAccount(in: drawStorefront(&customer))
        customer.account = account
        let buysOnce = customer.generator.happens(customer.behaviour.oneTimePurchases)
        if buysOnce, let product = customer.generator.pick(catalog.oneTimeProducts) {
            _ = charge(account, for: product, quantity: 1, token: nil)
        }
        let next = buyPlan(&customer, account: account)
        foundFamily(&customer)
        return next
    }

    private mutating func buyPlan(_ customer: inout Customer, account: LedgerIndex<Account>) -> Int64? {
        guard let product = customer.generator.pick(catalog.subscriptions), let terms = product.terms else {
            return nil
        }
        let transaction = subscribe(account, to: product, terms: terms, token: nil)
        customer.subscription = ledger[transaction].subscription
        customer.renewals = 0
        customer.step = .consider
        return nextMoment(&customer)
    }

    /// A moment within the newest period, or within the one that follows if that moment has passed.
    private func nextMoment(_ customer: inout Customer) -> Int64? {
        guard let subscription = customer.subscription else { return nil }
        let latest = ledger[ledger[subscription].latest]
        guard let end = latest.expiresDate else { return nil }
        let start = latest.purchaseDate
        return customer.moment(in: start..<max(start + 1, end))
    }

    private mutating func consider(_ customer: inout Customer) -> Int64? {
        guard let index = customer.subscription, ledger[index].state == .active, ledger[index].isAutoRenewOn else {
            return nil
        }
        let behaviour = customer.behaviour
        let latest = ledger[index].latest
        let expiry = ledger[latest].expiresDate ?? now
        if ledger[latest].price > 0 { customer.renewals += 1 }
        if customer.generator.happens(behaviour.refunds), ledger[latest].price > 0 {
            refund(latest, reason: .other, percentage: Self.fullPercentage)
            return leave(&customer, at: now)
        }
        if customer.generator.happens(shareThatLeaves(index, after: customer.renewals, behaviour)) {
            setAutoRenew(of: index, enabled: false)
            return leave(&customer, at: expiry)
        }
        if ledger[latest].price > 0 {
            loseFamilyMember(&customer)
            if changesPlanAtOnce(&customer, index) { return nextMoment(&customer) }
        }
        guard customer.generator.happens(behaviour.billingFailures), let account = customer.account else {
            return expiry
                + max(1, customer.moment(in: ledger[latest].purchaseDate..<expiry) - ledger[latest].purchaseDate)
        }
        ledger[account].payment = .declined
        guard customer.generator.happens(behaviour.recoveries) else {
            return leave(&customer, at: expiry + billingRetryLength)
        }
        customer.step = .payAgain
        return expiry + customer.delayOfPayment()
    }

    private func shareThatLeaves(
        _ index: LedgerIndex<Subscription>,
        after renewals: Int,
        _ behaviour: PopulationBehaviour
    ) -> Double {
        let latest = ledger[ledger[index].latest]
        if latest.offer?.discountType == .freeTrial { return 1 - behaviour.trialConversion }
        return behaviour.churn.share(of: ledger[index].cycle.period, after: max(0, renewals - 1))
    }

    /// What a customer does who is gone at an instant: perhaps comes back.
    private func leave(_ customer: inout Customer, at instant: Int64) -> Int64? {
        guard customer.generator.happens(customer.behaviour.resubscriptions) else { return nil }
        customer.step = .comeBack
        return instant + customer.absence()
    }

    private mutating func payAgain(_ customer: inout Customer) -> Int64? {
        guard let account = customer.account else { return nil }
        ledger[account].payment = .ok
        chargeWhatIsRetried(of: account)
        customer.step = .consider
        return nextMoment(&customer).map { max($0, now + Instant.hour) }
    }

    private mutating func comeBack(_ customer: inout Customer) -> Int64? {
        guard let account = customer.account, let index = customer.subscription, !ledger[index].isLive else {
            return nil
        }
        ledger[account].payment = .ok
        return buyPlan(&customer, account: account)
    }

    /// Half of the customers are in the developer's own country, the others anywhere.
    private func drawStorefront(_ customer: inout Customer) -> Storefront {
        let own = Storefront.named(settings.defaultStorefront)
        if let own, customer.generator.happens(0.5) { return own }
        return customer.generator.pick(Storefront.all) ?? Storefront.all[0]
    }
}
