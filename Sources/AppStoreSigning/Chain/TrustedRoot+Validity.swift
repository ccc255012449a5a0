import SwiftASN1
import X509

extension TrustedRoot {
    /// The certificate's subject, such as `CN=Apple Root CA - G3,OU=…`.
    package var subject: String? { (try? Certificate(derEncoded: der))?.subject.description }

    /// The end of the certificate's validity.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z.
    package var expiresAt: Int64? { (try? Certificate(derEncoded: der))?.notValidAfter.milliseconds }
}
