/// A purchase before and after facts were joined or time passed, and the events that tell the difference.
public struct PurchaseChange: Sendable {
    private let before: PurchaseLedger
    private let after: PurchaseLedger
    private let stateBefore: PurchaseState?
    private let stateAfter: PurchaseState?
    private let now: Timestamp
    private let share: DeveloperShare

    /// Describes a change.
    ///
    /// - Parameters:
    ///   - before: The ledger before.
    ///   - after: The ledger after; the same one when only time passed.
    ///   - stateBefore: The state as last recorded.
    ///   - stateAfter: The state now.
    ///   - now: The instant of the change.
    ///   - share: What the developer keeps of a price.
    public init(
        before: PurchaseLedger,
        after: PurchaseLedger,
        stateBefore: PurchaseState?,
        stateAfter: PurchaseState?,
        now: Timestamp,
        share: DeveloperShare = DeveloperShare()
    ) {
        self.before = before
        self.after = after
        self.stateBefore = stateBefore
        self.stateAfter = stateAfter
        self.now = now
        self.share = share
    }

    /// The events, in order: money first, then the story of the subscription.
    public var events: [SubscriptionEvent] {
        transactionEvents + renewalEvents + statusEvents
    }

    // MARK: Transactions

    private var transactionEvents: [SubscriptionEvent] {
        let timeline = after.timeline
        let purchases = (before: before.timeline.filter(\.isByHand), after: timeline.filter(\.isByHand))
        let isBoughtAnew = purchases.before != purchases.after
        var events: [SubscriptionEvent] = []
        var place = 0
        for transaction in timeline {
            let held = before.statement(of: transaction.id, near: &place)
            // What neither changed itself nor can have been replaced by another purchase tells nothing.
            if held == transaction, !isBoughtAnew { continue }
            var returned = Returned(held, purchases: purchases.before)
            if let held {
                if held.paid != transaction.paid { events += restated(transaction, held: held, returned: &returned) }
            } else {
                events.append(bought(transaction, kindOfPurchase(transaction, in: timeline)))
            }
            var account = Account(transaction, returned: returned.all, share: share)
            events += taken(transaction, held: held, refunded: returned.refunded, from: &account)
            let prorated = transaction.proratedMilliunits(by: purchases.after)
            if prorated != returned.prorated {
                let step = account.giveBack(prorated - returned.prorated)
                events.append(event(.prorated, transaction, at: now, money: step))
            }
            if let held, let end = held.expiresAt, let newEnd = transaction.expiresAt, newEnd > end {
                events.append(event(.extended, transaction, at: transaction.signedAt))
            }
        }
        return events
    }

    private func bought(_ transaction: TransactionFact, _ kind: SubscriptionEvent.Kind) -> SubscriptionEvent {
        let proceeds = transaction.paid.flatMap { transaction.amount(share.milliunits(of: $0.milliunits)) }
        // A renewal that is charged early begins later than it was paid.
        let time = min(transaction.purchasedAt, transaction.signedAt)
        return event(kind, transaction, at: time, money: (transaction.paid, proceeds))
    }

    /// The store states another price than before, or its first: what was counted is counted anew.
    private func restated(
        _ transaction: TransactionFact,
        held: TransactionFact,
        returned: inout Returned
    ) -> [SubscriptionEvent] {
        let kind: SubscriptionEvent.Kind = transaction.kind == .autoRenewable ? .priceStated : .purchasePriceStated
        var steps: [(price: Money?, proceeds: Money?)] = []
        if let old = held.paid, let new = transaction.paid, old.currency == new.currency {
            let before = share.milliunits(of: old.milliunits - returned.all)
            let after = share.milliunits(of: new.milliunits - returned.all)
            steps.append((transaction.amount(new.milliunits - old.milliunits), transaction.amount(after - before)))
        } else {
            if let old = held.paid {
                let left = old.milliunits - returned.all
                steps.append((held.amount(0 - left), held.amount(0 - share.milliunits(of: left))))
            }
            // What was returned of the old price was returned with it.
            returned = Returned()
            if let new = transaction.paid {
                steps.append((new, transaction.amount(share.milliunits(of: new.milliunits))))
            }
        }
        return steps.filter { $0.price?.milliunits != 0 }
            .map { event(kind, transaction, at: transaction.signedAt, money: $0) }
    }

