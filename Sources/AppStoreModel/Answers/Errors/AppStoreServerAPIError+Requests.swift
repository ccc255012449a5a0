extension AppStoreServerAPIError {
    /// Raised for: order lookup, and in general (since 1.0).
    public static let generalBadRequest = AppStoreServerAPIError(
        4000000,
        "GeneralBadRequest",
        "Bad request.",
        meaning: "Apple could not process the request: check its path, parameters and body."
    )
    /// Raised for: history, statuses (since 1.0).
    public static let invalidAppIdentifier = AppStoreServerAPIError(
        4000002,
        "InvalidAppIdentifier",
        "Invalid request app identifier.",
        meaning: "The app in the token's `bid` is not one that Apple knows: check the bundle id."
    )
    /// Raised for: group members `limit` > 100 (since 1.22).
    public static let invalidLimit = AppStoreServerAPIError(
        4000004,
        "InvalidLimit",
        "Invalid request limit.",
        meaning: "Ask for at most 100 members at once."
    )
    /// Raised for: history, refunds v2 (since 1.0).
    public static let invalidRequestRevision = AppStoreServerAPIError(
        4000005,
        "InvalidRequestRevision",
        "Invalid request revision.",
        meaning: "The revision is not from Apple: start without one, and use the same filters for every page."
    )
    /// Raised for: malformed id (since 1.8).
    public static let invalidTransactionId = AppStoreServerAPIError(
        4000006,
        "InvalidTransactionId",
        "Invalid transaction id.",
        meaning: "The id is not well formed: ids are decimal numbers, without anything else."
    )
    /// Raised for: extend, refunds v1 (since 1.0).
    public static let invalidOriginalTransactionId = AppStoreServerAPIError(
        4000008,
        "InvalidOriginalTransactionId",
        "Invalid original transaction id.",
        meaning: "The id is not well formed: use the original transaction id, a decimal number."
    )
    /// Raised for: outside 1–90 (since 1.1).
    public static let invalidExtendByDays = AppStoreServerAPIError(
        4000009,
        "InvalidExtendByDays",
        "Invalid extend by days value.",
        meaning: "A period can be extended by 1 to 90 days."
    )
    /// Raised for: outside 0–3 (since 1.1).
    public static let invalidExtendReasonCode = AppStoreServerAPIError(
        4000010,
        "InvalidExtendReasonCode",
        "Invalid extend reason code.",
        meaning: "The reason is a number from 0 to 3."
    )
    /// Raised for: missing / longer than 128; in mass extensions and their status also no UUID (since 1.1).
    public static let invalidRequestIdentifier = AppStoreServerAPIError(
        4000011,
        "InvalidRequestIdentifier",
        "Invalid request identifier.",
        meaning: "The identifier is missing or longer than 128 characters, or no UUID in a mass extension: use a UUID."
    )
    /// Raised for: notification history (since 1.5).
    public static let startDateTooFarInPast = AppStoreServerAPIError(
        4000012,
        "StartDateTooFarInPast",
        "Invalid request. The start date is earlier than the allowed start date.",
        meaning: "The history goes back 180 days in production and 30 days in sandbox."
    )
    /// Raised for: notification history (since 1.5).
    public static let startDateAfterEndDate = AppStoreServerAPIError(
        4000013,
        "StartDateAfterEndDate",
        "Invalid request. The end date precedes the start date or the dates are the same.",
        meaning: "The start must be before the end."
    )
    /// Raised for: notification history, group members (since 1.5).
    public static let invalidPaginationToken = AppStoreServerAPIError(
        4000014,
        "InvalidPaginationToken",
        "Invalid request. The pagination token is invalid.",
        meaning: "The token is not from Apple: start without one."
    )
    /// Raised for: both histories (since 1.5).
    public static let invalidStartDate = AppStoreServerAPIError(
        4000015,
        "InvalidStartDate",
        "Invalid request. The start date is not a timestamp value represented in milliseconds.",
        meaning: "The start must be a whole number of milliseconds since 1970."
    )
    /// Raised for: both histories (since 1.5).
    public static let invalidEndDate = AppStoreServerAPIError(
        4000016,
        "InvalidEndDate",
        "Invalid request. The end date is not a timestamp value represented in milliseconds.",
        meaning: "The end must be a whole number of milliseconds since 1970."
    )
    /// Raised for: notification history (since 1.5).
    public static let paginationTokenExpired = AppStoreServerAPIError(
        4000017,
        "PaginationTokenExpired",
        "Invalid request. The pagination token is expired.",
        meaning: "The token has expired, or the body differs from that of the first page: start again."
    )
    /// Raised for: unknown type, or pair not valid (since 1.5).
    public static let invalidNotificationType = AppStoreServerAPIError(
        4000018,
        "InvalidNotificationType",
        "Invalid request. The notification type or subtype is invalid.",
        meaning: "The type is unknown, or the subtype does not belong to it."
    )
    /// Raised for: notification history (since 1.5).
    public static let multipleFiltersSupplied = AppStoreServerAPIError(
        4000019,
        "MultipleFiltersSupplied",
        "Invalid request. Supply either a transaction id or a notification type, but not both.",
        meaning: "Filter either by a customer or by a type."
    )
    /// Raised for: test status (since 1.5).
    public static let invalidTestNotificationToken = AppStoreServerAPIError(
        4000020,
        "InvalidTestNotificationToken",
        "Invalid request. The test notification token is invalid.",
        meaning: "The token is not from Request a Test Notification."
    )
    /// Raised for: history (since 1.5).
    public static let invalidSort = AppStoreServerAPIError(
        4000021,
        "InvalidSort",
        "Invalid request. The sort parameter is invalid.",
        meaning: "The order is ASCENDING or DESCENDING."
    )
    /// Raised for: history (since 1.5).
    public static let invalidProductType = AppStoreServerAPIError(
        4000022,
        "InvalidProductType",
        "Invalid request. The product type parameter is invalid.",
        meaning: "The type is AUTO_RENEWABLE, NON_RENEWABLE, CONSUMABLE or NON_CONSUMABLE."
    )
    /// Raised for: history, mass extend, default messages (since 1.5).
    public static let invalidProductId = AppStoreServerAPIError(
        4000023,
        "InvalidProductId",
        "Invalid request. The product id parameter is invalid.",
        meaning: "The product is not one of the app's."
    )
    /// Raised for: history (since 1.5).
    public static let invalidSubscriptionGroupIdentifier = AppStoreServerAPIError(
        4000024,
        "InvalidSubscriptionGroupIdentifier",
        "Invalid request. The subscription group identifier parameter is invalid.",
        meaning: "The group is not one of the app's."
    )
    /// Raised for: history (since 1.5). Apple publishes no message; this one is ours.
    public static let invalidExcludeRevoked = AppStoreServerAPIError(
        4000025,
        "InvalidExcludeRevoked",
        "Invalid request. The exclude revoked parameter is invalid.",
        meaning: "The parameter is true or false; Apple deprecated it in favour of `revoked`."
    )
    /// Raised for: history (since 1.5).
    public static let invalidInAppOwnershipType = AppStoreServerAPIError(
        4000026,
        "InvalidInAppOwnershipType",
        "Invalid request. The in-app ownership type parameter is invalid.",
        meaning: "The ownership is PURCHASED or FAMILY_SHARED."
    )
    /// Raised for: mass extend (since 1.7).
    public static let invalidEmptyStorefrontCountryCodeList = AppStoreServerAPIError(
        4000027,
        "InvalidEmptyStorefrontCountryCodeList",
        "Invalid request. If provided, the list of storefront country codes must not be empty.",
        meaning: "Omit the list for all storefronts."
    )
    /// Raised for: mass extend (since 1.7).
    public static let invalidStorefrontCountryCode = AppStoreServerAPIError(
        4000028,
        "InvalidStorefrontCountryCode",
        "Invalid request. A storefront country code was invalid.",
        meaning: "A storefront is named by three capital letters, ISO 3166-1 alpha-3, such as USA."
    )
    /// Raised for: history (since 1.8).
    public static let invalidRevoked = AppStoreServerAPIError(
        4000030,
        "InvalidRevoked",
        "Invalid request. The revoked parameter is invalid.",
        meaning: "The parameter is true or false."
    )
    /// Raised for: statuses (since 1.8).
    public static let invalidStatus = AppStoreServerAPIError(
        4000031,
        "InvalidStatus",
        "Invalid request. The status parameter is invalid.",
        meaning: "A status is a number from 1 to 5."
    )

    /// Invalid requests, 4000000 to 4000031.
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
