// Generated from Schema/renewal-extensions.toml; run `make generate` after a change there.
// swift-format-ignore-file

extension AppStoreServerCall {
    /// The calls of ``Family/extensions``.
    public static let extensions: [AppStoreServerCall] = [
        .extendSubscriptionRenewalDate, .extendSubscriptionRenewalDatesForAllActiveSubscribers,
        .getStatusOfSubscriptionRenewalDateExtensions,
    ]

    /// Extend a Subscription Renewal Date.
    ///
    /// - Source: App Store Server API, Extend a Subscription Renewal Date.
    public static let extendSubscriptionRenewalDate = AppStoreServerCall(
        identifier: .extendSubscriptionRenewalDate,
        name: "extend-subscription-renewal-date",
        title: "Extend a Subscription Renewal Date",
        family: .extensions,
        method: "PUT",
        path: "/inApps/v1/subscriptions/extend/{originalTransactionId}",
        queryParameters: [],
        body: .json,
        types: Types(request: "ExtendRenewalDateRequest", answer: "ExtendRenewalDateResponse"),
        productionCallsPerSecond: 20,
        availability: .everywhere,
        isRepeatable: false
    )

    /// Extend Subscription Renewal Dates for All Active Subscribers; Apple answers a repeated `requestIdentifier` as it
    /// did the first.
    ///
    /// - Source: App Store Server API, Extend Subscription Renewal Dates for All Active Subscribers.
    public static let extendSubscriptionRenewalDatesForAllActiveSubscribers = AppStoreServerCall(
        identifier: .extendSubscriptionRenewalDatesForAllActiveSubscribers,
        name: "extend-renewal-date-for-all-active-subscribers",
        title: "Extend Subscription Renewal Dates for All Active Subscribers",
        family: .extensions,
        method: "POST",
        path: "/inApps/v1/subscriptions/extend/mass",
        queryParameters: [],
        body: .json,
        types: Types(request: "MassExtendRenewalDateRequest", answer: "MassExtendRenewalDateResponse"),
        productionCallsPerSecond: 1,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Get Status of Subscription Renewal Date Extensions.
    ///
    /// - Source: App Store Server API, Get Status of Subscription Renewal Date Extensions.
    public static let getStatusOfSubscriptionRenewalDateExtensions = AppStoreServerCall(
        identifier: .getStatusOfSubscriptionRenewalDateExtensions,
        name: "get-status-of-subscription-renewal-date-extensions",
        title: "Get Status of Subscription Renewal Date Extensions",
        family: .extensions,
        method: "GET",
        path: "/inApps/v1/subscriptions/extend/mass/{productId}/{requestIdentifier}",
        queryParameters: [],
        body: .none,
        types: Types(answer: "MassExtendRenewalDateStatusResponse"),
        productionCallsPerSecond: nil,
        availability: .everywhere,
        isRepeatable: true
    )
}
