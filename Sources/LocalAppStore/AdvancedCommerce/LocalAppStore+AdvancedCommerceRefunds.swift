public import AppStoreModel

extension LocalAppStore {
    /// Ends a subscription immediately, with a refund of its current period.
    ///
    /// - Source: Advanced Commerce API, Revoke Subscription.
    /// - Throws: One of `AppStoreServerCall.revokeSubscription.errors`.
    public mutating func revokeAdvancedCommerceSubscription(
        transactionId: String,
        body: JSONObject
    ) throws(AppStoreServerAPIError) -> AdvancedCommerceSubscriptionRevokeResponse {
        let request = try AdvancedCommerceSubscriptionRevokeRequest(body, about: transactionId)
        let caller = AdvancedCommerceCaller(request)
        let reason = request.refundReason
        try check(reason)
        let index = try advancedCommerceSubscription(of: transactionId, for: caller)
        guard ledger[index].isLive else { throw .revokeOnInactiveSubscription }
        let latest = ledger[index].latest
        noteAdvancedCommerceChange(of: index, by: caller)
        if reason == .simulateRefundDecline {
            announce(.refundDeclined, transaction: latest)
        } else {
            if request.refundRiskingPreference { announceConsumptionRequest(about: latest, reason: reason) }
            // A modification within the period is a separate payment.
            for transaction in keptPayments(forPeriodOf: index).reversed() {
                carryOut(orders(refunding: transaction, as: request.refundType, reason: reason), of: transaction)
            }
        }
        let (transaction, renewal) = try signedAnswer(about: latest)
        return .init(signedTransactionInfo: transaction, signedRenewalInfo: renewal)
    }

    /// Refuses a simulated refusal in production.
    private func check(_ reason: AdvancedCommerceRefundReason) throws(AppStoreServerAPIError) {
        guard reason != .simulateRefundDecline || configuration.environment != .production else {
            throw .simulateRefundDeclineOnlyInSandbox
        }
    }

    /// The refund of all items of a transaction that are not refunded yet.
    private func orders(
        refunding index: LedgerIndex<Transaction>,
        as type: AdvancedCommerceRefundType,
        reason: AdvancedCommerceRefundReason
    ) -> [AdvancedCommerceRefundOrder] {
        let items = ledger.advancedCommerce.purchases[index]?.items ?? []
        return items.filter { $0.revocationDate == nil }.map { item in
            let rest = item.unrefundedPrice
            return AdvancedCommerceRefundOrder(
                sku: item.sku ?? "",
                amount: type == .prorated ? unused(of: rest, in: index) : rest,
                reason: reason,
                type: type,
                revokes: true
            )
        }
    }

    /// Refunds items of a one-time charge or of a period of a subscription.
    ///
    /// If Apple requests consumption information, the test decides: ``refund(transactionId:reason:percentage:)`` grants
    /// the request, ``declineRefund(transactionId:)`` declines it.
    ///
    /// - Source: Advanced Commerce API, Request Transaction Refund.
    /// - Throws: One of `AppStoreServerCall.requestTransactionRefund.errors`.
    public mutating func requestAdvancedCommerceRefund(
        transactionId: String,
        body: JSONObject
    ) throws(AppStoreServerAPIError) -> AdvancedCommerceRequestRefundResponse {
        let request = try AdvancedCommerceRequestRefundRequest(body, about: transactionId)
        let caller = AdvancedCommerceCaller(request, currency: request.currency)
        let reason = request.items.first?.refundReason ?? .other
        try check(reason)
        let index = try namedTransaction(transactionId)
        try check(caller, for: ledger[index].account)
        let orders = try orders(of: request, about: index)
        ledger.advancedCommerce.note(caller.requestReferenceId)
        if reason == .simulateRefundDecline {
            announce(.refundDeclined, transaction: index)
        } else if request.refundRiskingPreference {
            ledger.advancedCommerce.pendingRefunds[index] = orders
            let asked = ConsumptionRequestReason(rawValue: reason.rawValue)
            ledger.refundRequests[index] = RefundRequest(requestedAt: now, reason: asked)
            announceConsumptionRequest(about: index, reason: reason)
        } else {
            carryOut(orders, of: index)
        }
        let (transaction, renewal) = try signedAnswer(about: index)
        return .init(signedTransactionInfo: transaction, signedRenewalInfo: renewal)
    }

