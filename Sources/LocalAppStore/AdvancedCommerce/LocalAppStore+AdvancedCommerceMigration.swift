public import AppStoreModel

extension LocalAppStore {
    /// Migrates an ordinary subscription to Advanced Commerce, where it continues under new identifiers.
    ///
    /// Nothing is charged: the current period stays paid, and the next one costs the same as before.
    ///
    /// - Source: Advanced Commerce API, Migrate a Subscription.
    /// - Throws: One of `AppStoreServerCall.migrateSubscription.errors`.
    public mutating func migrateToAdvancedCommerce(
        transactionId: String,
        body: JSONObject
    ) throws(AppStoreServerAPIError) -> AdvancedCommerceSubscriptionMigrateResponse {
        let order = try AdvancedCommerceSubscriptionMigrateRequest(body, about: transactionId)
        let caller = AdvancedCommerceCaller(order)
        let named = try namedTransaction(transactionId)
        try check(caller, for: ledger[named].account)
        guard let target = catalog.products[order.targetProductId] else { throw .productNotFound }
        guard let groupId = target.terms?.groupId else { throw .invalidTargetProductID }
        guard let index = ledger[named].subscription else { throw .subscriptionDoesNotExist }
        let period = try period(ofMigrating: index, order)
        if let held = ledger.subscription(of: ledger[index].account, inGroup: groupId), held != index,
            ledger[held].isLive
        {
            throw .subscriptionAlreadyExists
        }
        let transaction = carryOut(order, by: caller, of: index, to: target, groupId: groupId, period: period)
        announce(.migration, transaction: transaction)
        let (signed, renewal) = try signedAnswer(about: transaction)
        return .init(signedTransactionInfo: signed, signedRenewalInfo: renewal)
    }

    /// The future period length, if the subscription can be migrated.
    private func period(
        ofMigrating index: LedgerIndex<Subscription>,
        _ order: AdvancedCommerceSubscriptionMigrateRequest
    ) throws(AppStoreServerAPIError) -> AdvancedCommercePeriod {
        let subscription = ledger[index]
        guard ledger.advancedCommerce.subscriptions[index] == nil, !ledger.advancedCommerce.hasMoved(index) else {
            throw .subscriptionAlreadyMigrated
        }
        guard subscription.state == .active, ledger[subscription.latest].ownership == .purchased,
            commitment(of: subscription) == nil, ledger.seats.plans[index] == nil,
            ledger.family.members(of: subscription.account).isEmpty,
            let product = catalog.products[subscription.renewalProductId],
            let name = product.terms?.period.iso8601, case let period = AdvancedCommercePeriod(rawValue: name),
            period.isDocumented
        else { throw .subscriptionNotEligible }
        try checkStorefront(of: index)
        if let increase = ledger.prices.overrides[index]?.increase, increase.stage != .unannounced {
            throw .migrationNotAllowedWhenPriceIncreaseCommunicated
        }
        let isChangePending = subscription.renewalProductId != subscription.productId
        guard (order.renewalItems != nil) == isChangePending else { throw .pendingChangesMismatch }
        return period
    }

    private mutating func carryOut(
        _ order: AdvancedCommerceSubscriptionMigrateRequest,
        by caller: AdvancedCommerceCaller,
        of index: LedgerIndex<Subscription>,
        to target: CatalogProduct,
        groupId: String,
        period: AdvancedCommercePeriod
    ) -> LedgerIndex<Transaction> {
        let old = ledger[index]
        let price = catalog.products[old.renewalProductId].map { renewalPrice(of: $0, for: old) } ?? 0
        var terms = AdvancedCommerceTerms(
            items: order.items.map { AdvancedCommerceTerms.Item($0, price: 0) },
            descriptors: AdvancedCommerceDescriptors(
                description: order.descriptors.description,
                displayName: order.descriptors.displayName
            ),
            period: period,
            taxCode: order.taxCode,
            requestReferenceId: caller.requestReferenceId,
            consistencyToken: identifiers.nextUUID()
        )
        let transaction = ledger.nextTransaction
        let new = ledger.nextSubscription
        ledger[itemsOf: transaction] = terms.sold()
        let renewing = order.renewalItems?.map { AdvancedCommerceTerms.Item($0, price: 0) } ?? terms.items
        terms.items = renewing.sharing(price)
        ledger[termsOf: new] = terms
        ledger.advancedCommerce.move(index, to: new)
        ledger.advancedCommerce.note(caller.requestReferenceId)
        let token = caller.appAccountToken ?? old.appAccountToken
        ledger.append(
            Subscription(
                original: transaction,
                account: old.account,
                groupId: groupId,
                originalPurchaseDate: originalPurchaseDate(of: transaction),
                productId: target.productId,
                renewalProductId: target.productId,
                isAutoRenewOn: old.isAutoRenewOn,
                cycle: old.cycle,
                latest: transaction,
                recentStart: old.recentStart,
                appAccountToken: token
            )
        )
        let end = ledger[old.latest].expiresDate ?? now
        let sale = PeriodSale(of: target.productId, from: saleDate, to: end, price: 0, cycle: old.cycle)
        apply([.sell(sale)], to: new)
        ledger[priceOf: index] = nil
        let replaced = currentPeriods(of: index).map { LifecycleAction.replace($0, refund: 0) }
        apply(replaced + SubscriptionMachine.end(as: .expired(.other)), to: index)
        return transaction
    }
}

extension [AdvancedCommerceTerms.Item] {
    /// The items with equal shares of a price; the first one includes the remainder.
    fileprivate func sharing(_ price: Int64) -> Self {
        guard !isEmpty else { return self }
        var items = self
        let share = price / Int64(count)
        for position in items.indices { items[position].price = share }
        items[0].price += price - share * Int64(count)
        return items
    }
}
