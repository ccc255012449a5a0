import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The calls of Apple's Advanced Commerce API that a developer's server makes.
struct AdvancedCommerceController: Sendable {
    let coordinator: StoreCoordinator
    let gate: AppleGate

    func addRoutes(to routes: inout RouteTable) {
        let path = "/advancedCommerce/v1"
        routes.post("\(path)/subscription/cancel/{id}", gate.guarded(.cancelSubscription, cancel))
        routes.post("\(path)/subscription/revoke/{id}", gate.guarded(.revokeSubscription, revoke))
        routes.post("\(path)/subscription/changePrice/{id}", gate.guarded(.changeSubscriptionPrice, changePrice))
        routes.post(
            "\(path)/subscription/changeMetadata/{id}",
            gate.guarded(.changeSubscriptionMetadata, changeMetadata)
        )
        routes.post("\(path)/subscription/migrate/{id}", gate.guarded(.migrateSubscription, migrate))
        routes.post("\(path)/transaction/requestRefund/{id}", gate.guarded(.requestTransactionRefund, requestRefund))
    }

    @Sendable private func cancel(_ request: Request, _ context: StoreContext) async throws -> Response {
        try await answer(request, context) {
            try $0.cancelAdvancedCommerceSubscription(transactionId: $1, body: $2).json
        }
    }

    @Sendable private func revoke(_ request: Request, _ context: StoreContext) async throws -> Response {
        try await answer(request, context) {
            try $0.revokeAdvancedCommerceSubscription(transactionId: $1, body: $2).json
        }
    }

    @Sendable private func changePrice(_ request: Request, _ context: StoreContext) async throws -> Response {
        try await answer(request, context) { try $0.changeAdvancedCommercePrice(transactionId: $1, body: $2).json }
    }

    @Sendable private func changeMetadata(_ request: Request, _ context: StoreContext) async throws -> Response {
        try await answer(request, context) { try $0.changeAdvancedCommerceMetadata(transactionId: $1, body: $2).json }
    }

    @Sendable private func migrate(_ request: Request, _ context: StoreContext) async throws -> Response {
        try await answer(request, context) { try $0.migrateToAdvancedCommerce(transactionId: $1, body: $2).json }
    }

    @Sendable private func requestRefund(_ request: Request, _ context: StoreContext) async throws -> Response {
        try await answer(request, context) { try $0.requestAdvancedCommerceRefund(transactionId: $1, body: $2).json }
    }

    private func answer(
        _ request: Request,
        _ context: StoreContext,
        _ call: @escaping @Sendable (inout LocalAppStore, String, JSONObject) throws -> JSONObject
    ) async throws -> Response {
        let id = try context.pathParameter("id")
        let body = try await request.appleBody()
        return .json(try await coordinator.performForApple { try call(&$0, id, body) })
    }
}
