import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// Price changes by the developer, and the answers of subscribers to a price increase.
struct StorePriceController: Sendable {
    private static let changeMembers: Set<String> = [
        "price", "storefront", "needsConsent", "effectiveDate", "preserve",
    ]

    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.post("/_store/products/{id}/price", changePrice)
        routes.post("/_store/subscriptions/{id}/price-consent", answerIncrease)
    }

    @Sendable private func changePrice(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let fields = try await request.fields(Self.changeMembers)
        let change = PriceChangeRequest(
            productId: id,
            price: try fields.requiredInteger("price"),
            storefront: try fields.string("storefront"),
            needsConsent: try fields.bool("needsConsent"),
            effectiveDate: try fields.time("effectiveDate"),
            preserve: try fields.bool("preserve") ?? false
        )
        let effectiveDate = try await coordinator.perform { try $0.changePrice(change) }
        return .json([
            "productId": .string(id),
            "price": .integer(change.price),
            "storefront": change.storefront.map(JSONValue.string) ?? .null,
            "effectiveDate": .integer(effectiveDate),
        ])
    }

    @Sendable private func answerIncrease(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let accept = try await request.fields(["accept"]).requiredBool("accept")
        try await coordinator.perform { try $0.answerPriceIncrease(originalTransactionId: id, accept: accept) }
        return .json(["originalTransactionId": .string(id), "accept": .bool(accept)])
    }
}
