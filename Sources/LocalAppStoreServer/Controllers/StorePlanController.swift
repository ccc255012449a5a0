import AppStoreModel
import HTTPTypes
import Hummingbird
import LocalAppStore

/// Plan changes: to another product of the subscription group, now or at the next renewal.
struct StorePlanController: Sendable {
    let coordinator: StoreCoordinator

    func addRoutes(to routes: inout RouteTable) {
        routes.post("/_store/subscriptions/{id}/plan", changePlan)
    }

    @Sendable private func changePlan(_ request: Request, _ context: StoreContext) async throws -> Response {
        let id = try context.pathParameter("id")
        let fields = try await request.fields(["productId", "fixesPayment"])
        let (productId, fixesPayment) = (try fields.requiredString("productId"), try fields.bool("fixesPayment"))
        return .json(
            try await coordinator.perform { store in
                try store.changePlan(
                    originalTransactionId: id,
                    productId: productId,
                    fixesPayment: fixesPayment ?? false
                )
            }.json
        )
    }
}

extension PlanChange {
    /// The answer of `POST /_store/subscriptions/{id}/plan`.
    var json: JSONObject {
        var json = purchase.json
        json["change"] = .string(kind.rawValue)
        json["effectiveDate"] = .integer(effectiveDate)
        if let proratedRefund { json["proratedRefund"] = .integer(proratedRefund) }
        return json
    }
}
