// The numbers and messages of these errors come from other users of the API; the names are Apple's.
extension AppStoreServerAPIError {
    /// Raised for: any request of Advanced Commerce.
    public static let repeatedRequestReferenceId = AppStoreServerAPIError(
        4000097,
        "RepeatedRequestReferenceId",
        "The requestReferenceId was repeated.",
        meaning: "Apple already received this request: check its result, or send a new one with a new UUID."
    )
    /// Raised for: Migrate of Advanced Commerce.
    public static let subscriptionAlreadyMigrated = AppStoreServerAPIError(
        4000176,
        "SubscriptionAlreadyMigrated",
        "The subscription was already migrated.",
        meaning: "Nothing is left to do."
    )
    /// Raised for: refunds, revocations of Advanced Commerce.
    public static let pendingRefund = AppStoreServerAPIError(
        4000181,
        "PendingRefund",
        "The transaction has pending refunds.",
        meaning: "Wait until Apple has decided about the pending refund.",
        retry: .whenReady
    )
    /// Raised for: price changes of Advanced Commerce.
    public static let priceChangeCannotBeIssuedWhenAlreadyCommunicated = AppStoreServerAPIError(
        4000205,
        "PriceChangeCannotBeIssuedWhenAlreadyCommunicated",
        "A price change can't be issued when the price increase has already been communicated.",
        meaning: "Wait until the announced increase is in force."
    )
    /// Raised for: any request of Advanced Commerce.
    public static let unauthorized = AppStoreServerAPIError(
        4010000,
        "Unauthorized",
        "Unauthorized.",
        meaning: "Apple refuses the token, or the developer account has no access to Advanced Commerce."
    )
    /// Raised for: any request of Advanced Commerce.
    public static let subscriptionDoesNotExist = AppStoreServerAPIError(
        4030008,
        "SubscriptionDoesNotExist",
        "The subscription doesn't exist.",
        meaning: "The transaction belongs to no subscription."
    )
    /// Raised for: Migrate, new subscriptions of Advanced Commerce.
    public static let subscriptionAlreadyExists = AppStoreServerAPIError(
        4030009,
        "SubscriptionAlreadyExists",
        "The subscription already exists.",
        meaning: "Change the subscription that the customer has."
    )
    /// Raised for: changes of Advanced Commerce.
    public static let subscriptionNotEligible = AppStoreServerAPIError(
        4030010,
        "SubscriptionNotEligible",
        "The subscription isn't eligible for the requested changes.",
        meaning: "Look at the state of the subscription: it must be active, and not in billing retry."
    )
    /// Raised for: reactivation of Advanced Commerce.
    public static let subscriptionAlreadyActive = AppStoreServerAPIError(
        4030011,
        "SubscriptionAlreadyActive",
        "The subscription is already active, and cannot be reactivated or renewed at this time.",
        meaning: "Nothing is left to do."
    )
    /// Raised for: any request of Advanced Commerce.
    public static let productNotOwned = AppStoreServerAPIError(
        4030013,
        "ProductNotOwned",
        "The customer doesn't own the product.",
        meaning: "Use the transaction of a customer who bought the product."
    )
    /// Raised for: changes, revocations of Advanced Commerce.
    public static let inactiveACASub = AppStoreServerAPIError(
        4030015,
        "InactiveACASub",
        "The subscription is not active.",
        meaning: "Only an active subscription can be changed or revoked."
    )
    /// Raised for: refunds of Advanced Commerce.
    public static let insufficientFunds = AppStoreServerAPIError(
        4030020,
        "InsufficientFunds",
        "Insufficient funds for refund.",
        meaning: "Apple cannot pay the refund from your earnings now."
    )
    /// Raised for: refunds of Advanced Commerce.
    public static let alreadyRefunded = AppStoreServerAPIError(
        4030021,
        "AlreadyRefunded",
        "The transaction was already refunded.",
        meaning: "Nothing is left to do."
    )
    /// Raised for: changes of Advanced Commerce.
    public static let storefrontChange = AppStoreServerAPIError(
        4030022,
        "StorefrontChange",
        "The storefront changed.",
        meaning: "The customer moved to another storefront: let them begin a new subscription."
    )
    /// Raised for: any request of Advanced Commerce.
    public static let productNotEligible = AppStoreServerAPIError(
        4030023,
        "ProductNotEligible",
        "The product isn't eligible for the requested operation.",
        meaning: "Use a product that is set up for Advanced Commerce."
    )
    /// Raised for: refunds of Advanced Commerce.
    public static let transactionNotRefundable = AppStoreServerAPIError(
        4030024,
        "TransactionNotRefundable",
        "The transaction is not refundable.",
        meaning: "This transaction cannot be refunded."
    )
    /// Raised for: refunds of Advanced Commerce.
    public static let transactionCannotBeRefundedContactSupport = AppStoreServerAPIError(
        4030025,
        "TransactionCannotBeRefundedContactSupport",
        "The transaction can't be refunded; customer can contact Apple Support for assistance.",
        meaning: "Send the customer to Apple's support."
    )
    /// Raised for: Migrate of Advanced Commerce.
    public static let migrationNotAllowedWhenPriceIncreaseCommunicated = AppStoreServerAPIError(
        4030027,
        "MigrationNotAllowedWhenPriceIncreaseCommunicated",
        "Migration isn't allowed because a price increase was already communicated to the customer.",
        meaning: "Migrate after the increase is in force."
    )
    /// Raised for: Migrate, any request of Advanced Commerce.
    public static let productNotFound = AppStoreServerAPIError(
        4040016,
        "ProductNotFound",
        "Product not found.",
        meaning: "The product is not one of the app's."
    )

    /// The errors of the Advanced Commerce API only; it also returns some of the others.
    static let advancedCommerceErrors: [AppStoreServerAPIError] =
        [
            .repeatedRequestReferenceId, .subscriptionAlreadyMigrated, .pendingRefund,
            .priceChangeCannotBeIssuedWhenAlreadyCommunicated, .unauthorized, .subscriptionDoesNotExist,
            .subscriptionAlreadyExists, .subscriptionNotEligible, .subscriptionAlreadyActive, .productNotOwned,
            .inactiveACASub, .insufficientFunds, .alreadyRefunded, .storefrontChange, .productNotEligible,
            .transactionNotRefundable, .transactionCannotBeRefundedContactSupport,
            .migrationNotAllowedWhenPriceIncreaseCommunicated, .productNotFound,
        ] + malformedAdvancedCommerceRequests
}
