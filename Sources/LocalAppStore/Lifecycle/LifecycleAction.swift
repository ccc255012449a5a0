import AppStoreModel

/// A step in the lifecycle of a subscription. ``SubscriptionMachine`` decides on the steps, and
/// ``LocalAppStore/apply(_:to:)`` carries them out in their order.
enum LifecycleAction: Hashable, Sendable {
    // The subscription.

    /// Sells a period and makes the subscription active until its end.
    indirect case sell(PeriodSale)
    /// Refunds the unused part of a period that a new one replaced, thousandths of the currency unit.
    case replace(LedgerIndex<Transaction>, refund: Int64)
    /// Enters a state of billing retry until a time.
    case retry(Subscription.State, until: Int64)
    /// Takes another period as the newest, because the refund of a later one was granted or reversed.
    case returnTo(LedgerIndex<Transaction>)
    /// Returns to a state that a refund had ended.
    case restore(Subscription.State)
    /// Lets another payment for the current period stand for the subscription, because of a refund or its reversal.
    case setLatest(LedgerIndex<Transaction>)
    /// Moves the end of the current period.
    case moveEnd(to: Int64)
    /// Ends the subscription, so that only a purchase can restart it.
    case end(Subscription.State)
    /// Waits for the next event of the subscription.
    case wait(until: Int64)

    // Its terms.

    /// Turns the renewal on or off.
    case setRenewal(Bool)
    /// Selects the product of the next period.
    case choose(productId: String)
    /// Sets, replaces or removes the offer that starts at a later renewal.
    indirect case setOffer(PendingOffer?)
    /// Sets the developer's identifier of the user.
    case setToken(String?)
    /// Turns on or off whether another year follows a commitment.
    case setCommitmentRenewal(Bool)
    /// Continues without a commitment.
    case leaveCommitment
    /// Continues with the plan that a period had before its refund.
    case restorePlan(of: LedgerIndex<Transaction>)
    /// Continues with other Advanced Commerce items and a new consistency token.
    indirect case setItems(AdvancedCommerceTerms)
    /// Forgets a price increase of Advanced Commerce items, because it is in the price or the customer refused it.
    case forgetIncrease
    /// Announces a price increase for a later renewal, because the customer was not told in time.
    case postponeIncrease
    /// Takes seats from members beyond a number, and from the customers of the developer.
    case releaseSeats(beyond: Int, withMembers: Bool)
    /// Counts the renewals in the accelerated sandbox.
    case countSandboxRenewals(Int?)

    // What others see.

    /// Records an event for reports.
    case record(SubscriptionJournal.Event)
    /// Leaves the pending renewal out of receipts.
    case hidePendingRenewal
    /// Sends a notification about the newest period.
    case announce(NotificationType, NotificationSubtype?)
    /// Sends an e-mail to the customer.
    case send(CustomerMail.Kind)
}

extension [LifecycleAction] {
    /// The first sale of the steps.
    var sale: PeriodSale? {
        for case .sell(let sale) in self { return sale }
        return nil
    }
}
