import AppStoreModel
import HTTPTypes
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Deliveries of webhooks: what was sent, what was answered, and what waits.
package struct WebhookDeliveriesController: Sendable {
    private static let pageMax = 100

    private let deliveries: WebhookDeliveries

    /// Makes the controller.
    package init(deliveries: WebhookDeliveries) {
        self.deliveries = deliveries
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("webhook_deliveries", use: list)
        group.get("webhook_deliveries/{id}", use: show)
        group.post("webhook_deliveries/{id}/resend", use: resend)
    }

    private func list(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let query = try request.query(["endpoint_id", "state", "app_user_id", "after", "limit"])
        let size = try query.number("limit", in: 1...Self.pageMax) ?? Self.pageMax
        let last = try query["after"].map { try Self.id(String($0), named: "after") }
        let found = try await deliveries.deliveries(
            try Self.selection(query),
            after: last,
            app: app,
            limit: size + 1
        )
        return .json(
            JSONObject(
                page: found.prefix(size),
                hasMore: found.count > size,
                cursor: { WebhookDeliveryID($0).description }
            ) { JSONObject(delivery: $0) }
        )
    }

    private func show(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        _ = try request.query([])
        let delivery = try await deliveries.delivery(try Self.id(context), app: app)
        return .json(JSONObject(whole: delivery))
    }

    private func resend(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        _ = try request.query([])
        let id = try Self.id(context)
        let delivery = try await deliveries.resend(id, app: app, by: try context.keyHolder())
        context.names(delivery.customerID)
        return .json(JSONObject(delivery: delivery), status: .accepted)
    }

    private static func selection(_ query: Parameters) throws(APIError) -> WebhookDeliveries.Selection {
        var endpoint: WebhookEndpointID?
        if let text = query["endpoint_id"] {
            endpoint = WebhookEndpointID(rawValue: try String(text).checkedParameter("endpoint_id"))
        }
        let state = query["state"].map(String.init)
        if let customer = query["app_user_id"] {
            guard state == nil else { throw .invalid("state", "state and app_user_id cannot be used together.") }
            return .customer(CustomerID(try String(customer).checkedParameter("app_user_id")), endpoint)
        }
        guard let endpoint else {
            throw APIError(
                .badRequest,
                .invalidRequest,
                "parameter_missing",
                "endpoint_id or app_user_id is required.",
                parameter: "endpoint_id"
            )
        }
        switch state {
        case nil: return .endpoint(endpoint)
        case "waiting": return .waiting(endpoint)
        case "held": return .held(endpoint)
        case "failed": return .failed(endpoint)
        default: throw .invalid("state", "state must be waiting, held or failed.")
        }
    }

    private static func id(_ context: ServerRequestContext) throws -> WebhookDeliveryID {
        try id(try context.parameters.require("id"), named: "id")
    }

    private static func id(_ text: String, named name: String) throws(APIError) -> WebhookDeliveryID {
        guard let id = WebhookDeliveryID(text) else {
            throw .invalid(name, "\(name) must be the id of a delivery, such as wd_5e1f…_1042.")
        }
        return id
    }
}

extension JSONObject {
    /// A delivery in a list, with its last attempt.
    fileprivate init(delivery: WebhookDelivery) {
        self.init()
        self["object"] = .string("webhook_delivery")
        self["id"] = .string(WebhookDeliveryID(delivery).description)
        self["endpoint_id"] = .string(delivery.endpointID.rawValue)
        self["event_id"] = .string(delivery.messageID)
        self["type"] = .string(delivery.type)
        self["app_user_id"] = .text(delivery.customerID?.rawValue)
        self["state"] = .string(delivery.state.rawValue)
        self["holds_back_others"] = .bool(delivery.blocks)
        self["created_at"] = .integer(delivery.createdAt.milliseconds)
        self["due_at"] = .time(delivery.dueAt)
        self["settled_at"] = .time(delivery.settledAt)
        self["attempt_count"] = .integer(Int64(delivery.attemptCount))
        self["last_attempt"] = delivery.keptAttempts.last ?? .null
    }

    /// A delivery with the kept attempts and the body.
    fileprivate init(whole delivery: WebhookDelivery) {
        self.init(delivery: delivery)
        self["attempts"] = .array(delivery.keptAttempts)
        self["body"] = .text(delivery.body.map { String(decoding: $0, as: UTF8.self) })
    }
}
