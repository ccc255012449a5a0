/// The result of checking a bearer token.
public enum BearerTokenCheck: Hashable, Sendable {
    /// Valid for calls for its app.
    case accepted(BearerTokenClaims)
    /// Invalid; the App Store answers 401.
    case refused(Refusal)

    /// Why a token is refused.
    ///
    /// The App Store does not report it to callers; logs and local stores can.
    public struct Refusal: Hashable, Sendable {
        /// The stable reason, in `snake_case`.
        public let code: Code
        /// One sentence with the remedy.
        public let message: String
    }

    /// A stable reason, open for additions.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as it appears in logs.
        public let rawValue: String

        /// Wraps a code, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Not three segments of base64url with JSON inside, or a claim is absent or of the wrong type.
        public static let malformed = Self(rawValue: "token_malformed")
        /// The header's `alg` is not ES256.
        public static let algorithm = Self(rawValue: "token_algorithm_not_supported")
        /// No key has the header's `kid`.
        public static let unknownKey = Self(rawValue: "token_key_unknown")
        /// The signature is not the key's.
        public static let signature = Self(rawValue: "token_signature_invalid")
        /// `iss` is not the key's issuer.
        public static let issuer = Self(rawValue: "token_issuer_mismatch")
        /// `aud` is not `appstoreconnect-v1`.
        public static let audience = Self(rawValue: "token_audience_mismatch")
        /// `bid` is not an app of this store.
        public static let bundleId = Self(rawValue: "token_bundle_id_mismatch")
        /// `exp` has passed.
        public static let expired = Self(rawValue: "token_expired")
        /// `iat` is in the future.
        public static let notYetValid = Self(rawValue: "token_not_yet_valid")
        /// `exp` is more than an hour after `iat`, or not after it.
        public static let lifetime = Self(rawValue: "token_lifetime_invalid")
    }

    /// The claims of an accepted token.
    public var claims: BearerTokenClaims? {
        switch self {
        case .accepted(let claims): claims
        case .refused: nil
        }
    }

    /// The reason of a refused token.
    public var refusal: Refusal? {
        switch self {
        case .accepted: nil
        case .refused(let refusal): refusal
        }
    }
}
