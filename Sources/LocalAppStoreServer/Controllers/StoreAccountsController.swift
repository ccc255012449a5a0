import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The actions of customers (accounts, cards, purchases, automatic renewal) and of support (refunds).
struct StoreAccountsController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.get("/_store/accounts", list)
        routes.post("/_store/accounts", create)
        routes.get("/_store/accounts/{id}", account)
        routes.put("/_store/accounts/{id}/payment", setPayment)
        routes.put("/_store/accounts/{id}/storefront", setStorefront)
        routes.post("/_store/accounts/{id}/purchases", purchase)
        routes.post("/_store/accounts/{id}/rescind-consent", rescindConsent)
        routes.post("/_store/subscriptions/{id}/auto-renew", setAutoRenew)
        routes.post("/_store/transactions/{id}/refund", refund)
    }

    @Sendable private func list(_ request: Request, _ context: StoreContext) async throws -> Response {
        let page = try PageQuery(request)
        return .json(try await coordinator.read { try $0.accounts(after: page.cursor, limit: page.limit) }.json)
    }

    @Sendable private func create(_ request: Request, _ context: StoreContext) async throws -> Response {
        let fields = try await request.fields(["storefront", "accountId"])
        let (storefront, accountId) = (try fields.string("storefront"), try fields.string("accountId"))
        let account = try await coordinator.read { try $0.createAccount(storefront: storefront, accountId: accountId) }
        return .json(account.identityJSON)
    }

    @Sendable private func account(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        return .json(try await coordinator.read { try $0.account(id) }.json)
    }

    @Sendable private func setPayment(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let fields = try await request.fields(["state", "recoversAfter"])
        let state = try fields.requiredChoice("state", of: PaymentState.self)
        let recoversAfter = try fields.int32("recoversAfter").map { Int($0) }
        return .json(
            try await coordinator.perform { store in
                try store.setPayment(accountId: id, state: state, recoversAfter: recoversAfter)
                return try store.account(id)
            }.json
        )
    }

    @Sendable private func setStorefront(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let storefront = try await request.fields(["storefront"]).requiredString("storefront")
        return .json(
            try await coordinator.perform { store in
                try store.setStorefront(accountId: id, storefront: storefront)
                return try store.account(id)
            }.json
        )
    }

    /// Sells a product, or answers 202 if the account's purchases need approval. The answer contains the account's app
    /// receipt, as on a device.
    @Sendable private func purchase(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let purchase = try PurchaseRequest(await request.fields(PurchaseRequest.members))
        let (answer, receipt) = try await coordinator.perform { store in
            let answer = try store.requestPurchase(accountId: id, request: purchase)
            return (answer, store.makesReceipts ? try store.appReceipt(accountId: id) : nil)
        }
        switch answer {
        case .completed(let outcome):
            var json = outcome.json
            json["receipt"] = receipt.map { .string($0) }
            return .json(json)
        case .pending(let pending): return .json(pending.json, status: .accepted)
        }
    }

    @Sendable private func rescindConsent(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        _ = try await request.fields([])
        try await coordinator.perform { try $0.rescindConsent(accountId: id) }
        return .json(["accountId": .string(id)])
    }

    @Sendable private func setAutoRenew(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let enabled = try await request.fields(["enabled"]).requiredBool("enabled")
        try await coordinator.perform { try $0.setAutoRenew(originalTransactionId: id, enabled: enabled) }
        return .json(["originalTransactionId": .string(id), "enabled": .bool(enabled)])
    }

    @Sendable private func refund(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let fields = try await request.fields(["reason", "percentage"])
        let (reason, percentage) = (try fields.int32("reason") ?? 0, try fields.int32("percentage"))
        let (revocationDate, share) = try await coordinator.perform { store in
            let share = try store.refund(transactionId: id, reason: Int(reason), percentage: percentage.map(Int.init))
            return (store.now, share)
        }
        var json: JSONObject = ["transactionId": .string(id)]
        // Apple counts in thousandths of a percent, so the answer shows the percentage: 50 is not one half.
        if let share {
            json["revocationDate"] = .integer(revocationDate)
            json["revocationPercentage"] = .integer(Int64(share))
        }
        return .json(json)
    }
}

extension PurchaseRequest {
    /// The members of the body of a purchase.
    static let members: Set<String> = [
        "productId", "quantity", "appAccountToken", "offer", "fixesPayment", "billingPlan",
    ]

    /// Reads the body of a purchase.
    init(_ fields: RequestFields) throws(StoreCallError) {
        self.init(
            productId: try fields.requiredString("productId"),
            quantity: Int(try fields.int32("quantity") ?? 1),
            appAccountToken: try fields.string("appAccountToken"),
            fixesPayment: try fields.bool("fixesPayment") ?? false,
            billingPlan: try fields.string("billingPlan").map(BillingPlanType.init(rawValue:))
        )
        let members: Set<String> = ["type", "identifier", "code", "signature", "keyId", "nonce", "timestamp"]
        guard let offer = try fields.object("offer", known: members) else { return }
        self.offer = Offer(
            type: try offer.requiredString("type"),
            identifier: try offer.string("identifier"),
            code: try offer.string("code"),
            signature: try offer.string("signature"),
            keyId: try offer.string("keyId"),
            nonce: try offer.string("nonce"),
            timestamp: try offer.integer("timestamp")
        )
    }
}
