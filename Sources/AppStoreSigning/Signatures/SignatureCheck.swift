/// The result of checking a developer's signature: its content, or why StoreKit would refuse it.
public enum SignatureCheck<Accepted: Sendable>: Sendable {
    /// Signed recently with a known key for this app.
    case accepted(Accepted)
    /// Not valid.
    case refused(SignatureRefusal)

    /// The content of an accepted signature.
    public var accepted: Accepted? {
        switch self {
        case .accepted(let accepted): accepted
        case .refused: nil
        }
    }

    /// Why a signature is refused.
    public var refusal: SignatureRefusal? {
        switch self {
        case .accepted: nil
        case .refused(let refusal): refusal
        }
    }

    /// The content of an accepted signature, or a thrown error.
    ///
    /// - Throws: The ``SignatureRefusal``.
    public func get() throws(SignatureRefusal) -> Accepted {
        switch self {
        case .accepted(let accepted): return accepted
        case .refused(let refusal): throw refusal
        }
    }

    /// Runs a body and converts its error into a refusal.
    init(_ body: () throws(SignatureRefusal) -> Accepted) {
        do {
            self = .accepted(try body())
        } catch {
            self = .refused(error)
        }
    }
}

extension SignatureCheck: Equatable where Accepted: Equatable {}

/// Why a developer's signature is refused.
///
/// StoreKit only reports an invalid signature to the app; local stores and logs can show the reason.
public struct SignatureRefusal: Error, Hashable, Sendable {
    /// The stable reason.
    public let code: Code

    /// One sentence with the remedy; contains no customer data.
    public let message: String

    /// Makes a refusal.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// A stable reason in `snake_case`, open for additions.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as it appears in logs and answers.
        public let rawValue: String

        /// Wraps a code, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Not base64 of a DER signature, not a JWS, or a field is absent, empty or of the wrong type.
        public static let malformed = Self(rawValue: "signature_malformed")
        /// The header's `alg` is not ES256.
        public static let algorithm = Self(rawValue: "signature_algorithm_not_supported")
        /// No key has this identifier.
        public static let unknownKey = Self(rawValue: "signature_key_unknown")
        /// The signature by the key does not cover these fields.
        public static let signature = Self(rawValue: "signature_invalid")
        /// `iss` is not the key's issuer.
        public static let issuer = Self(rawValue: "signature_issuer_mismatch")
        /// `aud` names another purpose.
        public static let audience = Self(rawValue: "signature_audience_mismatch")
        /// `bid` is another app.
        public static let bundleId = Self(rawValue: "signature_bundle_id_mismatch")
        /// `exp` exists, which StoreKit does not accept.
        public static let expirationPresent = Self(rawValue: "signature_expiration_present")
        /// The nonce is absent or not a UUID.
        public static let nonce = Self(rawValue: "signature_nonce_malformed")
        /// Signed too long ago.
        public static let expired = Self(rawValue: "signature_expired")
        /// Signed in the future.
        public static let notYetValid = Self(rawValue: "signature_not_yet_valid")
    }
}

extension SignatureRefusal: CustomStringConvertible {
    /// The code and the message.
    public var description: String {
        "\(code.rawValue): \(message)"
    }
}
