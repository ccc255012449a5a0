import AppStoreModel
package import Hummingbird
import PerennialPrimitives
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Changes of one purchase that an operator makes through Apple: its account token, and a finished transaction.
package struct PurchaseCallsController: Sendable {
    private static let bodyBytesMax = 4 << 10

    private let accountTokens: AccountTokenSetting
    private let finishing: TransactionFinishing

    /// Makes the controller.
    package init(accountTokens: AccountTokenSetting, finishing: TransactionFinishing) {
        self.accountTokens = accountTokens
        self.finishing = finishing
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.put("purchases/{id}/app_account_token", use: setAccountToken)
        group.post("transactions/{id}/finish", use: finish)
    }

    private func setAccountToken(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["app_account_token"])
        let token = try body.requiredText("app_account_token")
        guard token.isUUID else {
            throw APIError.invalid(
                "app_account_token",
                "app_account_token must be a UUID, such as 6f1d2a52-5c3b-4c1e-9a57-0d6c2a9be001."
            )
        }
        let change = try await accountTokens.set(
            token,
            of: try Self.transaction(context),
            app: app,
            by: try context.keyHolder(),
            permit: context.permit
        )
        return .json(JSONObject(accountToken: change))
    }

    private func finish(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        try await request.optionalJSONObject(limit: Self.bodyBytesMax).allowOnly([])
        let transaction = try Self.transaction(context)
        let purchase = try await finishing.finish(
            transaction,
            app: app,
            by: try context.keyHolder(),
            permit: context.permit
        )
        var object = JSONObject()
        object["object"] = .string("finished_transaction")
        object["transaction_id"] = .string(transaction.rawValue)
        object["purchase_id"] = .string(purchase.rawValue)
        return .json(object)
    }

    private static func transaction(_ context: ServerRequestContext) throws -> TransactionID {
        TransactionID(try context.parameters.require("id").checkedParameter("id"))
    }
}

extension JSONObject {
    fileprivate init(accountToken change: AccountTokenSetting.Change) {
        self.init()
        self["object"] = .string("app_account_token")
        self["purchase_id"] = .string(change.purchaseID.rawValue)
        self["app_account_token"] = .string(change.token)
        self["previous_app_account_token"] = .text(change.previousToken)
        self["confirmed"] = .bool(change.isConfirmed)
        self["app_user_id"] = .text(change.owner?.rawValue)
        self["previous_app_user_id"] = .text(change.previousOwner?.rawValue)
        self["names_owner"] = .bool(change.namesOwner)
    }
}
