import AppStoreModel

/// A year that is paid by the month: the next month, or after the twelfth the next year.
struct CommitmentRenewal: RenewalPlan {
    let productId: String?
    /// The length of a month.
    let period: CalendarPeriod
    let cycle: Subscription.BillingCycle
    let commitment: Commitment
    /// The price of the next year, thousandths of the currency unit.
    let yearlyPrice: Int64
    /// Whether the customer did not agree to the price of the next year.
    let lacksConsentToYear: Bool
    let retry: RetryTerms

    var preparation: [LifecycleAction] { [] }
    var lacksConsent: Bool { commitment.isInLastMonth && lacksConsentToYear }
    /// Months are charged at their end.
    var canRenewEarly: Bool { false }

    func sell(_ productId: String, from start: Int64, in cycle: Subscription.BillingCycle) -> [LifecycleAction] {
        let cycle = commitment.isInLastMonth ? newCycle(from: start) : cycle
        let next: Commitment
        if commitment.isInLastMonth {
            next = Commitment(start: start, yearlyPrice: yearlyPrice, monthLength: period)
        } else {
            let left = Commitment.months - commitment.month
            next = Commitment(after: commitment, end: period.added(to: cycle.anchor, times: cycle.count + left))
        }
        var sale = PeriodSale(of: productId, from: start, price: next.monthlyPrice, cycle: cycle, reason: .renewal)
        sale.commitment = next
        return (next.isInLastMonth ? [.setRenewal(next.isRenewalOn)] : []) + [.sell(sale)]
    }

    /// Turns on or off whether another year follows.
    ///
    /// The months continue until the last one ends. If the charge for the next year is being retried, turning it off
    /// ends the subscription at once.
    func setRenewal(_ isOn: Bool, of subscription: Subscription) -> [LifecycleAction] {
        // A reversed refund leaves the renewal of the months turned off.
        guard commitment.isRenewalOn != isOn || (isOn && !subscription.isAutoRenewOn) else { return [] }
        var actions: [LifecycleAction] = [
            .setCommitmentRenewal(isOn), .record(isOn ? .renewalTurnedOn : .renewalTurnedOff),
        ]
        if isOn || commitment.isInLastMonth { actions.append(.setRenewal(isOn)) }
        let ends = !isOn && commitment.isInLastMonth && subscription.isInBillingRetry
        if ends { actions += SubscriptionMachine.end(as: .expired(.customerCancelled)) }
        actions.append(.announce(.didChangeRenewalStatus, isOn ? .autoRenewEnabled : .autoRenewDisabled))
        return ends ? actions + [.announce(.expired, .voluntary)] : actions
    }
}

/// The last month of a commitment whose customer chose another product: an ordinary subscription follows.
struct CommitmentSuccession: RenewalPlan {
    let commitment: CommitmentRenewal
    let successor: StandardRenewal

    var productId: String? { successor.productId }
    var period: CalendarPeriod { successor.period }
    var cycle: Subscription.BillingCycle { successor.cycle }
    var preparation: [LifecycleAction] { [.leaveCommitment] }
    var lacksConsent: Bool { successor.lacksConsent }
    var canRenewEarly: Bool { false }
    var retry: RetryTerms { successor.retry }

    func sell(_ productId: String, from start: Int64, in cycle: Subscription.BillingCycle) -> [LifecycleAction] {
        successor.sell(productId, from: start, in: cycle)
    }

    func setRenewal(_ isOn: Bool, of subscription: Subscription) -> [LifecycleAction] {
        commitment.setRenewal(isOn, of: subscription)
    }
}
