public import AppStoreModel

extension HistoryQuery {
    /// Reads the query of a URL; unknown parameters are ignored.
    ///
    /// - Throws: Apple's error for the invalid parameter.
    public init(parameters: [(name: String, value: String)]) throws(AppStoreServerAPIError) {
        self.init()
        var excludesRevoked = false
        for (name, value) in parameters {
            if name == "excludeRevoked" {
                excludesRevoked = try Self.flag(value, otherwise: .invalidExcludeRevoked)
            } else {
                try set(name, to: value)
            }
        }
        if excludesRevoked, revoked == nil { revoked = false }
        // 4000013 is an error of Get Notification History; this call has one for each date.
        if let startDate, let endDate, startDate >= endDate { throw .invalidEndDate }
    }

    private mutating func set(_ name: String, to value: String) throws(AppStoreServerAPIError) {
        switch name {
        case "revision": revision = value
        case "startDate": startDate = try Self.date(value, otherwise: .invalidStartDate)
        case "endDate": endDate = try Self.date(value, otherwise: .invalidEndDate)
        case "productId":
            productIds.insert(try Self.text(value, otherwise: .invalidProductId))
        case "subscriptionGroupIdentifier":
            let group = try Self.text(value, otherwise: .invalidSubscriptionGroupIdentifier)
            subscriptionGroupIdentifiers.insert(group)
        case "productType":
            let type = HistoryProductType(rawValue: value)
            guard type.isDocumented else { throw .invalidProductType }
            productTypes.insert(type)
        case "inAppOwnershipType":
            let ownership = InAppOwnershipType(rawValue: value)
            guard ownership.isDocumented else { throw .invalidInAppOwnershipType }
            inAppOwnershipType = ownership
        case "revoked": revoked = try Self.flag(value, otherwise: .invalidRevoked)
        case "sort":
            sort = HistorySort(rawValue: value)
            guard sort.isDocumented else { throw .invalidSort }
        default: break
        }
    }

    private static func date(
        _ value: String,
        otherwise error: AppStoreServerAPIError
    ) throws(AppStoreServerAPIError) -> Int64 {
        guard let date = Int64(value), date >= 0 else { throw error }
        return date
    }

    private static func text(
        _ value: String,
        otherwise error: AppStoreServerAPIError
    ) throws(AppStoreServerAPIError) -> String {
        guard !value.isEmpty else { throw error }
        return value
    }

    private static func flag(
        _ value: String,
        otherwise error: AppStoreServerAPIError
    ) throws(AppStoreServerAPIError) -> Bool {
        // Apple's own Python client sends "True" and "False".
        switch value.lowercased() {
        case "true": return true
        case "false": return false
        default: throw error
        }
    }
}