    private func kindOfPurchase(
        _ transaction: TransactionFact,
        in timeline: [TransactionFact]
    ) -> SubscriptionEvent.Kind {
        guard transaction.kind == .autoRenewable else { return .purchaseMade }
        if transaction.id.rawValue == transaction.originalID.rawValue { return .started }
        guard transaction.isRenewal else {
            if timeline.contains(where: { $0.isReplaced(by: transaction) }) { return .upgraded }
            return timeline.contains { $0.gainsSeats(by: transaction) } ? .seatsAdded : .resubscribed
        }
        if case .subscription(let state) = stateBefore, state.billingIssue != nil { return .recovered }
        return .renewed
    }

    private func taken(
        _ transaction: TransactionFact,
        held: TransactionFact?,
        refunded: Int64,
        from account: inout Account
    ) -> [SubscriptionEvent] {
        let isSubscription = transaction.kind == .autoRenewable
        let returned = transaction.refundedMilliunits - refunded
        // A second statement may return more, or less, than the first.
        if let revocation = transaction.revocation, held?.revocation == nil || returned > 0 {
            guard revocation.kind != .sharingEnded else { return [event(.revoked, transaction, at: revocation.at)] }
            let kind: SubscriptionEvent.Kind = isSubscription ? .refunded : .purchaseRefunded
            return [event(kind, transaction, at: revocation.at, money: account.giveBack(returned))]
        }
        if let held, held.revocation != nil, transaction.revocation == nil || returned < 0 {
            let kind: SubscriptionEvent.Kind = isSubscription ? .refundReversed : .purchaseRefundReversed
            return [event(kind, transaction, at: transaction.signedAt, money: account.giveBack(returned))]
        }
        return []
    }

    /// What was returned of one transaction before.
    private struct Returned {
        var refunded: Int64 = 0
        var prorated: Int64 = 0

        var all: Int64 { refunded + prorated }

        init() {}

        init(_ held: TransactionFact?, purchases: [TransactionFact]) {
            refunded = held?.refundedMilliunits ?? 0
            prorated = held?.proratedMilliunits(by: purchases) ?? 0
        }
    }

    /// What was returned of one transaction so far, so that the developer's share of each step adds up exactly.
    private struct Account {
        let transaction: TransactionFact
        let share: DeveloperShare
        var returned: Int64

        init(_ transaction: TransactionFact, returned: Int64, share: DeveloperShare) {
            self.transaction = transaction
            self.returned = returned
            self.share = share
        }

        /// Returns more, or takes some of it back; price and proceeds of the step.
        mutating func giveBack(_ milliunits: Int64) -> (price: Money?, proceeds: Money?) {
            guard let paid = transaction.paid else { return (nil, nil) }
            let before = share.milliunits(of: paid.milliunits - returned)
            returned += milliunits
            let after = share.milliunits(of: paid.milliunits - returned)
            return (transaction.amount(0 - milliunits), transaction.amount(after - before))
        }
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
        if renewal.nextProductID != heldNext {
            if renewal.nextProductID != renewal.productID {
                events.append(event(.planChangeScheduled, renewal))
            } else if before.renewal?.productID == renewal.productID {
                events.append(event(.planChangeCancelled, renewal))
            }
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
        money: (price: Money?, proceeds: Money?) = (nil, nil)
    ) -> SubscriptionEvent {
        SubscriptionEvent(
            kind: kind,
            occurredAt: time,
            purchaseID: transaction.originalID,
            productID: transaction.productID,
            transactionID: transaction.id,
            price: money.price,
            proceeds: money.proceeds
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

extension PurchaseLedger {
    /// The statement of a transaction. Both ledgers have nearly the same order: it is looked for at a place first, which
    /// moves on.
    fileprivate func statement(of id: TransactionID, near place: inout Int) -> TransactionFact? {
        guard place < timeline.count, timeline[place].id == id else { return self[id] }
        place += 1
        return timeline[place - 1]
    }
}

extension TransactionFact {
    /// Whether the customer bought it, and no renewal did.
    fileprivate var isByHand: Bool { !isRenewal }
}
