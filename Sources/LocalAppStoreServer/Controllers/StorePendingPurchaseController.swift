import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// Purchases that wait for the approval of a parent or for the customer.
struct StorePendingPurchaseController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.put("/_store/accounts/{id}/purchase-behaviour", setBehaviour)
        routes.get("/_store/accounts/{id}/pending-purchases", list)
        routes.post("/_store/pending-purchases/{id}/approve", approve)
        routes.post("/_store/pending-purchases/{id}/resolve", resolve)
        routes.post("/_store/pending-purchases/{id}/decline", decline)
    }

    @Sendable private func setBehaviour(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let fields = try await request.fields(["behaviour"])
        let behaviour = try fields.requiredChoice("behaviour", of: PurchaseBehaviour.self)
        try await coordinator.perform { try $0.setPurchaseBehaviour(accountId: id, behaviour: behaviour) }
        return .json(["accountId": .string(id), "behaviour": .string(behaviour.rawValue)])
    }

    @Sendable private func list(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let pending = try await coordinator.read { try $0.pendingPurchases(accountId: id) }
        return .json(["pendingPurchases": .array(pending.map { .object($0.json) })])
    }

    @Sendable private func approve(_ request: Request, _ context: StoreContext) async throws -> Response {
        try await complete(request, context, waitingAs: .askToBuy)
    }

    @Sendable private func resolve(_ request: Request, _ context: StoreContext) async throws -> Response {
        try await complete(request, context, waitingAs: .interrupted)
    }

    private func complete(
        _ request: Request,
        _ context: StoreContext,
        waitingAs behaviour: PurchaseBehaviour
    ) async throws -> Response {
        let id = try context.pathParameter("id")
        _ = try await request.fields([])
        return .json(try await coordinator.perform { try $0.completePendingPurchase(id, waitingAs: behaviour) }.json)
    }

    @Sendable private func decline(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        _ = try await request.fields([])
        return .json(try await coordinator.perform { try $0.declinePendingPurchase(id) }.json)
    }
}

extension PendingPurchase {
    /// A pending or completed purchase; includes the transaction once it exists.
    var json: JSONObject {
        var json: JSONObject = [
            "pendingPurchaseId": .string(pendingPurchaseId),
            "accountId": .string(accountId),
            "productId": .string(request.productId),
            "behaviour": .string(behaviour.rawValue),
            "requestedDate": .integer(requestedDate),
            "state": .string(state.rawValue),
        ]
        if let transactionId { json["transactionId"] = .string(transactionId) }
        return json
    }
}
