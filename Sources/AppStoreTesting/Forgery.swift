public import AppStoreSigning

/// A way in which signed data is not what it claims to be, for tests that it is refused.
public enum Forgery: String, CaseIterable, Hashable, Sendable {
    /// A complete chain with everything right, under a root that nobody trusts.
    case foreignRoot = "foreign_root"
    /// The leaf had expired when the payload was signed.
    case expiredCertificate = "expired_certificate"
    /// The leaf was not valid yet when the payload was signed.
    case certificateNotYetValid = "certificate_not_yet_valid"
    /// The leaf was not issued for App Store data: Apple's marker extension is missing.
    case missingMarker = "missing_marker"
    /// One leaf without its issuers, as Xcode sends.
    case singleCertificate = "single_certificate"
    /// The good chain, and the signature of another key.
    case foreignKey = "foreign_key"
    /// A payload that was changed after signing.
    case changedPayload = "changed_payload"
    /// The algorithm `none`, and no signature to speak of.
    case unsigned
    /// Not all of the text arrived.
    case truncated

    /// The code with which a verifier refuses it.
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