    private func orders(
        of request: AdvancedCommerceRequestRefundRequest,
        about index: LedgerIndex<Transaction>
    ) throws(AppStoreServerAPIError) -> [AdvancedCommerceRefundOrder] {
        let transaction = ledger[index]
        guard let items = ledger.advancedCommerce.purchases[index]?.items, transaction.price > 0 else {
            throw .transactionNotRefundable
        }
        guard transaction.revocation == nil else { throw .alreadyRefunded }
        guard ledger.openRefundRequest(of: index) == nil else { throw .pendingRefund }
        var orders: [AdvancedCommerceRefundOrder] = []
        for asked in request.items {
            guard let item = items.first(where: { $0.sku == asked.sku }) else { throw .productNotOwned }
            let rest = item.unrefundedPrice
            guard item.revocationDate == nil, rest > 0 else { throw .alreadyRefunded }
            if asked.refundType == .prorated {
                guard let subscription = transaction.subscription else { throw .invalidRefundType }
                guard ledger[subscription].latest == index else { throw .proratedOnlyLatestTransaction }
            }
            let amount = asked.refundAmount ?? (asked.refundType == .prorated ? unused(of: rest, in: index) : rest)
            guard amount <= rest else { throw .invalidAmount }
            guard amount > 0 else { throw .transactionNotRefundable }
            orders.append(
                AdvancedCommerceRefundOrder(
                    sku: asked.sku,
                    amount: amount,
                    reason: asked.refundReason,
                    type: asked.refundType,
                    revokes: asked.revoke
                )
            )
        }
        return orders
    }

    /// The part of an amount for the rest of the period, thousandths of the currency unit.
    private func unused(of amount: Int64, in index: LedgerIndex<Transaction>) -> Int64 {
        let transaction = ledger[index]
        let end = transaction.expiresDate ?? now
        return Proration.unused(ofPrice: amount, from: transaction.purchaseDate, to: end, at: now)
    }

    private mutating func announceConsumptionRequest(
        about index: LedgerIndex<Transaction>,
        reason: AdvancedCommerceRefundReason
    ) {
        let asked = ConsumptionRequestReason(rawValue: reason.rawValue)
        announce(.consumptionRequest, transaction: index, consumptionRequestReason: asked)
    }

    /// Refunds items; when the last one is revoked, so is the transaction.
    private mutating func carryOut(
        _ orders: [AdvancedCommerceRefundOrder],
        of index: LedgerIndex<Transaction>,
        reason: RevocationReason = .other
    ) {
        let paidBack = noteRefunds(orders, of: index)
        let items = ledger.advancedCommerce.purchases[index]?.items ?? []
        let isRevoked = items.allSatisfy { $0.revocationDate != nil }
        if let subscription = ledger[index].subscription {
            note(.itemsRefunded(index, amount: paidBack, isRevoked: isRevoked), of: subscription)
        }
        if isRevoked, let revocation = revocationByItems(of: index, reason: reason) {
            ledger.revoke(index, revocation)
            if let subscription = ledger[index].subscription, ledger[subscription].latest == index {
                let actions = machine(of: subscription).periodRefunded()
                apply(actions, to: subscription)
            }
        } else {
            ledger.noteModification(of: index)
            dropRevokedItems(orders, of: index)
        }
        announce(.refund, transaction: index)
    }

    /// The revocation of a transaction by the refunds of its items; `nil` for a transaction without items.
    ///
    /// The percentage is the part of the price that was paid back in all, by one refund or several.
    func revocationByItems(
        of index: LedgerIndex<Transaction>,
        reason: RevocationReason
    ) -> Transaction.Revocation? {
        guard let items = ledger.advancedCommerce.purchases[index]?.items else { return nil }
        let price = ledger[index].price
        let refunded = items.reduce(0) { $0 + $1.refundedAmount }
        return Transaction.Revocation(
            date: now,
            reason: reason,
            type: refunded < price ? .proratedRefund : .fullRefund,
            percentage: Int32(Self.percentage(of: refunded, in: price))
        )
    }

