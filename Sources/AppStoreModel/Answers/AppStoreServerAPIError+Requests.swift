extension AppStoreServerAPIError {
    /// Raised for: order lookup, and in general (since 1.0).
    public static let generalBadRequest = AppStoreServerAPIError(
        4000000,
        "GeneralBadRequest",
        "Bad request."
    )
    /// Raised for: history, statuses (since 1.0).
    public static let invalidAppIdentifier = AppStoreServerAPIError(
        4000002,
        "InvalidAppIdentifier",
        "Invalid request app identifier."
    )
    /// Raised for: group members `limit` > 100 (since 1.22).
    public static let invalidLimit = AppStoreServerAPIError(
        4000004,
        "InvalidLimit",
        "Invalid request limit."
    )
    /// Raised for: history, refunds v2 (since 1.0).
    public static let invalidRequestRevision = AppStoreServerAPIError(
        4000005,
        "InvalidRequestRevision",
        "Invalid request revision."
    )
    /// Raised for: malformed id (since 1.8).
    public static let invalidTransactionId = AppStoreServerAPIError(
        4000006,
        "InvalidTransactionId",
        "Invalid transaction id."
    )
    /// Raised for: extend, refunds v1 (since 1.0).
    public static let invalidOriginalTransactionId = AppStoreServerAPIError(
        4000008,
        "InvalidOriginalTransactionId",
        "Invalid original transaction id."
    )
    /// Raised for: outside 1–90 (since 1.1).
    public static let invalidExtendByDays = AppStoreServerAPIError(
        4000009,
        "InvalidExtendByDays",
        "Invalid extend by days value."
    )
    /// Raised for: outside 0–3 (since 1.1).
    public static let invalidExtendReasonCode = AppStoreServerAPIError(
        4000010,
        "InvalidExtendReasonCode",
        "Invalid extend reason code."
    )
    /// Raised for: missing / longer than 128 (since 1.1).
    public static let invalidRequestIdentifier = AppStoreServerAPIError(
        4000011,
        "InvalidRequestIdentifier",
        "Invalid request identifier."
    )
    /// Raised for: notification history (since 1.5).
    public static let startDateTooFarInPast = AppStoreServerAPIError(
        4000012,
        "StartDateTooFarInPast",
        "Invalid request. The start date is earlier than the allowed start date."
    )
    /// Raised for: notification history (since 1.5).
    public static let startDateAfterEndDate = AppStoreServerAPIError(
        4000013,
        "StartDateAfterEndDate",
        "Invalid request. The end date precedes the start date or the dates are the same."
    )
    /// Raised for: notification history, group members (since 1.5).
    public static let invalidPaginationToken = AppStoreServerAPIError(
        4000014,
        "InvalidPaginationToken",
        "Invalid request. The pagination token is invalid."
    )
    /// Raised for: both histories (since 1.5).
    public static let invalidStartDate = AppStoreServerAPIError(
        4000015,
        "InvalidStartDate",
        "Invalid request. The start date is not a timestamp value represented in milliseconds."
    )
    /// Raised for: both histories (since 1.5).
    public static let invalidEndDate = AppStoreServerAPIError(
        4000016,
        "InvalidEndDate",
        "Invalid request. The end date is not a timestamp value represented in milliseconds."
    )
    /// Raised for: notification history (since 1.5).
    public static let paginationTokenExpired = AppStoreServerAPIError(
        4000017,
        "PaginationTokenExpired",
        "Invalid request. The pagination token is expired."
    )
    /// Raised for: unknown type, or pair not valid (since 1.5).
    public static let invalidNotificationType = AppStoreServerAPIError(
        4000018,
        "InvalidNotificationType",
        "Invalid request. The notification type or subtype is invalid."
    )
    /// Raised for: notification history (since 1.5).
    public static let multipleFiltersSupplied = AppStoreServerAPIError(
        4000019,
        "MultipleFiltersSupplied",
        "Invalid request. Supply either a transaction id or a notification type, but not both."
    )
    /// Raised for: test status (since 1.5).
    public static let invalidTestNotificationToken = AppStoreServerAPIError(
        4000020,
        "InvalidTestNotificationToken",
        "Invalid request. The test notification token is invalid."
    )
    /// Raised for: history (since 1.5).
    public static let invalidSort = AppStoreServerAPIError(
        4000021,
        "InvalidSort",
        "Invalid request. The sort parameter is invalid."
    )
    /// Raised for: history (since 1.5).
    public static let invalidProductType = AppStoreServerAPIError(
        4000022,
        "InvalidProductType",
        "Invalid request. The product type parameter is invalid."
    )
    /// Raised for: history, mass extend, default messages (since 1.5).
    public static let invalidProductId = AppStoreServerAPIError(
        4000023,
        "InvalidProductId",
        "Invalid request. The product id parameter is invalid."
    )
    /// Raised for: history (since 1.5).
    public static let invalidSubscriptionGroupIdentifier = AppStoreServerAPIError(
        4000024,
        "InvalidSubscriptionGroupIdentifier",
        "Invalid request. The subscription group identifier parameter is invalid."
    )
    /// Raised for: history (since 1.5). Apple publishes no message; this one is ours.
    public static let invalidExcludeRevoked = AppStoreServerAPIError(
        4000025,
        "InvalidExcludeRevoked",
        "Invalid request. The exclude revoked parameter is invalid."
    )
    /// Raised for: history (since 1.5).
    public static let invalidInAppOwnershipType = AppStoreServerAPIError(
        4000026,
        "InvalidInAppOwnershipType",
        "Invalid request. The in-app ownership type parameter is invalid."
    )
    /// Raised for: mass extend (since 1.7).
    public static let invalidEmptyStorefrontCountryCodeList = AppStoreServerAPIError(
        4000027,
        "InvalidEmptyStorefrontCountryCodeList",
        "Invalid request. If provided, the list of storefront country codes must not be empty."
    )
    /// Raised for: mass extend (since 1.7).
    public static let invalidStorefrontCountryCode = AppStoreServerAPIError(
        4000028,
        "InvalidStorefrontCountryCode",
        "Invalid request. A storefront country code was invalid."
    )
    /// Raised for: history (since 1.8).
    public static let invalidRevoked = AppStoreServerAPIError(
        4000030,
        "InvalidRevoked",
        "Invalid request. The revoked parameter is invalid."
    )
    /// Raised for: statuses (since 1.8).
    public static let invalidStatus = AppStoreServerAPIError(
        4000031,
        "InvalidStatus",
        "Invalid request. The status parameter is invalid."
    )

    /// Requests that make no sense, 4000000 to 4000031.
    static let requestErrors: [AppStoreServerAPIError] = [
        .generalBadRequest, .invalidAppIdentifier, .invalidLimit, .invalidRequestRevision, .invalidTransactionId,
        .invalidOriginalTransactionId, .invalidExtendByDays, .invalidExtendReasonCode, .invalidRequestIdentifier,
        .startDateTooFarInPast, .startDateAfterEndDate, .invalidPaginationToken, .invalidStartDate, .invalidEndDate,
        .paginationTokenExpired, .invalidNotificationType, .multipleFiltersSupplied, .invalidTestNotificationToken,
        .invalidSort, .invalidProductType, .invalidProductId, .invalidSubscriptionGroupIdentifier,
        .invalidExcludeRevoked, .invalidInAppOwnershipType, .invalidEmptyStorefrontCountryCodeList,
        .invalidStorefrontCountryCode, .invalidRevoked, .invalidStatus,
    ]
}
