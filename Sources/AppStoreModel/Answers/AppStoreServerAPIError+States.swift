extension AppStoreServerAPIError {
    /// Raised for: extend (since 1.1).
    public static let subscriptionExtensionIneligible = AppStoreServerAPIError(
        4030004,
        "SubscriptionExtensionIneligible",
        "Forbidden - subscription state ineligible for extension."
    )
    /// Raised for: extend (since 1.1).
    public static let subscriptionMaxExtension = AppStoreServerAPIError(
        4030005,
        "SubscriptionMaxExtension",
        "Forbidden - subscription has reached maximum extension count."
    )
    /// Raised for: extend (since 1.8).
    public static let familySharedSubscriptionExtensionIneligible = AppStoreServerAPIError(
        4030007,
        "FamilySharedSubscriptionExtensionIneligible",
        "Subscriptions that users obtain through Family Sharing can't get a renewal date extension directly."
    )
    /// Raised for: extend (since 1.22).
    public static let assignedSubscriptionExtensionIneligible = AppStoreServerAPIError(
        4030028,
        "AssignedSubscriptionExtensionIneligible",
        "Assigned subscriptions can't get a renewal date extension."
    )
    /// Raised for: history, statuses, notifications (since 1.0).
    public static let accountNotFound = AppStoreServerAPIError(
        4040001,
        "AccountNotFound",
        "Account not found."
    )
    /// Raised for: history, statuses (since 1.0).
    public static let accountNotFoundRetryable = AppStoreServerAPIError(
        4040002,
        "AccountNotFoundRetryable",
        "Account not found. Please try again.",
        isRetryable: true
    )
    /// Raised for: history, statuses (since 1.0).
    public static let appNotFound = AppStoreServerAPIError(
        4040003,
        "AppNotFound",
        "App not found."
    )
    /// Raised for: history, statuses (since 1.0).
    public static let appNotFoundRetryable = AppStoreServerAPIError(
        4040004,
        "AppNotFoundRetryable",
        "App not found. Please try again.",
        isRetryable: true
    )
    /// Raised for: extend, refunds v1, set token (since 1.0).
    public static let originalTransactionIdNotFound = AppStoreServerAPIError(
        4040005,
        "OriginalTransactionIdNotFound",
        "Original transaction id not found."
    )
    /// Raised for: extensions, refunds v1, set token (since 1.0).
    public static let originalTransactionIdNotFoundRetryable = AppStoreServerAPIError(
        4040006,
        "OriginalTransactionIdNotFoundRetryable",
        "Original transaction id not found. Please try again.",
        isRetryable: true
    )
    /// Raised for: request test (since 1.5).
    public static let serverNotificationURLNotFound = AppStoreServerAPIError(
        4040007,
        "ServerNotificationURLNotFound",
        "No App Store Server Notification URL found for provided app. Check that a URL is configured in App Store Connect for this environment."
    )
    /// Raised for: test status (since 1.5).
    public static let testNotificationNotFound = AppStoreServerAPIError(
        4040008,
        "TestNotificationNotFound",
        "Either the test notification token is expired or the notification and status are not yet available."
    )
    /// Raised for: extension status (since 1.8).
    public static let statusRequestNotFound = AppStoreServerAPIError(
        4040009,
        "StatusRequestNotFound",
        "The server didn't find a subscription-renewal-date extension request for this requestIdentifier and productId combination."
    )
    /// Raised for: most calls (since 1.8).
    public static let transactionIdNotFound = AppStoreServerAPIError(
        4040010,
        "TransactionIdNotFound",
        "Transaction id not found."
    )
    /// Raised for: app transaction info (since 1.17).
    public static let appTransactionDoesNotExist = AppStoreServerAPIError(
        4040019,
        "AppTransactionDoesNotExist",
        "No AppTransaction exists for the customer."
    )
    /// Raised for: group members (since 1.22).
    public static let groupNotFound = AppStoreServerAPIError(
        4040022,
        "GroupNotFound",
        "Group not found."
    )
    /// Raised for: any call (since 1.8).
    public static let rateLimitExceeded = AppStoreServerAPIError(
        4290000,
        "RateLimitExceeded",
        "Rate limit exceeded.",
        isRetryable: true
    )
    /// Raised for: any call (since 1.0).
    public static let generalInternal = AppStoreServerAPIError(
        5000000,
        "GeneralInternal",
        "An unknown error occurred.",
        isRetryable: true
    )
    /// Raised for: any call (since 1.0).
    public static let generalInternalRetryable = AppStoreServerAPIError(
        5000001,
        "GeneralInternalRetryable",
        "An unknown error occurred. Please try again.",
        isRetryable: true
    )

    /// What is forbidden or not found, rate limits, and faults of the server.
    static let stateErrors: [AppStoreServerAPIError] = [
        .subscriptionExtensionIneligible, .subscriptionMaxExtension, .familySharedSubscriptionExtensionIneligible,
        .assignedSubscriptionExtensionIneligible, .accountNotFound, .accountNotFoundRetryable, .appNotFound,
        .appNotFoundRetryable, .originalTransactionIdNotFound, .originalTransactionIdNotFoundRetryable,
        .serverNotificationURLNotFound, .testNotificationNotFound, .statusRequestNotFound, .transactionIdNotFound,
        .appTransactionDoesNotExist, .groupNotFound, .rateLimitExceeded, .generalInternal, .generalInternalRetryable,
    ]
}
