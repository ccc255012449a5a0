import AppStoreModel

extension LocalAppStore {
    /// The subscription that a request can change now.
    func modifiableSubscription(
        of account: LedgerIndex<Account>,
        by change: AdvancedCommerceModification
    ) throws(AppStoreServerAPIError) -> LedgerIndex<Subscription> {
        guard let named = ledger.transaction(id: change.transactionId) else { throw .transactionIdNotFound }
        guard let index = ledger[named].subscription, ledger[index].account == account else {
            throw .subscriptionDoesNotExist
        }
        guard let terms = ledger.advancedCommerce.subscriptions[index] else { throw .subscriptionNotEligible }
        guard ledger[index].isLive else { throw .inactiveACASub }
        guard ledger[index].state == .active, ledger[index].isAutoRenewOn else { throw .subscriptionNotEligible }
        try checkStorefront(of: index)
        let running = ledger.advancedCommerce.purchases[ledger[index].latest]?.items ?? []
        try change.check(against: terms, running: running)
        try change.applied(to: terms).checkOfferPeriods()
        return index
    }

    /// Changes the items of a subscription: immediately, with payment, or from its next period on.
    mutating func modify(
        _ index: LedgerIndex<Subscription>,
        by change: AdvancedCommerceModification,
        of product: CatalogProduct,
        for caller: AdvancedCommerceCaller
    ) -> LedgerIndex<Transaction> {
        guard let before = ledger.advancedCommerce.subscriptions[index] else { return ledger[index].latest }
        var terms = change.applied(to: before)
        let old = ledger[index].latest
        if change.isImmediate {
            terms.requestReferenceId = caller.requestReferenceId
            if change.retainsBillingCycle {
                sellChanges(to: &terms, of: index, product: product, by: change)
            } else {
                sellNewPeriod(of: terms, to: index, product: product)
            }
        }
        if !change.isImmediate || change.retainsBillingCycle { ledger[termsOf: index] = terms }
        noteAdvancedCommerceChange(of: index, by: caller)
        reviewAdvancedCommerceIncrease(of: index)
        let latest = ledger[index].latest
        let changesItems = latest != old || terms.items != before.items || terms.period != before.period
        announce(
            .didChangeRenewalPref,
            latest != old ? .upgrade : changesItems ? .downgrade : nil,
            transaction: latest
        )
        return latest
    }

    /// Starts a new period now, and refunds the unused part of every payment for the old one.
    private mutating func sellNewPeriod(
        of terms: AdvancedCommerceTerms,
        to index: LedgerIndex<Subscription>,
        product: CatalogProduct
    ) {
        // A modification within the period is a separate payment.
        let paid = keptPayments(forPeriodOf: index)
        let replaced = paid.map { LifecycleAction.replace($0, refund: noteUnused(of: $0)) }
        let cycle = Subscription.BillingCycle(anchor: saleDate, period: length(of: terms.duePeriod))
        let sale = terms.sale(of: product.productId, from: saleDate, cycle: cycle, reason: .purchase)
        apply(replaced + [.sell(sale)], to: index)
    }

    /// Records in a period's items the refund of their unused part.
    ///
    /// - Returns: The sum, thousandths of the currency unit.
    private mutating func noteUnused(of old: LedgerIndex<Transaction>) -> Int64 {
        let transaction = ledger[old]
        let end = transaction.expiresDate ?? now
        var items = ledger.advancedCommerce.purchases[old]?.items ?? []
        var total: Int64 = 0
        for position in items.indices where items[position].revocationDate == nil {
            let unused = Proration.unused(
                ofPrice: items[position].unrefundedPrice,
                from: transaction.purchaseDate,
                to: end,
                at: now
            )
            total += unused
            guard unused > 0 else { continue }
            let refund = AdvancedCommerceRefund(
                refundAmount: unused,
                refundDate: now,
                refundReason: .modifyItemsRefund,
                refundType: .prorated
            )
            items[position].refunds = (items[position].refunds ?? []) + [refund]
        }
        ledger[itemsOf: old]?.items = items
        ledger.noteModification(of: old)
        return total
    }

    /// Sells the new items for the rest of the current period.
    private mutating func sellChanges(
        to terms: inout AdvancedCommerceTerms,
        of index: LedgerIndex<Subscription>,
        product: CatalogProduct,
        by change: AdvancedCommerceModification
    ) {
        let old = ledger[index].latest
        let end = ledger[old].expiresDate ?? now
        var items = (ledger.advancedCommerce.purchases[old]?.items ?? []).map { item in
            var kept = item
            (kept.price, kept.offer) = (0, nil)
            return kept
        }
        for replacement in change.replaced where replacement.isImmediate {
            guard let position = items.firstIndex(where: { $0.sku == replacement.currentSKU }) else { continue }
            let credit = ledger.advancedCommerce.subscriptions[index]?.items
                .first { $0.sku == replacement.currentSKU }?.price
            items[position] = part(of: replacement.new, of: old, until: end, credit: credit ?? 0)
            terms.passOfferPeriod(of: replacement.new.item.sku)
        }
        for new in change.added {
            items.append(part(of: new, of: old, until: end, credit: 0))
            terms.passOfferPeriod(of: new.item.sku)
        }
        let price = items.reduce(0) { $0 + $1.paidPrice }
        var info = terms.sold()
        info.items = items
        info.taxExclusivePrice = price
        ledger[itemsOf: ledger.nextTransaction] = info
        let cycle = ledger[index].cycle
        let sale = PeriodSale(of: product.productId, from: saleDate, to: end, price: price, cycle: cycle)
        apply([.replace(old, refund: 0), .sell(sale)], to: index)
    }

    /// The start of the period that a transaction covers, in full or from a later time to its end.
    private func cycleStart(of transaction: LedgerIndex<Transaction>) -> Int64 {
        guard let cycle = ledger[transaction].subscription.map({ ledger[$0].cycle }), cycle.count > 0 else {
            return ledger[transaction].purchaseDate
        }
        return cycle.period.added(to: cycle.anchor, times: cycle.count - 1)
    }

    /// A new item with its price for the rest of a period.
    private func part(
        of new: AdvancedCommerceModification.NewItem,
        of old: LedgerIndex<Transaction>,
        until end: Int64,
        credit: Int64
    ) -> AdvancedCommerceTransactionItem {
        let start = cycleStart(of: old)
        let rest = Proration.unused(ofPrice: new.item.price, from: start, to: end, at: now)
        let used = Proration.unused(ofPrice: credit, from: start, to: end, at: now)
        return AdvancedCommerceTransactionItem(
            sku: new.item.sku,
            description: new.item.description,
            displayName: new.item.displayName,
            offer: new.item.dueOffer,
            price: new.item.dueOffer == nil ? new.proratedPrice ?? max(0, rest - used) : new.item.price
        )
    }
}

extension AdvancedCommerceTerms {
    /// Counts a period of one item's offer.
    fileprivate mutating func passOfferPeriod(of sku: String) {
        guard let position = items.firstIndex(where: { $0.sku == sku }), items[position].offerPeriodsLeft > 0 else {
            return
        }
        items[position].offerPeriodsLeft -= 1
    }
}
