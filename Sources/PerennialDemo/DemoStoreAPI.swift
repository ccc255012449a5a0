/// The calls to the local store that the demo makes.
struct DemoStoreAPI: Sendable {
    /// The timeout of a clock advance, which waits for all deliveries and followers.
    private static let advanceDeadline = Duration.seconds(600)
    private static let pageLimit = 100

    let http: DemoHTTP

    func status() async throws -> LedgerStatus {
        try await http.get("/_store/status")
    }

    func setGracePeriod(_ gracePeriod: String) async throws {
        let _: Ignored = try await http.send(.put, "/_store/settings", ["gracePeriod": gracePeriod])
    }

    /// Sets how long before the end of a period its renewal is charged.
    func setRenewalLead(milliseconds: Int64) async throws {
        let _: Ignored = try await http.send(.put, "/_store/settings", ["renewalLeadMilliseconds": milliseconds])
    }

    /// Replaces all faults.
    func setFaults(_ faults: DemoFaults) async throws {
        let _: Ignored = try await http.send(.put, "/_store/faults", faults)
    }

    /// The active faults with their number of occurrences.
    func faults() async throws -> LedgerFaults {
        try await http.get("/_store/faults")
    }

    func createAccount(storefront: String) async throws -> String {
        struct Answer: Decodable { let accountId: String }
        let answer: Answer = try await http.send(.post, "/_store/accounts", ["storefront": storefront])
        return answer.accountId
    }

    func account(_ id: String) async throws -> LedgerAccount {
        try await http.get("/_store/accounts/\(id)")
    }

    /// All subscriptions of all accounts, page by page.
    func ledger() async throws -> DemoLedger {
        struct Page: Decodable {
            let accounts: [LedgerAccount]
            let nextCursor: String?
        }
        var ledger = DemoLedger()
        var cursor: String?
        repeat {
            let query = "?limit=\(Self.pageLimit)" + (cursor.map { "&cursor=\($0)" } ?? "")
            let page: Page = try await http.get("/_store/accounts" + query)
            for account in page.accounts { ledger.add(account) }
            cursor = page.nextCursor
        } while cursor != nil
        return ledger
    }

    /// Buys a product; the answer is what StoreKit returns to the app.
    func purchase(_ productID: String, account: String, appAccountToken: String?) async throws -> LedgerReceipt {
        var body = ["productId": productID]
        body["appAccountToken"] = appAccountToken
        return try await http.send(.post, "/_store/accounts/\(account)/purchases", body)
    }

    func setCard(isGood: Bool, account: String) async throws {
        let body = ["state": isGood ? "ok" : "declined"]
        let _: Ignored = try await http.send(.put, "/_store/accounts/\(account)/payment", body)
    }

    func setAutoRenew(_ enabled: Bool, subscription: String) async throws {
        let path = "/_store/subscriptions/\(subscription)/auto-renew"
        let _: Ignored = try await http.send(.post, path, ["enabled": enabled])
    }

    func refund(transaction: String) async throws {
        let path = "/_store/transactions/\(transaction)/refund"
        let _: Ignored = try await http.send(.post, path, [String: String]())
    }

    func addToFamily(_ member: String, of organizer: String) async throws {
        let _: Ignored = try await http.send(.post, "/_store/accounts/\(organizer)/family", ["member": member])
    }

    /// Sets the price of a product in a storefront.
    func setPrice(_ thousandths: Int64, of product: String, in storefront: String) async throws {
        struct Body: Encodable {
            let price: Int64
            let storefront: String
        }
        let body = Body(price: thousandths, storefront: storefront)
        let _: Ignored = try await http.send(.post, "/_store/products/\(product)/price", body)
    }

    func advance(to time: Int64) async throws -> LedgerAdvance {
        try await http.send(
            .post,
            "/_store/clock/advance",
            ["to": time],
            deadline: Self.advanceDeadline
        )
    }

