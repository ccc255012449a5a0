package import HTTPTypes
package import SubscriptionStorage

/// The scope that each route needs of a secret key or an operator, and the routes that accept a publishable key.
///
/// A route that reads needs `read`, unless it is listed. A route that changes something is always listed, and a test
/// compares the list with the routes: one that is missing needs `admin`. A route that is not listed for publishable
/// keys needs a secret key.
package enum RouteScopes {
    private static let writing: [String: KeyScope] = [
        "POST /v1/transactions": .write,
        "POST /v1/lookups/order": .write,
        "POST /v1/transfers": .write,
        "POST /v1/transfers/{id}/undo": .write,
        "POST /v1/transactions/{id}/finish": .write,
        "POST /v1/customers/{app_user_id}/aliases": .write,
        "POST /v1/customers/{app_user_id}/entitlement_token": .write,
        "POST /v1/customers/{app_user_id}/grants": .write,
        "POST /v1/customers/{app_user_id}/refresh": .write,
        "DELETE /v1/customers/{app_user_id}/grants/{id}": .write,
        "PATCH /v1/customers/{app_user_id}/attributes": .write,
        "PUT /v1/customers/{app_user_id}/attributes": .write,
        "PUT /v1/purchases/{id}/app_account_token": .write,
        "PUT /v1/purchases/{id}/consumption": .write,

        "DELETE /v1/customers/{app_user_id}": .operate,
        "POST /v1/apple/test_notifications": .operate,
        "POST /v1/extension_campaigns": .operate,
        "POST /v1/extension_campaigns/{id}/approve": .operate,
        "POST /v1/extension_campaigns/{id}/cancel": .operate,
        "POST /v1/extension_campaigns/{id}/dry_run": .operate,
        "POST /v1/extension_campaigns/{id}/start": .operate,
        "POST /v1/recovery/windows": .operate,
        "POST /v1/subscriptions/{id}/extensions": .operate,
        "POST /v1/webhook_deliveries/{id}/resend": .operate,
        "POST /v1/webhook_endpoints/{id}/resend": .operate,
        "POST /v1/webhook_endpoints/{id}/test": .operate,

        "DELETE /v1/api_keys/{id}": .admin,
        "DELETE /v1/webhook_endpoints/{id}": .admin,
        "PATCH /v1/app": .admin,
        "PATCH /v1/webhook_endpoints/{id}": .admin,
        "POST /v1/api_keys": .admin,
        "POST /v1/api_keys/{id}/rotate": .admin,
        "POST /v1/webhook_endpoints": .admin,
        "POST /v1/webhook_endpoints/{id}/rotate": .admin,
        "PUT /v1/entitlements/{id}": .admin,
        "PUT /v1/products": .admin,
    ]

    private static let reading: [String: KeyScope] = [
        "/v1/api_keys": .admin,
        "/v1/api_keys/{id}": .admin,
    ]

    private static let publishableReading: Set = [
        "/v1/customers/{app_user_id}",
        "/v1/customers/{app_user_id}/entitlements",
        "/v1/customers/{app_user_id}/offers",
    ]

    private static let publishableWriting: Set = [
        // Only if the configuration allows it.
        "POST /v1/customers/{app_user_id}/entitlement_token",
        "POST /v1/transactions",
    ]

    /// Whether a route accepts a publishable key, which every copy of the app has.
    ///
    /// - Parameter path: The pattern of the route.
    package static func acceptsPublishableKeys(_ method: HTTPRequest.Method, _ path: String) -> Bool {
        switch method {
        case .get, .head: publishableReading.contains(path)
        default: publishableWriting.contains("\(method) \(path)")
        }
    }

    /// The routes that change something, as `METHOD path`.
    package static var changing: Set<String> { Set(writing.keys) }

    /// The scope that a request needs.
    ///
    /// - Parameter path: The pattern of the route.
    package static func scope(_ method: HTTPRequest.Method, _ path: String) -> KeyScope {
        switch method {
        case .get, .head: reading[path] ?? .read
        default: writing["\(method) \(path)"] ?? .admin
        }
    }
}
