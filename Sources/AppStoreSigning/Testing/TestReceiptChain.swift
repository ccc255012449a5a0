import Crypto
import CryptoExtras
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Root, intermediate and leaf of a test authority for receipts.
struct TestReceiptChain: Sendable {
    let root: Certificate
    let intermediate: Certificate
    let leaf: Certificate

    /// Mints a chain.
    ///
    /// - Throws: `certificate_not_made` when dates or keys are refused.
    init(keys: TestReceiptKeys, recipe: TestChainRecipe) throws(SigningError) {
        do {
            let mint = try Mint(keys: keys, recipe: recipe)
            root = try mint.root()
            intermediate = try mint.intermediate()
            leaf = try mint.leaf()
        } catch {
            throw SigningError(
                code: .certificateNotMade,
                message: "The test certificates could not be made; check the dates of their validity."
            )
        }
    }
}

extension Certificate {
    /// The certificate in DER.
    func derBytes() throws(SigningError) -> [UInt8] {
        do {
            return try serializeAsPEM().derBytes
        } catch {
            throw SigningError(code: .certificateNotMade, message: "A test certificate could not be written.")
        }
    }
}

/// Makes the three certificates.
private struct Mint {
    let keys: TestReceiptKeys
    let recipe: TestChainRecipe
    let rootName: DistinguishedName
    let intermediateName: DistinguishedName
    let leafName: DistinguishedName

    init(keys: TestReceiptKeys, recipe: TestChainRecipe) throws {
        self.keys = keys
        self.recipe = recipe
        rootName = try Self.name("Perennial local test receipt root")
        intermediateName = try Self.name("Perennial local test receipt intermediate")
        leafName = try Self.name("Perennial local test receipt signing")
    }

    func root() throws -> Certificate {
        let key = Certificate.PublicKey(keys.root.publicKey)
        return try certificate(
            key: key,
            subject: rootName,
            issuer: (rootName, keys.root),
            validity: recipe.rootValidity,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: key)
            }
        )
    }

    func intermediate() throws -> Certificate {
        let key = Certificate.PublicKey(keys.intermediate.publicKey)
        var extensions = try extensions(
            key: key,
            issuerKey: Certificate.PublicKey(keys.root.publicKey),
            constraints: recipe.intermediateIsAuthority
                ? .isCertificateAuthority(maxPathLength: 0) : .notCertificateAuthority,
            usage: KeyUsage(keyCertSign: true, cRLSign: true)
        )
        if recipe.intermediateHasMarker {
            try extensions.append(Self.marker(MarkerOID.worldwideDeveloperRelations))
        }
        return try certificate(
            key: key,
            subject: intermediateName,
            issuer: (rootName, keys.root),
            validity: recipe.intermediateValidity,
            extensions: extensions
        )
    }

    func leaf() throws -> Certificate {
        let key = Certificate.PublicKey(keys.leaf.publicKey)
        var extensions = try extensions(
            key: key,
            issuerKey: Certificate.PublicKey(keys.intermediate.publicKey),
            constraints: recipe.leafIsAuthority
                ? .isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority,
            usage: KeyUsage(digitalSignature: recipe.leafMaySign, keyAgreement: !recipe.leafMaySign)
        )
        if recipe.leafHasMarker {
            try extensions.append(Self.marker(MarkerOID.receiptSigning))
        }
        if recipe.leafHasUnknownDemand {
            try extensions.append(Self.marker([1, 3, 6, 1, 4, 1, 99_999, 1], critical: true))
        }
        return try certificate(
            key: key,
            subject: leafName,
            issuer: (intermediateName, keys.intermediate),
            validity: recipe.leafValidity,
            extensions: extensions
        )
    }

    private func extensions(
        key: Certificate.PublicKey,
        issuerKey: Certificate.PublicKey,
        constraints: BasicConstraints,
        usage: KeyUsage
    ) throws -> Certificate.Extensions {
        try Certificate.Extensions {
            Critical(constraints)
            Critical(usage)
            SubjectKeyIdentifier(hash: key)
            AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: issuerKey).keyIdentifier)
        }
    }

    private func certificate(
        key: Certificate.PublicKey,
        subject: DistinguishedName,
        issuer: (name: DistinguishedName, key: _RSA.Signing.PrivateKey),
        validity: CertificateValidity,
        extensions: Certificate.Extensions
    ) throws -> Certificate {
        // Derived from the key, so that the same keys give the same certificates.
        var serialNumber = Array(SHA256.hash(data: Array(key.subjectPublicKeyInfoBytes)).prefix(16))
        serialNumber[0] = serialNumber[0] & 0x7F | 0x40
        return try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(bytes: serialNumber),
            publicKey: key,
            notValidBefore: Date(timeIntervalSince1970: Double(validity.notBefore)),
            notValidAfter: Date(timeIntervalSince1970: Double(validity.notAfter)),
            issuer: issuer.name,
            subject: subject,
            signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: extensions,
            issuerPrivateKey: Certificate.PrivateKey(issuer.key)
        )
    }

    private static func name(_ commonName: String) throws -> DistinguishedName {
        try DistinguishedName {
            CommonName(commonName)
            OrganizationalUnitName("Not issued by Apple")
            OrganizationName("Perennial")
        }
    }

    /// A marker's value is ASN.1 NULL, as in Apple's certificates.
    private static func marker(_ oid: ASN1ObjectIdentifier, critical: Bool = false) -> Certificate.Extension {
        Certificate.Extension(oid: oid, critical: critical, value: [0x05, 0x00])
    }
}
