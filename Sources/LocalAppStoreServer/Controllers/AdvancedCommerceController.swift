import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// The calls of Apple's Advanced Commerce API that a developer's server makes.
struct AdvancedCommerceController: Sendable {
    let coordinator: StoreCoordinator
    let gate: AppleGate

    func addRoutes(to routes: inout RouteTable) {
        routes.add(.cancelSubscription, gate, cancel)
        routes.add(.revokeSubscription, gate, revoke)
        routes.add(.changeSubscriptionPrice, gate, changePrice)
        routes.add(.changeSubscriptionMetadata, gate, changeMetadata)
        routes.add(.migrateSubscription, gate, migrate)
        routes.add(.requestTransactionRefund, gate, requestRefund)
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
