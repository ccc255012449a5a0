import AppStoreModel
import HTTPTypes
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// The keys of an app.
package struct APIKeysController: Sendable {
    private static let bodyBytesMax = 1 << 14

    private let keys: APIKeys
    private let time: any TimeSource

    /// Makes the controller.
    ///
    /// - Parameter time: Real time.
    package init(keys: APIKeys, time: any TimeSource) {
        self.keys = keys
        self.time = time
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("api_keys", use: list)
        group.post("api_keys", use: create)
        group.get("api_keys/{id}", use: show)
        group.delete("api_keys/{id}", use: revoke)
        group.post("api_keys/{id}/rotate", use: rotate)
    }

    private func list(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        _ = try request.query([])
        let views = try await keys.list(of: app)
        let now = time.now()
        return .json(
            JSONObject(page: views[...], hasMore: false, cursor: \.record.publicID) { JSONObject(key: $0, at: now) }
        )
    }

    private func show(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        _ = try request.query([])
        return .json(JSONObject(key: try await keys.key(try Self.id(context), of: app), at: time.now()))
    }

    private func create(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["kind", "scope", "label", "expires_at"])
        let kind = try body.kind()
        var draft = APIKeys.Draft(kind: kind, scope: try body.scope(of: kind))
        draft.label = try body.keyLabel()
        draft.expiresAt = try body.optionalTime("expires_at")
        let new = try await keys.create(draft, app: app, by: try context.keyHolder())
        // The key is not stored. A copy of the request makes another key.
        context.keepsNoAnswer()
        return .json(JSONObject(key: new.view, text: new.text, at: time.now()), status: .created)
    }

    private func rotate(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let body = try await request.optionalJSONObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["overlap_ms"])
        let (new, old) = try await keys.rotate(
            try Self.id(context),
            overlapMilliseconds: try body.milliseconds("overlap_ms", max: APIKeys.overlapMax) ?? APIKeys.overlapDefault,
            app: app,
            by: try context.keyHolder()
        )
        context.keepsNoAnswer()
        let now = time.now()
        var object = JSONObject(key: new.view, text: new.text, at: now)
        object["replaces"] = .object(JSONObject(key: old, at: now))
        return .json(object)
    }

    private func revoke(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let view = try await keys.revoke(try Self.id(context), app: app, by: try context.keyHolder())
        var object = JSONObject()
        object["object"] = .string("api_key")
        object["id"] = .string(view.record.publicID)
        object["removed"] = .bool(true)
        return .json(object)
    }

    /// Only the identifier, because the path of a request can be in the log of a proxy.
    private static func id(_ context: ServerRequestContext) throws -> String {
        let id = try context.parameters.require("id")
        guard id.hasPrefix("key_") else {
            throw APIError.invalid("id", "id must be the identifier of a key, key_…. GET /v1/api_keys lists them.")
        }
        return id
    }
}

extension JSONObject {
    /// A key.
    ///
    /// - Parameter text: The key itself, in the response that made it.
    fileprivate init(key view: APIKeys.View, text: String? = nil, at now: Timestamp) {
        self.init()
        let record = view.record
        self["object"] = .string("api_key")
        self["id"] = .string(record.publicID)
        self["kind"] = .string(record.kind == .secret ? "secret" : "publishable")
        self["hint"] = .string(record.shownText)
        if let text { self["key"] = .string(text) }
        self["scope"] = record.kind == .secret ? .string(record.scope.rawValue) : .null
        self["label"] = .text(record.label)
        self["created_at"] = .integer(record.createdAt.milliseconds)
        self["expires_at"] = record.expiresAt.map { .integer($0.milliseconds) } ?? .null
        self["expired"] = .bool(record.expiresAt.map { $0 <= now } ?? false)
        self["last_used_at"] = view.lastUsedAt.map { .integer($0.milliseconds) } ?? .null
    }

    fileprivate func kind() throws(APIError) -> APIKeyRecord.Kind {
        switch try optionalText("kind") {
        case nil, "secret": .secret
        case "publishable": .publishable
        default: throw .invalid("kind", "kind must be secret or publishable.")
        }
    }

    fileprivate func scope(of kind: APIKeyRecord.Kind) throws(APIError) -> KeyScope {
        guard let text = try optionalText("scope") else {
            guard kind == .publishable else {
                throw APIError(
                    .badRequest,
                    .invalidRequest,
                    "parameter_missing",
                    "scope is required for a secret key: read, write, operate or admin.",
                    parameter: "scope"
                )
            }
            return .read
        }
        guard kind == .secret, let scope = KeyScope(rawValue: text) else {
            throw .invalid("scope", "scope must be read, write, operate or admin, and a publishable key has none.")
        }
        return scope
    }

    fileprivate func keyLabel() throws(APIError) -> String? {
        guard let label = try optionalText("label") else { return nil }
        guard APIKeys.isLabel(label) else {
            throw .invalid("label", "label must be one line of 1 to \(APIKeys.labelCharactersMax) characters.")
        }
        return label
    }
}
