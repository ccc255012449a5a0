/// Provides the bearer tokens of calls.
public protocol BearerTokenSource: Sendable {
    /// A token for calls for an app.
    ///
    /// It has the time of the call: at the deadline the task is cancelled, and the source must end.
    ///
    /// - Parameters:
    ///   - bundleId: The app.
    ///   - now: The client's wall clock, in milliseconds since 1970.
    /// - Throws: Any error; the call then fails with `token_not_made`.
    func credential(bundleId: String, now: Int64) async throws -> BearerCredential

    /// Apple refused a token that it accepted before: the next one must be different.
    ///
    /// It has the time of the call, as ``credential(bundleId:now:)``.
    func discard(_ credential: BearerCredential, bundleId: String) async

    /// A token of another key, after Apple refused the tokens of some keys within the same call.
    ///
    /// It has the time of the call, as ``credential(bundleId:now:)``.
    ///
    /// - Parameters:
    ///   - bundleId: The app.
    ///   - refusedKeyIds: The keys whose tokens were refused; never empty.
    ///   - now: The client's wall clock, in milliseconds since 1970.
    /// - Returns: Nil if the app has no other key. A source with one key per app needs no implementation.
    /// - Throws: Any error; the call then fails with `token_not_made`.
    func credential(
        bundleId: String,
        except refusedKeyIds: Set<String>,
        now: Int64
    ) async throws -> BearerCredential?

    /// Apple accepted a token after it refused those of other keys: later calls should begin with its key.
    ///
    /// - Parameters:
    ///   - credential: The accepted token.
    ///   - bundleId: The app.
    ///   - now: The client's wall clock, in milliseconds since 1970.
    func prefer(_ credential: BearerCredential, bundleId: String, now: Int64) async
}

extension BearerTokenSource {
    /// Nil: the source has one key per app.
    public func credential(
        bundleId: String,
        except refusedKeyIds: Set<String>,
        now: Int64
    ) async throws -> BearerCredential? { nil }

    /// Does nothing: the source has one key per app.
    public func prefer(_ credential: BearerCredential, bundleId: String, now: Int64) async {}
}

/// A bearer token with its metadata; no description or dump shows the token.
public struct BearerCredential: Sendable, Hashable {
    /// The text after `Bearer ` in the `Authorization` header.
    public let token: String

    /// The key that signed it, if known.
    public let keyId: String?

    /// The issuer, if known.
    public let issuerId: String?

    /// When it was created, in milliseconds since 1970, if known.
    public let issuedAt: Int64?

    /// When it expires, in milliseconds since 1970, if known.
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

    /// Everything except the token.
    public var customMirror: Mirror {
        Mirror(self, children: ["keyId": keyId as Any, "issuedAt": issuedAt as Any, "expiresAt": expiresAt as Any])
    }
}
