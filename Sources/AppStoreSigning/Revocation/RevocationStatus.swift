/// The certificate authority's answer about the certificates of a chain.
public enum RevocationStatus: String, Hashable, Sendable {
    /// All certificates whose issuer can be queried are good.
    ///
    /// Certificates without an OCSP responder count as good: their issuer offers no answers.
    case good
    /// A certificate was revoked, according to a signed answer.
    case revoked
    /// The authority's answer is unusable: unknown certificate, wrong signer, out of date, or not OCSP.
    case unknown
    /// The authority did not answer.
    case unreachable

    /// Whether this is an answer.
    var isAnswer: Bool {
        switch self {
        case .good, .revoked: true
        case .unknown, .unreachable: false
        }
    }
}

/// What happens to data whose revocation status is unknown.
public enum RevocationFailureMode: Hashable, Sendable {
    /// It is accepted; only a certificate known to be revoked refuses data. For most servers.
    case soft
    /// It is refused with `revocation_unknown`, after which a retry may succeed.
    case hard
}
