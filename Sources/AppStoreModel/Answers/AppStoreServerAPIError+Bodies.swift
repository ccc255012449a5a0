extension AppStoreServerAPIError {
    /// Raised for: consumption v1 (since 1.9).
    public static let invalidAccountTenure = AppStoreServerAPIError(
        4000032,
        "InvalidAccountTenure",
        "Invalid request. The account tenure field is invalid."
    )
    /// Raised for: consumption v1, ACA (since 1.9).
    public static let invalidAppAccountToken = AppStoreServerAPIError(
        4000033,
        "InvalidAppAccountToken",
        "Invalid request. The app account token field must contain a valid UUID or an empty string."
    )
    /// Raised for: consumption v1 (since 1.9).
    public static let invalidConsumptionStatus = AppStoreServerAPIError(
        4000034,
        "InvalidConsumptionStatus",
        "Invalid request. The consumption status field is invalid."
    )
    /// Raised for: consumption v1, v2 (since 1.9).
    public static let invalidCustomerConsented = AppStoreServerAPIError(
        4000035,
        "InvalidCustomerConsented",
        "Invalid request. The customer consented field is required and must indicate the customer consented."
    )
    /// Raised for: consumption v1, v2 (since 1.9).
    public static let invalidDeliveryStatus = AppStoreServerAPIError(
        4000036,
        "InvalidDeliveryStatus",
        "Invalid request. The delivery status field is invalid"
    )
    /// Raised for: consumption v1 (since 1.9).
    public static let invalidLifetimeDollarsPurchased = AppStoreServerAPIError(
        4000037,
        "InvalidLifetimeDollarsPurchased",
        "Invalid request. The lifetime dollars purchased field is invalid"
    )
    /// Raised for: consumption v1 (since 1.9).
    public static let invalidLifetimeDollarsRefunded = AppStoreServerAPIError(
        4000038,
        "InvalidLifetimeDollarsRefunded",
        "Invalid request. The lifetime dollars refunded field is invalid"
    )
    /// Raised for: consumption v1 (since 1.9).
    public static let invalidPlatform = AppStoreServerAPIError(
        4000039,
        "InvalidPlatform",
        "Invalid request. The platform field is invalid"
    )
    /// Raised for: consumption v1 (since 1.9).
    public static let invalidPlayTime = AppStoreServerAPIError(
        4000040,
        "InvalidPlayTime",
        "Invalid request. The playtime field is invalid"
    )
    /// Raised for: consumption v1, v2 (since 1.9).
    public static let invalidSampleContentProvided = AppStoreServerAPIError(
        4000041,
        "InvalidSampleContentProvided",
        "Invalid request. The sample content provided field is invalid"
    )
    /// Raised for: consumption v1 (since 1.9).
    public static let invalidUserStatus = AppStoreServerAPIError(
        4000042,
        "InvalidUserStatus",
        "Invalid request. The user status field is invalid"
    )
    /// Raised for: no longer sent since 1.11 (since 1.9).
    public static let invalidTransactionNotConsumable = AppStoreServerAPIError(
        4000043,
        "InvalidTransactionNotConsumable",
        "Invalid request. The transaction id parameter must represent a consumable in-app purchase."
    )
    /// Raised for: consumption v1, v2 (since 1.11).
    public static let invalidRefundPreference = AppStoreServerAPIError(
        4000044,
        "InvalidRefundPreference",
        "Invalid request. The refund preference field is invalid."
    )
    /// Raised for: consumption v1 (since 1.11).
    public static let invalidTransactionTypeNotSupported = AppStoreServerAPIError(
        4000047,
        "InvalidTransactionTypeNotSupported",
        "Invalid request. The transaction id doesn't represent a supported in-app purchase type"
    )
    /// Raised for: appTransactionId where refused (since 1.15).
    public static let appTransactionIdNotSupported = AppStoreServerAPIError(
        4000048,
        "AppTransactionIdNotSupported",
        "Invalid request. App transactions aren't supported by this endpoint."
    )
    /// Raised for: set token (since 1.16).
    public static let invalidAppAccountTokenUUID = AppStoreServerAPIError(
        4000183,
        "InvalidAppAccountTokenUUID",
        "Invalid request. The app account token field must be a valid UUID."
    )
    /// Raised for: set token, consumption v2 (since 1.16).
    public static let familyTransactionNotSupported = AppStoreServerAPIError(
        4000185,
        "FamilyTransactionNotSupported",
        "Invalid request. Family Sharing transactions aren't supported by this endpoint."
    )
    /// Raised for: set token (since 1.16).
    public static let transactionIdIsNotOriginalTransactionId = AppStoreServerAPIError(
        4000187,
        "TransactionIdIsNotOriginalTransactionId",
        "Invalid request. The transaction ID provided is not an original transaction ID."
    )
    /// Raised for: consumption v2 (since 1.19).
    public static let consumptionPercentageAutoRenewableSubscription = AppStoreServerAPIError(
        4000209,
        "ConsumptionPercentageAutoRenewableSubscription",
        "Invalid request. The consumption percentage field is not supported for auto-renewable subscription transactions."
    )
    /// Raised for: group members (since 1.22).
    public static let invalidGroupId = AppStoreServerAPIError(
        4000225,
        "InvalidGroupId",
        "Invalid request. The group ID is invalid."
    )
    /// Raised for: consumption v1/v2, set token (since 1.22).
    public static let invalidAssignedTransactionNotSupported = AppStoreServerAPIError(
        4000227,
        "InvalidAssignedTransactionNotSupported",
        "Invalid request. Assigned transactions aren't supported by this endpoint."
    )

    /// Bodies and operations that make no sense, from 4000032 on.
    static let bodyErrors: [AppStoreServerAPIError] = [
        .invalidAccountTenure, .invalidAppAccountToken, .invalidConsumptionStatus, .invalidCustomerConsented,
        .invalidDeliveryStatus, .invalidLifetimeDollarsPurchased, .invalidLifetimeDollarsRefunded, .invalidPlatform,
        .invalidPlayTime, .invalidSampleContentProvided, .invalidUserStatus, .invalidTransactionNotConsumable,
        .invalidRefundPreference, .invalidTransactionTypeNotSupported, .appTransactionIdNotSupported,
        .invalidAppAccountTokenUUID, .familyTransactionNotSupported, .transactionIdIsNotOriginalTransactionId,
        .consumptionPercentageAutoRenewableSubscription, .invalidGroupId, .invalidAssignedTransactionNotSupported,
    ]
}
