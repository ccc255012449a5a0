import AppStoreModel

extension AdvancedCommerceSubscriptionChangeMetadataRequest {
    /// Changes the subscription from its next renewal on.
    func apply(to terms: inout AdvancedCommerceTerms) throws(AppStoreServerAPIError) {
        for change in items ?? [] {
            guard let position = terms.items.firstIndex(where: { $0.sku == change.currentSKU }) else {
                throw .invalidSKUProvidedMustBeCurrentSKUSetToRenew
            }
            if let sku = change.sku {
                let isTaken = terms.items.contains { $0.sku == sku && $0.sku != change.currentSKU }
                guard !isTaken else { throw .productAlreadyExists }
                terms.items[position].sku = sku
            }
            if let description = change.description { terms.items[position].description = description }
            if let displayName = change.displayName { terms.items[position].displayName = displayName }
        }
        if let description = descriptors?.description { terms.descriptors.description = description }
        if let displayName = descriptors?.displayName { terms.descriptors.displayName = displayName }
        if let taxCode { terms.taxCode = taxCode }
    }

    /// Changes the current period if requested; returns whether it was.
    func applyAtOnce(to info: inout AdvancedCommerceTransactionInfo) -> Bool {
        let immediate = (items ?? []).filter { $0.effective == .immediately }
        for position in (info.items ?? []).indices {
            guard let change = immediate.first(where: { $0.currentSKU == info.items?[position].sku }) else { continue }
            if let sku = change.sku { info.items?[position].sku = sku }
            if let description = change.description { info.items?[position].description = description }
            if let displayName = change.displayName { info.items?[position].displayName = displayName }
        }
        guard let descriptors, descriptors.effective == .immediately else { return !immediate.isEmpty }
        if let description = descriptors.description { info.descriptors?.description = description }
        if let displayName = descriptors.displayName { info.descriptors?.displayName = displayName }
        return true
    }
}
