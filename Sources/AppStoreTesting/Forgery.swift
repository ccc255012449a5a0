public import AppStoreSigning

/// A way to forge signed data, for tests that it is refused.
public enum Forgery: String, CaseIterable, Hashable, Sendable {
    /// A complete and correct chain under an untrusted root.
    case foreignRoot = "foreign_root"
    /// The leaf had expired when the payload was signed.
    case expiredCertificate = "expired_certificate"
    /// The leaf was not valid yet when the payload was signed.
    case certificateNotYetValid = "certificate_not_yet_valid"
    /// The leaf was not issued for App Store data: Apple's marker extension is missing.
    case missingMarker = "missing_marker"
    /// Only the leaf without its issuers, as Xcode sends.
    case singleCertificate = "single_certificate"
    /// The valid chain, with the signature of another key.
    case foreignKey = "foreign_key"
    /// A payload that was changed after signing.
    case changedPayload = "changed_payload"
    /// The algorithm `none`, with an invalid signature.
    case unsigned
    /// A truncated text.
    case truncated

    /// The error code of the verifier.
    public var expectedCode: VerificationFailure.Code {
        switch self {
        case .foreignRoot: .chainNotTrusted
        case .expiredCertificate, .certificateNotYetValid: .certificateNotValidAtSigning
        case .missingMarker: .markerOIDMissing
        case .singleCertificate: .chainLength
        case .foreignKey, .changedPayload: .signatureInvalid
        case .unsigned: .algorithmNotSupported
        case .truncated: .malformedJWS
        }
    }
}
