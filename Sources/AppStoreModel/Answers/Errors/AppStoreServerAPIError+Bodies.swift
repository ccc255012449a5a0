extension AppStoreServerAPIError {
    /// Raised for: consumption v1 (since 1.9).
    public static let invalidAccountTenure = AppStoreServerAPIError(
        4000032,
        "InvalidAccountTenure",
        "Invalid request. The account tenure field is invalid.",
        meaning: "The tenure is a number from 0 to 7."
    )
    /// Raised for: consumption v1, ACA (since 1.9).
    public static let invalidAppAccountToken = AppStoreServerAPIError(
        4000033,
        "InvalidAppAccountToken",
        "Invalid request. The app account token field must contain a valid UUID or an empty string.",
        meaning: "Send the customer's UUID, or an empty text when there is none."
    )
    /// Raised for: consumption v1 (since 1.9).
    public static let invalidConsumptionStatus = AppStoreServerAPIError(
        4000034,
        "InvalidConsumptionStatus",
        "Invalid request. The consumption status field is invalid.",
        meaning: "The status is a number from 0 to 3."
    )
    /// Raised for: consumption v1, v2 (since 1.9).
    public static let invalidCustomerConsented = AppStoreServerAPIError(
        4000035,
        "InvalidCustomerConsented",
        "Invalid request. The customer consented field is required and must indicate the customer consented.",
        meaning: "Send consumption data only when the customer consented, and say so with true."
    )
    /// Raised for: consumption v1, v2 (since 1.9).
    public static let invalidDeliveryStatus = AppStoreServerAPIError(
        4000036,
        "InvalidDeliveryStatus",
        "Invalid request. The delivery status field is invalid",
        meaning: "The value is invalid: use texts in version 2, numbers from 0 to 5 in version 1."
    )
    /// Raised for: consumption v1 (since 1.9).
    public static let invalidLifetimeDollarsPurchased = AppStoreServerAPIError(
        4000037,
        "InvalidLifetimeDollarsPurchased",
        "Invalid request. The lifetime dollars purchased field is invalid",
        meaning: "The amount is a number from 0 to 7."
    )
    /// Raised for: consumption v1 (since 1.9).
    public static let invalidLifetimeDollarsRefunded = AppStoreServerAPIError(
        4000038,
        "InvalidLifetimeDollarsRefunded",
        "Invalid request. The lifetime dollars refunded field is invalid",
        meaning: "The amount is a number from 0 to 7."
    )
    /// Raised for: consumption v1 (since 1.9).
    public static let invalidPlatform = AppStoreServerAPIError(
        4000039,
        "InvalidPlatform",
        "Invalid request. The platform field is invalid",
        meaning: "The platform is a number from 0 to 2."
    )
    /// Raised for: consumption v1 (since 1.9).
    public static let invalidPlayTime = AppStoreServerAPIError(
        4000040,
        "InvalidPlayTime",
        "Invalid request. The playtime field is invalid",
        meaning: "The time is a number from 0 to 7."
    )
    /// Raised for: consumption v1, v2 (since 1.9).
    public static let invalidSampleContentProvided = AppStoreServerAPIError(
        4000041,
        "InvalidSampleContentProvided",
        "Invalid request. The sample content provided field is invalid",
        meaning: "Send true or false: whether the customer could try it."
    )
    /// Raised for: consumption v1 (since 1.9).
    public static let invalidUserStatus = AppStoreServerAPIError(
        4000042,
        "InvalidUserStatus",
        "Invalid request. The user status field is invalid",
        meaning: "The status is a number from 0 to 4."
    )
    /// Raised for: no longer sent since 1.11 (since 1.9).
    public static let invalidTransactionNotConsumable = AppStoreServerAPIError(
        4000043,
        "InvalidTransactionNotConsumable",
        "Invalid request. The transaction id parameter must represent a consumable in-app purchase.",
        meaning: "The purchase was no consumable; Apple sends 4000047 instead since 1.11."
    )
    /// Raised for: consumption v1, v2 (since 1.11).
    public static let invalidRefundPreference = AppStoreServerAPIError(
        4000044,
        "InvalidRefundPreference",
        "Invalid request. The refund preference field is invalid.",
        meaning: "The value is invalid: use texts in version 2, numbers from 0 to 3 in version 1."
    )
    /// Raised for: consumption v1 (since 1.11).
    public static let invalidTransactionTypeNotSupported = AppStoreServerAPIError(
        4000047,
        "InvalidTransactionTypeNotSupported",
        "Invalid request. The transaction id doesn't represent a supported in-app purchase type",
        meaning: "Version 1 of the call is for consumables and auto-renewable subscriptions."
    )
    /// Raised for: appTransactionId where refused (since 1.15).
    public static let appTransactionIdNotSupported = AppStoreServerAPIError(
        4000048,
        "AppTransactionIdNotSupported",
        "Invalid request. App transactions aren't supported by this endpoint.",
        meaning: "The id is an app transaction id: use the transaction id of a purchase."
    )
    /// Raised for: set token (since 1.16).
    public static let invalidAppAccountTokenUUID = AppStoreServerAPIError(
        4000183,
        "InvalidAppAccountTokenUUID",
        "Invalid request. The app account token field must be a valid UUID.",
        meaning: "The token must be a UUID."
    )
    /// Raised for: set token, consumption v2 (since 1.16).
    public static let familyTransactionNotSupported = AppStoreServerAPIError(
        4000185,
        "FamilyTransactionNotSupported",
        "Invalid request. Family Sharing transactions aren't supported by this endpoint.",
        meaning: "The purchase is shared by a member of the family: use the id of the one who bought it."
    )
    /// Raised for: set token (since 1.16).
    public static let transactionIdIsNotOriginalTransactionId = AppStoreServerAPIError(
        4000187,
        "TransactionIdIsNotOriginalTransactionId",
        "Invalid request. The transaction ID provided is not an original transaction ID.",
        meaning: "Use the original transaction id of the transaction."
    )
    /// Raised for: consumption v2 (since 1.19).
    public static let consumptionPercentageAutoRenewableSubscription = AppStoreServerAPIError(
        4000209,
        "ConsumptionPercentageAutoRenewableSubscription",
        "Invalid request. The consumption percentage field is not supported for auto-renewable "
            + "subscription transactions.",
        meaning: "Omit the percentage: Apple calculates it from the elapsed time."
    )
    /// Raised for: group members (since 1.22).
    public static let invalidGroupId = AppStoreServerAPIError(
        4000225,
        "InvalidGroupId",
        "Invalid request. The group ID is invalid.",
        meaning: "The id is not well formed: use a `groupId` from Get Customer Groups."
    )
    /// Raised for: consumption v1/v2, set token (since 1.22).
    public static let invalidAssignedTransactionNotSupported = AppStoreServerAPIError(
        4000227,
        "InvalidAssignedTransactionNotSupported",
        "Invalid request. Assigned transactions aren't supported by this endpoint.",
        meaning: "The purchase is a seat that someone else paid for: use the id of the one who bought it."
    )

    /// Invalid bodies and operations, from 4000032 on.
    static let bodyErrors: [AppStoreServerAPIError] = [
        .invalidAccountTenure, .invalidAppAccountToken, .invalidConsumptionStatus, .invalidCustomerConsented,
        .invalidDeliveryStatus, .invalidLifetimeDollarsPurchased, .invalidLifetimeDollarsRefunded, .invalidPlatform,
        .invalidPlayTime, .invalidSampleContentProvided, .invalidUserStatus, .invalidTransactionNotConsumable,
        .invalidRefundPreference, .invalidTransactionTypeNotSupported, .appTransactionIdNotSupported,
        .invalidAppAccountTokenUUID, .familyTransactionNotSupported, .transactionIdIsNotOriginalTransactionId,
        .consumptionPercentageAutoRenewableSubscription, .invalidGroupId, .invalidAssignedTransactionNotSupported,
    ]
}
