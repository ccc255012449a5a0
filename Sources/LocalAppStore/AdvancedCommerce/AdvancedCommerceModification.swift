import AppStoreModel

/// A signed request to change the items of a subscription.
struct AdvancedCommerceModification {
    /// A new item, alone or as a replacement.
    struct NewItem {
        let item: AdvancedCommerceTerms.Item
        /// The price for the rest of the current period, thousandths of the currency unit.
        let proratedPrice: Int64?

        init(_ new: some AdvancedCommerceNewItem) {
            item = AdvancedCommerceTerms.Item(new, price: new.price, offer: new.offer)
            proratedPrice = new.proratedPrice
        }
    }

    /// An item that replaces another one.
    struct Replacement {
        let currentSKU: String
        let new: NewItem
        let isImmediate: Bool
    }

    let request: AdvancedCommerceSubscriptionModifyInAppRequest
    let added: [NewItem]
    let replaced: [Replacement]
    let removedSKUs: [String]

    var transactionId: String { request.transactionId }
    var retainsBillingCycle: Bool { request.retainBillingCycle }
    private var period: AdvancedCommercePeriod? { request.periodChange?.period }
    private var isPeriodImmediate: Bool { request.periodChange?.effective == .immediately }

    /// Whether anything changes before the next renewal, so that the customer pays now.
    var isImmediate: Bool { !added.isEmpty || isPeriodImmediate || replaced.contains(where: \.isImmediate) }

    init(_ request: AdvancedCommerceSubscriptionModifyInAppRequest) {
        self.request = request
        added = (request.addItems ?? []).map { NewItem($0) }
        replaced = (request.changeItems ?? []).map {
            Replacement(currentSKU: $0.currentSKU, new: NewItem($0), isImmediate: $0.effective == .immediately)
        }
        removedSKUs = (request.removeItems ?? []).map(\.sku)
    }

    /// Refuses inconsistent parts of the request.
    func check() throws(AppStoreServerAPIError) {
        let changesItems = !added.isEmpty || !replaced.isEmpty
        guard removedSKUs.isEmpty || changesItems else { throw .removeItemsWithoutAddOrChangeItems }
        guard changesItems || period != nil || request.descriptors != nil || request.taxCode != nil else {
            throw .oneItemNeededInModify
        }
        let touched = added.map(\.item.sku) + replaced.map(\.currentSKU) + removedSKUs
        guard Set(touched).count == touched.count else { throw .multipleOperationsOnSingleSKU }
        if isPeriodImmediate {
            guard !retainsBillingCycle else { throw .periodResetWithRetainBillingCycle }
            guard replaced.allSatisfy(\.isImmediate) else {
                throw .periodChangeImmediateWithEffectiveAtNextBillingCycle
            }
        } else if period != nil {
            guard !isImmediate else { throw .periodChangeEffectiveConflict }
        }
        guard retainsBillingCycle || isImmediate else { throw .billingCycleResetWithEffectiveLater }
    }
}

extension AdvancedCommerceModification {
    /// Checks the request against the items of the subscription.
    func check(
        against terms: AdvancedCommerceTerms,
        running: [AdvancedCommerceTransactionItem]
    ) throws(AppStoreServerAPIError) {
        let skus = Set(terms.items.map(\.sku))
        for new in added {
            guard !skus.contains(new.item.sku) else { throw .productAlreadyExists }
        }
        for change in replaced { try check(change, against: terms, running: running) }
        guard skus.isSuperset(of: removedSKUs) else { throw .removeItemNotFound }
        let updated = Set(replaced.map(\.currentSKU) + removedSKUs)
        guard period == nil || updated == skus else { throw .missingUpdatedItemsWithPeriodChange }
    }

    private func check(
        _ change: Replacement,
        against terms: AdvancedCommerceTerms,
        running: [AdvancedCommerceTransactionItem]
    ) throws(AppStoreServerAPIError) {
        guard let old = terms.items.first(where: { $0.sku == change.currentSKU }) else { throw .changeItemNotFound }
        let new = change.new.item
        let isTaken = terms.items.contains { $0.sku == new.sku && $0.sku != change.currentSKU }
        guard !isTaken else { throw .productAlreadyExists }
        guard new.sku != old.sku || new.offer != nil || period != nil || new.price == old.price else {
            throw .priceChangeNotSupportedThroughModifyItems
        }
        if change.isImmediate, running.contains(where: { $0.sku == change.currentSKU && $0.offer != nil }) {
            throw .offerPreventsItemMidCycleChange
        }
        if let increased = old.increasedPrice, new.offer != nil, new.price != increased {
            throw .invalidPriceForChangeItemInPriceIncrease
        }
    }

    /// The terms of the subscription after all changes.
    func applied(to terms: AdvancedCommerceTerms) -> AdvancedCommerceTerms {
        var terms = terms
        terms.items.removeAll { removedSKUs.contains($0.sku) }
        for change in replaced {
            guard let position = terms.items.firstIndex(where: { $0.sku == change.currentSKU }) else { continue }
            let old = terms.items[position]
            terms.items[position] = change.new.item
            // The same item at the same price still becomes more expensive.
            if period == nil, change.new.item.offer == nil, old.sku == change.new.item.sku {
                terms.items[position].increasedPrice = old.increasedPrice
                terms.items[position].dependentSKUs = old.dependentSKUs
            }
        }
        terms.items += added.map(\.item)
        if let period { terms.period = period }
        if let description = request.descriptors?.description { terms.descriptors.description = description }
        if let displayName = request.descriptors?.displayName { terms.descriptors.displayName = displayName }
        if let taxCode = request.taxCode { terms.taxCode = taxCode }
        return terms
    }
}
