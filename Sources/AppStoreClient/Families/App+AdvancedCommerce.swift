public import AppStoreModel

// The calls of the Advanced Commerce API. None is retried if the first attempt may have been received, because Apple
// refuses a used reference.
extension AppStoreServerAPIClient.App {
    /// Turns the renewal of a subscription off; access continues until the period ends.
    ///
    /// - Parameters:
    ///   - transactionId: The original or any later transaction.
    ///   - request: The request, with an unused reference.
    /// - Rate limit: 5/s in production, 0.5/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `transaction_not_found`; and what
    ///   every call throws.
    /// - Source: Advanced Commerce API, Cancel a Subscription.
    public func cancelSubscription(
        transactionId: String,
        _ request: AdvancedCommerceSubscriptionCancelRequest
    ) async throws(AppStoreClientError) -> AppStoreAnswer<AdvancedCommerceSubscriptionCancelResponse> {
        try await call(.cancelSubscription, path: ["transactionId": transactionId], body: request)
    }

    /// Ends a subscription at once with a refund; a `REFUND` notification follows.
    ///
    /// - Parameters:
    ///   - transactionId: The original or any later transaction.
    ///   - request: The reason, and the amount of the refund.
    /// - Rate limit: 5/s in production, 0.5/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `transaction_not_found`; and what
    ///   every call throws.
    /// - Source: Advanced Commerce API, Revoke Subscription.
    public func revokeSubscription(
        transactionId: String,
        _ request: AdvancedCommerceSubscriptionRevokeRequest
    ) async throws(AppStoreClientError) -> AppStoreAnswer<AdvancedCommerceSubscriptionRevokeResponse> {
        try await call(.revokeSubscription, path: ["transactionId": transactionId], body: request)
    }

    /// Changes prices from the next renewal on; at least 24 hours before it, and not during billing retry.
    ///
    /// - Parameters:
    ///   - transactionId: The original or any later transaction.
    ///   - request: The new prices.
    /// - Rate limit: 50/s in production, 5/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `transaction_not_found`; and what
    ///   every call throws.
    /// - Source: Advanced Commerce API, Change Subscription Price.
    public func changeSubscriptionPrice(
        transactionId: String,
        _ request: AdvancedCommerceSubscriptionPriceChangeRequest
    ) async throws(AppStoreClientError) -> AppStoreAnswer<AdvancedCommerceSubscriptionPriceChangeResponse> {
        try await call(.changeSubscriptionPrice, path: ["transactionId": transactionId], body: request)
    }

    /// Changes names, descriptions, SKUs or the tax code of a subscription; nothing is billed.
    ///
    /// - Parameters:
    ///   - transactionId: The original or any later transaction.
    ///   - request: The changes, and when they take effect.
    /// - Rate limit: 50/s in production, 5/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `transaction_not_found`; and what
    ///   every call throws.
    /// - Source: Advanced Commerce API, Change Subscription Metadata.
    public func changeSubscriptionMetadata(
        transactionId: String,
        _ request: AdvancedCommerceSubscriptionChangeMetadataRequest
    ) async throws(AppStoreClientError) -> AppStoreAnswer<AdvancedCommerceSubscriptionChangeMetadataResponse> {
        try await call(.changeSubscriptionMetadata, path: ["transactionId": transactionId], body: request)
    }

    /// Migrates an ordinary subscription to the Advanced Commerce API.
    ///
    /// - Parameters:
    ///   - transactionId: The original or any later transaction.
    ///   - request: The new terms.
    /// - Rate limit: 50/s in production, 5/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `transaction_not_found`; and what
    ///   every call throws.
    /// - Source: Advanced Commerce API, Migrate a Subscription.
    public func migrateSubscription(
        transactionId: String,
        _ request: AdvancedCommerceSubscriptionMigrateRequest
    ) async throws(AppStoreClientError) -> AppStoreAnswer<AdvancedCommerceSubscriptionMigrateResponse> {
        try await call(.migrateSubscription, path: ["transactionId": transactionId], body: request)
    }

    /// Requests a refund of a one-time charge, or of a subscription's transaction or items.
    ///
    /// - Parameters:
    ///   - transactionId: The original or any later transaction.
    ///   - request: The items, the reason, and the amount.
    /// - Rate limit: 5/s in production, 0.5/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `transaction_not_found`; and what
    ///   every call throws.
    /// - Source: Advanced Commerce API, Request Transaction Refund.
    public func requestTransactionRefund(
        transactionId: String,
        _ request: AdvancedCommerceRequestRefundRequest
    ) async throws(AppStoreClientError) -> AppStoreAnswer<AdvancedCommerceRequestRefundResponse> {
        try await call(.requestTransactionRefund, path: ["transactionId": transactionId], body: request)
    }
}
