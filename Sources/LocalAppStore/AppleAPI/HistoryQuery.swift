public import AppStoreModel

/// The filters, the order and the page of a transaction history.
///
/// Different filters combine with "and", the values of one filter with "or".
///
/// - Source: App Store Server API, Get Transaction History.
public struct HistoryQuery: Hashable, Sendable {
    /// The start of the page; absent for the first page.
    public var revision: String?
    /// Only purchases at or after this time, milliseconds since 1970.
    public var startDate: Int64?
    /// Only purchases before this time, milliseconds since 1970.
    public var endDate: Int64?
    /// Only these products; empty for all.
    public var productIds: Set<String>
    /// Only products of these types; empty for all.
    public var productTypes: Set<HistoryProductType>
    /// Only subscriptions of these groups; empty for all.
    public var subscriptionGroupIdentifiers: Set<String>
    /// Only purchases with this ownership type.
    public var inAppOwnershipType: InAppOwnershipType?
    /// Only purchases that were, or were not, refunded or revoked.
    public var revoked: Bool?
    /// The order by last modification.
    public var sort: HistorySort

    /// Makes a query; without arguments, the first page of all purchases.
    public init(
        revision: String? = nil,
        startDate: Int64? = nil,
        endDate: Int64? = nil,
        productIds: Set<String> = [],
        productTypes: Set<HistoryProductType> = [],
        subscriptionGroupIdentifiers: Set<String> = [],
        inAppOwnershipType: InAppOwnershipType? = nil,
        revoked: Bool? = nil,
        sort: HistorySort = .ascending
    ) {
        self.revision = revision
        self.startDate = startDate
        self.endDate = endDate
        self.productIds = productIds
        self.productTypes = productTypes
        self.subscriptionGroupIdentifiers = subscriptionGroupIdentifiers
        self.inAppOwnershipType = inAppOwnershipType
        self.revoked = revoked
        self.sort = sort
    }
}
