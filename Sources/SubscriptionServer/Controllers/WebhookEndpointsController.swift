import AppStoreModel
import HTTPTypes
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Webhook endpoints: the addresses that are called about events.
package struct WebhookEndpointsController: Sendable {
    private static let bodyBytesMax = 64 << 10
    private static let pageMax = 100
    private static let overlapDefault: Int64 = 86_400_000

    private let endpoints: WebhookEndpoints
    private let deliveries: WebhookDeliveries

    /// Makes the controller.
    package init(endpoints: WebhookEndpoints, deliveries: WebhookDeliveries) {
        self.endpoints = endpoints
        self.deliveries = deliveries
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("webhook_endpoints", use: list)
        group.post("webhook_endpoints", use: create)
        group.get("webhook_endpoints/{id}", use: show)
        group.patch("webhook_endpoints/{id}", use: change)
        group.delete("webhook_endpoints/{id}", use: remove)
        group.post("webhook_endpoints/{id}/rotate", use: rotate)
        group.post("webhook_endpoints/{id}/test", use: test)
        group.post("webhook_endpoints/{id}/resend", use: resend)
    }

    private func create(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["url", "label", "form", "event_types", "after", "authorization", "signature"])
        let id = WebhookEndpointID(rawValue: context.newID("we_"))
        let draft = try WebhookEndpoints.Draft(body, app: app)
        let view = try await endpoints.create(draft, id: id, app: app, by: try context.keyHolder())
        // The secret is not kept twice. A copy of the request gets the same endpoint.
        context.keepsNoAnswer()
        return .json(JSONObject(endpoint: view, app: app, shows: view.secrets), status: .created)
    }

    private func change(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["url", "label", "event_types", "authorization", "enabled"])
        var change = WebhookEndpoints.Change()
        change.url = try body.optionalText("url", bytesMax: WebhookEndpoints.urlBytesMax)
        if body["label"] != nil { change.label = try body.optionalText("label") ?? "" }
        if body["event_types"] != nil { change.eventTypes = .some(try body.eventTypes()) }
        if body["authorization"] != nil { change.authorization = .some(try body.authorization()) }
        if let enabled = body["enabled"], enabled != .null { change.isEnabled = try body.flag("enabled") }
        let view = try await endpoints.change(try Self.id(context), change, app: app, by: try context.keyHolder())
        return .json(JSONObject(endpoint: view, app: app))
    }

    private func rotate(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let body = try await request.optionalJSONObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["overlap_ms"])
        let id = try Self.id(context)
        let secretID = context.newID("whs_", in: id.rawValue)
        let view = try await endpoints.rotate(
            id,
            to: secretID,
            overlapMilliseconds: try body.milliseconds("overlap_ms", max: WebhookEndpoints.overlapMax)
                ?? Self.overlapDefault,
            app: app,
            by: try context.keyHolder()
        )
        context.keepsNoAnswer()
        return .json(JSONObject(endpoint: view, app: app, shows: view.secrets.filter { $0.id == secretID }))
    }

    private func test(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let (app, id) = try Self.target(request, context)
        return .json(try await deliveries.test(id, app: app, by: try context.keyHolder()))
    }

    private func resend(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["after", "through"])
        let id = try Self.id(context)
        // Without it, the whole feed would be sent by mistake.
        guard let given = try body.optionalText("after") else {
            throw APIError(
                .badRequest,
                .invalidRequest,
                "parameter_missing",
                "after is required: an event, or beginning for the whole feed.",
                parameter: "after"
            )
        }
        let start = given == "beginning" ? nil : try EventCursor("after", in: body, app: app)
        let sent = try await deliveries.resend(
            to: id,
            after: start,
            through: try EventCursor("through", in: body, app: app),
            app: app,
            by: try context.keyHolder()
        )
        var object = JSONObject()
        object["object"] = .string("webhook_resend")
        object["endpoint_id"] = .string(id.rawValue)
        object["events"] = .integer(Int64(sent.count))
        object["has_more"] = .bool(sent.hasMore)
        object["next_cursor"] = .string(EventCursor(sequence: sent.through, app: app).text)
        return .json(object, status: .accepted)
    }

    private func remove(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let (app, id) = try Self.target(request, context)
        try await endpoints.remove(id, app: app, by: try context.keyHolder())
        var object = JSONObject()
        object["object"] = .string("webhook_endpoint")
        object["id"] = .string(id.rawValue)
        object["removed"] = .bool(true)
        return .json(object)
    }

    private func show(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let (app, id) = try Self.target(request, context)
        let view = try await endpoints.endpoint(id, app: app)
        return .json(JSONObject(endpoint: view, app: app, hidesURL: try Self.hidesURL(from: context)))
    }

    private func list(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let query = try request.query(["after", "limit"])
        let size = try query.number("limit", in: 1...Self.pageMax) ?? Self.pageMax
        let last = try query["after"].map { WebhookEndpointID(rawValue: try String($0).checkedParameter("after")) }
        let hidesURL = try Self.hidesURL(from: context)
        let found = try await endpoints.endpoints(after: last, app: app, limit: size + 1)
        return .json(
            JSONObject(page: found.prefix(size), hasMore: found.count > size, cursor: \.endpoint.id.rawValue) {
                JSONObject(endpoint: $0, app: app, hidesURL: hidesURL)
            }
        )
    }

    /// The app and the endpoint of a request without parameters.
    private static func target(
        _ request: Request,
        _ context: ServerRequestContext
    ) throws -> (AppID, WebhookEndpointID) {
        let app = try context.secretKey().appID
        _ = try request.query([])
        return (app, try id(context))
    }

    /// Whether the caller gets no more of an address than its origin. The rest may contain a secret.
    private static func hidesURL(from context: ServerRequestContext) throws -> Bool {
        try context.secretKey().scope < .admin
    }

    private static func id(_ context: ServerRequestContext) throws -> WebhookEndpointID {
        WebhookEndpointID(rawValue: try context.parameters.require("id").checkedParameter("id"))
    }
}

