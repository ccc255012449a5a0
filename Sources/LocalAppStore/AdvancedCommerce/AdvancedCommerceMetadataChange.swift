import AppStoreModel

/// New names, or another tax code, for a subscription and its items.
struct AdvancedCommerceMetadataChange {
    private struct Texts {
        let description: String?
        let displayName: String?
        let isImmediate: Bool

        init(_ reader: AdvancedCommerceReader, beside others: Bool = false) throws(AppStoreServerAPIError) {
            description = try reader.description()
            displayName = try reader.displayName()
            guard description != nil || displayName != nil || others else {
                throw .fault(.atLeastOneOfDisplayNameOrDescription)
            }
            let effective: AdvancedCommerceEffective = try reader.value(
                "effective",
                ifAbsent: .nullEffective,
                ifUnknown: .malformedPayload
            )
            isImmediate = effective == .immediately
        }
    }

    private struct Item {
        let currentSKU: String
        let sku: String?
        let texts: Texts

        init(_ reader: AdvancedCommerceReader) throws(AppStoreServerAPIError) {
            currentSKU = try reader.text("currentSKU", ifAbsent: .nullCurrentSKU)
            guard currentSKU.count <= AdvancedCommerceLimits.skuCharactersMax else { throw .currentSKULengthExceeded }
            sku = reader.has("SKU") ? try reader.sku() : nil
            texts = try Texts(reader, beside: sku != nil)
        }
    }

    private let descriptors: Texts?
    private let items: [Item]
    private let taxCode: String?

    init(_ reader: AdvancedCommerceReader) throws(AppStoreServerAPIError) {
        var descriptors: Texts?
        if let inner = try reader.inner("descriptors") { descriptors = try Texts(inner) }
        var items: [Item] = []
        for item in try reader.list("items") ?? [] { items.append(try Item(item)) }
        try AdvancedCommerceReader.checkDistinct(items.map(\.currentSKU))
        taxCode = try reader.taxCode()
        guard descriptors != nil || !items.isEmpty || taxCode != nil else { throw .fault(.invalidProductChanges) }
        self.descriptors = descriptors
        self.items = items
    }

    /// Changes the subscription from its next renewal on.
    func apply(to terms: inout AdvancedCommerceTerms) throws(AppStoreServerAPIError) {
        for change in items {
            guard let position = terms.items.firstIndex(where: { $0.sku == change.currentSKU }) else {
                throw .fault(.invalidSKUProvidedMustBeCurrentSKUSetToRenew)
            }
            if let sku = change.sku {
                let isTaken = terms.items.contains { $0.sku == sku && $0.sku != change.currentSKU }
                guard !isTaken else { throw .fault(.productAlreadyExists) }
                terms.items[position].sku = sku
            }
            if let description = change.texts.description { terms.items[position].description = description }
            if let displayName = change.texts.displayName { terms.items[position].displayName = displayName }
        }
        if let description = descriptors?.description { terms.descriptors.description = description }
        if let displayName = descriptors?.displayName { terms.descriptors.displayName = displayName }
        if let taxCode { terms.taxCode = taxCode }
    }

    /// Changes the current period if requested; returns whether it was.
    func applyAtOnce(to info: inout AdvancedCommerceTransactionInfo) -> Bool {
        let immediate = items.filter(\.texts.isImmediate)
        for position in (info.items ?? []).indices {
            guard let change = immediate.first(where: { $0.currentSKU == info.items?[position].sku }) else { continue }
            if let sku = change.sku { info.items?[position].sku = sku }
            if let description = change.texts.description { info.items?[position].description = description }
            if let displayName = change.texts.displayName { info.items?[position].displayName = displayName }
        }
        guard let descriptors, descriptors.isImmediate else { return !immediate.isEmpty }
        if let description = descriptors.description { info.descriptors?.description = description }
        if let displayName = descriptors.displayName { info.descriptors?.displayName = displayName }
        return true
    }
}
