/// A purchase before and after new facts or the passage of time, and the events that report the difference.
public struct PurchaseChange: Sendable {
    let before: PurchaseLedger
    let after: PurchaseLedger
    let stateBefore: PurchaseState?
    let stateAfter: PurchaseState?
    let now: Timestamp
    let policy: AccessPolicy
    /// The store's own name for the reported purchase, if it gave one.
    public var name: PurchaseName?

    /// Describes a change.
    ///
    /// - Parameters:
    ///   - before: The ledger before.
    ///   - after: The ledger after; the same one when only time passed.
    ///   - stateBefore: The state as last recorded.
    ///   - stateAfter: The state now.
    ///   - now: The time of the change.
    ///   - policy: The policy from which the states were derived.
    public init(
        before: PurchaseLedger,
        after: PurchaseLedger,
        stateBefore: PurchaseState?,
        stateAfter: PurchaseState?,
        now: Timestamp,
        policy: AccessPolicy = AccessPolicy()
    ) {
        self.before = before
        self.after = after
        self.stateBefore = stateBefore
        self.stateAfter = stateAfter
        self.now = now
        self.policy = policy
    }

    /// The events, in order: charges first, then changes of the subscription.
    public var events: [SubscriptionEvent] {
        let money = chargeEvents
        return money + renewalEvents + statusEvents(beside: money)
    }

    /// The developer's share of a price.
    var share: DeveloperShare { policy.developerShare }

    // MARK: Renewal record

    private var renewalEvents: [SubscriptionEvent] {
        guard let renewal = after.renewal, renewal != before.renewal else { return [] }
        var events: [SubscriptionEvent] = []
        let oldAutoRenew = before.renewal?.autoRenew ?? true
        if renewal.autoRenew != oldAutoRenew {
            events.append(
                renewal.autoRenew ? event(.autoRenewOn, renewal) : event(.autoRenewOff, renewal, details: endReason)
            )
        }
        let oldNext = before.renewal?.nextProductID ?? renewal.productID
        if renewal.nextProductID != oldNext {
            if renewal.nextProductID != renewal.productID {
                events.append(event(.planChangeScheduled, renewal))
            } else if before.renewal?.productID == renewal.productID {
                events.append(event(.planChangeCancelled, renewal))
            }
        }
        if renewal.priceIncreaseAccepted != before.renewal?.priceIncreaseAccepted {
            switch renewal.priceIncreaseAccepted {
            case true?: events.append(event(.priceIncreaseAccepted, renewal, details: increase(in: renewal)))
            case false?: events.append(event(.priceIncreasePending, renewal, details: increase(in: renewal)))
            case nil: break
            }
        }
        return events
    }

    /// Why the subscription ended, if the end turned off renewal and the customer did not.
    private var endReason: [String: String]? {
        guard case .subscription(let state)? = stateAfter, let reason = state.endReason, reason != .cancelled else {
            return nil
        }
        return ["ended_because": reason.rawValue]
    }

    /// The old and the new price. The old one is the next price of the previous record, or the price of the current
    /// period.
    private func increase(in renewal: RenewalFact) -> [String: String]? {
        var old = before.renewal?.renewalPrice
        if old == nil || old == renewal.renewalPrice, case .subscription(let state)? = stateAfter { old = state.price }
        return Self.prices(from: old, to: renewal.renewalPrice)
    }

    // MARK: Status

