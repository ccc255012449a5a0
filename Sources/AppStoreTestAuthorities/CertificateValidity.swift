/// The validity period of a certificate.
public struct CertificateValidity: Hashable, Sendable {
    /// The first valid second.
    ///
    /// - Units: seconds since 1970-01-01T00:00:00Z.
    public let notBefore: Int64

    /// The last valid second.
    ///
    /// - Units: seconds since 1970-01-01T00:00:00Z.
    public let notAfter: Int64

    /// The period between two seconds, both included.
    public init(notBefore: Int64, notAfter: Int64) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// From 2010-01-01 to 2100-01-01.
    public static let wide = CertificateValidity(notBefore: 1_262_304_000, notAfter: 4_102_444_800)
}
