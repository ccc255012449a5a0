/// Gives the bearer tokens that authorise calls.
public protocol BearerTokenSource: Sendable {
    /// A token for calls about an app.
    ///
    /// It has the time that the call has: when the deadline is over the task is cancelled, and the source must end.
    ///
    /// - Parameters:
    ///   - bundleId: The app.
    ///   - now: The client's wall clock, in milliseconds since 1970.
    /// - Throws: Anything; the call then fails with `token_not_made`.
    func credential(bundleId: String, now: Int64) async throws -> BearerCredential

    /// Apple refused a token that it took before: the next one must be another.
    ///
    /// It has the time that the call has, as ``credential(bundleId:now:)``.
    func discard(_ credential: BearerCredential, bundleId: String) async
}

/// A bearer token with what is known about it; no description or dump shows the token.
public struct BearerCredential: Sendable, Hashable {
    /// What follows `Bearer ` in the `Authorization` header.
    public let token: String

    /// The key that signed it, if known.
    public let keyId: String?

    /// The issuer, if known.
    public let issuerId: String?

    /// When it was made, in milliseconds since 1970, if known.
    public let issuedAt: Int64?

    /// When it ends, in milliseconds since 1970, if known.
    public let expiresAt: Int64?

    /// Makes a credential.
    public init(
        token: String,
        keyId: String? = nil,
        issuerId: String? = nil,
        issuedAt: Int64? = nil,
        expiresAt: Int64? = nil
    ) {
        self.token = token
        self.keyId = keyId
        self.issuerId = issuerId
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}

extension BearerCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key's identifier; never the token.
    public var description: String { "bearer token of key \(keyId ?? "unknown")" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Everything but the token.
    public var customMirror: Mirror {
        Mirror(self, children: ["keyId": keyId as Any, "issuedAt": issuedAt as Any, "expiresAt": expiresAt as Any])
    }
}
