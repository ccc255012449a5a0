import Crypto
public import SwiftASN1
import X509

/// A digest algorithm of receipt signatures.
public enum ReceiptDigest: Hashable, Sendable, CaseIterable {
    /// In receipts until 2025; there is no practical attack that creates a second receipt for a digest that the App
    /// Store signed.
    case sha1
    /// In receipts since 2023.
    case sha256

    /// The algorithm's object identifier.
    ///
    /// - Source: RFC 5754, section 2; RFC 3370, section 2.1.
    public var objectIdentifier: ASN1ObjectIdentifier {
        switch self {
        case .sha1: [1, 3, 14, 3, 2, 26]
        case .sha256: [2, 16, 840, 1, 101, 3, 4, 2, 1]
        }
    }

    /// The algorithm with an object identifier.
    init?(_ objectIdentifier: ASN1ObjectIdentifier) {
        guard let digest = Self.allCases.first(where: { $0.objectIdentifier == objectIdentifier }) else { return nil }
        self = digest
    }

    /// Whether a signer may use this identifier for its signatures: plain RSA, as the App Store does, or RSA with this
    /// digest.
    var signatureAlgorithm: Certificate.SignatureAlgorithm {
        switch self {
        case .sha1: .sha1WithRSAEncryption
        case .sha256: .sha256WithRSAEncryption
        }
    }

    /// Whether a signer may name its signatures so: plain RSA, as the App Store does, or RSA with this digest.
    func isUsed(by signatureAlgorithm: ASN1ObjectIdentifier) -> Bool {
        let withDigest: ASN1ObjectIdentifier =
            switch self {
            case .sha1: [1, 2, 840, 113_549, 1, 1, 5]
            case .sha256: [1, 2, 840, 113_549, 1, 1, 11]
            }
        return signatureAlgorithm == withDigest || signatureAlgorithm == [1, 2, 840, 113_549, 1, 1, 1]
    }

    /// The digest of bytes.
    func hash(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        switch self {
        case .sha1: Array(Insecure.SHA1.hash(data: bytes))
        case .sha256: Array(SHA256.hash(data: bytes))
        }
    }
}
