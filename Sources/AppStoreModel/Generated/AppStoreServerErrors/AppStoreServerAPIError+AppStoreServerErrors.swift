// Generated from Schema/app-store-server-errors.toml; run `make generate` after a change there.
// swift-format-ignore-file

extension AppStoreServerAPIError {
    /// Raised for: any call (since 1.0).
    public static let generalBadRequest = AppStoreServerAPIError(
        4000000,
        "GeneralBadRequest",
        "Bad request.",
        meaning: "Apple could not process the request: check its path, parameters and body."
    )
    /// Raised for: Get Transaction History, Get Transaction History V1, Get All Subscription Statuses (since 1.0).
    public static let invalidAppIdentifier = AppStoreServerAPIError(
        4000002,
        "InvalidAppIdentifier",
        "Invalid request app identifier.",
        meaning: "The app in the token's `bid` is not one that Apple knows: check the bundle id."
    )
    /// Raised for: Get Group Members (since 1.22).
    public static let invalidLimit = AppStoreServerAPIError(
        4000004,
        "InvalidLimit",
        "Invalid request limit.",
        meaning: "Ask for at most 100 members at once."
    )
    /// Raised for: Get Transaction History, Get Transaction History V1, Get Refund History (since 1.0).
    public static let invalidRequestRevision = AppStoreServerAPIError(
        4000005,
        "InvalidRequestRevision",
        "Invalid request revision.",
        meaning: "The revision is not from Apple: start without one, and use the same filters for every page."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription, Request Transaction Refund, Get Notification History, Get Transaction History, Get
    /// Transaction History V1, Get Transaction Info, Get App Transaction Info, Get All Subscription Statuses, Get
    /// Customer Groups, Set App Account Token, Finish Transaction, Send Consumption Information, Send Consumption
    /// Information V1, Get Refund History, Initiate Performance Test (since 1.8).
    public static let invalidTransactionId = AppStoreServerAPIError(
        4000006,
        "InvalidTransactionId",
        "Invalid transaction id.",
        meaning: "The id is not well formed: ids are decimal numbers, without anything else."
    )
    /// Raised for: Get Refund History V1, Extend a Subscription Renewal Date (since 1.0).
    public static let invalidOriginalTransactionId = AppStoreServerAPIError(
        4000008,
        "InvalidOriginalTransactionId",
        "Invalid original transaction id.",
        meaning: "The id is not well formed: use the original transaction id, a decimal number."
    )
    /// Raised for: Extend a Subscription Renewal Date, Extend Subscription Renewal Dates for All Active Subscribers
    /// (since 1.1).
    public static let invalidExtendByDays = AppStoreServerAPIError(
        4000009,
        "InvalidExtendByDays",
        "Invalid extend by days value.",
        meaning: "A period can be extended by 1 to 90 days."
    )
    /// Raised for: Extend a Subscription Renewal Date, Extend Subscription Renewal Dates for All Active Subscribers
    /// (since 1.1).
    public static let invalidExtendReasonCode = AppStoreServerAPIError(
        4000010,
        "InvalidExtendReasonCode",
        "Invalid extend reason code.",
        meaning: "The reason is a number from 0 to 3."
    )
    /// Raised for: Extend a Subscription Renewal Date, Extend Subscription Renewal Dates for All Active Subscribers,
    /// Get Status of Subscription Renewal Date Extensions (since 1.1).
    public static let invalidRequestIdentifier = AppStoreServerAPIError(
        4000011,
        "InvalidRequestIdentifier",
        "Invalid request identifier.",
        meaning: "The identifier is missing or longer than 128 characters, or no UUID in a mass extension: use a UUID."
    )
    /// Raised for: Get Notification History (since 1.5).
    public static let startDateTooFarInPast = AppStoreServerAPIError(
        4000012,
        "StartDateTooFarInPast",
        "Invalid request. The start date is earlier than the allowed start date.",
        meaning: "The history goes back 180 days in production and 30 days in sandbox."
    )
    /// Raised for: Get Notification History (since 1.5).
    public static let startDateAfterEndDate = AppStoreServerAPIError(
        4000013,
        "StartDateAfterEndDate",
        "Invalid request. The end date precedes the start date or the dates are the same.",
        meaning: "The start must be before the end."
    )
    /// Raised for: Get Notification History, Get Group Members (since 1.5).
    public static let invalidPaginationToken = AppStoreServerAPIError(
        4000014,
        "InvalidPaginationToken",
        "Invalid request. The pagination token is invalid.",
        meaning: "The token is not from Apple: start without one."
    )
    /// Raised for: Get Notification History, Get Transaction History, Get Transaction History V1 (since 1.5).
    public static let invalidStartDate = AppStoreServerAPIError(
        4000015,
        "InvalidStartDate",
        "Invalid request. The start date is not a timestamp value represented in milliseconds.",
        meaning: "The start must be a whole number of milliseconds since 1970."
    )
    /// Raised for: Get Notification History, Get Transaction History, Get Transaction History V1 (since 1.5).
    public static let invalidEndDate = AppStoreServerAPIError(
        4000016,
        "InvalidEndDate",
        "Invalid request. The end date is not a timestamp value represented in milliseconds.",
        meaning: "The end must be a whole number of milliseconds since 1970."
    )
    /// Raised for: Get Notification History (since 1.5).
    public static let paginationTokenExpired = AppStoreServerAPIError(
        4000017,
        "PaginationTokenExpired",
        "Invalid request. The pagination token is expired.",
        meaning: "The token has expired, or the body differs from that of the first page: start again."
    )
    /// Raised for: Get Notification History (since 1.5).
    public static let invalidNotificationType = AppStoreServerAPIError(
        4000018,
        "InvalidNotificationType",
        "Invalid request. The notification type or subtype is invalid.",
        meaning: "The type is unknown, or the subtype does not belong to it."
    )
    /// Raised for: Get Notification History (since 1.5).
    public static let multipleFiltersSupplied = AppStoreServerAPIError(
        4000019,
        "MultipleFiltersSupplied",
        "Invalid request. Supply either a transaction id or a notification type, but not both.",
        meaning: "Filter either by a customer or by a type."
    )
    /// Raised for: Get Test Notification Status (since 1.5).
    public static let invalidTestNotificationToken = AppStoreServerAPIError(
        4000020,
        "InvalidTestNotificationToken",
        "Invalid request. The test notification token is invalid.",
        meaning: "The token is not from Request a Test Notification."
    )
    /// Raised for: Get Transaction History, Get Transaction History V1 (since 1.5).
    public static let invalidSort = AppStoreServerAPIError(
        4000021,
        "InvalidSort",
        "Invalid request. The sort parameter is invalid.",
        meaning: "The order is ASCENDING or DESCENDING."
    )
    /// Raised for: Get Transaction History, Get Transaction History V1 (since 1.5).
    public static let invalidProductType = AppStoreServerAPIError(
        4000022,
        "InvalidProductType",
        "Invalid request. The product type parameter is invalid.",
        meaning: "The type is AUTO_RENEWABLE, NON_RENEWABLE, CONSUMABLE or NON_CONSUMABLE."
    )
    /// Raised for: Get Transaction History, Get Transaction History V1, Extend Subscription Renewal Dates for All
    /// Active Subscribers, Get Status of Subscription Renewal Date Extensions, Configure Default Message, Delete
    /// Default Message, Get Default Message (since 1.5).
    public static let invalidProductId = AppStoreServerAPIError(
        4000023,
        "InvalidProductId",
        "Invalid request. The product id parameter is invalid.",
        meaning: "The product is not one of the app's."
    )
    /// Raised for: Get Transaction History, Get Transaction History V1 (since 1.5).
    public static let invalidSubscriptionGroupIdentifier = AppStoreServerAPIError(
        4000024,
        "InvalidSubscriptionGroupIdentifier",
        "Invalid request. The subscription group identifier parameter is invalid.",
        meaning: "The group is not one of the app's."
    )
    /// Raised for: Get Transaction History, Get Transaction History V1 (since 1.5).
    public static let invalidExcludeRevoked = AppStoreServerAPIError(
        4000025,
        "InvalidExcludeRevoked",
        "Invalid request. The exclude revoked parameter is invalid.",
        meaning: "The parameter is true or false; Apple deprecated it in favour of `revoked`."
    )
    /// Raised for: Get Transaction History, Get Transaction History V1 (since 1.5).
    public static let invalidInAppOwnershipType = AppStoreServerAPIError(
        4000026,
        "InvalidInAppOwnershipType",
        "Invalid request. The in-app ownership type parameter is invalid.",
        meaning: "The ownership is PURCHASED or FAMILY_SHARED."
    )
    /// Raised for: Extend Subscription Renewal Dates for All Active Subscribers (since 1.7).
    public static let invalidEmptyStorefrontCountryCodeList = AppStoreServerAPIError(
        4000027,
        "InvalidEmptyStorefrontCountryCodeList",
        "Invalid request. If provided, the list of storefront country codes must not be empty.",
        meaning: "Omit the list for all storefronts."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription, Request Transaction Refund, Extend Subscription Renewal Dates for All Active Subscribers
    /// (since 1.7).
    public static let invalidStorefrontCountryCode = AppStoreServerAPIError(
        4000028,
        "InvalidStorefrontCountryCode",
        "Invalid request. A storefront country code was invalid.",
        meaning: "A storefront is named by three capital letters, ISO 3166-1 alpha-3, such as USA."
    )
    /// Raised for: Get Transaction History, Get Transaction History V1 (since 1.8).
    public static let invalidRevoked = AppStoreServerAPIError(
        4000030,
        "InvalidRevoked",
        "Invalid request. The revoked parameter is invalid.",
        meaning: "The parameter is true or false."
    )
    /// Raised for: Get All Subscription Statuses (since 1.8).
    public static let invalidStatus = AppStoreServerAPIError(
        4000031,
        "InvalidStatus",
        "Invalid request. The status parameter is invalid.",
        meaning: "A status is a number from 1 to 5."
    )
    /// Raised for: Send Consumption Information V1 (since 1.9).
    public static let invalidAccountTenure = AppStoreServerAPIError(
        4000032,
        "InvalidAccountTenure",
        "Invalid request. The account tenure field is invalid.",
        meaning: "The tenure is a number from 0 to 7."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription, Request Transaction Refund, Send Consumption Information V1 (since 1.9).
    public static let invalidAppAccountToken = AppStoreServerAPIError(
        4000033,
        "InvalidAppAccountToken",
        "Invalid request. The app account token field must contain a valid UUID or an empty string.",
        meaning: "Send the customer's UUID, or an empty text when there is none."
    )
    /// Raised for: Send Consumption Information V1 (since 1.9).
    public static let invalidConsumptionStatus = AppStoreServerAPIError(
        4000034,
        "InvalidConsumptionStatus",
        "Invalid request. The consumption status field is invalid.",
        meaning: "The status is a number from 0 to 3."
    )
    /// Raised for: Send Consumption Information, Send Consumption Information V1 (since 1.9).
    public static let invalidCustomerConsented = AppStoreServerAPIError(
        4000035,
        "InvalidCustomerConsented",
        "Invalid request. The customer consented field is required and must indicate the customer consented.",
        meaning: "Send consumption data only when the customer consented, and say so with true."
    )
    /// Raised for: Send Consumption Information, Send Consumption Information V1 (since 1.9).
    public static let invalidDeliveryStatus = AppStoreServerAPIError(
        4000036,
        "InvalidDeliveryStatus",
        "Invalid request. The delivery status field is invalid",
        meaning: "The value is invalid: use texts in version 2, numbers from 0 to 5 in version 1."
    )
    /// Raised for: Send Consumption Information V1 (since 1.9).
    public static let invalidLifetimeDollarsPurchased = AppStoreServerAPIError(
        4000037,
        "InvalidLifetimeDollarsPurchased",
        "Invalid request. The lifetime dollars purchased field is invalid",
        meaning: "The amount is a number from 0 to 7."
    )
    /// Raised for: Send Consumption Information V1 (since 1.9).
    public static let invalidLifetimeDollarsRefunded = AppStoreServerAPIError(
        4000038,
        "InvalidLifetimeDollarsRefunded",
        "Invalid request. The lifetime dollars refunded field is invalid",
        meaning: "The amount is a number from 0 to 7."
    )
    /// Raised for: Send Consumption Information V1 (since 1.9).
    public static let invalidPlatform = AppStoreServerAPIError(
        4000039,
        "InvalidPlatform",
        "Invalid request. The platform field is invalid",
        meaning: "The platform is a number from 0 to 2."
    )
    /// Raised for: Send Consumption Information V1 (since 1.9).
    public static let invalidPlayTime = AppStoreServerAPIError(
        4000040,
        "InvalidPlayTime",
        "Invalid request. The playtime field is invalid",
        meaning: "The time is a number from 0 to 7."
    )
    /// Raised for: Send Consumption Information, Send Consumption Information V1 (since 1.9).
    public static let invalidSampleContentProvided = AppStoreServerAPIError(
        4000041,
        "InvalidSampleContentProvided",
        "Invalid request. The sample content provided field is invalid",
        meaning: "Send true or false: whether the customer could try it."
    )
    /// Raised for: Send Consumption Information V1 (since 1.9).
    public static let invalidUserStatus = AppStoreServerAPIError(
        4000042,
        "InvalidUserStatus",
        "Invalid request. The user status field is invalid",
        meaning: "The status is a number from 0 to 4."
    )
    /// The purchase was no consumable; Apple sends 4000047 instead since 1.11 (since 1.9).
    public static let invalidTransactionNotConsumable = AppStoreServerAPIError(
        4000043,
        "InvalidTransactionNotConsumable",
        "Invalid request. The transaction id parameter must represent a consumable in-app purchase.",
        meaning: "The purchase was no consumable; Apple sends 4000047 instead since 1.11."
    )
    /// Raised for: Send Consumption Information, Send Consumption Information V1 (since 1.11).
    public static let invalidRefundPreference = AppStoreServerAPIError(
        4000044,
        "InvalidRefundPreference",
        "Invalid request. The refund preference field is invalid.",
        meaning: "The value is invalid: use texts in version 2, numbers from 0 to 3 in version 1."
    )
    /// Raised for: Send Consumption Information V1 (since 1.11).
    public static let invalidTransactionTypeNotSupported = AppStoreServerAPIError(
        4000047,
        "InvalidTransactionTypeNotSupported",
        "Invalid request. The transaction id doesn't represent a supported in-app purchase type",
        meaning: "Version 1 of the call is for consumables and auto-renewable subscriptions."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription, Request Transaction Refund, Get Transaction Info, Set App Account Token, Finish
    /// Transaction, Send Consumption Information, Send Consumption Information V1, Initiate Performance Test (since
    /// 1.15).
    public static let appTransactionIdNotSupported = AppStoreServerAPIError(
        4000048,
        "AppTransactionIdNotSupported",
        "Invalid request. App transactions aren't supported by this endpoint.",
        meaning: "The id is an app transaction id: use the transaction id of a purchase."
    )
    /// Raised for: Set App Account Token (since 1.16).
    public static let invalidAppAccountTokenUUID = AppStoreServerAPIError(
        4000183,
        "InvalidAppAccountTokenUUID",
        "Invalid request. The app account token field must be a valid UUID.",
        meaning: "The token must be a UUID."
    )
    /// Raised for: Set App Account Token, Send Consumption Information, Send Consumption Information V1, Initiate
    /// Performance Test (since 1.16).
    public static let familyTransactionNotSupported = AppStoreServerAPIError(
        4000185,
        "FamilyTransactionNotSupported",
        "Invalid request. Family Sharing transactions aren't supported by this endpoint.",
        meaning: "The purchase is shared by a member of the family: use the id of the one who bought it."
    )
    /// Raised for: Set App Account Token, Initiate Performance Test (since 1.16).
    public static let transactionIdIsNotOriginalTransactionId = AppStoreServerAPIError(
        4000187,
        "TransactionIdIsNotOriginalTransactionId",
        "Invalid request. The transaction ID provided is not an original transaction ID.",
        meaning: "Use the original transaction id of the transaction."
    )
    /// Raised for: Send Consumption Information (since 1.19).
    public static let consumptionPercentageAutoRenewableSubscription = AppStoreServerAPIError(
        4000209,
        "ConsumptionPercentageAutoRenewableSubscription",
        "Invalid request. The consumption percentage field is not supported for auto-renewable subscription transactions.",
        meaning: "Omit the percentage: Apple calculates it from the elapsed time."
    )
    /// Raised for: Get Group Members (since 1.22).
    public static let invalidGroupId = AppStoreServerAPIError(
        4000225,
        "InvalidGroupId",
        "Invalid request. The group ID is invalid.",
        meaning: "The id is not well formed: use a `groupId` from Get Customer Groups."
    )
    /// Raised for: Set App Account Token, Send Consumption Information, Send Consumption Information V1 (since 1.22).
    public static let invalidAssignedTransactionNotSupported = AppStoreServerAPIError(
        4000227,
        "InvalidAssignedTransactionNotSupported",
        "Invalid request. Assigned transactions aren't supported by this endpoint.",
        meaning: "The purchase is a seat that someone else paid for: use the id of the one who bought it."
    )
    /// Raised for: Extend a Subscription Renewal Date, Extend Subscription Renewal Dates for All Active Subscribers
    /// (since 1.1).
    public static let subscriptionExtensionIneligible = AppStoreServerAPIError(
        4030004,
        "SubscriptionExtensionIneligible",
        "Forbidden - subscription state ineligible for extension.",
        meaning: "Only an active subscription in a paid period can be extended, and not in billing retry."
    )
    /// Raised for: Extend a Subscription Renewal Date, Extend Subscription Renewal Dates for All Active Subscribers
    /// (since 1.1).
    public static let subscriptionMaxExtension = AppStoreServerAPIError(
        4030005,
        "SubscriptionMaxExtension",
        "Forbidden - subscription has reached maximum extension count.",
        meaning: "A subscription can be extended twice within 365 days."
    )
    /// Raised for: Extend a Subscription Renewal Date (since 1.8).
    public static let familySharedSubscriptionExtensionIneligible = AppStoreServerAPIError(
        4030007,
        "FamilySharedSubscriptionExtensionIneligible",
        "Subscriptions that users obtain through Family Sharing can't get a renewal date extension directly.",
        meaning: "Extend the subscription of the one who bought it; the family's follow."
    )
    /// Raised for: Extend a Subscription Renewal Date (since 1.22).
    public static let assignedSubscriptionExtensionIneligible = AppStoreServerAPIError(
        4030028,
        "AssignedSubscriptionExtensionIneligible",
        "Assigned subscriptions can't get a renewal date extension.",
        meaning: "Extend the subscription of the one who bought the seats; the members' follow."
    )
    /// Raised for: Get Notification History, Get Transaction History, Get Transaction History V1, Get All Subscription
    /// Statuses (since 1.0).
    public static let accountNotFound = AppStoreServerAPIError(
        4040001,
        "AccountNotFound",
        "Account not found.",
        meaning: "No account with this id exists in this environment."
    )
    /// Raised for: Get Transaction History, Get Transaction History V1, Get All Subscription Statuses (since 1.0).
    public static let accountNotFoundRetryable = AppStoreServerAPIError(
        4040002,
        "AccountNotFoundRetryable",
        "Account not found. Please try again.",
        meaning: "Apple could not find the account at the moment.",
        retry: .shortly
    )
    /// Raised for: Get Transaction History, Get Transaction History V1, Get All Subscription Statuses (since 1.0).
    public static let appNotFound = AppStoreServerAPIError(
        4040003,
        "AppNotFound",
        "App not found.",
        meaning: "Apple does not know the app, in this environment: check the bundle id in the token."
    )
    /// Raised for: Get Transaction History, Get Transaction History V1, Get All Subscription Statuses (since 1.0).
    public static let appNotFoundRetryable = AppStoreServerAPIError(
        4040004,
        "AppNotFoundRetryable",
        "App not found. Please try again.",
        meaning: "Apple could not find the app at the moment.",
        retry: .shortly
    )
    /// Raised for: Set App Account Token, Get Refund History V1, Extend a Subscription Renewal Date (since 1.0).
    public static let originalTransactionIdNotFound = AppStoreServerAPIError(
        4040005,
        "OriginalTransactionIdNotFound",
        "Original transaction id not found.",
        meaning: "The id is unknown in this environment, or belongs to another app, or is no original transaction id."
    )
    /// Raised for: Set App Account Token, Get Refund History V1, Extend a Subscription Renewal Date (since 1.0).
    public static let originalTransactionIdNotFoundRetryable = AppStoreServerAPIError(
        4040006,
        "OriginalTransactionIdNotFoundRetryable",
        "Original transaction id not found. Please try again.",
        meaning: "Apple could not find the transaction at the moment.",
        retry: .shortly
    )
    /// Raised for: Request a Test Notification (since 1.5).
    public static let serverNotificationURLNotFound = AppStoreServerAPIError(
        4040007,
        "ServerNotificationURLNotFound",
        "No App Store Server Notification URL found for provided app. Check that a URL is configured in App Store Connect for this environment.",
        meaning: "Enter a notification URL for this environment in App Store Connect."
    )
    /// Raised for: Get Test Notification Status (since 1.5).
    public static let testNotificationNotFound = AppStoreServerAPIError(
        4040008,
        "TestNotificationNotFound",
        "Either the test notification token is expired or the notification and status are not yet available.",
        meaning: "The notification was not sent yet, or the token is older than six months: retry later.",
        retry: .whenReady
    )
    /// Raised for: Extend Subscription Renewal Dates for All Active Subscribers, Get Status of Subscription Renewal
    /// Date Extensions (since 1.8).
    public static let statusRequestNotFound = AppStoreServerAPIError(
        4040009,
        "StatusRequestNotFound",
        "The server didn't find a subscription-renewal-date extension request for this requestIdentifier and productId combination.",
        meaning: "No extension was requested with this identifier and product."
    )
    /// Raised for: Cancel a Subscription, Revoke Subscription, Change Subscription Price, Change Subscription Metadata,
    /// Migrate a Subscription, Request Transaction Refund, Get Notification History, Get Transaction History, Get
    /// Transaction History V1, Get Transaction Info, Get App Transaction Info, Get All Subscription Statuses, Get
    /// Customer Groups, Finish Transaction, Send Consumption Information, Send Consumption Information V1, Get Refund
    /// History (since 1.8).
    public static let transactionIdNotFound = AppStoreServerAPIError(
        4040010,
        "TransactionIdNotFound",
        "Transaction id not found.",
        meaning: "The id is unknown in this environment, or another app's, or so new that Apple does not know it yet.",
        retry: .whenReady
    )
    /// Raised for: Get App Transaction Info (since 1.17).
    public static let appTransactionDoesNotExist = AppStoreServerAPIError(
        4040019,
        "AppTransactionDoesNotExist",
        "No AppTransaction exists for the customer.",
        meaning: "The customer has no app transaction in this app."
    )
    /// Raised for: Get Group Members (since 1.22).
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

    static let appStoreServerErrors: [AppStoreServerAPIError] = [
        .generalBadRequest, .invalidAppIdentifier, .invalidLimit, .invalidRequestRevision, .invalidTransactionId,
        .invalidOriginalTransactionId, .invalidExtendByDays, .invalidExtendReasonCode, .invalidRequestIdentifier,
        .startDateTooFarInPast, .startDateAfterEndDate, .invalidPaginationToken, .invalidStartDate, .invalidEndDate,
        .paginationTokenExpired, .invalidNotificationType, .multipleFiltersSupplied, .invalidTestNotificationToken,
        .invalidSort, .invalidProductType, .invalidProductId, .invalidSubscriptionGroupIdentifier,
        .invalidExcludeRevoked, .invalidInAppOwnershipType, .invalidEmptyStorefrontCountryCodeList,
        .invalidStorefrontCountryCode, .invalidRevoked, .invalidStatus, .invalidAccountTenure, .invalidAppAccountToken,
        .invalidConsumptionStatus, .invalidCustomerConsented, .invalidDeliveryStatus, .invalidLifetimeDollarsPurchased,
        .invalidLifetimeDollarsRefunded, .invalidPlatform, .invalidPlayTime, .invalidSampleContentProvided,
        .invalidUserStatus, .invalidTransactionNotConsumable, .invalidRefundPreference,
        .invalidTransactionTypeNotSupported, .appTransactionIdNotSupported, .invalidAppAccountTokenUUID,
        .familyTransactionNotSupported, .transactionIdIsNotOriginalTransactionId,
        .consumptionPercentageAutoRenewableSubscription, .invalidGroupId, .invalidAssignedTransactionNotSupported,
        .subscriptionExtensionIneligible, .subscriptionMaxExtension, .familySharedSubscriptionExtensionIneligible,
        .assignedSubscriptionExtensionIneligible, .accountNotFound, .accountNotFoundRetryable, .appNotFound,
        .appNotFoundRetryable, .originalTransactionIdNotFound, .originalTransactionIdNotFoundRetryable,
        .serverNotificationURLNotFound, .testNotificationNotFound, .statusRequestNotFound, .transactionIdNotFound,
        .appTransactionDoesNotExist, .groupNotFound, .rateLimitExceeded, .generalInternal, .generalInternalRetryable,
    ]
}
