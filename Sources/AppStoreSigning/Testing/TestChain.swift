import Crypto
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Root, intermediate and leaf of a test authority.
package struct TestChain: Sendable {
    /// The root certificate.
    ///
    /// - Units: DER bytes.
    package let root: [UInt8]

    /// The root certificate in PEM.
    package let rootPEM: String

    /// The intermediate certificate.
    ///
    /// - Units: DER bytes.
    package let intermediate: [UInt8]

    /// The leaf certificate.
    ///
    /// - Units: DER bytes.
    package let leaf: [UInt8]

    /// All three, leaf first, as `x5c` has them.
    package var certificates: [[UInt8]] {
        [leaf, intermediate, root]
    }

    /// Mints a chain.
    ///
    /// - Throws: `certificate_not_made` when dates or keys are refused.
    package init(keys: TestAuthorityKeys, recipe: TestChainRecipe) throws(SigningError) {
        do {
            let mint = try Mint(keys: keys, recipe: recipe)
            let root = try mint.root()
            self.root = try root.serializeAsPEM().derBytes
            self.rootPEM = try root.serializeAsPEM().pemString
            self.intermediate = try mint.intermediate().serializeAsPEM().derBytes
            self.leaf = try mint.leaf().serializeAsPEM().derBytes
        } catch {
            throw SigningError(
                code: .certificateNotMade,
                message: "The test certificates could not be made; check the dates of their validity."
            )
        }
    }
}

/// Makes the three certificates.
private struct Mint {
    let keys: TestAuthorityKeys
    let recipe: TestChainRecipe
    let rootName: DistinguishedName
    let intermediateName: DistinguishedName
    let leafName: DistinguishedName

    init(keys: TestAuthorityKeys, recipe: TestChainRecipe) throws {
        self.keys = keys
        self.recipe = recipe
        rootName = try Self.name("Perennial local test root")
        intermediateName = try Self.name("Perennial local test intermediate")
        leafName = try Self.name("Perennial local test signing")
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
        let constraints: BasicConstraints =
            recipe.intermediateIsAuthority ? .isCertificateAuthority(maxPathLength: 0) : .notCertificateAuthority
        var extensions = try Certificate.Extensions {
            Critical(constraints)
            Critical(KeyUsage(keyCertSign: true, cRLSign: true))
            SubjectKeyIdentifier(hash: key)
            AuthorityKeyIdentifier(
                keyIdentifier: SubjectKeyIdentifier(hash: Certificate.PublicKey(keys.root.publicKey)).keyIdentifier
            )
        }
        try extensions.append(Self.comment())
        try appendOCSPAddress(to: &extensions)
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
        let key =
            recipe.leafCurve == .p256
            ? Certificate.PublicKey(keys.leaf.publicKey)
            : Certificate.PublicKey(keys.intermediate.publicKey)
        let constraints: BasicConstraints =
            recipe.leafIsAuthority ? .isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority
        let issuerKey = Certificate.PublicKey(keys.intermediate.publicKey)
        var extensions = try Certificate.Extensions {
            Critical(constraints)
            Critical(KeyUsage(digitalSignature: recipe.leafMaySign, keyAgreement: !recipe.leafMaySign))
            SubjectKeyIdentifier(hash: key)
            AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: issuerKey).keyIdentifier)
        }
        try extensions.append(Self.comment())
        try appendOCSPAddress(to: &extensions)
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

    private func certificate(
        key: Certificate.PublicKey,
        subject: DistinguishedName,
        issuer: (name: DistinguishedName, key: P384.Signing.PrivateKey),
        validity: CertificateValidity,
        extensions: Certificate.Extensions
    ) throws -> Certificate {
        // Derived from the key, so that the same keys give the same certificates but for their signatures.
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
            signatureAlgorithm: .ecdsaWithSHA384,
            extensions: extensions,
            issuerPrivateKey: Certificate.PrivateKey(issuer.key)
        )
    }

    private func appendOCSPAddress(to extensions: inout Certificate.Extensions) throws {
        guard let address = recipe.ocspAddress else { return }
        let access = AuthorityInformationAccess([
            .init(method: .ocspServer, location: .uniformResourceIdentifier(address))
        ])
        try extensions.append(Certificate.Extension(access, critical: false))
    }

    private static func name(_ commonName: String) throws -> DistinguishedName {
        try DistinguishedName {
            CommonName(commonName)
            OrganizationalUnitName("Not issued by Apple")
            OrganizationName("Perennial")
        }
    }

    /// A text in the certificate (the Netscape comment extension, which nothing interprets).
    ///
    /// It tells whoever finds the certificate what it is, and gives the chain about the size of Apple's, whose
    /// certificates carry policy texts, so that measurements and limits mean the same with both.
    private static func comment() throws -> Certificate.Extension {
        let text = """
            Made by Perennial for a local App Store and for tests. Not issued by Apple and not known to any device. \
            Data signed under this certificate describes purchases that never happened. Configure its root only in \
            servers that are meant to follow that local store, never in a production server and never in the trust \
            store of an operating system or a browser.
            """
        var serializer = DER.Serializer()
        try serializer.serialize(ASN1IA5String(text))
        return Certificate.Extension(
            oid: [2, 16, 840, 1, 113_730, 1, 13],
            critical: false,
            value: serializer.serializedBytes[...]
        )
    }

    /// A marker's value is ASN.1 NULL, as in Apple's certificates.
    private static func marker(_ oid: ASN1ObjectIdentifier, critical: Bool = false) -> Certificate.Extension {
        Certificate.Extension(oid: oid, critical: critical, value: [0x05, 0x00])
    }
}
