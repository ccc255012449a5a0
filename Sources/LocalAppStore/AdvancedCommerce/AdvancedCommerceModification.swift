import AppStoreModel

/// A signed request to change the items of a subscription.
struct AdvancedCommerceModification {
    /// A new item, alone or as a replacement.
    struct NewItem {
        let item: AdvancedCommerceTerms.Item
        /// The price for the rest of the current period, thousandths of the currency unit.
        let proratedPrice: Int64?

        init(_ reader: AdvancedCommerceReader) throws(AppStoreServerAPIError) {
            item = try AdvancedCommerceTerms.Item(reader)
            proratedPrice = try reader.integer("proratedPrice")
            guard let proratedPrice else { return }
            guard proratedPrice >= 0 else { throw .fault(.negativeProratedPrice) }
            guard item.offer == nil else { throw .fault(.multiplePrices) }
            guard proratedPrice <= item.price else { throw .fault(.invalidProratedPrice) }
        }
    }

    /// An item that replaces another one.
    struct Replacement {
        let currentSKU: String
        let new: NewItem
        let isImmediate: Bool

        init(_ reader: AdvancedCommerceReader) throws(AppStoreServerAPIError) {
            currentSKU = try reader.text("currentSKU", ifAbsent: .nullCurrentSKU)
            guard currentSKU.count <= AdvancedCommerceLimits.skuCharactersMax else { throw .currentSKULengthExceeded }
            guard reader.has("SKU") else { throw .fault(.nullNewSKU) }
            new = try NewItem(reader)
            isImmediate = try reader.isImmediate()
            let _: AdvancedCommerceReason = try reader.value(
                "reason",
                ifAbsent: .nullReason,
                ifUnknown: .invalidChangeReason
            )
            guard isImmediate || new.proratedPrice == nil else {
                throw .fault(.invalidProratedPriceForChangeItemWithEffectiveLater)
            }
        }
    }

    let transactionId: String
    let retainsBillingCycle: Bool
    let added: [NewItem]
    let replaced: [Replacement]
    let removedSKUs: [String]
    let period: AdvancedCommercePeriod?
    let isPeriodImmediate: Bool
    let descriptors: AdvancedCommerceDescriptors?
    let taxCode: String?

    /// Whether anything changes before the next renewal, so that the customer pays now.
    var isImmediate: Bool { !added.isEmpty || isPeriodImmediate || replaced.contains(where: \.isImmediate) }

    init(_ request: AdvancedCommerceReader) throws(AppStoreServerAPIError) {
        transactionId = try request.text("transactionId", ifAbsent: .nullTransactionId)
        retainsBillingCycle = try request.flag("retainBillingCycle", ifAbsent: .nullRetainBillingCycle)
        var added: [NewItem] = []
        for item in try Self.list("addItems", of: request) { added.append(try NewItem(item)) }
        var replaced: [Replacement] = []
        for item in try Self.list("changeItems", of: request) { replaced.append(try Replacement(item)) }
        var removed: [String] = []
        for item in try request.list("removeItems") ?? [] { removed.append(try item.sku()) }
        let change = try request.inner("periodChange")
        period = try change?.value("period", ifAbsent: .nullPeriod, ifUnknown: .invalidRenewalPeriod)
        isPeriodImmediate = try change?.isImmediate() ?? false
        descriptors = try Self.descriptors(try request.inner("descriptors"))
        taxCode = try request.taxCode()
        (self.added, self.replaced, removedSKUs) = (added, replaced, removed)
        try check()
    }

    private static func list(
        _ key: String,
        of request: AdvancedCommerceReader
    ) throws(AppStoreServerAPIError) -> [AdvancedCommerceReader] {
        guard request.object[key]?.arrayValue?.isEmpty != true else { throw .fault(.emptyAddChangeItems) }
        return try request.list(key) ?? []
    }

