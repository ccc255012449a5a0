import Crypto
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A P-384 key with repeatable certificate signatures; for test authorities only.
struct DeterministicP384Key: CustomPrivateKey {
    static let defaultPEMDiscriminator = "PRIVATE KEY"

    private let rawKey: [UInt8]
    let publicKey: Certificate.PublicKey
    private let pem: String

    init(_ key: P384.Signing.PrivateKey) {
        rawKey = Array(key.rawRepresentation)
        publicKey = Certificate.PublicKey(key.publicKey)
        pem = key.pemRepresentation
    }

    var defaultSignatureAlgorithm: Certificate.SignatureAlgorithm { .ecdsaWithSHA384 }

    var supportedSignatureAlgorithms: [Certificate.SignatureAlgorithm] { [.ecdsaWithSHA384] }

    func signSynchronously(
        bytes: some DataProtocol,
        signatureAlgorithm: Certificate.SignatureAlgorithm
    ) throws -> Certificate.Signature {
        let raw = try DeterministicECDSA<DeterministicP384>.signature(for: Array(bytes), key: rawKey)
        let signature = try P384.Signing.ECDSASignature(rawRepresentation: raw)
        return try Certificate.Signature(
            signatureAlgorithm: signatureAlgorithm,
            signatureBytes: ASN1BitString(bytes: Array(signature.derRepresentation)[...])
        )
    }

    func serialize(into coder: inout DER.Serializer) throws {
        coder.serializeRawBytes(try PEMDocument(pemString: pem).derBytes)
    }

    func serializeAsPEM(discriminator: String) throws -> PEMDocument { try PEMDocument(pemString: pem) }
}
