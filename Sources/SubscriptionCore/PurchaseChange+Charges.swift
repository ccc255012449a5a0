/// The events about charges: what was paid and what was returned.
extension PurchaseChange {
    /// A charge as known now, and the charges that were known of it before: none, one, or several that were not yet
    /// known to be copies.
    private struct Step {
        let charge: TransactionFact
        let previous: [TransactionFact]
    }

    /// The events of all charges, in order of purchase.
    var chargeEvents: [SubscriptionEvent] {
        let charges = (before: before.charges, after: after.charges)
        let purchases = (before: charges.before.filter(\.isByHand), after: charges.after.filter(\.isByHand))
        let isBoughtAnew = purchases.before != purchases.after
        var events: [SubscriptionEvent] = []
        for step in steps(from: charges.before, to: charges.after) {
            let (charge, previous) = (step.charge, step.previous.first)
            // No event: the charge is unchanged, and no new purchase can have replaced it.
            if step.previous == [charge], !isBoughtAnew { continue }
            var returned = Returned(previous, purchases: purchases.before)
            if let previous {
                if previous.paid != charge.paid { events += restated(charge, previous: previous, returned: &returned) }
            } else {
                events.append(bought(charge, kindOfPurchase(charge, in: charges.after)))
            }
            for copy in step.previous.dropFirst() {
                let counted = uncounted(copy, Returned(copy, purchases: purchases.before))
                events += stated(charge, from: copy.paid, [counted])
            }
            var account = Account(charge, returned: returned.all, share: share)
            events += taken(charge, previous: previous, refunded: returned.refunded, from: &account)
            let prorated = charge.proratedMilliunits(by: purchases.after)
            if prorated != returned.prorated {
                let money = account.giveBack(prorated - returned.prorated)
                let time = charge.replacedAt(by: purchases.after) ?? charge.signedAt
                events.append(event(.prorated, charge, at: min(now, time), money: money))
            }
            if let previous, let end = previous.expiresAt, let newEnd = charge.expiresAt, newEnd > end {
                events.append(event(.extended, charge, at: charge.signedAt))
            }
        }
        return events
    }

    /// Pairs each charge with the charges known before. If one charge became several, the first of them gets the old
    /// one.
    private func steps(from old: [TransactionFact], to new: [TransactionFact]) -> [Step] {
        guard before.hasCopies || after.hasCopies else {
            // Both lists have nearly the same order, so the search begins at a moving index.
            var index = 0
            return new.map {
                Step(charge: $0, previous: [before.statement(of: $0.id, near: &index)].compactMap(\.self))
            }
        }
        let oldByKey = Dictionary(old.map { ($0.chargeKey, $0) }) { first, _ in first }
        let copies = Dictionary(grouping: after.timeline, by: \.chargeKey)
        var taken: Set<ChargeKey> = []
        return new.map { charge in
            var previous: [TransactionFact] = []
            for copy in copies[charge.chargeKey] ?? [] {
                guard let key = before[copy.id]?.chargeKey, taken.insert(key).inserted else { continue }
                if let known = oldByKey[key] { previous.append(known) }
            }
            return Step(charge: charge, previous: previous)
        }
    }

    private func bought(_ charge: TransactionFact, _ kind: SubscriptionEvent.Kind) -> SubscriptionEvent {
        let proceeds = charge.paid.flatMap { charge.amount(share.milliunits(of: $0.milliunits)) }
        // A renewal that is charged early begins after the payment.
        let time = min(charge.purchasedAt, charge.signedAt)
        return event(kind, charge, at: time, money: (charge.paid, proceeds))
    }

    private func kindOfPurchase(_ charge: TransactionFact, in charges: [TransactionFact]) -> SubscriptionEvent.Kind {
        guard charge.kind == .autoRenewable else { return .purchaseMade }
        if charge.id.rawValue == charge.originalID.rawValue { return .started }
        let storeKind = name.flatMap { $0.transactionID == charge.id ? $0.kind : nil }
        guard charge.isRenewal || storeKind == .renewed || storeKind == .recovered else {
            if let storeKind { return storeKind }
            if charges.contains(where: { $0.isReplaced(by: charge) }) { return .upgraded }
            return charges.contains { $0.gainsSeats(by: charge) } ? .seatsAdded : .resubscribed
        }
        if case .subscription(let state) = stateBefore, state.billingIssue != nil { return .recovered }
        return storeKind == .recovered ? .recovered : .renewed
    }

