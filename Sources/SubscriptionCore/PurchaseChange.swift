/// A purchase before and after facts were joined or time passed, and the events that tell the difference.
public struct PurchaseChange: Sendable {
    let before: PurchaseLedger
    let after: PurchaseLedger
    let stateBefore: PurchaseState?
    let stateAfter: PurchaseState?
    let now: Timestamp
    let policy: AccessPolicy
    /// What the store calls the purchase that it tells of, where it does.
    public var name: PurchaseName?

    /// Describes a change.
    ///
    /// - Parameters:
    ///   - before: The ledger before.
    ///   - after: The ledger after; the same one when only time passed.
    ///   - stateBefore: The state as last recorded.
    ///   - stateAfter: The state now.
    ///   - now: The instant of the change.
    ///   - policy: The developer's choices, by which the states were derived.
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

    /// The events, in order: money first, then the story of the subscription.
    public var events: [SubscriptionEvent] {
        let money = chargeEvents
        return money + renewalEvents + statusEvents(beside: money)
    }

    /// What the developer keeps of a price.
    var share: DeveloperShare { policy.developerShare }

    // MARK: Renewal record

    private var renewalEvents: [SubscriptionEvent] {
        guard let renewal = after.renewal, renewal != before.renewal else { return [] }
        var events: [SubscriptionEvent] = []
        let heldAutoRenew = before.renewal?.autoRenew ?? true
        if renewal.autoRenew != heldAutoRenew {
            events.append(
                renewal.autoRenew ? event(.autoRenewOn, renewal) : event(.autoRenewOff, renewal, details: endReason)
            )
        }
        let heldNext = before.renewal?.nextProductID ?? renewal.productID
        if renewal.nextProductID != heldNext {
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

    /// Why the subscription ended, where that turned renewal off and not the customer.
    private var endReason: [String: String]? {
        guard case .subscription(let state)? = stateAfter, let reason = state.endReason, reason != .cancelled else {
            return nil
        }
        return ["ended_because": reason.rawValue]
    }

    /// The old and the new price: what was to be paid next by the record before, or what the running period cost.
    private func increase(in renewal: RenewalFact) -> [String: String]? {
        var old = before.renewal?.renewalPrice
        if old == nil || old == renewal.renewalPrice, case .subscription(let state)? = stateAfter { old = state.price }
        return Self.prices(from: old, to: renewal.renewalPrice)
    }

    // MARK: Status

    private func statusEvents(beside money: [SubscriptionEvent]) -> [SubscriptionEvent] {
        guard case .subscription(let state) = stateAfter else { return [] }
        var events: [SubscriptionEvent] = []
        var held: SubscriptionState?
        if case .subscription(let value) = stateBefore { held = value }
        if let held, held.productID != state.productID {
            events.append(event(.planChanged, state, at: min(now, state.periodStartsAt)))
        }
        guard held?.status != state.status else { return events }
        switch state.status {
        case .inGracePeriod: events.append(event(.enteredGracePeriod, state, at: state.periodEndsAt))
        case .inBillingRetry: events.append(event(.enteredBillingRetry, state, at: beginning(of: state)))
        case .expired: events.append(event(.expired, state, at: beginning(of: state)))
        case .revoked:
            // The refund of another period, or a status alone, can end it as well as its own refund, which is told
            // above.
            let isTold = money.contains { $0.kind == .refunded || $0.kind == .revoked }
            if !isTold { events.append(event(.revoked, state, at: min(now, after.status?.signedAt ?? now))) }
        case .active: break
        }
        return events
    }

    /// When the present status began, by what is known now: at the instant at which the clock brings it, or when what
    /// brought it was signed.
    private func beginning(of state: SubscriptionState) -> Timestamp {
        let signed = newFacts.map(\.signedAt).min().map { min(now, $0) }
        guard let clocked = after.withoutStatus.instant(of: state.status, until: now, policy: policy) else {
            return signed ?? now
        }
        guard state.status == .expired else { return clocked }
        // While the store tried to charge it had not ended, whatever is known of the reason now.
        if case .subscription(let then)? = before.state(at: clocked, policy: policy), then.billingIssue != nil {
            return max(clocked, signed ?? clocked)
        }
        if let renewal = after.renewal, renewal.expirationReason == .billingError, renewal.speaks(of: clocked) {
            return max(
                clocked,
                min(now, renewal.signedAt, clocked.adding(milliseconds: SubscriptionPhase.retryMilliseconds(renewal)))
            )
        }
        return clocked
    }

    /// What is known now and was not before.
    private var newFacts: [Fact] {
        guard before != after else { return [] }
        let held = Set(before.facts)
        return after.facts.filter { !held.contains($0) }
    }

    // MARK: Making events

    /// An old and a new price by name, as an event's details; nil where neither is known.
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
    /// The same without the store's word of the status.
    fileprivate var withoutStatus: PurchaseLedger {
        PurchaseLedger(originalID: originalID, transactions: timeline, renewal: renewal, status: nil)
    }

    /// The instant at which the clock brings a status that lasts until another instant; nil where it is another one
    /// then.
    fileprivate func instant(of status: SubscriptionStatus, until end: Timestamp, policy: AccessPolicy) -> Timestamp? {
        guard case .subscription(let last)? = state(at: end, policy: policy), last.status == status else { return nil }
        var instant = min(last.periodStartsAt, end)
        var beginning: Timestamp?
        // Each step is an instant at which the clock changes the state, of which a subscription has few.
        for _ in 0..<64 {
            guard case .subscription(let state)? = self.state(at: instant, policy: policy) else { return nil }
            beginning = state.status == status ? beginning ?? instant : nil
            guard let next = state.nextChangeAt, next <= end else { break }
            instant = next
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
