import Crypto
import PerennialPrimitives
import SwiftASN1
import X509

/// A trusted root certificate of signed data.
///
/// Trust is configuration: ``appleRootCAG3`` for the App Store, and a local store's own root if it is added.
public struct TrustedRoot: Hashable, Sendable {
    /// The certificate.
    ///
    /// - Units: DER bytes.
    public let der: [UInt8]

    /// The SHA-256 of the DER bytes.
    ///
    /// - Units: 64 lower-case hexadecimal digits.
    public var fingerprint: String {
        SHA256.hash(data: der).hexadecimal
    }

    /// Makes a root from a self-issued CA certificate.
    ///
    /// - Throws: `certificate_malformed` if the bytes are not an X.509 certificate, or not that of a root authority.
    public init(der: [UInt8]) throws(SigningError) {
        guard let certificate = try? Certificate(derEncoded: der), certificate.isRootAuthority else {
            throw SigningError(
                code: .certificateMalformed,
                message: "Not a root certificate; give one self-signed CA certificate in DER or PEM."
            )
        }
        self.der = der
    }

    /// Makes a root from a self-issued CA certificate in PEM.
    ///
    /// - Throws: `certificate_malformed` if the text is not exactly such a certificate.
    public init(pem: String) throws(SigningError) {
        guard
            let document = try? PEMDocument(pemString: pem),
            document.discriminator == "CERTIFICATE"
        else {
            throw SigningError(
                code: .certificateMalformed,
                message: "Not a certificate in PEM; the text starts with BEGIN CERTIFICATE and holds only that one."
            )
        }
        try self.init(der: document.derBytes)
    }

    /// Accepts known bytes: a certificate in the source code, checked by a test.
    package init(embedded der: [UInt8]) {
        self.der = der
    }
}

extension Certificate {
    /// Whether this is a self-signed certificate authority.
    fileprivate var isRootAuthority: Bool {
        guard
            subject == issuer,
            let constraints = try? extensions.basicConstraints,
            case .isCertificateAuthority = constraints
        else { return false }
        return publicKey.isValidSignature(signature, for: self)
    }
}
