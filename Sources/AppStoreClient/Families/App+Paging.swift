public import AppStoreModel

// The histories as sequences of pages.
extension AppStoreServerAPIClient.App {
    /// All transactions of a customer, 20 per page.
    ///
    /// A transaction that changes during the reading is returned again with its new data. The cursor of the last page
    /// can be stored and returns later changes. Apple documents this for refunds only, but the order of the history
    /// allows it.
    ///
    /// - Parameters:
    ///   - anyTransactionId: A transaction, original transaction or app transaction of the customer.
    ///   - filter: The filter; equal to that of the cursor.
    ///   - cursor: The position to continue from; nil for the beginning.
    /// - Throws: While reading, as ``getTransactionHistory(anyTransactionId:filter:revision:)``, and `paging_stuck`.
    /// - Source: App Store Server API, Get Transaction History.
    public func transactionHistory(
        anyTransactionId: String,
        filter: TransactionHistoryFilter = .everything,
        from cursor: PageCursor? = nil
    ) -> AppStorePages<HistoryResponse> {
        AppStorePages(app: self, call: .getTransactionHistory, start: cursor) {
            app,
            token throws(AppStoreClientError) in
            try await app.getTransactionHistory(anyTransactionId: anyTransactionId, filter: filter, revision: token)
        }
    }

    /// All refunds of a customer, 20 per page, oldest first.
    ///
    /// The cursor of the last page can be stored and returns only newer refunds.
    ///
    /// - Parameters:
    ///   - anyTransactionId: A transaction, original transaction or app transaction of the customer.
    ///   - cursor: The position to continue from; nil for the beginning.
    /// - Throws: While reading, as ``getRefundHistory(anyTransactionId:revision:)``, and `paging_stuck`.
    /// - Source: App Store Server API, Get Refund History.
    public func refundHistory(
        anyTransactionId: String,
        from cursor: PageCursor? = nil
    ) -> AppStorePages<RefundHistoryResponse> {
        AppStorePages(app: self, call: .getRefundHistory, start: cursor) { app, token throws(AppStoreClientError) in
            try await app.getRefundHistory(anyTransactionId: anyTransactionId, revision: token)
        }
    }

    /// All notifications that Apple sent in a time range, 20 per page.
    ///
    /// A cursor is valid for the same request only, and for a limited time (`cursor_expired`).
    ///
    /// - Parameters:
    ///   - request: The filter; equal to that of the cursor.
    ///   - cursor: The position to continue from; nil for the beginning.
    /// - Throws: While reading, as ``getNotificationHistory(_:paginationToken:)``, and `paging_stuck`.
    /// - Source: App Store Server API, Get Notification History.
    public func notificationHistory(
        _ request: NotificationHistoryRequest,
        from cursor: PageCursor? = nil
    ) -> AppStorePages<NotificationHistoryResponse> {
        AppStorePages(app: self, call: .getNotificationHistory, start: cursor) {
            app,
            token throws(AppStoreClientError) in
            try await app.getNotificationHistory(request, paginationToken: token)
        }
    }

    /// All members of a group; sandbox only, as of 1.22.
    ///
    /// - Parameters:
    ///   - groupId: A group of ``getCustomerGroups(anyTransactionId:)``.
    ///   - limit: Members per page, at most 100; nil for Apple's default.
    ///   - cursor: The position to continue from; nil for the beginning.
    /// - Throws: While reading, as ``getGroupMembers(groupId:paginationToken:limit:)``, and `paging_stuck`.
    /// - Source: App Store Server API, Get Group Members.
    public func groupMembers(
        groupId: String,
        limit: Int? = nil,
        from cursor: PageCursor? = nil
    ) -> AppStorePages<GetGroupMembersResponse> {
        AppStorePages(app: self, call: .getGroupMembers, start: cursor) { app, token throws(AppStoreClientError) in
            try await app.getGroupMembers(groupId: groupId, paginationToken: token, limit: limit)
        }
    }
}
