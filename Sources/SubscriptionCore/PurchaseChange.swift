/// A purchase before and after facts were joined or time passed, and the events that tell the difference.
public struct PurchaseChange: Sendable {
    private let before: PurchaseLedger
    private let after: PurchaseLedger
    private let stateBefore: PurchaseState?
    private let stateAfter: PurchaseState?
    private let now: Timestamp

    /// Describes a change.
    ///
    /// - Parameters:
    ///   - before: The ledger before.
    ///   - after: The ledger after; the same one when only time passed.
    ///   - stateBefore: The state as last recorded.
    ///   - stateAfter: The state now.
    ///   - now: The instant of the change.
    public init(
        before: PurchaseLedger,
        after: PurchaseLedger,
        stateBefore: PurchaseState?,
        stateAfter: PurchaseState?,
        now: Timestamp
    ) {
        self.before = before
        self.after = after
        self.stateBefore = stateBefore
        self.stateAfter = stateAfter
        self.now = now
    }

    /// The events, in order: money first, then the story of the subscription.
    public var events: [SubscriptionEvent] {
        transactionEvents + renewalEvents + statusEvents
    }

    // MARK: Transactions

    private var transactionEvents: [SubscriptionEvent] {
        var events: [SubscriptionEvent] = []
        for transaction in after.timeline {
            let held = before.transactions[transaction.id]
            if held == nil { events.append(bought(transaction)) }
            events += taken(transaction, held: held)
            if let held, let end = held.expiresAt, let newEnd = transaction.expiresAt, newEnd > end {
                events.append(event(.extended, transaction, at: transaction.signedAt))
            }
        }
        return events
    }

    private func bought(_ transaction: TransactionFact) -> SubscriptionEvent {
        event(kindOfPurchase(transaction), transaction, at: transaction.purchasedAt, price: transaction.paid)
    }

    private func kindOfPurchase(_ transaction: TransactionFact) -> SubscriptionEvent.Kind {
        guard transaction.kind == .autoRenewable else { return .purchaseMade }
        if transaction.id.rawValue == transaction.originalID.rawValue { return .started }
        guard transaction.isRenewal else { return .resubscribed }
        if case .subscription(let state) = stateBefore, state.billingIssue != nil { return .recovered }
        return .renewed
    }

    private func taken(_ transaction: TransactionFact, held: TransactionFact?) -> [SubscriptionEvent] {
        let isSubscription = transaction.kind == .autoRenewable
        let returned = transaction.returnedMilliunits - (held?.returnedMilliunits ?? 0)
        // A second statement may return more, or less, than the first.
        if let revocation = transaction.revocation, held?.revocation == nil || returned > 0 {
            guard revocation.kind != .sharingEnded else { return [event(.revoked, transaction, at: revocation.at)] }
            let kind: SubscriptionEvent.Kind = isSubscription ? .refunded : .purchaseRefunded
            return [event(kind, transaction, at: revocation.at, price: transaction.amount(0 - returned))]
        }
        if let held, held.revocation != nil, transaction.revocation == nil || returned < 0 {
            let kind: SubscriptionEvent.Kind = isSubscription ? .refundReversed : .purchaseRefundReversed
            return [event(kind, transaction, at: transaction.signedAt, price: transaction.amount(0 - returned))]
        }
        return []
    }

    // MARK: Renewal record

    private var renewalEvents: [SubscriptionEvent] {
        guard let renewal = after.renewal, renewal != before.renewal else { return [] }
        var events: [SubscriptionEvent] = []
        let heldAutoRenew = before.renewal?.autoRenew ?? true
        if renewal.autoRenew != heldAutoRenew {
            events.append(event(renewal.autoRenew ? .autoRenewOn : .autoRenewOff, renewal))
        }
        let heldNext = before.renewal?.nextProductID ?? renewal.productID
        if renewal.nextProductID != heldNext, renewal.nextProductID != renewal.productID {
            events.append(event(.planChangeScheduled, renewal))
        }
        if renewal.priceIncreaseAccepted != before.renewal?.priceIncreaseAccepted {
            switch renewal.priceIncreaseAccepted {
            case true?: events.append(event(.priceIncreaseAccepted, renewal))
            case false?: events.append(event(.priceIncreasePending, renewal))
            case nil: break
            }
        }
        return events
    }

    // MARK: Status

    private var statusEvents: [SubscriptionEvent] {
        guard case .subscription(let state) = stateAfter else { return [] }
        var events: [SubscriptionEvent] = []
        var held: SubscriptionState?
        if case .subscription(let value) = stateBefore { held = value }
        if let held, held.productID != state.productID {
            events.append(event(.planChanged, state, at: state.periodStartsAt))
        }
        guard held?.status != state.status else { return events }
        switch state.status {
        case .inGracePeriod: events.append(event(.enteredGracePeriod, state, at: state.periodEndsAt))
        case .inBillingRetry: events.append(event(.enteredBillingRetry, state, at: now))
        case .expired: events.append(event(.expired, state, at: now))
        case .active, .revoked: break
        }
        return events
    }

    // MARK: Making events

    private func event(
        _ kind: SubscriptionEvent.Kind,
        _ transaction: TransactionFact,
        at time: Timestamp,
        price: Money? = nil
    ) -> SubscriptionEvent {
        SubscriptionEvent(
            kind: kind,
            occurredAt: time,
            purchaseID: transaction.originalID,
            productID: transaction.productID,
            transactionID: transaction.id,
            price: price
        )
    }

    private func event(_ kind: SubscriptionEvent.Kind, _ renewal: RenewalFact) -> SubscriptionEvent {
        SubscriptionEvent(
            kind: kind,
            occurredAt: renewal.signedAt,
            purchaseID: renewal.originalID,
            productID: renewal.nextProductID
        )
    }

    private func event(
        _ kind: SubscriptionEvent.Kind,
        _ state: SubscriptionState,
        at time: Timestamp
    ) -> SubscriptionEvent {
        SubscriptionEvent(kind: kind, occurredAt: time, purchaseID: state.id, productID: state.productID)
    }
}

extension TransactionFact {
    /// What the customer paid; nothing for what somebody else paid.
    fileprivate var paid: Money? { ownership == .purchased ? price : nil }

    /// What the customer got back, by the share that the store names; all of it where it names none.
    fileprivate var returnedMilliunits: Int64 {
        guard let paid, let revocation, revocation.kind != .sharingEnded else { return 0 }
        let whole = max(0, paid.milliunits)
        guard let percentage = revocation.percentage else { return whole }
        let (product, overflow) = whole.multipliedReportingOverflow(by: Int64(max(0, min(100_000, percentage))))
        return overflow ? whole : product / 100_000
    }

    /// An amount in the currency that was paid in; absent where nothing was.
    fileprivate func amount(_ milliunits: Int64) -> Money? {
        paid.map { Money(milliunits: milliunits, currency: $0.currency) }
    }
}
