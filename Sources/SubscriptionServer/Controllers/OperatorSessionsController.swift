import AppStoreModel
import HTTPTypes
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// The sign-in of people who operate the server.
package struct OperatorSessionsController: Sendable {
    private static let bodyBytesMax = 16 << 10
    private static let textBytesMax = 1 << 10

    private let signIn: OperatorSignIn
    private let operators: KnownOperators
    private let authentication: OperatorAuthentication

    /// Makes the controller.
    package init(signIn: OperatorSignIn, operators: KnownOperators) {
        self.signIn = signIn
        self.operators = operators
        authentication = OperatorAuthentication(operators: operators)
    }

    /// Adds the route that needs no key.
    package func addSignIn(to group: RouterGroup<ServerRequestContext>) {
        group.post("operator_sessions", use: create)
    }

    /// Adds the routes of a session. They check their keys themselves, because they belong to no app.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("operator_sessions/current", use: show)
        group.delete("operator_sessions/current", use: end)
    }

    private func create(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["name", "password", "totp"])
        let credentials = OperatorSignIn.Credentials(
            name: try body.requiredText("name", bytesMax: Self.textBytesMax),
            password: try body.requiredText("password", bytesMax: Self.textBytesMax),
            code: try body.requiredText("totp", bytesMax: Self.textBytesMax)
        )
        guard let session = try await signIn.signIn(credentials, requestID: context.requestID) else {
            throw APIError.signInFailed
        }
        var object = JSONObject()
        object["object"] = .string("operator_session")
        object["token"] = .string(session.token)
        object["expires_at"] = .integer(session.expiresAt.milliseconds)
        object["operator"] = .object(JSONObject(account: session.account))
        return .uncached(object)
    }

    private func show(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let access = try await access(of: request)
        var object = JSONObject()
        object["object"] = .string("operator_session")
        object["kind"] = .string(access.key.kind.rawValue)
        object["expires_at"] = access.key.expiresAt.map { .integer($0.milliseconds) } ?? .null
        object["scope"] = .string(access.account.role.scope.rawValue)
        object["apps"] = .array(access.apps.map { .string($0.rawValue) })
        object["operator"] = .object(JSONObject(account: access.account))
        return .uncached(object)
    }

    private func end(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let access = try await access(of: request)
        guard access.key.kind == .session else { throw APIError.sessionRequired }
        try await signIn.signOut(access, requestID: context.requestID)
        operators.forget(access.key.digest)
        var object = JSONObject()
        object["object"] = .string("operator_session")
        object["ended"] = .bool(true)
        return .uncached(object)
    }

    private func access(of request: Request) async throws -> OperatorAccess {
        guard let token = request.bearerToken, OperatorKey.isText(token) else { throw APIError.operatorKeyMissing }
        return try await authentication.access(by: token)
    }
}

extension JSONObject {
    fileprivate init(account: OperatorAccount) {
        self.init()
        self["object"] = .string("operator")
        self["id"] = .string(account.id.rawValue)
        self["name"] = .string(account.name)
        self["role"] = .string(account.role.rawValue)
        self["apps"] = account.apps.map { .array($0.map { .string($0.rawValue) }) } ?? .null
    }
}

extension Response {
    /// A response that nobody between server and client stores.
    fileprivate static func uncached(_ object: JSONObject) -> Response {
        var response = json(object)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

extension APIError {
    fileprivate static let signInFailed = APIError(
        .unauthorized,
        .authentication,
        "sign_in_failed",
        "Name, password or code is wrong, or the name is locked after failures, for at most an hour. Wait for the next "
            + "code, and try again. perennial operators unlock ends a lock."
    )

    fileprivate static let operatorKeyMissing = APIError(
        .unauthorized,
        .authentication,
        "operator_key_required",
        "Send the session or key of an operator as \"Authorization: Bearer os_…\" or \"Bearer ok_…\"."
    )

    fileprivate static let sessionRequired = APIError(
        .forbidden,
        .permission,
        "operator_session_required",
        "Only a session (os_…) ends by signing out. perennial operators keys revoke revokes a key."
    )
}
