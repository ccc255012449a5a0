import HTTPTypes
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
package import SubscriptionStorage

/// Checks the bearer key of the server's own API.
package struct KeyMiddleware: RouterMiddleware {
    private let keys: KnownKeys
    private let operators: OperatorAuthentication
    private let developmentKeys: [APIKeyRecord]
    private let time: any TimeSource

    /// Makes the middleware.
    ///
    /// - Parameters:
    ///   - keys: Finds the record of a key.
    ///   - operators: Finds the person of an operator's key or session.
    ///   - developmentKeys: Keys for this run only, in addition to the stored ones.
    ///   - time: Real time, for keys that expire.
    package init(
        keys: KnownKeys,
        operators: KnownOperators,
        developmentKeys: [APIKeyRecord] = [],
        time: any TimeSource
    ) {
        self.keys = keys
        self.operators = OperatorAuthentication(operators: operators)
        self.developmentKeys = developmentKeys
        self.time = time
    }

    /// Puts the key's record into the context.
    ///
    /// - Throws: `key_missing`, `key_invalid` or `key_expired` (401);
    ///   for an operator's key `app_required` (400) or `app_not_allowed` (403); `storage_…` (503).
    @concurrent package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let key = request.bearerToken else { throw APIError.keyMissing }
        if OperatorKey.isText(key) {
            let admitted = try await operators.admit(key, of: request, to: context)
            return try await next(request, admitted)
        }
        guard let record = try await record(of: KeyIssuing.digest(key)) else { throw APIError.keyInvalid }
        if let end = record.expiresAt, end <= time.now() { throw APIError.keyExpired(record, at: end) }
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

    /// The identifier of the operator, or of the key, which stays the same for all requests of one caller.
    ///
    /// - Throws: `key_missing`.
    func callerID() throws(APIError) -> String {
        let key = try anyKey()
        return person?.id.rawValue ?? key.publicID
    }

    /// The holder of the secret key, or the person of an operator's key, for the audit log.
    ///
    /// - Throws: As ``secretKey()``.
    func keyHolder() throws(APIError) -> Operator {
        let key = try secretKey()
        if let person { return person.acting(requestID: requestID) }
        return Operator(
            "key \(key.shownText)" + (key.label.map { " (\($0))" } ?? ""),
            requestID: requestID,
            keyID: String(key.publicID.dropFirst("key_".count))
        )
    }

    /// The person of an operator's key; nil for an app's key. For what the audit log has of people only.
    func auditedPerson() -> Operator? { person?.acting(requestID: requestID) }
}

extension APIError {
    fileprivate static func keyExpired(_ key: APIKeyRecord, at end: Timestamp) -> APIError {
        APIError(
            .unauthorized,
            .authentication,
            "key_expired",
            "The key \(key.shownText) expired on \(end.dateAndTimeText). Use the key that replaced it, or make one "
                + "with perennial keys create."
        )
    }

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

    static let secretKeyRequired = APIError(
        .forbidden,
        .permission,
        "secret_key_required",
        "This needs a secret key (sk_…). Publishable keys only submit transactions and read customers."
    )
}
