extension AppStoreServerCall {
    /// The calls about the server's part of the Advanced Commerce API.
    public static let advancedCommerce: [AppStoreServerCall] = [
        cancelSubscription, revokeSubscription, changeSubscriptionPrice, changeSubscriptionMetadata,
        migrateSubscription, requestTransactionRefund,
    ]

    /// Cancel a Subscription.
    ///
    /// - Source: Advanced Commerce API, Cancel a Subscription.
    public static let cancelSubscription = AppStoreServerCall(
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