    private func statusEvents(beside money: [SubscriptionEvent]) -> [SubscriptionEvent] {
        guard case .subscription(let state) = stateAfter else { return [] }
        var events: [SubscriptionEvent] = []
        var previous: SubscriptionState?
        if case .subscription(let value) = stateBefore { previous = value }
        if let previous, previous.productID != state.productID {
            events.append(event(.planChanged, state, at: min(now, state.periodStartsAt)))
        }
        guard previous?.status != state.status else { return events }
        switch state.status {
        case .inGracePeriod: events.append(event(.enteredGracePeriod, state, at: state.periodEndsAt))
        case .inBillingRetry: events.append(event(.enteredBillingRetry, state, at: beginning(of: state)))
        case .expired: events.append(event(.expired, state, at: beginning(of: state)))
        case .revoked:
            // A refund of another period or a status can also revoke it. Its own refund already has an event above.
            let hasEvent = money.contains { $0.kind == .refunded || $0.kind == .revoked }
            if !hasEvent { events.append(event(.revoked, state, at: min(now, after.status?.signedAt ?? now))) }
        case .active: break
        }
        return events
    }

    /// When the current status began: the time at which the clock caused it, or the signing time of the fact that
    /// caused it.
    private func beginning(of state: SubscriptionState) -> Timestamp {
        let signed = newFacts.map(\.signedAt).min().map { min(now, $0) }
        guard let clocked = after.withoutStatus.startTime(of: state.status, until: now, policy: policy) else {
            return signed ?? now
        }
        guard state.status == .expired else { return clocked }
        // The subscription had not ended while the store retried the charge.
        if case .subscription(let then)? = before.state(at: clocked, policy: policy), then.billingIssue != nil {
            return max(clocked, signed ?? clocked)
        }
        if let renewal = after.renewal, renewal.expirationReason == .billingError,
            renewal.concerns(periodEnding: clocked)
        {
            return max(
                clocked,
                min(now, renewal.signedAt, clocked.adding(milliseconds: SubscriptionPhase.retryMilliseconds(renewal)))
            )
        }
        return clocked
    }

    /// The facts that were not known before.
    private var newFacts: [Fact] {
        guard before != after else { return [] }
        let previous = Set(before.facts)
        return after.facts.filter { !previous.contains($0) }
    }

    // MARK: Making events

    /// The old and the new price as event details; nil if neither is known.
    static func prices(from old: Money?, to new: Money?) -> [String: String]? {
        var details: [String: String] = [:]
        details["old_price"] = old.map { String($0.milliunits) }
        details["new_price"] = new.map { String($0.milliunits) }
        details["currency"] = (new ?? old)?.currency
        if let old, let new, old.currency != new.currency { details["old_currency"] = old.currency }
        return details.isEmpty ? nil : details
    }

    private func event(
        _ kind: SubscriptionEvent.Kind,
        _ renewal: RenewalFact,
        details: [String: String]? = nil
    ) -> SubscriptionEvent {
        SubscriptionEvent(
            kind: kind,
            occurredAt: renewal.signedAt,
            purchaseID: renewal.originalID,
            productID: renewal.nextProductID,
            details: details
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

extension PurchaseLedger {
    /// The ledger without the store's status.
    fileprivate var withoutStatus: PurchaseLedger {
        PurchaseLedger(originalID: originalID, transactions: timeline, renewal: renewal, status: nil)
    }

    /// When the status that applies at `end` began by time alone; nil if another status applies then.
    fileprivate func startTime(
        of status: SubscriptionStatus,
        until end: Timestamp,
        policy: AccessPolicy
    ) -> Timestamp? {
        guard case .subscription(let last)? = state(at: end, policy: policy), last.status == status else { return nil }
        var time = min(last.periodStartsAt, end)
        var beginning: Timestamp?
        // Each iteration moves to the next change by time; a subscription has few of them.
        for _ in 0..<64 {
            guard case .subscription(let state)? = self.state(at: time, policy: policy) else { return nil }
            beginning = state.status == status ? beginning ?? time : nil
            guard let next = state.nextChangeAt, next <= end else { break }
            time = next
        }
        return beginning
    }
}

extension Fact {
    /// When it was signed.
    fileprivate var signedAt: Timestamp {
        switch self {
        case .transaction(let fact): fact.signedAt
        case .renewal(let fact): fact.signedAt
        case .status(let fact): fact.signedAt
        }
    }
}
