// Generated from Schema/notifications.toml; run `make generate` after a change there.
// swift-format-ignore-file

extension AppStoreServerCall {
    /// The calls of ``Family/notifications``.
    public static let notifications: [AppStoreServerCall] = [
        .getNotificationHistory, .requestTestNotification, .getTestNotificationStatus,
    ]

    /// Get Notification History; a read operation that uses POST.
    ///
    /// - Source: App Store Server API, Get Notification History.
    public static let getNotificationHistory = AppStoreServerCall(
        identifier: .getNotificationHistory,
        name: "get-notification-history",
        title: "Get Notification History",
        family: .notifications,
        method: "POST",
        path: "/inApps/v1/notifications/history",
        queryParameters: ["paginationToken"],
        body: .json,
        types: Types(request: "NotificationHistoryRequest", answer: "NotificationHistoryResponse"),
        productionCallsPerSecond: 50,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Request a Test Notification; each call creates another notification.
    ///
    /// - Source: App Store Server API, Request a Test Notification.
    public static let requestTestNotification = AppStoreServerCall(
        identifier: .requestTestNotification,
        name: "request-test-notification",
        title: "Request a Test Notification",
        family: .notifications,
        method: "POST",
        path: "/inApps/v1/notifications/test",
        queryParameters: [],
        body: .none,
        types: Types(answer: "SendTestNotificationResponse"),
        productionCallsPerSecond: 1,
        availability: .everywhere,
        isRepeatable: false
    )

    /// Get Test Notification Status.
    ///
    /// - Source: App Store Server API, Get Test Notification Status.
    public static let getTestNotificationStatus = AppStoreServerCall(
        identifier: .getTestNotificationStatus,
        name: "get-test-notification-status",
        title: "Get Test Notification Status",
        family: .notifications,
        method: "GET",
        path: "/inApps/v1/notifications/test/{testNotificationToken}",
        queryParameters: [],
        body: .none,
        types: Types(answer: "CheckTestNotificationResponse"),
        productionCallsPerSecond: 1,
        availability: .everywhere,
        isRepeatable: true
    )
}
