/// Why signed data was refused: a stable code, and a message with the remedy.
///
/// A refusal is an expected result and is returned as a value (``Verification/refused(_:)``); it is an `Error` so that
/// it can also be thrown.
public struct VerificationFailure: Error, Hashable, Sendable {
    /// A stable, machine-readable reason in `snake_case`.
    ///
    /// Open: later versions may add codes, so switch with a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as it appears in logs and answers.
        public let rawValue: String

        /// Wraps a code, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The stable reason.
    public let code: Code

    /// One sentence for people, with the remedy; contains no customer data.
    public let message: String

    /// Whether the same bytes may be accepted later without a change of configuration.
    public let isRetryable: Bool

    /// The unreadable field, from the payload's root: `data.status`; absent for any other refusal.
    public let field: String?

    /// The app in a signed but unreadable payload; absent for any other refusal.
    public let bundleId: String?

    /// Makes a failure.
    public init(
        code: Code,
        message: String,
        isRetryable: Bool = false,
        field: String? = nil,
        bundleId: String? = nil
    ) {
        self.code = code
        self.message = message
        self.isRetryable = isRetryable
        self.field = field
        self.bundleId = bundleId
    }
}

extension VerificationFailure.Code {
    /// Not three base64url segments with a readable JSON header.
    public static let malformedJWS = Self(rawValue: "malformed_jws")
    /// The header's `alg` is not ES256, the leaf's key is not P-256, or a `crit` member demands something unknown.
    public static let algorithmNotSupported = Self(rawValue: "algorithm_not_supported")
    /// `x5c` does not contain exactly three certificates.
    public static let chainLength = Self(rawValue: "chain_length")
    /// A certificate in `x5c` is not base64 of a DER X.509 certificate.
    public static let certificateMalformed = Self(rawValue: "certificate_malformed")
    /// The chain does not lead to a configured root.
    public static let chainNotTrusted = Self(rawValue: "chain_not_trusted")
    /// The leaf or the intermediate lacks Apple's marker extension.
    public static let markerOIDMissing = Self(rawValue: "marker_oid_missing")
    /// A certificate of the chain was not valid at the payload's `signedDate`.
    public static let certificateNotValidAtSigning = Self(rawValue: "certificate_not_valid_at_signing")
    /// A certificate of the chain was not valid at the time given to the verifier.
    public static let certificateNotValid = Self(rawValue: "certificate_not_valid")
    /// The certificate authority has revoked a certificate of the chain.
    public static let certificateRevoked = Self(rawValue: "certificate_revoked")
    /// The revocation status of a certificate of the chain is unknown, and the configuration requires it.
    public static let revocationUnknown = Self(rawValue: "revocation_unknown")
    /// The signature does not match these bytes and the leaf's key.
    public static let signatureInvalid = Self(rawValue: "signature_invalid")
    /// The signed payload is not the requested JSON object.
    public static let payloadMalformed = Self(rawValue: "payload_malformed")
    /// The bundle identifier is not the expected one, or differs between an inner payload and its envelope.
    public static let bundleIdMismatch = Self(rawValue: "bundle_id_mismatch")
    /// The production `appAppleId` is not the expected one.
    public static let appAppleIdMismatch = Self(rawValue: "app_apple_id_mismatch")
    /// The environment is not the expected one, or differs between an inner payload and its envelope.
    public static let environmentMismatch = Self(rawValue: "environment_mismatch")
    /// None of the configured apps has this bundle identifier.
    public static let appNotConfigured = Self(rawValue: "app_not_configured")
    /// The input exceeds the configured limit.
    public static let payloadTooLarge = Self(rawValue: "payload_too_large")
}

extension VerificationFailure: CustomStringConvertible {
    /// The code and the message.
    public var description: String {
        "\(code.rawValue): \(message)"
    }
}
