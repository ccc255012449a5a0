/// The calls to the subscription server that the demo makes.
struct DemoServerAPI: Sendable {
    private static let pageLimit = 1000

    let http: DemoHTTP

    /// The call of an app after a purchase.
    func submit(_ signedTransaction: String, appUserID: String) async throws {
        let body = ["app_user_id": appUserID, "signed_transaction": signedTransaction]
        let _: ServedCustomer = try await http.send(.post, "/v1/transactions", body)
    }

    /// The call of a server that has a transaction identifier.
    func submit(transactionID: String, appUserID: String) async throws {
        let body = ["app_user_id": appUserID, "transaction_id": transactionID]
        let _: ServedCustomer = try await http.send(.post, "/v1/transactions", body)
    }

    func defineEntitlement(_ id: String, products: [String]) async throws {
        struct Ignored: Decodable {}
        let _: Ignored = try await http.send(.put, "/v1/entitlements/\(id)", ["product_ids": products])
    }

    func customer(_ appUserID: String) async throws -> ServedCustomer {
        try await http.get("/v1/customers/\(appUserID)")
    }

    func entitlements(_ appUserID: String) async throws -> ServedEntitlements {
        try await http.get("/v1/customers/\(appUserID)/entitlements")
    }

    /// The server's comparison of Apple's notification history with what it holds, up to a time.
    func recoveryWindow(from: Int64, to: Int64) async throws -> ServedRecoveryWindow {
        var window: ServedRecoveryWindow = try await http.send(.post, "/v1/recovery/windows", ["from": from, "to": to])
        while window.state == "running" {
            try await Task.sleep(for: .milliseconds(50))
            window = try await http.get("/v1/recovery/windows/\(window.id)")
        }
        return window
    }

    /// The signed bytes of a notification, as stored by the server.
    func signedPayload(ofNotification id: String) async throws -> String {
        struct Answer: Decodable { let signedPayload: String }
        let answer: Answer = try await http.get("/v1/apple/notifications/\(id)")
        return answer.signedPayload
    }

    /// Makes a webhook endpoint that gets everything from the first event on.
    ///
    /// - Returns: Its identifier and its secret.
    func addWebhook(_ url: String) async throws -> (id: String, secret: String) {
        struct Secret: Decodable { let secret: String? }
        struct Endpoint: Decodable {
            let id: String
            let secrets: [Secret]
        }
        // A repeated call makes the same endpoint.
        let made: Endpoint = try await http.send(
            .post,
            "/v1/webhook_endpoints",
            ["url": url, "after": "beginning"],
            idempotencyKey: "demo-receiver"
        )
        return (made.id, made.secrets.first?.secret ?? "")
    }

    func removeWebhook(_ id: String) async throws {
        struct Ignored: Decodable {}
        let _: Ignored = try await http.delete("/v1/webhook_endpoints/\(id)")
    }

    /// Whether an endpoint got the whole feed.
    func hasDelivered(_ endpoint: String) async throws -> Bool {
        struct Endpoint: Decodable {
            let after: String?
            let openDeliveries: Int
        }
        struct Page: Decodable {
            let data: [DemoFeedEvent]
        }
        let found: Endpoint = try await http.get("/v1/webhook_endpoints/\(endpoint)")
        guard let position = found.after, found.openDeliveries == 0 else { return false }
        let rest: Page = try await http.get("/v1/events?limit=1&after=\(position)")
        return rest.data.isEmpty
    }

    /// All events.
    func feed() async throws -> [DemoFeedEvent] {
        struct Page: Decodable {
            let data: [DemoFeedEvent]
            let hasMore: Bool
            let nextCursor: String?
        }
        var events: [DemoFeedEvent] = []
        var cursor: String?
        while true {
            let query = "?limit=\(Self.pageLimit)" + (cursor.map { "&after=\($0)" } ?? "")
            let page: Page = try await http.get("/v1/events" + query)
            events += page.data
            cursor = page.nextCursor
            guard page.hasMore else { return events }
        }
    }

    /// The identifiers of all notifications that the server stores.
    func notificationIDs() async throws -> Set<String> {
        struct Entry: Decodable { let id: String }
        struct Page: Decodable {
            let data: [Entry]
            let nextCursor: String?
        }
        var ids: Set<String> = []
        var cursor: String?
        repeat {
            let query = "?limit=\(Self.pageLimit)" + (cursor.map { "&after=\($0)" } ?? "")
            let page: Page = try await http.get("/v1/apple/notifications" + query)
            ids.formUnion(page.data.map(\.id))
            cursor = page.nextCursor
        } while cursor != nil
        return ids
    }
}

/// The compared part of `GET /v1/customers/{app_user_id}`.
struct ServedCustomer: Decodable, Sendable {
    let appUserId: String
    let entitlements: [String: ServedEntitlement]
    let subscriptions: [ServedSubscription]
    let purchases: [ServedPurchase]
}

/// The compared part of `GET /v1/customers/{app_user_id}/entitlements`.
struct ServedEntitlements: Decodable, Sendable {
    let entitlements: [String: ServedEntitlement]
}

/// An entitlement in the server's answer.
struct ServedEntitlement: Decodable, Hashable, Sendable {
    let active: Bool
    let expiresAt: Int64?
    let graceExpiresAt: Int64?
    let productId: String
    let willRenew: Bool
    let billingIssue: Bool
    let source: String
}

/// A subscription in the server's answer.
struct ServedSubscription: Decodable, Sendable {
    let id: String
    let productId: String
    let groupId: String
    let status: String
    let givesAccess: Bool
    /// Printed only; the two values below are not compared.
    let periodType: String?
    let ownership: String?
    let startedAt: Int64
    let currentPeriodStartsAt: Int64
    let currentPeriodEndsAt: Int64
    let autoRenew: Bool
    let billingIssue: String?
    let price: Int64?
    let currency: String?
}

/// A recovery window in the server's answer.
struct ServedRecoveryWindow: Decodable, Hashable, Sendable {
    let id: String
    let state: String
    let sent: Int
    let held: Int
    let recovered: Int
    let refused: Int
    let missing: Int
}

/// A one-time purchase in the server's answer.
struct ServedPurchase: Decodable, Sendable {
    let id: String
    let productId: String
    let quantity: Int
    let purchasedAt: Int64
    let revokedAt: Int64?
    let price: Int64?
    let currency: String?
}