    private static func descriptors(
        _ reader: AdvancedCommerceReader?
    ) throws(AppStoreServerAPIError) -> AdvancedCommerceDescriptors? {
        guard let reader else { return nil }
        let texts = AdvancedCommerceDescriptors(
            description: try reader.description(),
            displayName: try reader.displayName()
        )
        guard texts.description != nil || texts.displayName != nil else {
            throw .fault(.atLeastOneOfDisplayNameOrDescription)
        }
        _ = try reader.isImmediate()
        return texts
    }

    /// Refuses inconsistent parts of the request.
    private func check() throws(AppStoreServerAPIError) {
        let changesItems = !added.isEmpty || !replaced.isEmpty
        guard removedSKUs.isEmpty || changesItems else { throw .fault(.removeItemsWithoutAddOrChangeItems) }
        guard changesItems || period != nil || descriptors != nil || taxCode != nil else {
            throw .fault(.oneItemNeededInModify)
        }
        let touched = added.map(\.item.sku) + replaced.map(\.currentSKU) + removedSKUs
        guard Set(touched).count == touched.count else { throw .fault(.multipleOperationsOnSingleSKU) }
        if isPeriodImmediate {
            guard !retainsBillingCycle else { throw .fault(.periodResetWithRetainBillingCycle) }
            guard replaced.allSatisfy(\.isImmediate) else {
                throw .fault(.periodChangeImmediateWithEffectiveAtNextBillingCycle)
            }
        } else if period != nil {
            guard !isImmediate else { throw .fault(.periodChangeEffectiveConflict) }
        }
        guard retainsBillingCycle || isImmediate else { throw .fault(.billingCycleResetWithEffectiveLater) }
    }
}

extension JSONMembers<AdvancedCommerceRules> {
    /// Whether a change takes effect immediately instead of with the next period.
    func isImmediate() throws(AppStoreServerAPIError) -> Bool {
        let effective: AdvancedCommerceEffective = try value(
            "effective",
            ifAbsent: .nullEffective,
            ifUnknown: .malformedPayload
        )
        return effective == .immediately
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
            guard !skus.contains(new.item.sku) else { throw .fault(.productAlreadyExists) }
        }
        for change in replaced { try check(change, against: terms, running: running) }
        guard skus.isSuperset(of: removedSKUs) else { throw .fault(.removeItemNotFound) }
        let updated = Set(replaced.map(\.currentSKU) + removedSKUs)
        guard period == nil || updated == skus else { throw .fault(.missingUpdatedItemsWithPeriodChange) }
    }

    private func check(
        _ change: Replacement,
        against terms: AdvancedCommerceTerms,
        running: [AdvancedCommerceTransactionItem]
    ) throws(AppStoreServerAPIError) {
        guard let old = terms.items.first(where: { $0.sku == change.currentSKU }) else {
            throw .fault(.changeItemNotFound)
        }
        let new = change.new.item
        let isTaken = terms.items.contains { $0.sku == new.sku && $0.sku != change.currentSKU }
        guard !isTaken else { throw .fault(.productAlreadyExists) }
        guard new.sku != old.sku || new.offer != nil || period != nil || new.price == old.price else {
            throw .fault(.priceChangeNotSupportedThroughModifyItems)
        }
        if change.isImmediate, running.contains(where: { $0.sku == change.currentSKU && $0.offer != nil }) {
            throw .fault(.offerPreventsItemMidCycleChange)
        }
        if let increased = old.increasedPrice, new.offer != nil, new.price != increased {
            throw .fault(.invalidPriceForChangeItemInPriceIncrease)
        }
    }

    /// The terms of the subscription after all changes.
    func applied(to terms: AdvancedCommerceTerms) -> AdvancedCommerceTerms {
        var terms = terms
        terms.items.removeAll { removedSKUs.contains($0.sku) }
        for change in replaced {
            guard let position = terms.items.firstIndex(where: { $0.sku == change.currentSKU }) else { continue }
            terms.items[position] = change.new.item
        }
        terms.items += added.map(\.item)
        if let period { terms.period = period }
        if let description = descriptors?.description { terms.descriptors.description = description }
        if let displayName = descriptors?.displayName { terms.descriptors.displayName = displayName }
        if let taxCode { terms.taxCode = taxCode }
        return terms
    }
}
