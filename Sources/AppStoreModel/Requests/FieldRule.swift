import PerennialPrimitives

/// Checks the value of a field by a rule of the schema; an absent value breaks none.
enum FieldRule {
    static func check(_ text: String?, empty: AppStoreServerAPIError) throws(AppStoreServerAPIError) {
        guard text?.isEmpty != true else { throw empty }
    }

    static func check(
        _ text: String?,
        empty: AppStoreServerAPIError,
        long: AppStoreServerAPIError,
        max: Int
    ) throws(AppStoreServerAPIError) {
        try check(text, empty: empty)
        guard text.map({ $0.count <= max }) ?? true else { throw long }
    }

    static func check(_ text: String?, uuid: AppStoreServerAPIError) throws(AppStoreServerAPIError) {
        guard text?.isUUID != false else { throw uuid }
    }

    static func check(_ amount: Int64?, negative: AppStoreServerAPIError) throws(AppStoreServerAPIError) {
        guard amount.map({ $0 >= 0 }) ?? true else { throw negative }
    }

    static func check(_ value: (some OpenValue)?, unknown: AppStoreServerAPIError) throws(AppStoreServerAPIError) {
        guard value?.isDocumented != false else { throw unknown }
    }

    static func check<Element>(_ list: [Element]?, empty: AppStoreServerAPIError) throws(AppStoreServerAPIError) {
        guard list?.isEmpty != true else { throw empty }
    }

    static func check(_ keys: [String]?, repeated: AppStoreServerAPIError) throws(AppStoreServerAPIError) {
        guard let keys else { return }
        guard Set(keys).count == keys.count else { throw repeated }
    }
}