    /// All notifications of the store, page by page; one in `payloadEvery` with its payload.
    func notifications(payloadEvery: Int) async throws -> [LedgerNotification] {
        struct Page: Decodable {
            var notifications: [LedgerNotification]
            let nextCursor: String?
        }
        var all: [LedgerNotification] = []
        var cursor: String?
        repeat {
            let query = "?limit=\(Self.pageLimit)" + (cursor.map { "&cursor=\($0)" } ?? "")
            var page: Page = try await http.get("/_store/notifications" + query)
            for position in page.notifications.indices where (all.count + position) % payloadEvery != 0 {
                page.notifications[position].signedPayload = nil
            }
            all += page.notifications
            cursor = page.nextCursor
        } while cursor != nil
        return all
    }

    private struct Ignored: Decodable {}
}

/// `GET /_store/status`
struct LedgerStatus: Decodable, Sendable {
    let now: Int64
}

/// `POST /_store/clock/advance`
struct LedgerAdvance: Decodable, Sendable {
    struct Notifications: Decodable, Sendable {
        let sent: Int
        let failed: Int
    }

    let now: Int64
    let notifications: Notifications
}

/// `POST /_store/accounts/{accountId}/purchases`
struct LedgerReceipt: Decodable, Sendable {
    let transactionId: String
    let signedTransactionInfo: String
}

/// An entry of `GET /_store/notifications`.
struct LedgerNotification: Decodable, Sendable {
    let notificationUUID: String
    let notificationType: String
    /// The payload; kept for some only, because each is about 20 KB.
    var signedPayload: String?
}

/// `GET /_store/accounts/{accountId}`: the store's ledger, the reference of the comparison.
struct LedgerAccount: Decodable, Sendable {
    struct Payment: Decodable, Sendable {
        let state: String
    }

    let accountId: String
    let storefront: String
    let payment: Payment
    private(set) var subscriptions: [LedgerSubscription]
    let transactions: [LedgerTransaction]

    var hasGoodCard: Bool { payment.state == "ok" }

    /// The account with the period of each subscription that runs at a time.
    ///
    /// The ledger has the newest period, which may be charged before it begins. Until then the paid period before it is
    /// the current one, and it renews, whatever the customer changes. A refunded period does not count.
    func running(at now: Int64) -> LedgerAccount {
        var account = self
        account.subscriptions = subscriptions.map { subscription in
            let period = transactions.last {
                $0.originalTransactionId == subscription.originalTransactionId && $0.purchaseDate <= now
                    && $0.revocationDate == nil
            }
            guard subscription.givesAccess, subscription.purchaseDate > now, let period,
                let end = period.expiresDate, end > now
            else { return subscription }
            var running = subscription
            running.productId = period.productId
            running.autoRenewStatus = 1
            running.purchaseDate = period.purchaseDate
            running.expiresDate = end
            running.price = period.price
            running.currency = period.currency
            return running
        }
        return account
    }
}

/// A subscription of ``LedgerAccount``, with Apple's names.
struct LedgerSubscription: Decodable, Sendable {
    let originalTransactionId: String
    let subscriptionGroupIdentifier: String
    fileprivate(set) var productId: String
    fileprivate(set) var autoRenewStatus: Int
    let status: Int
    let originalPurchaseDate: Int64
    fileprivate(set) var purchaseDate: Int64
    fileprivate(set) var expiresDate: Int64
    let gracePeriodExpiresDate: Int64?
    fileprivate(set) var price: Int64
    fileprivate(set) var currency: String
    let inAppOwnershipType: String

    /// The status in the notation of the server.
    var statusName: String {
        switch status {
        case 1: "active"
        case 2: "expired"
        case 3: "in_billing_retry"
        case 4: "in_grace_period"
        case 5: "revoked"
        default: "status \(status)"
        }
    }

    var isActive: Bool { status == 1 }
    var isInGracePeriod: Bool { status == 4 }
    var isInBillingRetry: Bool { status == 3 }
    var givesAccess: Bool { isActive || isInGracePeriod }
    var isOver: Bool { status == 2 || status == 5 }
}

/// A transaction of ``LedgerAccount``, with Apple's names.
struct LedgerTransaction: Decodable, Sendable {
    let transactionId: String
    let originalTransactionId: String
    let productId: String
    let type: String
    let purchaseDate: Int64
    let expiresDate: Int64?
    let price: Int64
    let currency: String
    let quantity: Int
    let revocationDate: Int64?

    var isRenewable: Bool { type == "Auto-Renewable Subscription" }
}
