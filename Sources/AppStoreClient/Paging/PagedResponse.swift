public import AppStoreModel

/// An answer that is one page of several.
public protocol PagedResponse: JSONRepresentable {
    /// The element type of the pages.
    associatedtype PageElement: Sendable

    /// The page's elements in order.
    var pageElements: [PageElement] { get }

    /// Whether Apple reports more pages.
    var hasMore: Bool { get }

    /// Apple's token for the next page, if there is one.
    var nextPageToken: String? { get }
}

extension HistoryResponse: PagedResponse {
    /// The signed transactions.
    public var pageElements: [String] { signedTransactions }

    /// The revision, which always exists: after the last page it returns later changes.
    public var nextPageToken: String? { revision }
}

extension RefundHistoryResponse: PagedResponse {
    /// The signed transactions.
    public var pageElements: [String] { signedTransactions }

    /// The revision, which always exists: after the last page it returns later refunds.
    public var nextPageToken: String? { revision }
}

extension NotificationHistoryResponse: PagedResponse {
    /// The notifications.
    public var pageElements: [NotificationHistoryResponseItem] { notificationHistory }

    /// The token; absent on the last page.
    public var nextPageToken: String? { paginationToken }
}

extension GetGroupMembersResponse: PagedResponse {
    /// The members.
    public var pageElements: [GroupMemberEntry] { members }

    /// The token; absent on the last page.
    public var nextPageToken: String? { paginationToken }
}
