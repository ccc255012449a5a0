import AppStoreModel
import AppStoreSigning
package import Hummingbird
import PerennialPrimitives
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Signed entitlement tokens, and the keys to verify them.
package struct EntitlementTokensController: Sendable {
    private static let bodyBytesMax = 1 << 10

    private let tokens: EntitlementTokens
    private let allowsPublishableKeys: Bool

    /// Makes the controller.
    ///
    /// - Parameter allowsPublishableKeys: Whether apps get tokens too. Every user of the app has its key, so a token
    ///   does not prove who requested it.
    package init(tokens: EntitlementTokens, allowsPublishableKeys: Bool) {
        self.tokens = tokens
        self.allowsPublishableKeys = allowsPublishableKeys
    }

    /// Adds the route that needs a key.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.post("customers/{app_user_id}/entitlement_token", use: token)
    }

    /// Adds the public route.
    package func addPublicRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get(".well-known/jwks.json", use: keys)
    }

    private func token(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let key = try context.anyKey()
        guard key.kind == .secret || allowsPublishableKeys else { throw APIError.tokensNeedSecretKey }
        let app = key.appID
        _ = try await request.bytes(limit: Self.bodyBytesMax)
        let customer = try context.customerID()
        // An app gets no other identifier than the one in its request.
        let subject = key.kind == .secret ? nil : customer
        let person = context.auditedPerson()
        let token = try await tokens.token(for: customer, app: app, subject: subject, by: person)
        context.keepsNoAnswer()
        var object = JSONObject()
        object["object"] = .string("entitlement_token")
        object["token"] = .string(token.text)
        object["expires_at"] = .integer(token.expiresAt.milliseconds)
        return .json(object)
    }

    private func keys(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let keys = try await tokens.publicKeys()
        var object = JSONObject()
        object["keys"] = .array(keys.map { .object(JSONObject(jwk: $0)) })
        var response = Response.json(object)
        response.headers[.cacheControl] = "public, max-age=300"
        return response
    }
}

extension APIError {
    fileprivate static let tokensNeedSecretKey = APIError(
        .forbidden,
        .permission,
        "secret_key_required",
        "Entitlement tokens need a secret key (sk_…). To let apps ask with a publishable key, set "
            + "entitlement_tokens.publishable_keys."
    )
}

extension JSONObject {
    /// A public key as RFC 7517 and RFC 7518 write it.
    fileprivate init(jwk key: SigningKeyRecord) {
        self.init()
        let coordinateBytes = 32
        self["kty"] = .string("EC")
        self["crv"] = .string("P-256")
        self["use"] = .string("sig")
        self["alg"] = .string("ES256")
        self["kid"] = .string(key.id)
        self["x"] = .string(Self.base64URL(key.publicKey.prefix(coordinateBytes)))
        self["y"] = .string(Self.base64URL(key.publicKey.dropFirst(coordinateBytes)))
    }

    private static func base64URL(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: Base64.encode(bytes, .url), as: UTF8.self)
    }
}
