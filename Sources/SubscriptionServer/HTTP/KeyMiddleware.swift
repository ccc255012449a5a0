import Crypto
import HTTPTypes
package import Hummingbird
import PerennialPrimitives
package import SubscriptionOperations
package import SubscriptionStorage

/// Checks the bearer key of the server's own API.
package struct KeyMiddleware: RouterMiddleware {
    private let keys: KnownKeys
    private let developmentKeys: [APIKeyRecord]

    /// Makes the middleware.
    ///
    /// - Parameters:
    ///   - keys: Finds the record of a key.
    ///   - developmentKeys: Keys for this run only, in addition to the stored ones.
    package init(keys: KnownKeys, developmentKeys: [APIKeyRecord] = []) {
        self.keys = keys
        self.developmentKeys = developmentKeys
    }

    /// Puts the key's record into the context.
    ///
    /// - Throws: `key_missing` or `key_invalid` (401); `storage_…` (503).
    @concurrent package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let key = request.bearerToken else { throw APIError.keyMissing }
        guard let record = try await record(of: KeyIssuing.digest(key)) else { throw APIError.keyInvalid }
        var context = context
        context.key = record
        return try await next(request, context)
    }

    private func record(of digest: [UInt8]) async throws(OperationError) -> APIKeyRecord? {
        if let key = developmentKeys.first(where: { $0.digest == digest }) { return key }
        return try await keys.record(of: digest)
    }
}

extension Request {
    /// The token of `Authorization: Bearer …`. It is parsed as bytes, because characters would double the cost of the
    /// check.
    var bearerToken: String? {
        guard let field = headers.value(of: .authorization)?.utf8 else { return nil }
        let space = UInt8(ascii: " ")
        let scheme = field.prefix { $0 != space }
        // This bit distinguishes lower case from upper case.
        guard scheme.map({ $0 | 0x20 }).elementsEqual("bearer".utf8) else { return nil }
        let rest = field[scheme.endIndex...].drop { $0 == space }
        guard let last = rest.lastIndex(where: { $0 != space }) else { return nil }
        return String(Substring(rest[...last]))
    }
}

extension ServerRequestContext {
    /// The key, of any kind.
    ///
    /// - Throws: `key_missing` if the route was mounted without ``KeyMiddleware``.
    func anyKey() throws(APIError) -> APIKeyRecord {
        guard let key else { throw .keyMissing }
        return key
    }

    /// The key, which must be a secret key.
    ///
    /// - Throws: `secret_key_required` for a publishable key.
    func secretKey() throws(APIError) -> APIKeyRecord {
        let key = try anyKey()
        guard key.kind == .secret else { throw .secretKeyRequired }
        return key
    }

    /// The holder of the secret key, for the audit log.
    ///
    /// - Throws: As ``secretKey()``.
    func keyHolder() throws(APIError) -> Operator {
        let key = try secretKey()
        return Operator(
            "key \(key.shownText)" + (key.label.map { " (\($0))" } ?? ""),
            requestID: requestID,
            keyID: SHA256.hash(data: key.digest).prefix(12).hexadecimal
        )
    }
}

extension APIError {
    fileprivate static let keyMissing = APIError(
        .unauthorized,
        .authentication,
        "key_missing",
        "Send your key as \"Authorization: Bearer sk_…\". perennial keys create makes one."
    )

    fileprivate static let keyInvalid = APIError(
        .unauthorized,
        .authentication,
        "key_invalid",
        "This key is unknown. perennial keys list shows the known ones, perennial keys create makes one."
    )

    fileprivate static let secretKeyRequired = APIError(
        .forbidden,
        .permission,
        "secret_key_required",
        "This needs a secret key (sk_…). Publishable keys only submit transactions and read customers."
    )
}
