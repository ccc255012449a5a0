extension AppStoreServerAPIError {
    /// Raised for: extend (since 1.1).
    public static let subscriptionExtensionIneligible = AppStoreServerAPIError(
        4030004,
        "SubscriptionExtensionIneligible",
        "Forbidden - subscription state ineligible for extension.",
        meaning: "Only an active subscription in a paid period can be extended, and not in billing retry."
    )
    /// Raised for: extend (since 1.1).
    public static let subscriptionMaxExtension = AppStoreServerAPIError(
        4030005,
        "SubscriptionMaxExtension",
        "Forbidden - subscription has reached maximum extension count.",
        meaning: "A subscription can be extended twice within 365 days."
    )
    /// Raised for: extend (since 1.8).
    public static let familySharedSubscriptionExtensionIneligible = AppStoreServerAPIError(
        4030007,
        "FamilySharedSubscriptionExtensionIneligible",
        "Subscriptions that users obtain through Family Sharing can't get a renewal date extension directly.",
        meaning: "Extend the subscription of the one who bought it; the family's follow."
    )
    /// Raised for: extend (since 1.22).
    public static let assignedSubscriptionExtensionIneligible = AppStoreServerAPIError(
        4030028,
        "AssignedSubscriptionExtensionIneligible",
        "Assigned subscriptions can't get a renewal date extension.",
        meaning: "Extend the subscription of the one who bought the seats; the members' follow."
    )
    /// Raised for: history, statuses, notifications (since 1.0).
    public static let accountNotFound = AppStoreServerAPIError(
        4040001,
        "AccountNotFound",
        "Account not found.",
        meaning: "No account with this id exists in this environment."
    )
    /// Raised for: history, statuses (since 1.0).
    public static let accountNotFoundRetryable = AppStoreServerAPIError(
        4040002,
        "AccountNotFoundRetryable",
        "Account not found. Please try again.",
        meaning: "Apple could not find the account at the moment.",
        retry: .shortly
    )
    /// Raised for: history, statuses (since 1.0).
    public static let appNotFound = AppStoreServerAPIError(
        4040003,
        "AppNotFound",
        "App not found.",
        meaning: "Apple does not know the app, in this environment: check the bundle id in the token."
    )
    /// Raised for: history, statuses (since 1.0).
    public static let appNotFoundRetryable = AppStoreServerAPIError(
        4040004,
        "AppNotFoundRetryable",
        "App not found. Please try again.",
        meaning: "Apple could not find the app at the moment.",
        retry: .shortly
    )
    /// Raised for: extend, refunds v1, set token (since 1.0).
    public static let originalTransactionIdNotFound = AppStoreServerAPIError(
        4040005,
        "OriginalTransactionIdNotFound",
        "Original transaction id not found.",
        meaning: "The id is unknown in this environment, or belongs to another app, or is no original transaction id."
    )
    /// Raised for: extensions, refunds v1, set token (since 1.0).
    public static let originalTransactionIdNotFoundRetryable = AppStoreServerAPIError(
        4040006,
        "OriginalTransactionIdNotFoundRetryable",
        "Original transaction id not found. Please try again.",
        meaning: "Apple could not find the transaction at the moment.",
        retry: .shortly
    )
    /// Raised for: request test (since 1.5).
    public static let serverNotificationURLNotFound = AppStoreServerAPIError(
        4040007,
        "ServerNotificationURLNotFound",
        "No App Store Server Notification URL found for provided app. Check that a URL is configured "
            + "in App Store Connect for this environment.",
        meaning: "Enter a notification URL for this environment in App Store Connect."
    )
    /// Raised for: test status (since 1.5).
    public static let testNotificationNotFound = AppStoreServerAPIError(
        4040008,
        "TestNotificationNotFound",
        "Either the test notification token is expired or the notification and status are not yet available.",
        meaning: "The notification was not sent yet, or the token is older than six months: retry later.",
        retry: .whenReady
    )
    /// Raised for: extension status (since 1.8).
    public static let statusRequestNotFound = AppStoreServerAPIError(
        4040009,
        "StatusRequestNotFound",
        "The server didn't find a subscription-renewal-date extension request for this "
            + "requestIdentifier and productId combination.",
        meaning: "No extension was requested with this identifier and product."
    )
    /// Raised for: most calls (since 1.8).
    public static let transactionIdNotFound = AppStoreServerAPIError(
        4040010,
        "TransactionIdNotFound",
        "Transaction id not found.",
        meaning: "The id is unknown in this environment, or another app's, or so new that Apple does not know it yet.",
        retry: .whenReady
    )
    /// Raised for: app transaction info (since 1.17).
    public static let appTransactionDoesNotExist = AppStoreServerAPIError(
        4040019,
        "AppTransactionDoesNotExist",
        "No AppTransaction exists for the customer.",
        meaning: "The customer has no app transaction in this app."
    )
    /// Raised for: group members (since 1.22).
    public static let groupNotFound = AppStoreServerAPIError(
        4040022,
        "GroupNotFound",
        "Group not found.",
        meaning: "The group does not exist any more, or never did."
    )
    /// Raised for: any call (since 1.8).
    public static let rateLimitExceeded = AppStoreServerAPIError(
        4290000,
        "RateLimitExceeded",
        "Rate limit exceeded.",
        meaning: "Too many calls of this kind for the app: wait until the time in the header `Retry-After`.",
        retry: .afterRateLimit
    )
    /// Raised for: any call (since 1.0).
    public static let generalInternal = AppStoreServerAPIError(
        5000000,
        "GeneralInternal",
        "An unknown error occurred.",
        meaning: "An error of Apple's servers: retry later.",
        retry: .shortly
    )
    /// Raised for: any call (since 1.0).
    public static let generalInternalRetryable = AppStoreServerAPIError(
        5000001,
        "GeneralInternalRetryable",
        "An unknown error occurred. Please try again.",
        meaning: "An error of Apple's servers: retry soon.",
        retry: .shortly
    )

    /// Forbidden operations, missing objects, rate limits, and server errors.
    static let stateErrors: [AppStoreServerAPIError] = [
        .subscriptionExtensionIneligible, .subscriptionMaxExtension, .familySharedSubscriptionExtensionIneligible,
        .assignedSubscriptionExtensionIneligible, .accountNotFound, .accountNotFoundRetryable, .appNotFound,
        .appNotFoundRetryable, .originalTransactionIdNotFound, .originalTransactionIdNotFoundRetryable,
        .serverNotificationURLNotFound, .testNotificationNotFound, .statusRequestNotFound, .transactionIdNotFound,
        .appTransactionDoesNotExist, .groupNotFound, .rateLimitExceeded, .generalInternal, .generalInternalRetryable,
    ]
}
