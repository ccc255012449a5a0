import AppStoreModel
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Aliases of a customer.
package struct AliasesController: Sendable {
    private static let bodyBytesMax = 16 << 10

    private let aliasing: Aliasing

    /// Makes the controller.
    package init(aliasing: Aliasing) {
        self.aliasing = aliasing
    }

    /// Adds the route.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.post("customers/{app_user_id}/aliases", use: add)
    }

    /// It needs a secret key: a client that knows an identifier must not get its purchases.
    private func add(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let customer = try context.customerID()
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["alias", "dry_run"])
        let alias = CustomerID(try body.requiredText("alias"))
        context.names(alias)
        let isDryRun = try body.flag("dry_run")
        let outcome =
            isDryRun
            ? try await aliasing.preview(alias, of: customer, app: app)
            : try await aliasing.add(alias, to: customer, app: app, by: try context.keyHolder())
        return .json(JSONObject(alias: outcome, isDryRun: isDryRun))
    }
}

extension JSONObject {
    fileprivate init(alias outcome: Aliasing.Outcome, isDryRun: Bool) {
        self.init()
        self["object"] = .string("alias")
        self["dry_run"] = .bool(isDryRun)
        self["app_user_id"] = .string(outcome.customer.rawValue)
        self["alias"] = .string(outcome.alias.rawValue)
        self["created_at"] = .time(outcome.createdAt)
        self["purchase_ids"] = .array(outcome.purchases.map { .string($0.rawValue) })
    }
}