    private func taken(
        _ charge: TransactionFact,
        previous: TransactionFact?,
        refunded: Int64,
        from account: inout Account
    ) -> [SubscriptionEvent] {
        let isSubscription = charge.kind == .autoRenewable
        let returned = charge.refundedMilliunits - refunded
        // A second statement may return more, or less, than the first.
        if let revocation = charge.revocation, previous?.revocation == nil || returned > 0 {
            guard revocation.kind != .sharingEnded else { return [event(.revoked, charge, at: revocation.at)] }
            let kind: SubscriptionEvent.Kind = isSubscription ? .refunded : .purchaseRefunded
            return [event(kind, charge, at: revocation.at, money: account.giveBack(returned))]
        }
        if let previous, previous.revocation != nil, charge.revocation == nil || returned < 0 {
            let kind: SubscriptionEvent.Kind = isSubscription ? .refundReversed : .purchaseRefundReversed
            return [event(kind, charge, at: charge.signedAt, money: account.giveBack(returned))]
        }
        return []
    }

    // MARK: Changed prices

    /// The events of a changed or first known price: they correct the sums that were counted before.
    private func restated(
        _ charge: TransactionFact,
        previous: TransactionFact,
        returned: inout Returned
    ) -> [SubscriptionEvent] {
        var steps: [Amounts] = []
        if let old = previous.paid, let new = charge.paid, old.currency == new.currency {
            let before = share.milliunits(of: old.milliunits - returned.all)
            let after = share.milliunits(of: new.milliunits - returned.all)
            steps.append((charge.amount(new.milliunits - old.milliunits), charge.amount(after - before)))
        } else {
            steps.append(uncounted(previous, returned))
            // The amount that was returned of the old price is part of its removal.
            returned = Returned()
            if let new = charge.paid {
                steps.append((new, charge.amount(share.milliunits(of: new.milliunits))))
            }
        }
        return stated(charge, from: previous.paid, steps)
    }

    /// The negative amounts that cancel what was counted for a charge and not returned.
    private func uncounted(_ charge: TransactionFact, _ returned: Returned) -> Amounts {
        guard let paid = charge.paid else { return (nil, nil) }
        let left = paid.milliunits - returned.all
        return (charge.amount(0 - left), charge.amount(0 - share.milliunits(of: left)))
    }

    private func stated(_ charge: TransactionFact, from old: Money?, _ steps: [Amounts]) -> [SubscriptionEvent] {
        let kind: SubscriptionEvent.Kind = charge.kind == .autoRenewable ? .priceStated : .purchasePriceStated
        let prices = Self.prices(from: old, to: charge.paid)
        return steps.filter { $0.price != nil && $0.price?.milliunits != 0 }
            .map { event(kind, charge, at: charge.signedAt, money: $0, details: prices) }
    }

    private typealias Amounts = (price: Money?, proceeds: Money?)

    /// The amounts that were returned of a charge before.
    private struct Returned {
        var refunded: Int64 = 0
        var prorated: Int64 = 0

        var all: Int64 { refunded + prorated }

        init() {}

        init(_ previous: TransactionFact?, purchases: [TransactionFact]) {
            refunded = previous?.refundedMilliunits ?? 0
            prorated = previous?.proratedMilliunits(by: purchases) ?? 0
        }
    }

    /// The amount returned of one charge so far, so that the rounded shares of all steps add up exactly.
    private struct Account {
        let charge: TransactionFact
        let share: DeveloperShare
        var returned: Int64

        init(_ charge: TransactionFact, returned: Int64, share: DeveloperShare) {
            self.charge = charge
            self.returned = returned
            self.share = share
        }

        /// Adds a returned amount (negative: takes it back) and gives price and proceeds of the step.
        mutating func giveBack(_ milliunits: Int64) -> Amounts {
            guard let paid = charge.paid else { return (nil, nil) }
            let before = share.milliunits(of: paid.milliunits - returned)
            returned += milliunits
            let after = share.milliunits(of: paid.milliunits - returned)
            return (charge.amount(0 - milliunits), charge.amount(after - before))
        }
    }

    private func event(
        _ kind: SubscriptionEvent.Kind,
        _ charge: TransactionFact,
        at time: Timestamp,
        money: Amounts = (nil, nil),
        details: [String: String]? = nil
    ) -> SubscriptionEvent {
        SubscriptionEvent(
            kind: kind,
            occurredAt: time,
            purchaseID: charge.originalID,
            productID: charge.productID,
            transactionID: charge.id,
            price: money.price,
            proceeds: money.proceeds,
            details: details
        )
    }
}

extension PurchaseLedger {
    /// The statement of a transaction. The search begins at an index, which moves on after a hit.
    fileprivate func statement(of id: TransactionID, near index: inout Int) -> TransactionFact? {
        guard index < timeline.count, timeline[index].id == id else { return self[id] }
        index += 1
        return timeline[index - 1]
    }
}
