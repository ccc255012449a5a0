import AppStoreModel

/// How one kind of subscription renews, as values without the store.
protocol RenewalPlan: Sendable {
    /// The product of the next period; `nil` if the catalogue does not have it any more.
    var productId: String? { get }

    /// The length of the next period.
    var period: CalendarPeriod { get }

    /// The current billing cycle.
    var cycle: Subscription.BillingCycle { get }

    /// What the end of a period changes before the charge.
    var preparation: [LifecycleAction] { get }

    /// Whether the renewal fails because the customer did not agree to its price.
    var lacksConsent: Bool { get }

    /// Whether Apple may charge before the end of the period.
    var canRenewEarly: Bool { get }

    /// How a failed charge is retried.
    var retry: RetryTerms { get }

    /// What follows when a period begins that was charged before its start.
    var beginning: [LifecycleAction] { get }

    /// Sells the next period.
    ///
    /// - Parameters:
    ///   - productId: The product of the next period.
    ///   - start: Its start, milliseconds since 1970.
    ///   - cycle: Its billing cycle.
    func sell(_ productId: String, from start: Int64, in cycle: Subscription.BillingCycle) -> [LifecycleAction]

    /// Turns the renewal of a running subscription on or off.
    func setRenewal(_ isOn: Bool, of subscription: Subscription) -> [LifecycleAction]
}

/// How a failed charge is retried.
struct RetryTerms: Hashable, Sendable {
    /// The grace period, milliseconds from the end of the period; `nil` if there is none.
    let grace: Int64?
    /// How long the charge is retried, milliseconds from the end of the period.
    let length: Int64
    /// The e-mail to the customer.
    var mail: CustomerMail.Kind?
}

extension RenewalPlan {
    var beginning: [LifecycleAction] { [] }

    /// The current billing cycle; a new one if the length of the period has changed.
    func continuedCycle(from start: Int64) -> Subscription.BillingCycle {
        cycle.period.hasSameLength(as: period) ? cycle : newCycle(from: start)
    }

    func newCycle(from start: Int64) -> Subscription.BillingCycle {
        Subscription.BillingCycle(anchor: start, period: period)
    }

    /// Turns the renewal on or off; turning it off while a charge is retried ends the subscription at once.
    func setRenewal(_ isOn: Bool, of subscription: Subscription) -> [LifecycleAction] {
        guard subscription.isAutoRenewOn != isOn else { return [] }
        var actions: [LifecycleAction] = [
            .setRenewal(isOn), .record(isOn ? .renewalTurnedOn : .renewalTurnedOff),
        ]
        if case .gracePeriod = subscription.state { actions.append(.hidePendingRenewal) }
        if subscription.isInBillingRetry { actions += SubscriptionMachine.end(as: .expired(.customerCancelled)) }
        actions.append(.announce(.didChangeRenewalStatus, isOn ? .autoRenewEnabled : .autoRenewDisabled))
        if subscription.isInBillingRetry { actions.append(.announce(.expired, .voluntary)) }
        return actions
    }
}

/// A subscription that renews period by period, with offers.
struct StandardRenewal: RenewalPlan {
    let productId: String?
    let period: CalendarPeriod
    let cycle: Subscription.BillingCycle
    /// The price of the next period without an offer, thousandths of the currency unit.
    let price: Int64
    let offer: UpcomingOffer?
    let lacksConsent: Bool
    let retry: RetryTerms
    /// Whether the next period has another product than the running one.
    var changesProduct = false

    var preparation: [LifecycleAction] { [] }
    /// Another product is charged at the end: the running one is paid until then.
    var canRenewEarly: Bool { !changesProduct }

    func sell(_ productId: String, from start: Int64, in cycle: Subscription.BillingCycle) -> [LifecycleAction] {
        let sale = PeriodSale(of: productId, from: start, price: price, cycle: cycle, offer: offer, reason: .renewal)
        if case .begins = offer { return [.setOffer(nil), .sell(sale)] }
        return [.sell(sale)]
    }
}
