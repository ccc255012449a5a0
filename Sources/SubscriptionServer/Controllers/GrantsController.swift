import AppStoreModel
import HTTPTypes
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Grants by operators.
package struct GrantsController: Sendable {
    private static let bodyBytesMax = 16 << 10
    private static let reasonBytesMax = 500

    private let granting: Granting

    /// Makes the controller.
    package init(granting: Granting) {
        self.granting = granting
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("customers/{app_user_id}/grants", use: list)
        group.post("customers/{app_user_id}/grants", use: grant)
        group.delete("customers/{app_user_id}/grants/{id}", use: revoke)
    }

    private func grant(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let customer = try context.customerID()
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["entitlement_id", "expires_at", "duration", "reason"])
        let state = try await granting.grant(
            GrantID(context.newID("gr_", in: customer.rawValue)),
            of: EntitlementID(try body.requiredText("entitlement_id", bytesMax: 128)),
            to: customer,
            app: app,
            until: try Self.end(in: body),
            reason: try body.optionalText("reason", bytesMax: Self.reasonBytesMax),
            by: try context.keyHolder()
        )
        return .json(JSONObject(grant: state, of: customer))
    }

    private func list(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let customer = try context.customerID()
        let grants = try await granting.grants(of: customer, app: app)
        var list = JSONObject()
        list["object"] = .string("list")
        list["data"] = .array(grants.map { .object(JSONObject(grant: $0, of: customer)) })
        list["has_more"] = .bool(false)
        list["next_cursor"] = .null
        return .json(list)
    }

    private func revoke(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let customer = try context.customerID()
        let id = GrantID(try context.parameters.require("id").checkedParameter("id"))
        let state = try await granting.revoke(id, of: customer, app: app, by: try context.keyHolder())
        return .json(JSONObject(grant: state, of: customer))
    }

    private static func end(in body: JSONObject) throws(APIError) -> Granting.End {
        switch (body["expires_at"] ?? .null, body["duration"] ?? .null) {
        case (.null, .null): return .never
        case (.integer(let time), .null): return .at(Timestamp(milliseconds: time))
        case (.string(let text), .null):
            guard let time = Timestamp(text: text) else { throw .invalidTime("expires_at") }
            return .at(time)
        case (.null, .string(let text)):
            guard let duration = CalendarDuration(text) else {
                throw .invalid("duration", "duration must be an ISO 8601 duration, such as P1M, P14D or PT12H.")
            }
            return .after(duration)
        case (.null, _): throw .invalid("duration", "duration must be a text, such as P1M.")
        case (_, .null): throw .invalidTime("expires_at")
        default: throw .invalid("duration", "Give either expires_at or duration, or neither for a grant without end.")
        }
    }
}

extension ServerRequestContext {
    /// The customer in the path.
    ///
    /// - Throws: `parameter_invalid`.
    func customerID() throws -> CustomerID {
        let name = try parameters.require("app_user_id")
        guard let text = name.removingURLPercentEncoding() else {
            throw APIError.invalid("app_user_id", "app_user_id is not percent-encoded UTF-8.")
        }
        let customer = CustomerID(try text.checkedParameter("app_user_id"))
        names(customer)
        return customer
    }
}

extension JSONObject {
    init(grant state: GrantState, of customer: CustomerID) {
        let grant = state.grant
        self.init()
        self["object"] = .string("grant")
        self["id"] = .string(grant.id.rawValue)
        self["app_user_id"] = .string(customer.rawValue)
        self["entitlement_id"] = .string(grant.entitlementID.rawValue)
        self["active"] = .bool(state.isActive)
        self["reason"] = .text(grant.reason)
        self["granted_at"] = .integer(grant.grantedAt.milliseconds)
        self["expires_at"] = .time(grant.expiresAt)
        self["revoked_at"] = .time(grant.revokedAt)
    }
}
