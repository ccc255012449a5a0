import AppStoreModel

extension LocalAppStore {
    /// Starts billing retry for a failed renewal, with a grace period if the settings have one.
    mutating func failRenewal(of index: LedgerIndex<Subscription>, period: CalendarPeriod) {
        let latest = ledger[ledger[index].latest]
        let expiry = latest.expiresDate ?? now
        if let length = gracePeriodLength(for: period, afterPaidPeriod: latest.price > 0) {
            let graceEnd = expiry + length
            ledger[index].state = .gracePeriod(ends: graceEnd)
            note(.chargeFailed(hasGrace: true), of: index)
            setRetryTimer(of: index)
            announce(.didFailToRenew, .gracePeriod, transaction: ledger[index].latest)
        } else {
            ledger[index].state = .billingRetry(graceEnded: nil)
            note(.chargeFailed(hasGrace: false), of: index)
            setRetryTimer(of: index)
            announce(.didFailToRenew, transaction: ledger[index].latest)
        }
        send(.billingProblem, about: index)
    }

    /// Ends the access; the retries continue until sixty days after the end of the period.
    mutating func endGracePeriod(of index: LedgerIndex<Subscription>, at graceEnd: Int64) {
        ledger[index].state = .billingRetry(graceEnded: graceEnd)
        note(.graceEnded, of: index)
        setRetryTimer(of: index)
        announce(.gracePeriodExpired, transaction: ledger[index].latest)
    }

    /// Charges a renewal in billing retry, because the card works now.
    ///
    /// Within the grace period the billing date stays unchanged. After it, the day of recovery becomes the billing
    /// date.
    mutating func recover(_ index: LedgerIndex<Subscription>) {
        if ledger.commitments[index] != nil { return recoverMonth(of: index) }
        let subscription = ledger[index]
        guard let product = catalog.products[subscription.renewalProductId], let terms = product.terms else {
            return expire(index, intent: .productUnavailable, subtype: .productNotForSale)
        }
        let expiry = ledger[subscription.latest].expiresDate ?? now
        let inTime = continuedCycle(of: subscription, period: billingPeriod(of: index) ?? terms.period, from: expiry)
        var isInTime = false
        if case .gracePeriod = subscription.state { isInTime = inTime.nextEnd > now }
        let transaction: LedgerIndex<Transaction>
        if ledger.advancedCommerce.subscriptions[index] != nil {
            let start = isInTime ? expiry : now
            transaction = renewAdvancedCommerce(index, product: product, start: start, isRecovery: !isInTime)
        } else if isInTime {
            transaction = renew(index, product: product, start: expiry, cycle: inTime)
        } else {
            let fresh = Subscription.BillingCycle(anchor: saleDate, period: terms.period)
            transaction = renew(index, product: product, start: saleDate, cycle: fresh)
        }
        announce(.didRenew, .billingRecovery, transaction: transaction)
    }

    /// The length of the grace period in milliseconds; `nil` if there is none.
    ///
    /// - Source: App Store Connect, Billing Grace Period: weekly products have at most six days.
    func gracePeriodLength(for period: CalendarPeriod, afterPaidPeriod isPaid: Bool) -> Int64? {
        guard isPaid || settings.gracePeriodScope == .allRenewals else { return nil }
        if let pace { return settings.gracePeriod == .none ? nil : pace.gracePeriod(for: period) }
        let days: Int64
        switch settings.gracePeriod {
        case .none: return nil
        case .threeDays: days = 3
        case .sixteenDays: days = period.isAtMostAWeek ? 6 : 16
        case .twentyEightDays: days = period.isAtMostAWeek ? 6 : 28
        }
        return days * Milliseconds.day
    }
}
