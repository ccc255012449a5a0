public import AppStoreModel

/// Which transactions of a customer a history has; different filters all apply, of several values of one any.
///
/// - Source: App Store Server API, Get Transaction History, query parameters.
public struct TransactionHistoryFilter: Hashable, Sendable {
    /// Purchased at this instant or later, in milliseconds since 1970.
    public var startDate: Int64?
    /// Purchased before this instant, in milliseconds since 1970; may be in the future.
    public var endDate: Int64?
    /// Of these products; all when empty.
    public var productIds: [String]
    /// Of these kinds; all when empty.
    public var productTypes: [HistoryProductType]
    /// Of these subscription groups; all when empty.
    public var subscriptionGroupIdentifiers: [String]
    /// Bought, or shared by the family.
    public var inAppOwnershipType: InAppOwnershipType?
    /// True for revoked ones only, false for others only, nil for both.
    public var revoked: Bool?
    /// The order, by the date of the last change; the oldest first by default.
    public var sort: HistorySort?

    /// Makes a filter; without arguments it lets everything through.
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

    /// Everything, the oldest change first.
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
