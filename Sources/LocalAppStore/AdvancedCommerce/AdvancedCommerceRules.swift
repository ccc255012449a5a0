import AppStoreModel

// The rules about several fields of a request. Schema has those about one field.

extension AdvancedCommerceOneTimeChargeCreateRequest: AdvancedCommerceRequest {}
extension AdvancedCommerceSubscriptionCancelRequest: AdvancedCommerceRequest {}
extension AdvancedCommerceSubscriptionMigrateRequest: AdvancedCommerceRequest {}
extension AdvancedCommerceSubscriptionReactivateInAppRequest: AdvancedCommerceRequest {}

extension AdvancedCommerceSubscriptionCreateRequest: AdvancedCommerceRequest {
    func checkRules() throws(AppStoreServerAPIError) {
        // Unlike in payloads, both texts are required.
        let texts = try AdvancedCommerceSubscriptionMigrateDescriptors(
            appleBody: descriptors.json,
            orThrow: AppStoreServerAPIError.inAdvancedCommerce
        )
        try texts.checkFields()
        for item in items { try item.offer?.check(below: item.price) }
    }
}

extension AdvancedCommerceOffer {
    /// Checks an offer of a request, where unlike in payloads all fields are required.
    fileprivate func check(below regularPrice: Int64) throws(AppStoreServerAPIError) {
        guard let period else { throw .nullOfferPeriod }
        guard period.isDocumented else { throw .invalidOfferPeriod }
        guard let periodCount else { throw .nullPeriodCount }
        guard periodCount > 0 else { throw .periodCountNotPositive }
        guard AdvancedCommerceLimits.offerPeriodCount.contains(Int(periodCount)) else { throw .invalidOfferPeriodCount }
        guard let price else { throw .nullPrice }
        guard price >= 0 else { throw .negativePrice }
        guard price <= regularPrice else { throw .invalidOfferPrice }
        guard price > 0 || periodCount == 1 else { throw .freeTrialOfferMustUsePeriodCountOfOne }
        guard let reason else { throw .nullReason }
        guard reason.isDocumented else { throw .invalidOfferReason }
    }
}

extension AdvancedCommerceSubscriptionModifyInAppRequest: AdvancedCommerceRequest {
    func checkRules() throws(AppStoreServerAPIError) {
        for item in addItems ?? [] { try item.checkPrices() }
        for item in changeItems ?? [] {
            try Self.checkCurrentSKU(item.currentSKU)
            try item.checkPrices()
            guard item.effective == .immediately || item.proratedPrice == nil else {
                throw .invalidProratedPriceForChangeItemWithEffectiveLater
            }
        }
        if let descriptors, descriptors.description == nil, descriptors.displayName == nil {
            throw .atLeastOneOfDisplayNameOrDescription
        }
        try AdvancedCommerceModification(self).check()
    }
}

extension AdvancedCommerceNewItem {
    fileprivate func checkPrices() throws(AppStoreServerAPIError) {
        try offer?.check(below: price)
        guard let proratedPrice else { return }
        guard offer == nil else { throw .multiplePrices }
        guard proratedPrice <= price else { throw .invalidProratedPrice }
    }
}

extension AdvancedCommerceRequest {
    // Not in Schema: Apple publishes no number for it.
    fileprivate static func checkCurrentSKU(_ sku: String) throws(AppStoreServerAPIError) {
        guard sku.count <= AdvancedCommerceLimits.skuCharactersMax else { throw .currentSKULengthExceeded }
    }
}

extension AdvancedCommerceSubscriptionChangeMetadataRequest: AdvancedCommerceRequest {
    func checkRules() throws(AppStoreServerAPIError) {
        if let descriptors, descriptors.description == nil, descriptors.displayName == nil {
            throw .atLeastOneOfDisplayNameOrDescription
        }
        for item in items ?? [] {
            try Self.checkCurrentSKU(item.currentSKU)
            guard item.sku != nil || item.description != nil || item.displayName != nil else {
                throw .atLeastOneOfDisplayNameOrDescription
            }
        }
        guard descriptors != nil || items != nil || taxCode != nil else { throw .invalidProductChanges }
    }
}

extension AdvancedCommerceSubscriptionPriceChangeRequest: AdvancedCommerceRequest {
    /// Refuses items that depend on several others or on a dependent one.
    func checkRules() throws(AppStoreServerAPIError) {
        let dependents = items.flatMap { $0.dependentSKUs ?? [] }
        guard Set(dependents).count == dependents.count else { throw .dependentSKUsCannotBeShared }
        let leaders = Set(items.filter { $0.dependentSKUs?.isEmpty == false }.map(\.sku))
        guard leaders.isDisjoint(with: dependents) else { throw .dependentSKUsCannotBeChained }
    }
}

extension AdvancedCommerceSubscriptionRevokeRequest: AdvancedCommerceRequest {
    func checkRules() throws(AppStoreServerAPIError) {
        // Only Apple gives this reason, after a change of items.
        guard refundReason != .modifyItemsRefund else { throw .invalidRefundReason }
        guard refundType != .custom else { throw .invalidRefundType }
    }
}

extension AdvancedCommerceRequestRefundRequest: AdvancedCommerceRequest {
    func checkRules() throws(AppStoreServerAPIError) {
        for item in items {
            guard item.refundReason != .modifyItemsRefund else { throw .invalidRefundReason }
            guard item.refundType == .custom else {
                guard item.refundAmount == nil else { throw .refundAmountWithoutCustom }
                continue
            }
            guard let amount = item.refundAmount else { throw .nullRefundAmount }
            guard amount > 0 else { throw .negativeRefundAmount }
        }
        let simulated = items.filter { $0.refundReason == .simulateRefundDecline }
        guard simulated.isEmpty || simulated.count == items.count else { throw .partialSimulateRefundDecline }
    }
}
