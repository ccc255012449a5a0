/// Why signed data was refused, with a stable code and a sentence that says what to do.
///
/// A refusal is an expected outcome and travels as a value (``Verification/refused(_:)``); it is an `Error` so that
/// code which prefers to throw can.
public struct VerificationFailure: Error, Hashable, Sendable {
    /// A stable, machine readable reason in `snake_case`.
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

    /// One sentence for a person, with the remedy; holds no customer data.
    public let message: String

    /// Whether the same bytes might be accepted later without a change of configuration.
    public let isRetryable: Bool

    /// The field that could not be read, from the payload's root: `data.status`; absent for any other refusal.
    public let field: String?

    /// The app that a payload names which is signed and could not be read; absent for any other refusal.
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
    /// The header's `alg` is not ES256, or the leaf's key is not P-256, or a `crit` member demands something unknown.
    public static let algorithmNotSupported = Self(rawValue: "algorithm_not_supported")
    /// `x5c` does not hold exactly three certificates.
    public static let chainLength = Self(rawValue: "chain_length")
    /// A certificate in `x5c` is not base64 of a DER X.509 certificate.
    public static let certificateMalformed = Self(rawValue: "certificate_malformed")
    /// The chain does not lead to a configured root.
    public static let chainNotTrusted = Self(rawValue: "chain_not_trusted")
    /// The leaf or the intermediate lacks Apple's marker extension.
    public static let markerOIDMissing = Self(rawValue: "marker_oid_missing")
    /// A certificate of the chain was not valid at the payload's `signedDate`.
    public static let certificateNotValidAtSigning = Self(rawValue: "certificate_not_valid_at_signing")
    /// A certificate of the chain was not valid at the instant that the verifier was told to use.
    public static let certificateNotValid = Self(rawValue: "certificate_not_valid")
    /// The certificate authority has revoked a certificate of the chain.
    public static let certificateRevoked = Self(rawValue: "certificate_revoked")
    /// Whether a certificate of the chain is revoked could not be found out, and the configuration demands to know.
    public static let revocationUnknown = Self(rawValue: "revocation_unknown")
    /// The signature does not belong to these bytes and the leaf's key.
    public static let signatureInvalid = Self(rawValue: "signature_invalid")
    /// The signed payload is not the JSON object that was asked for.
    public static let payloadMalformed = Self(rawValue: "payload_malformed")
    /// The bundle identifier is not the expected one, or an inner payload names another than its envelope.
    public static let bundleIdMismatch = Self(rawValue: "bundle_id_mismatch")
    /// The production `appAppleId` is not the expected one.
    public static let appAppleIdMismatch = Self(rawValue: "app_apple_id_mismatch")
    /// The environment is not the expected one, or an inner payload names another than its envelope.
    public static let environmentMismatch = Self(rawValue: "environment_mismatch")
    /// None of the configured apps has this bundle identifier.
    public static let appNotConfigured = Self(rawValue: "app_not_configured")
    /// The input is larger than the configured limit.
    public static let payloadTooLarge = Self(rawValue: "payload_too_large")
}

extension VerificationFailure: CustomStringConvertible {
    /// The code and the sentence.
    public var description: String {
        "\(code.rawValue): \(message)"
    }
}
