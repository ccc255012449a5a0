import AppStoreSigning
import Crypto
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Creates the three certificates of a test authority, for any kind of keys.
struct TestCertificateMint {
    private let rootKey: Certificate.PrivateKey
    private let intermediateKey: Certificate.PrivateKey
    private let leafKey: Certificate.PublicKey
    private let signatureAlgorithm: Certificate.SignatureAlgorithm
    private let recipe: TestChainRecipe
    private let rootName: DistinguishedName
    private let intermediateName: DistinguishedName
    private let leafName: DistinguishedName

    /// Takes the keys, and the prefix of the three names; the leaf may have another name.
    init(
        root: Certificate.PrivateKey,
        intermediate: Certificate.PrivateKey,
        leaf: Certificate.PublicKey,
        signatureAlgorithm: Certificate.SignatureAlgorithm,
        name: String,
        leafName: String? = nil,
        recipe: TestChainRecipe
    ) throws {
        rootKey = root
        intermediateKey = intermediate
        leafKey = leaf
        self.signatureAlgorithm = signatureAlgorithm
        self.recipe = recipe
        rootName = try Self.name("\(name) root")
        intermediateName = try Self.name("\(name) intermediate")
        self.leafName = try Self.name(leafName ?? "\(name) signing")
    }

    func root() throws -> Certificate {
        let key = rootKey.publicKey
        return try certificate(
            key: key,
            subject: rootName,
            issuer: (rootName, rootKey),
            validity: recipe.rootValidity,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: key)
            }
        )
    }

    func intermediate() throws -> Certificate {
        let key = intermediateKey.publicKey
        let constraints: BasicConstraints =
            recipe.intermediateIsAuthority ? .isCertificateAuthority(maxPathLength: 0) : .notCertificateAuthority
        var extensions = try Certificate.Extensions {
            Critical(constraints)
            Critical(KeyUsage(keyCertSign: true, cRLSign: true))
            SubjectKeyIdentifier(hash: key)
            AuthorityKeyIdentifier(
                keyIdentifier: SubjectKeyIdentifier(hash: rootKey.publicKey).keyIdentifier
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
            issuer: (rootName, rootKey),
            validity: recipe.intermediateValidity,
            extensions: extensions
        )
    }

    func leaf() throws -> Certificate {
        let constraints: BasicConstraints =
            recipe.leafIsAuthority ? .isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority
        let issuerKey = intermediateKey.publicKey
        var extensions = try Certificate.Extensions {
            Critical(constraints)
            Critical(KeyUsage(digitalSignature: recipe.leafMaySign, keyAgreement: !recipe.leafMaySign))
            SubjectKeyIdentifier(hash: leafKey)
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
            key: leafKey,
            subject: leafName,
            issuer: (intermediateName, intermediateKey),
            validity: recipe.leafValidity,
            extensions: extensions
        )
    }

    private func certificate(
        key: Certificate.PublicKey,
        subject: DistinguishedName,
        issuer: (name: DistinguishedName, key: Certificate.PrivateKey),
        validity: CertificateValidity,
        extensions: Certificate.Extensions
    ) throws -> Certificate {
        // Derived from the key, so that equal keys give equal certificates except for their signatures.
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
            signatureAlgorithm: signatureAlgorithm,
            extensions: extensions,
            issuerPrivateKey: issuer.key
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

    /// A text in the certificate (the Netscape comment extension, which has no effect).
    ///
    /// It explains the certificate, and gives the chain about the size of Apple's, whose certificates contain policy
    /// texts. So measurements and limits apply to both.
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
