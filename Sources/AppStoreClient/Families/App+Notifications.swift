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
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `cursor_invalid`;
    ///   `cursor_expired`; `transaction_not_found`; and what every call throws.
    /// - Source: App Store Server API, Get Notification History.
    public func getNotificationHistory(
        _ request: NotificationHistoryRequest,
        paginationToken: String? = nil
    ) async throws(AppStoreClientError) -> AppStoreAnswer<NotificationHistoryResponse> {
        try await call(
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
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; and what every call throws.
    /// - Source: App Store Server API, Request a Test Notification.
    public func requestTestNotification() async throws(AppStoreClientError) -> AppStoreAnswer<
        SendTestNotificationResponse
    > {
        try await call(.requestTestNotification)
    }

    /// Gets the result of a test notification; repeat the call while there is none (4040008).
    ///
    /// - Parameter testNotificationToken: The token of ``requestTestNotification()``, valid for six months.
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; and what every call throws.
    /// - Source: App Store Server API, Get Test Notification Status.
    public func getTestNotificationStatus(
        testNotificationToken: String
    ) async throws(AppStoreClientError) -> AppStoreAnswer<CheckTestNotificationResponse> {
        try await call(.getTestNotificationStatus, path: ["testNotificationToken": testNotificationToken])
    }
}
