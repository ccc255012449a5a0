// Generated from Schema/advanced-commerce.toml; run `make generate` after a change there.
// swift-format-ignore-file

extension AppStoreServerCall {
    /// The calls of ``Family/advancedCommerce``.
    public static let advancedCommerce: [AppStoreServerCall] = [
        .cancelSubscription, .revokeSubscription, .changeSubscriptionPrice, .changeSubscriptionMetadata,
        .migrateSubscription, .requestTransactionRefund,
    ]

    /// Cancel a Subscription.
    ///
    /// - Source: Advanced Commerce API, Cancel a Subscription.
    public static let cancelSubscription = AppStoreServerCall(
        identifier: .cancelSubscription,
        name: "cancel-subscription",
        title: "Cancel a Subscription",
        family: .advancedCommerce,
        method: "POST",
        path: "/advancedCommerce/v1/subscription/cancel/{transactionId}",
        queryParameters: [],
        body: .json,
        types: Types(
            request: "AdvancedCommerceSubscriptionCancelRequest",
            answer: "AdvancedCommerceSubscriptionCancelResponse"
        ),
        productionCallsPerSecond: 5,
        availability: .everywhere,
        isRepeatable: false
    )

    /// Revoke Subscription.
    ///
    /// - Source: Advanced Commerce API, Revoke Subscription.
    public static let revokeSubscription = AppStoreServerCall(
        identifier: .revokeSubscription,
        name: "revoke-subscription",
        title: "Revoke Subscription",
        family: .advancedCommerce,
        method: "POST",
        path: "/advancedCommerce/v1/subscription/revoke/{transactionId}",
        queryParameters: [],
        body: .json,
        types: Types(
            request: "AdvancedCommerceSubscriptionRevokeRequest",
            answer: "AdvancedCommerceSubscriptionRevokeResponse"
        ),
        productionCallsPerSecond: 5,
        availability: .everywhere,
        isRepeatable: false
    )

    /// Change Subscription Price.
    ///
    /// - Source: Advanced Commerce API, Change Subscription Price.
    public static let changeSubscriptionPrice = AppStoreServerCall(
        identifier: .changeSubscriptionPrice,
        name: "change-subscription-price",
        title: "Change Subscription Price",
        family: .advancedCommerce,
        method: "POST",
        path: "/advancedCommerce/v1/subscription/changePrice/{transactionId}",
        queryParameters: [],
        body: .json,
        types: Types(
            request: "AdvancedCommerceSubscriptionPriceChangeRequest",
            answer: "AdvancedCommerceSubscriptionPriceChangeResponse"
        ),
        productionCallsPerSecond: 50,
        availability: .everywhere,
        isRepeatable: false
    )

    /// Change Subscription Metadata.
    ///
    /// - Source: Advanced Commerce API, Change Subscription Metadata.
    public static let changeSubscriptionMetadata = AppStoreServerCall(
        identifier: .changeSubscriptionMetadata,
        name: "change-subscription-metadata",
        title: "Change Subscription Metadata",
        family: .advancedCommerce,
        method: "POST",
        path: "/advancedCommerce/v1/subscription/changeMetadata/{transactionId}",
        queryParameters: [],
        body: .json,
        types: Types(
            request: "AdvancedCommerceSubscriptionChangeMetadataRequest",
            answer: "AdvancedCommerceSubscriptionChangeMetadataResponse"
        ),
        productionCallsPerSecond: 50,
        availability: .everywhere,
        isRepeatable: false
    )

    /// Migrate a Subscription.
    ///
    /// - Source: Advanced Commerce API, Migrate a Subscription.
    public static let migrateSubscription = AppStoreServerCall(
        identifier: .migrateSubscription,
        name: "migrate-subscription",
        title: "Migrate a Subscription",
        family: .advancedCommerce,
        method: "POST",
        path: "/advancedCommerce/v1/subscription/migrate/{transactionId}",
        queryParameters: [],
        body: .json,
        types: Types(
            request: "AdvancedCommerceSubscriptionMigrateRequest",
            answer: "AdvancedCommerceSubscriptionMigrateResponse"
        ),
        productionCallsPerSecond: 50,
        availability: .everywhere,
        isRepeatable: false
    )

    /// Request Transaction Refund.
    ///
    /// - Source: Advanced Commerce API, Request Transaction Refund.
    public static let requestTransactionRefund = AppStoreServerCall(
        identifier: .requestTransactionRefund,
        name: "request-transaction-refund",
        title: "Request Transaction Refund",
        family: .advancedCommerce,
        method: "POST",
        path: "/advancedCommerce/v1/transaction/requestRefund/{transactionId}",
        queryParameters: [],
        body: .json,
        types: Types(request: "AdvancedCommerceRequestRefundRequest", answer: "AdvancedCommerceRequestRefundResponse"),
        productionCallsPerSecond: 5,
        availability: .everywhere,
        isRepeatable: false
    )
}
