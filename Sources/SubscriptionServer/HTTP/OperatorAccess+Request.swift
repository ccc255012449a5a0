package import HTTPTypes
import Hummingbird
import PerennialPrimitives
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// Lets people who operate the server use its API: finds the person of a key or session, and the app of a request.
struct OperatorAuthentication: Sendable {
    /// The most apps that an error lists.
    private static let listedMax = 20

    private let operators: KnownOperators

    init(operators: KnownOperators) { self.operators = operators }

    /// The person of a bearer token.
    ///
    /// - Throws: `key_invalid` (401); `storage_…` (503).
    func access(by token: String) async throws -> OperatorAccess {
        guard let access = try await operators.access(by: KeyIssuing.digest(token)) else {
            throw APIError.operatorKeyInvalid
        }
        return access
    }

    /// Puts the person into the context, and the app that the request names as the app of a secret key.
    ///
    /// - Throws: `key_invalid` (401), `app_required` (400), `app_not_allowed` (403); `storage_…` (503).
    func admit(_ token: String, of request: Request, to context: ServerRequestContext) async throws
        -> ServerRequestContext
    {
        let access = try await access(by: token)
        let app = try Self.app(of: request, among: access.apps)
        var context = context
        context.key = APIKeyRecord(
            digest: access.key.digest,
            appID: app,
            kind: .secret,
            hint: access.key.hint,
            createdAt: access.key.createdAt,
            label: access.key.label,
            scope: access.account.role.scope,
            expiresAt: access.key.expiresAt
        )
        context.person = access.account
        return context
    }

    private static func app(of request: Request, among apps: [AppID]) throws(APIError) -> AppID {
        guard let name = HTTPField.Name.app, let text = request.headers.value(of: name) else {
            guard let only = apps.first else { throw .appNotAllowed }
            guard apps.count == 1 else { throw .appRequired(apps.prefix(listedMax).map(\.rawValue)) }
            return only
        }
        // The answer does not tell whether there is such an app.
        guard let app = apps.first(where: { $0.rawValue == text }) else { throw .appNotAllowed }
        return app
    }
}

extension HTTPField.Name {
    /// The app of a request by an operator: the bundle identifier, a slash, and the environment.
    package static let app = HTTPField.Name("Perennial-App")
}

extension APIError {
    fileprivate static let operatorKeyInvalid = APIError(
        .unauthorized,
        .authentication,
        "key_invalid",
        "This key or session is unknown, has ended, or its operator is disabled. Sign in again, or make a key with "
            + "perennial operators keys add."
    )

    fileprivate static let appNotAllowed = APIError(
        .forbidden,
        .permission,
        "app_not_allowed",
        "You may not work with this app, or there is no such app. Perennial-App names it: the bundle identifier, a "
            + "slash, and sandbox or production."
    )

    fileprivate static func appRequired(_ apps: [String]) -> APIError {
        APIError(
            .badRequest,
            .invalidRequest,
            "app_required",
            "Name the app in the header Perennial-App, one of: \(apps.joined(separator: ", ")).",
            parameter: "Perennial-App"
        )
    }
}
