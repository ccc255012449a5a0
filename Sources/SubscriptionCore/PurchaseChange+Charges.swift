/// What a change says of charges: what was paid, and what was given back.
extension PurchaseChange {
    /// A charge as it is known now, with what was known of it before: nothing, one charge, or several that were not
    /// known to be the same.
    private struct Step {
        let charge: TransactionFact
        let held: [TransactionFact]
    }

    /// The events of all charges, in order of purchase.
    var chargeEvents: [SubscriptionEvent] {
        let charges = (before: before.charges, after: after.charges)
        let purchases = (before: charges.before.filter(\.isByHand), after: charges.after.filter(\.isByHand))
        let isBoughtAnew = purchases.before != purchases.after
        var events: [SubscriptionEvent] = []
        for step in steps(from: charges.before, to: charges.after) {
            let (charge, held) = (step.charge, step.held.first)
            // What neither changed itself nor can have been replaced by another purchase tells nothing.
            if step.held == [charge], !isBoughtAnew { continue }
            var returned = Returned(held, purchases: purchases.before)
            if let held {
                if held.paid != charge.paid { events += restated(charge, held: held, returned: &returned) }
            } else {
                events.append(bought(charge, kindOfPurchase(charge, in: charges.after)))
            }
            for copy in step.held.dropFirst() {
                let counted = uncounted(copy, Returned(copy, purchases: purchases.before))
                events += stated(charge, from: copy.paid, [counted])
            }
            var account = Account(charge, returned: returned.all, share: share)
            events += taken(charge, held: held, refunded: returned.refunded, from: &account)
            let prorated = charge.proratedMilliunits(by: purchases.after)
            if prorated != returned.prorated {
                let money = account.giveBack(prorated - returned.prorated)
                let time = charge.replacedAt(by: purchases.after) ?? charge.signedAt
                events.append(event(.prorated, charge, at: min(now, time), money: money))
            }
            if let held, let end = held.expiresAt, let newEnd = charge.expiresAt, newEnd > end {
                events.append(event(.extended, charge, at: charge.signedAt))
            }
        }
        return events
    }

    /// Each charge with what was known of it. What was one charge before and is several now is the first of them.
    private func steps(from old: [TransactionFact], to new: [TransactionFact]) -> [Step] {
        guard before.hasCopies || after.hasCopies else {
            // Both have nearly the same order: a statement is looked for at a place first, which moves on.
            var place = 0
            return new.map { Step(charge: $0, held: [before.statement(of: $0.id, near: &place)].compactMap(\.self)) }
        }
        let oldByKey = Dictionary(old.map { ($0.chargeKey, $0) }) { first, _ in first }
        let copies = Dictionary(grouping: after.timeline, by: \.chargeKey)
        var taken: Set<ChargeKey> = []
        return new.map { charge in
            var held: [TransactionFact] = []
            for copy in copies[charge.chargeKey] ?? [] {
                guard let key = before[copy.id]?.chargeKey, taken.insert(key).inserted else { continue }
                if let known = oldByKey[key] { held.append(known) }
            }
            return Step(charge: charge, held: held)
        }
    }

    private func bought(_ charge: TransactionFact, _ kind: SubscriptionEvent.Kind) -> SubscriptionEvent {
        let proceeds = charge.paid.flatMap { charge.amount(share.milliunits(of: $0.milliunits)) }
        // A renewal that is charged early begins later than it was paid.
        let time = min(charge.purchasedAt, charge.signedAt)
        return event(kind, charge, at: time, money: (charge.paid, proceeds))
    }

    private func kindOfPurchase(_ charge: TransactionFact, in charges: [TransactionFact]) -> SubscriptionEvent.Kind {
        guard charge.kind == .autoRenewable else { return .purchaseMade }
        if charge.id.rawValue == charge.originalID.rawValue { return .started }
        let told = name.flatMap { $0.transactionID == charge.id ? $0.kind : nil }
        guard charge.isRenewal || told == .renewed || told == .recovered else {
            if let told { return told }
            if charges.contains(where: { $0.isReplaced(by: charge) }) { return .upgraded }
            return charges.contains { $0.gainsSeats(by: charge) } ? .seatsAdded : .resubscribed
        }
        if case .subscription(let state) = stateBefore, state.billingIssue != nil { return .recovered }
        return told == .recovered ? .recovered : .renewed
    }

    private func taken(
        _ charge: TransactionFact,
        held: TransactionFact?,
        refunded: Int64,
        from account: inout Account
    ) -> [SubscriptionEvent] {
        let isSubscription = charge.kind == .autoRenewable
        let returned = charge.refundedMilliunits - refunded
        // A second statement may return more, or less, than the first.
        if let revocation = charge.revocation, held?.revocation == nil || returned > 0 {
            guard revocation.kind != .sharingEnded else { return [event(.revoked, charge, at: revocation.at)] }
            let kind: SubscriptionEvent.Kind = isSubscription ? .refunded : .purchaseRefunded
            return [event(kind, charge, at: revocation.at, money: account.giveBack(returned))]
        }
        if let held, held.revocation != nil, charge.revocation == nil || returned < 0 {
            let kind: SubscriptionEvent.Kind = isSubscription ? .refundReversed : .purchaseRefundReversed
            return [event(kind, charge, at: charge.signedAt, money: account.giveBack(returned))]
        }
        return []
    }

    // MARK: Prices that are stated anew

    /// The store states another price than before, or its first: what was counted is counted anew.
    private func restated(
        _ charge: TransactionFact,
        held: TransactionFact,
        returned: inout Returned
    ) -> [SubscriptionEvent] {
        var steps: [Amounts] = []
        if let old = held.paid, let new = charge.paid, old.currency == new.currency {
            let before = share.milliunits(of: old.milliunits - returned.all)
            let after = share.milliunits(of: new.milliunits - returned.all)
            steps.append((charge.amount(new.milliunits - old.milliunits), charge.amount(after - before)))
        } else {
            steps.append(uncounted(held, returned))
            // What was returned of the old price was returned with it.
            returned = Returned()
            if let new = charge.paid {
                steps.append((new, charge.amount(share.milliunits(of: new.milliunits))))
            }
        }
        return stated(charge, from: held.paid, steps)
    }

    /// What takes out what was counted for a charge and not returned.
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

    /// What was returned of one charge before.
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

    /// What was returned of one charge so far, so that the developer's share of each step adds up exactly.
    private struct Account {
        let charge: TransactionFact
        let share: DeveloperShare
        var returned: Int64

        init(_ charge: TransactionFact, returned: Int64, share: DeveloperShare) {
            self.charge = charge
            self.returned = returned
            self.share = share
        }

        /// Returns more, or takes some of it back; price and proceeds of the step.
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
    /// The statement of a transaction, looked for at a place first.
    fileprivate func statement(of id: TransactionID, near place: inout Int) -> TransactionFact? {
        guard place < timeline.count, timeline[place].id == id else { return self[id] }
        place += 1
        return timeline[place - 1]
    }
}
