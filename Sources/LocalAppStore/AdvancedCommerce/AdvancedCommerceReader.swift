import AppStoreModel

/// Reads the members of an Advanced Commerce request, with Apple's error for each that is missing or wrong.
///
/// A member of another JSON type makes the payload malformed (4000173).
struct AdvancedCommerceReader {
    let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    func has(_ key: String) -> Bool { object.has(key) }

    func text(_ key: String) throws(AppStoreServerAPIError) -> String? {
        guard has(key) else { return nil }
        guard let text = object[key]?.stringValue else { throw .fault(.malformedPayload) }
        return text
    }

    func text(_ key: String, ifAbsent fault: AdvancedCommerceFault) throws(AppStoreServerAPIError) -> String {
        guard let text = try text(key) else { throw .fault(fault) }
        return text
    }

    func integer(_ key: String) throws(AppStoreServerAPIError) -> Int64? {
        guard has(key) else { return nil }
        guard let number = object[key]?.integerValue else { throw .fault(.malformedPayload) }
        return number
    }

    func integer(_ key: String, ifAbsent fault: AdvancedCommerceFault) throws(AppStoreServerAPIError) -> Int64 {
        guard let number = try integer(key) else { throw .fault(fault) }
        return number
    }

    func flag(_ key: String, ifAbsent fault: AdvancedCommerceFault) throws(AppStoreServerAPIError) -> Bool {
        guard has(key) else { throw .fault(fault) }
        guard let flag = object[key]?.boolValue else { throw .fault(.malformedPayload) }
        return flag
    }

    /// One of Apple's documented values.
    func value<Value: OpenValue>(
        _ key: String,
        ifAbsent absent: AdvancedCommerceFault,
        ifUnknown unknown: AdvancedCommerceFault
    ) throws(AppStoreServerAPIError) -> Value where Value.RawValue == String {
        let value = Value(rawValue: try text(key, ifAbsent: absent))
        guard value.isDocumented else { throw .fault(unknown) }
        return value
    }

    func inner(_ key: String) throws(AppStoreServerAPIError) -> AdvancedCommerceReader? {
        guard has(key) else { return nil }
        guard let inner = object[key]?.objectValue else { throw .fault(.malformedPayload) }
        return AdvancedCommerceReader(inner)
    }

    func inner(_ key: String, ifAbsent fault: AdvancedCommerceFault) throws(AppStoreServerAPIError) -> Self {
        guard let inner = try inner(key) else { throw .fault(fault) }
        return inner
    }

    /// The elements of a list, which must not be empty if it exists.
    func list(_ key: String) throws(AppStoreServerAPIError) -> [AdvancedCommerceReader]? {
        guard has(key) else { return nil }
        guard let elements = object[key]?.arrayValue else { throw .fault(.malformedPayload) }
        guard !elements.isEmpty else { throw .fault(.atLeastOneItem) }
        var list: [AdvancedCommerceReader] = []
        for element in elements {
            guard !element.isNull else { throw .fault(.nullItem) }
            guard let inner = element.objectValue else { throw .fault(.malformedPayload) }
            list.append(AdvancedCommerceReader(inner))
        }
        return list
    }

    /// The elements of `items`, which must exist.
    func items() throws(AppStoreServerAPIError) -> [AdvancedCommerceReader] {
        guard let items = try list("items") else { throw .fault(.nullItems) }
        return items
    }
}

extension AdvancedCommerceReader {
    func sku(
        _ key: String = "SKU",
        ifAbsent fault: AdvancedCommerceFault = .nullSKU
    ) throws(AppStoreServerAPIError) -> String {
        let sku = try text(key, ifAbsent: fault)
        guard !sku.isEmpty else { throw .fault(.invalidSKU) }
        try Self.check(sku, max: AdvancedCommerceLimits.skuCharactersMax, .skuLengthExceeded)
        return sku
    }

    func description() throws(AppStoreServerAPIError) -> String? {
        guard let text = try text("description") else { return nil }
        guard !text.isEmpty else { throw .fault(.invalidDescription) }
        try Self.check(text, max: AdvancedCommerceLimits.descriptionCharactersMax, .descriptionLengthExceeded)
        return text
    }

    func displayName() throws(AppStoreServerAPIError) -> String? {
        guard let text = try text("displayName") else { return nil }
        guard !text.isEmpty else { throw .fault(.invalidDisplayName) }
        try Self.check(text, max: AdvancedCommerceLimits.displayNameCharactersMax, .displayNameLengthExceeded)
        return text
    }

    /// The descriptors; both texts must exist.
    func presentation() throws(AppStoreServerAPIError) -> AdvancedCommerceDescriptors {
        guard let description = try description() else { throw .fault(.nullDescription) }
        guard let displayName = try displayName() else { throw .fault(.nullDisplayName) }
        return AdvancedCommerceDescriptors(description: description, displayName: displayName)
    }

    func price() throws(AppStoreServerAPIError) -> Int64 {
        let price = try integer("price", ifAbsent: .nullPrice)
        guard price >= 0 else { throw .fault(.negativePrice) }
        return price
    }

    func taxCode() throws(AppStoreServerAPIError) -> String? {
        guard let code = try text("taxCode") else { return nil }
        guard !code.isEmpty else { throw .fault(.invalidTaxProductCode) }
        return code
    }

    func requiredTaxCode() throws(AppStoreServerAPIError) -> String {
        guard let code = try taxCode() else { throw .fault(.nullTaxCode) }
        return code
    }

    /// Refuses duplicate SKUs.
    static func checkDistinct(_ skus: [String]) throws(AppStoreServerAPIError) {
        guard Set(skus).count == skus.count else { throw .fault(.itemCannotBeSpecifiedMultipleTimes) }
    }

    private static func check(
        _ text: String,
        max: Int,
        _ fault: AdvancedCommerceFault
    ) throws(AppStoreServerAPIError) {
        guard text.count <= max else { throw .fault(fault) }
    }
}
