public import AppStoreModel

/// An answer that is one page of several.
public protocol PagedResponse: JSONRepresentable {
    /// What the pages are made of.
    associatedtype PageElement: Sendable

    /// The page's elements in their order.
    var pageElements: [PageElement] { get }

    /// Whether Apple says that there are more.
    var hasMore: Bool { get }

    /// Apple's token for what follows this page, if it gave one.
    var nextPageToken: String? { get }
}

extension HistoryResponse: PagedResponse {
    /// The signed transactions.
    public var pageElements: [String] { signedTransactions }

    /// The revision, which is always there: after the last page it asks for what is changed later.
    public var nextPageToken: String? { revision }
}

extension RefundHistoryResponse: PagedResponse {
    /// The signed transactions.
    public var pageElements: [String] { signedTransactions }

    /// The revision, which is always there: after the last page it asks for what is refunded later.
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
