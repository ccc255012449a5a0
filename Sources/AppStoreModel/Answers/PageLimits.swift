extension GetGroupMembersResponse {
    /// The maximum number of members per page.
    public static let limitMax = 100
}

extension HistoryResponse {
    /// The maximum number of transactions per page.
    public static let transactionsMax = 20
}

extension NotificationHistoryResponse {
    /// The maximum number of notifications per page.
    public static let notificationsMax = 20
}

extension RefundHistoryResponse {
    /// The maximum number of transactions per page.
    public static let transactionsMax = 20
}

extension RefundLookupResponse {
    /// The maximum number of transactions; older refunds are omitted.
    public static let transactionsMax = 50
}
