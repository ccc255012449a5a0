import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// Purchases through a signed Advanced Commerce request of the developer.
struct StoreAdvancedCommerceController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.post("/_store/accounts/{id}/advanced-commerce-purchases", purchase)
    }

    @Sendable private func purchase(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let fields = try await request.fields(["productId", "request", "fixesPayment"])
        let (productId, signed) = (try fields.requiredString("productId"), try fields.requiredString("request"))
        let fixesPayment = try fields.bool("fixesPayment") ?? false
        return .json(
            try await coordinator.perform { store in
                try store.purchaseWithAdvancedCommerce(
                    accountId: id,
                    productId: productId,
                    request: signed,
                    fixesPayment: fixesPayment
                )
            }.json
        )
    }
}
