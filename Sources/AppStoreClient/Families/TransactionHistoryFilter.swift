public import AppStoreModel

/// The filter of a customer's history. Different fields combine with "and", several values of one field with "or".
///
/// - Source: App Store Server API, Get Transaction History, query parameters.
public struct TransactionHistoryFilter: Hashable, Sendable {
    /// Purchased at or after this time, in milliseconds since 1970.
    public var startDate: Int64?
    /// Purchased before this time, in milliseconds since 1970; may be in the future.
    public var endDate: Int64?
    /// Only these products; all if empty.
    public var productIds: [String]
    /// Only these kinds; all if empty.
    public var productTypes: [HistoryProductType]
    /// Only these subscription groups; all if empty.
    public var subscriptionGroupIdentifiers: [String]
    /// The ownership: purchased, or shared by the family.
    public var inAppOwnershipType: InAppOwnershipType?
    /// True for revoked ones only, false for others only, nil for both.
    public var revoked: Bool?
    /// The order by the date of the last change; oldest first by default.
    public var sort: HistorySort?

    /// Makes a filter; without arguments it matches everything.
    public init(
        startDate: Int64? = nil,
        endDate: Int64? = nil,
        productIds: [String] = [],
        productTypes: [HistoryProductType] = [],
        subscriptionGroupIdentifiers: [String] = [],
        inAppOwnershipType: InAppOwnershipType? = nil,
        revoked: Bool? = nil,
        sort: HistorySort? = nil
    ) {
        self.startDate = startDate
        self.endDate = endDate
        self.productIds = productIds
        self.productTypes = productTypes
        self.subscriptionGroupIdentifiers = subscriptionGroupIdentifiers
        self.inAppOwnershipType = inAppOwnershipType
        self.revoked = revoked
        self.sort = sort
    }

    /// Everything, oldest change first.
    public static let everything = TransactionHistoryFilter()

    /// The filter as query parameters.
    public var queryItems: [QueryItem] {
        var items: [QueryItem] = []
        if let startDate { items.append(QueryItem("startDate", "\(startDate)")) }
        if let endDate { items.append(QueryItem("endDate", "\(endDate)")) }
        items += productIds.map { QueryItem("productId", $0) }
        items += productTypes.map { QueryItem("productType", $0.rawValue) }
        items += subscriptionGroupIdentifiers.map { QueryItem("subscriptionGroupIdentifier", $0) }
        if let inAppOwnershipType { items.append(QueryItem("inAppOwnershipType", inAppOwnershipType.rawValue)) }
        if let revoked { items.append(QueryItem("revoked", "\(revoked)")) }
        if let sort { items.append(QueryItem("sort", sort.rawValue)) }
        return items
    }
}
