import AppStoreModel

/// Reads the members of an Advanced Commerce request, with Apple's error for each that is missing or wrong.
typealias AdvancedCommerceReader = JSONMembers<AdvancedCommerceRules>

/// A member of another JSON type makes the payload malformed (4000173).
enum AdvancedCommerceRules: JSONMemberRules {
    static func missing(_ kind: JSONMemberKind, at path: String) -> AppStoreServerAPIError { .fault(.malformedPayload) }

    static func wrongType(_ kind: JSONMemberKind, at path: String) -> AppStoreServerAPIError {
        .fault(.malformedPayload)
    }
}

extension JSONMembers<AdvancedCommerceRules> {
    func has(_ key: String) -> Bool { value(key) != nil }

    func text(_ key: String, ifAbsent fault: AdvancedCommerceFault) throws(AppStoreServerAPIError) -> String {
        guard let text = try string(key) else { throw .fault(fault) }
        return text
    }

    func integer(_ key: String, ifAbsent fault: AdvancedCommerceFault) throws(AppStoreServerAPIError) -> Int64 {
        guard let number = try integer(key) else { throw .fault(fault) }
        return number
    }

    func flag(_ key: String, ifAbsent fault: AdvancedCommerceFault) throws(AppStoreServerAPIError) -> Bool {
        guard let flag = try bool(key) else { throw .fault(fault) }
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

    func inner(_ key: String, ifAbsent fault: AdvancedCommerceFault) throws(AppStoreServerAPIError) -> Self {
        guard let inner = try inner(key) else { throw .fault(fault) }
        return inner
    }

    /// The elements of a list, which must not be empty if it exists.
    func list(_ key: String) throws(AppStoreServerAPIError) -> [AdvancedCommerceReader]? {
        if let elements = value(key)?.arrayValue {
            guard !elements.isEmpty else { throw .fault(.atLeastOneItem) }
            let objects = elements.prefix { $0.objectValue != nil }
            guard objects.count == elements.count || !elements[objects.count].isNull else { throw .fault(.nullItem) }
        }
        return try innerList(key)
    }

    /// The elements of `items`, which must exist.
    func items() throws(AppStoreServerAPIError) -> [AdvancedCommerceReader] {
        guard let items = try list("items") else { throw .fault(.nullItems) }
        return items
    }
}

extension JSONMembers<AdvancedCommerceRules> {
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
        guard let text = try string("description") else { return nil }
        guard !text.isEmpty else { throw .fault(.invalidDescription) }
        try Self.check(text, max: AdvancedCommerceLimits.descriptionCharactersMax, .descriptionLengthExceeded)
        return text
    }

    func displayName() throws(AppStoreServerAPIError) -> String? {
        guard let text = try string("displayName") else { return nil }
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
        guard let code = try string("taxCode") else { return nil }
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
