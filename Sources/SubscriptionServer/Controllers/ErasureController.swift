import AppStoreModel
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Erases customers.
package struct ErasureController: Sendable {
    private let erasure: Erasure

    /// Makes the controller.
    package init(erasure: Erasure) {
        self.erasure = erasure
    }

    /// Adds the route.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.delete("customers/{app_user_id}", use: erase)
    }

    private func erase(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let customer = try context.customerID()
        try await erasure.erase(customer, app: app, by: try context.keyHolder())
        var object = JSONObject()
        object["object"] = .string("customer")
        object["app_user_id"] = .string(customer.rawValue)
        object["deleted"] = .bool(true)
        return .json(object)
    }
}
