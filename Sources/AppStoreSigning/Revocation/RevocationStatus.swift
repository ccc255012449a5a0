/// What the certificate authority says about the certificates of a chain.
public enum RevocationStatus: String, Hashable, Sendable {
    /// Each certificate whose issuer can be asked is good.
    ///
    /// Certificates that name nobody to ask count as good: their issuer promises no answers.
    case good
    /// A certificate was revoked; the signed answer says so.
    case revoked
    /// The authority answered, but not usably: unknown certificate, wrong signer, out of date, not OCSP at all.
    case unknown
    /// The authority gave no answer.
    case unreachable

    /// Whether this is an answer, rather than the lack of one.
    var isAnswer: Bool {
        switch self {
        case .good, .revoked: true
        case .unknown, .unreachable: false
        }
    }
}

/// What becomes of data when nobody can say whether its certificates are revoked.
public enum RevocationFailureMode: Hashable, Sendable {
    /// It is accepted; only a certificate that is known to be revoked refuses data. For most servers.
    case soft
    /// It is refused with `revocation_unknown`, which a retry may mend.
    case hard
}
