public import AppStoreModel

// The calls about notifications.
extension AppStoreServerAPIClient.App {
    /// Gets one page, at most 20, of the notifications that Apple sent: of 180 days in production, of 30 in sandbox.
    ///
    /// ``notificationHistory(_:from:)`` reads all pages.
    ///
    /// - Parameters:
    ///   - request: The request, equal for every page.
    ///   - paginationToken: The token of the previous page; nil for the first page.
    /// - Rate limit: 50/s in production, 5/s in sandbox.
    /// - Throws: `refused` with 4000006 InvalidTransactionId, 4000012 StartDateTooFarInPast, 4000013
    ///   StartDateAfterEndDate, 4000015 InvalidStartDate, 4000016 InvalidEndDate, 4000018 InvalidNotificationType,
    ///   4000019 MultipleFiltersSupplied, 4040001 AccountNotFound; `cursor_invalid` with 4000014
    ///   InvalidPaginationToken; `cursor_expired` with 4000017 PaginationTokenExpired; `transaction_not_found` with
    ///   4040010; and what every call throws.
    /// - Source: App Store Server API, Get Notification History.
    public func getNotificationHistory(
        _ request: NotificationHistoryRequest,
        paginationToken: String? = nil
    ) async throws(AppStoreClientError) -> AppStoreAnswer<NotificationHistoryResponse> {
        try await get(
            .getNotificationHistory,
            query: QueryItem.items("paginationToken", paginationToken),
            body: request
        )
    }

    /// Makes Apple send a `TEST` notification to the URL of the environment.
    ///
    /// Each call sends another one, so it is never retried if the first attempt may have been received.
    ///
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with 4040007 ServerNotificationURLNotFound; and what every call throws.
    /// - Source: App Store Server API, Request a Test Notification.
    public func requestTestNotification() async throws(AppStoreClientError) -> AppStoreAnswer<
        SendTestNotificationResponse
    > {
        try await get(.requestTestNotification)
    }

    /// Gets the result of a test notification; repeat the call while there is none (4040008).
    ///
    /// - Parameter testNotificationToken: The token of ``requestTestNotification()``, valid for six months.
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with 4000020 InvalidTestNotificationToken, 4040008 TestNotificationNotFound; and what
    ///   every call throws.
    /// - Source: App Store Server API, Get Test Notification Status.
    public func getTestNotificationStatus(
        testNotificationToken: String
    ) async throws(AppStoreClientError) -> AppStoreAnswer<CheckTestNotificationResponse> {
        try await get(.getTestNotificationStatus, path: ["testNotificationToken": testNotificationToken])
    }
}
