import AppStoreModel

extension LocalAppStore {
    /// Changes the plan of a subscription to another product of its group, by the catalogue's levels.
    ///
    /// Upgrades, and changes to a product of the same level and period, take effect at once. A new period starts today,
    /// and the unused part of the old one is refunded. Downgrades, and changes to another period on the same level,
    /// take effect at the next renewal. Selecting the current product again cancels them.
    ///
    /// - Parameters:
    ///   - originalTransactionId: The subscription.
    ///   - productId: The product to change to.
    ///   - fixesPayment: Whether the customer enters a valid card if the current one is declined.
    /// - Throws: `subscription_not_found`, `subscription_not_active`, `product_not_found`, `plan_not_in_group`,
    ///   `plan_unchanged`, `family_shared`, `seats_not_supported`, `advanced_commerce_subscription`,
    ///   `payment_declined`, `signing_failed`.
    public mutating func changePlan(
        originalTransactionId: String,
        productId: String,
        fixesPayment: Bool = false
    ) throws(StoreError) -> PlanChange {
        let index = try subscriptionIndex(originalTransactionId)
        let subscription = ledger[index]
        guard subscription.isLive else {
            let account = ledger[subscription.account].accountId
            let message =
                "The subscription has ended; a new purchase is possible: POST /_store/accounts/\(account)/purchases."
            throw StoreError(.subscriptionNotActive, message)
        }
        let (product, terms) = try plan(productId, inGroup: subscription.groupId)
        let kind = try kindOfChange(of: index, to: product, terms: terms)
        if kind.isImmediate { try checkPayment(of: subscription.account, fixesPayment: fixesPayment) }
        let before = currentPeriods(of: index)
        carryOut(kind, of: index, to: product, terms: terms)
        if fixesPayment { fixPayment(of: subscription.account) }
        try settle()
        let after = ledger[ledger[index].latest]
        return PlanChange(
            kind: kind,
            effectiveDate: kind.isImmediate
                ? after.purchaseDate : commitment(of: ledger[index])?.end ?? after.expiresDate ?? now,
            proratedRefund: upgradeRefund(of: before),
            purchase: try outcome(of: ledger[index].latest)
        )
    }

    /// What an upgrade paid back for the periods that it replaced, thousandths of the currency unit.
    private func upgradeRefund(of replaced: [LedgerIndex<Transaction>]) -> Int64? {
        let refunds = replaced.compactMap { ledger.upgrades[$0]?.refund }
        return refunds.isEmpty ? nil : refunds.reduce(0, +)
    }

    /// The kind of change from the current product and its pending change to a product of the same group.
    ///
    /// - Throws: `plan_unchanged`, `family_shared`, `seats_not_supported`, `advanced_commerce_subscription`.
    func kindOfChange(
        of index: LedgerIndex<Subscription>,
        to product: CatalogProduct,
        terms: SubscriptionTerms
    ) throws(StoreError) -> PlanChange.Kind {
        let subscription = ledger[index]
        try checkOwn(subscription)
        guard subscription.isInBillingRetry || subscription.renewalProductId != product.productId else {
            let isRunning = subscription.productId == product.productId
            let message =
                isRunning
                ? "\"\(product.productId)\" is the running plan, and no change is pending; choose another of the group."
                : "The change to \"\(product.productId)\" is pending already, for the next renewal."
            throw StoreError(.planUnchanged, message, path: "productId")
        }
        return kindOfChange(from: subscription, to: product, terms: terms)
    }

    /// The kind of change from the current product to a product of the group, regardless of pending changes.
    func kindOfChange(
        from subscription: Subscription,
        to product: CatalogProduct,
        terms: SubscriptionTerms
    ) -> PlanChange.Kind {
        if subscription.isInBillingRetry { return .recovery }
        if subscription.productId == product.productId { return .undo }
        // A product that was removed from the catalogue has no level, so only the periods are compared.
        let running = catalog.products[subscription.productId]?.terms
        let level = running?.level ?? terms.level
        if terms.level != level { return terms.level < level ? .upgrade : .downgrade }
        let hasSamePeriod = terms.period.hasSameLength(as: running?.period ?? subscription.cycle.period)
        return hasSamePeriod ? .crossgrade : .crossgradeAtRenewal
    }

    /// Refuses a subscription whose plan the customer cannot change.
    ///
    /// - Throws: `family_shared`, `advanced_commerce_subscription`, `seats_not_supported`.
    func checkOwn(_ subscription: Subscription) throws(StoreError) {
        guard ledger[subscription.latest].ownership == .purchased else {
            throw StoreError.boughtByAnother(ledger[subscription.latest].ownership)
        }
        guard let index = ledger[subscription.original].subscription else { return }
        guard ledger.seats.plans[index] == nil else {
            throw StoreError(.seatsNotSupported, "The subscription has seats; only their number can be changed.")
        }
        guard ledger.advancedCommerce.subscriptions[index] != nil else { return }
        let message = "The subscription is one of Advanced Commerce: only signed requests of the developer change it."
        throw StoreError(.advancedCommerceSubscription, message)
    }

    /// Makes a plan change and announces it; an immediate change must be payable.
    ///
    /// - Parameter grant: The offer that starts with the new plan and replaces any other.
    mutating func carryOut(
        _ kind: PlanChange.Kind,
        of index: LedgerIndex<Subscription>,
        to product: CatalogProduct,
        terms: SubscriptionTerms,
        grant: OfferGrant = .none
    ) {
        let price = salePrice(of: product, to: ledger[index].account)
        let actions = machine(of: index).changePlan(
            kind,
            to: product.productId,
            terms: terms,
            price: price,
            grant: grant
        )
        apply(actions, to: index)
    }

    /// A product of a group, with its terms.
    ///
    /// - Throws: `product_not_found`, `plan_not_in_group`.
    private func plan(
        _ productId: String,
        inGroup groupId: String
    ) throws(StoreError) -> (CatalogProduct, SubscriptionTerms) {
        let product = try catalogProduct(productId)
        guard let terms = product.terms, terms.groupId == groupId else {
            let plans = catalog.productIds.filter { catalog.products[$0]?.terms?.groupId == groupId }
            let message =
                "\"\(productId)\" is not in the subscription's group; possible are \(plans.joined(separator: ", "))."
            throw StoreError(.planNotInGroup, message, path: "productId")
        }
        return (product, terms)
    }
}