extension WebhookEndpoints.Draft {
    /// Reads the body of a new endpoint.
    ///
    /// - Throws: `parameter_missing` or `parameter_invalid`, naming the member.
    fileprivate init(_ body: JSONObject, app: AppID) throws(APIError) {
        self.init(url: try body.requiredText("url", bytesMax: WebhookEndpoints.urlBytesMax))
        label = try body.optionalText("label")
        if let text = try body.optionalText("form") {
            guard let form = WebhookEndpoint.Form(rawValue: text) else {
                let known = WebhookEndpoint.Form.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid("form", "form must be one of \(known).")
            }
            self.form = form
        }
        eventTypes = try body.eventTypes()
        if try body.optionalText("after") == "beginning" {
            start = .beginning
        } else if let cursor = try EventCursor("after", in: body, app: app) {
            start = .after(cursor)
        }
        authorization = try body.authorization()
        switch try body.optionalText("signature") {
        case nil, "hmac": isAsymmetric = false
        case "ed25519": isAsymmetric = true
        default: throw .invalid("signature", "signature must be hmac or ed25519.")
        }
    }
}

extension EventCursor {
    /// Reads an event identifier or a cursor of the feed; nil if the member is absent.
    ///
    /// - Throws: `parameter_invalid`, naming the member.
    fileprivate init?(_ name: String, in body: JSONObject, app: AppID) throws(APIError) {
        guard let text = try body.optionalText(name) else { return nil }
        let prefix = "evt_"
        guard let cursor = EventCursor(text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text, app: app)
        else {
            throw .invalid(
                name,
                "\(name) must be the id of an event, or a next_cursor of the feed, of the same app and environment."
            )
        }
        self = cursor
    }
}

extension JSONObject {
    /// The value of a header field `Authorization`; nil if the member is absent.
    ///
    /// - Throws: `parameter_invalid`.
    fileprivate func authorization() throws(APIError) -> String? {
        let text = try optionalText("authorization", bytesMax: 1_024)
        if let text, !text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
            throw .invalid("authorization", "authorization must have printable ASCII characters only.")
        }
        return text
    }

    /// The types of events that an endpoint chooses; nil for all.
    ///
    /// - Throws: `parameter_invalid`.
    fileprivate func eventTypes() throws(APIError) -> [String]? {
        let countMax = WebhookEndpoints.eventTypesMax
        guard let value = self["event_types"], value != .null else { return nil }
        guard case .array(let values) = value, (1...countMax).contains(values.count) else {
            throw .invalid("event_types", "event_types must be a list of 1 to \(countMax) types.")
        }
        var types: [String] = []
        for value in values {
            guard let text = value.stringValue, !text.contains(where: \.isWhitespace) else {
                throw .invalid("event_types", "event_types must have types only, such as subscription.renewed.")
            }
            let type = try text.checkedParameter("event_types", bytesMax: 128)
            if !types.contains(type) { types.append(type) }
        }
        return types.contains("*") ? nil : types
    }

    /// An endpoint in the form of the API.
    ///
    /// - Parameters:
    ///   - shown: The secrets that were made now: only they are shown.
    ///   - hidesURL: Whether only the origin of the address is shown.
    fileprivate init(
        endpoint view: WebhookEndpoints.View,
        app: AppID,
        shows shown: [WebhookSecret] = [],
        hidesURL: Bool = false
    ) {
        self.init()
        let (endpoint, progress) = (view.endpoint, view.progress)
        self["object"] = .string("webhook_endpoint")
        self["id"] = .string(endpoint.id.rawValue)
        self["created_at"] = .integer(endpoint.createdAt.milliseconds)
        self["url"] = .string(hidesURL ? endpoint.origin : endpoint.url)
        self["url_hidden"] = .bool(hidesURL)
        self["label"] = .text(endpoint.label)
        self["form"] = .string(endpoint.form.rawValue)
        self["event_types"] = .array((endpoint.eventTypes ?? ["*"]).map { .string($0) })
        self["enabled"] = .bool(endpoint.disabledReason == nil)
        self["disabled_reason"] = .text(endpoint.disabledReason?.rawValue)
        let isEvents = endpoint.form != .apple
        self["after"] = .text(isEvents ? EventCursor(sequence: progress.cursor, app: app).text : nil)
        self["open_deliveries"] = .integer(Int64(progress.openCount))
        self["last_delivered_at"] = .time(progress.deliveredAt)
        self["failures"] = .integer(Int64(progress.health.failures))
        self["failing_since"] = .time(progress.health.failingSince)
        self["next_probe_at"] = .time(progress.health.probeAt)
        self["authorization"] = .bool(view.secrets.contains { $0.kind == .authorization })
        self["secrets"] = .array(
            view.secrets.filter { $0.kind != .authorization }.map { secret in
                .object(
                    JSONObject(
                        secret: secret,
                        publicKey: view.publicKey(of: secret),
                        isShown: shown.contains { $0.id == secret.id }
                    )
                )
            }
        )
    }

    private init(secret: WebhookSecret, publicKey: String?, isShown: Bool) {
        self.init()
        self["id"] = .string(secret.id)
        self["signature"] = .string(secret.kind.rawValue)
        // The receiver of an Ed25519 signature needs the public key only.
        if isShown, publicKey == nil { self["secret"] = .string(secret.text) }
        if let publicKey { self["public_key"] = .string(publicKey) }
        self["created_at"] = .integer(secret.createdAt.milliseconds)
        self["expires_at"] = .time(secret.expiresAt)
    }
}