    /// Records refunds in the items, each at most up to what is left of the item's price.
    ///
    /// - Returns: The sum, thousandths of the currency unit.
    private mutating func noteRefunds(
        _ orders: [AdvancedCommerceRefundOrder],
        of index: LedgerIndex<Transaction>
    ) -> Int64 {
        guard var items = ledger.advancedCommerce.purchases[index]?.items else { return 0 }
        var total: Int64 = 0
        for order in orders {
            guard let position = items.firstIndex(where: { $0.sku == order.sku }) else { continue }
            // A modification may have paid back a part since the request.
            let amount = min(order.amount, items[position].unrefundedPrice)
            total += amount
            let refund = AdvancedCommerceRefund(
                refundAmount: amount,
                refundDate: now,
                refundReason: order.reason,
                refundType: order.type
            )
            if amount > 0 { items[position].refunds = (items[position].refunds ?? []) + [refund] }
            if order.revokes { items[position].revocationDate = now }
        }
        ledger[itemsOf: index]?.items = items
        return total
    }

    /// Items revoked within the current period do not renew.
    private mutating func dropRevokedItems(
        _ orders: [AdvancedCommerceRefundOrder],
        of index: LedgerIndex<Transaction>
    ) {
        guard let subscription = ledger[index].subscription, ledger[subscription].latest == index,
            var terms = ledger.advancedCommerce.subscriptions[subscription]
        else { return }
        let revoked = Set(orders.filter(\.revokes).map(\.sku))
        terms.items.removeAll { revoked.contains($0.sku) }
        guard !terms.items.isEmpty else { return }
        terms.consistencyToken = identifiers.nextUUID()
        ledger[termsOf: subscription] = terms
    }

    /// Executes the pending refund of a developer after a test grants it; returns whether there is one.
    mutating func grantPendingRefund(of index: LedgerIndex<Transaction>, reason: RevocationReason) -> Bool {
        guard let orders = ledger.advancedCommerce.pendingRefunds.removeValue(forKey: index) else { return false }
        ledger.refundRequests[index]?.outcome = .granted
        carryOut(orders, of: index, reason: reason)
        return true
    }

    /// Records a full or partial refund of a transaction in its items.
    ///
    /// - Returns: The sum, thousandths of the currency unit; `nil` for a transaction without items.
    mutating func noteRefundOfEveryItem(of index: LedgerIndex<Transaction>, percentage share: Int) -> Int64? {
        guard let items = ledger.advancedCommerce.purchases[index]?.items else { return nil }
        let orders = items.filter { $0.revocationDate == nil }.map { item in
            AdvancedCommerceRefundOrder(
                sku: item.sku ?? "",
                amount: Self.part(share, of: item.unrefundedPrice),
                reason: .other,
                type: share == Self.fullPercentage ? .full : .prorated,
                revokes: true
            )
        }
        return noteRefunds(orders, of: index)
    }

    /// What is not paid back of the items of a transaction that are not revoked, thousandths of the currency unit;
    /// `nil` for a transaction without items.
    func amountOfUnrefundedItems(of index: LedgerIndex<Transaction>) -> Int64? {
        ledger.advancedCommerce.purchases[index]?.items.map { items in
            items.filter { $0.revocationDate == nil }.reduce(0) { $0 + $1.unrefundedPrice }
        }
    }

    /// Removes the refunds of items, except what modifications paid back.
    mutating func forgetRefunds(of index: LedgerIndex<Transaction>) {
        guard var items = ledger.advancedCommerce.purchases[index]?.items else { return }
        for position in items.indices {
            let kept = items[position].refunds?.filter { $0.refundReason == .modifyItemsRefund } ?? []
            items[position].refunds = kept.isEmpty ? nil : kept
            items[position].revocationDate = nil
        }
        ledger[itemsOf: index]?.items = items
    }
}

extension AdvancedCommerceTransactionItem {
    /// The refunded amount, thousandths of the currency unit.
    fileprivate var refundedAmount: Int64 { (refunds ?? []).reduce(0) { $0 + ($1.refundAmount ?? 0) } }

    /// The refundable amount, thousandths of the currency unit.
    var unrefundedPrice: Int64 { max(0, paidPrice - refundedAmount) }

    /// The paid amount, thousandths of the currency unit: with an offer the offer's price.
    var paidPrice: Int64 { offer?.price ?? price ?? 0 }
}
