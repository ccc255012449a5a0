public import AppStoreModel

// The calls that extend the periods of subscriptions.
extension AppStoreServerAPIClient.App {
    /// Extends the current period of a subscription by 1 to 90 days, at most twice within 365 days.
    ///
    /// It cannot be reversed, so it is never retried if the first attempt may have been received.
    ///
    /// - Parameters:
    ///   - originalTransactionId: The subscription.
    ///   - request: The number of days, the reason, and an identifier of at most 128 characters.
    /// - Rate limit: 20/s in production, 2/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `transaction_not_found`; and what
    ///   every call throws.
    /// - Source: App Store Server API, Extend a Subscription Renewal Date.
    public func extendSubscriptionRenewalDate(
        originalTransactionId: String,
        _ request: ExtendRenewalDateRequest
    ) async throws(AppStoreClientError) -> AppStoreAnswer<ExtendRenewalDateResponse> {
        try await call(
            .extendSubscriptionRenewalDate,
            path: ["originalTransactionId": originalTransactionId],
            body: request
        )
    }

    /// Orders the extension of a product for all of its active subscribers; Apple processes it for hours or days.
    ///
    /// The same `requestIdentifier` means the same order, so it is retried after an error.
    ///
    /// - Parameter request: The product, the number of days, the reason, and an identifier, which must be a UUID.
    /// - Rate limit: 1/s in production, 0.1/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; and what every call throws.
    /// - Source: App Store Server API, Extend Subscription Renewal Dates for All Active Subscribers.
    public func extendRenewalDateForAllActiveSubscribers(
        _ request: MassExtendRenewalDateRequest
    ) async throws(AppStoreClientError) -> AppStoreAnswer<MassExtendRenewalDateResponse> {
        try await call(.extendSubscriptionRenewalDatesForAllActiveSubscribers, body: request)
    }

    /// Gets the status of the extension for all active subscribers.
    ///
    /// - Parameters:
    ///   - productId: The product of the order.
    ///   - requestIdentifier: The identifier of the order, a UUID.
    /// - Rate limit: Apple publishes no limit.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; and what every call throws.
    /// - Source: App Store Server API, Get Status of Subscription Renewal Date Extensions.
    public func getStatusOfSubscriptionRenewalDateExtensions(
        productId: String,
        requestIdentifier: String
    ) async throws(AppStoreClientError) -> AppStoreAnswer<MassExtendRenewalDateStatusResponse> {
        try await call(
            .getStatusOfSubscriptionRenewalDateExtensions,
            path: ["productId": productId, "requestIdentifier": requestIdentifier]
        )
    }
}
