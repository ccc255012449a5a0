import Crypto

/// A trusted root certificate of receipts, given by fingerprint or as a certificate.
///
/// A receipt contains its root, so a fingerprint is sufficient.
public struct ReceiptRoot: Hashable, Sendable {
    /// The SHA-256 of the certificate's DER.
    ///
    /// - Units: 32 bytes.
    public let sha256: [UInt8]

    /// The certificate, if it was given.
    ///
    /// - Units: DER bytes.
    public let der: [UInt8]?

    /// Makes a root from a certificate.
    public init(_ root: TrustedRoot) {
        sha256 = Array(SHA256.hash(data: root.der))
        der = root.der
    }

    /// Makes a root from a self-issued CA certificate.
    ///
    /// - Throws: `certificate_malformed` if the bytes are not an X.509 certificate, or not that of a root authority.
    public init(der: [UInt8]) throws(SigningError) {
        self.init(try TrustedRoot(der: der))
    }

    /// Makes a root from a self-issued CA certificate in PEM.
    ///
    /// - Throws: `certificate_malformed` if the text is not exactly such a certificate.
    public init(pem: String) throws(SigningError) {
        self.init(try TrustedRoot(pem: pem))
    }

    /// Makes a root from a fingerprint.
    ///
    /// - Parameter sha256: The SHA-256 of the certificate's DER.
    /// - Throws: `certificate_malformed` if it does not have 32 bytes.
    public init(sha256: [UInt8]) throws(SigningError) {
        guard sha256.count == 32 else {
            throw SigningError(
                code: .certificateMalformed,
                message: "Not a fingerprint; give the 32 bytes of a certificate's SHA-256."
            )
        }
        self.init(pinned: sha256)
    }

    private init(pinned sha256: [UInt8]) {
        self.sha256 = sha256
        self.der = nil
    }

    /// Apple Root CA, the root of every receipt of the App Store.
    ///
    /// Valid from 2006-04-25 to 2035-02-09.
    ///
    /// - Source: Apple PKI, https://www.apple.com/certificateauthority/, "Apple Inc. Root Certificate", SHA-256
    ///   `b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024` (checked by a test).
    public static let appleRootCA = ReceiptRoot(pinned: [
        0xB0, 0xB1, 0x73, 0x0E, 0xCB, 0xC7, 0xFF, 0x45, 0x05, 0x14, 0x2C, 0x49, 0xF1, 0x29, 0x5E, 0x6E,
        0xDA, 0x6B, 0xCA, 0xED, 0x7E, 0x2C, 0x68, 0xC5, 0xBE, 0x91, 0xB5, 0xA1, 0x10, 0x01, 0xF0, 0x24,
    ])
}
