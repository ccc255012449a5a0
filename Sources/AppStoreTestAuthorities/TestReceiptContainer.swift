import AppStoreSigning
import Crypto
import CryptoExtras
import SwiftASN1
import X509

/// Signs content and writes the container: PKCS #7 signed data like the App Store's, or with the recipe's differences.
struct TestReceiptContainer {
    let chain: TestReceiptChain
    /// Chains whose certificates come first.
    let renewed: [TestReceiptChain]
    let key: _RSA.Signing.PrivateKey
    let recipe: TestReceiptRecipe

    /// A complete receipt.
    ///
    /// - Throws: `signing_failed` or `certificate_not_made`.
    func bytes(_ content: [UInt8]) throws(SigningError) -> [UInt8] {
        let signature = try signerInfo(content)
        let sent = recipe.contentAfterSigning ?? content
        let encapsulated = element(
            BERTag.sequence,
            [try identifier(.data), element(BERTag.context0Constructed, [octets(sent)])]
        )
        let signedData = element(
            BERTag.sequence,
            [
                BERWriter.integer(1),
                BERWriter.element(BERTag.set, [try algorithm(digestAlgorithm)]),
                encapsulated,
                BERWriter.element(BERTag.context0Constructed, try certificates()),
                BERWriter.element(BERTag.set, Array(repeating: signature, count: recipe.signatures)),
            ]
        )
        return element(
            BERTag.sequence,
            [try identifier(.signedData), element(BERTag.context0Constructed, [signedData])]
        )
    }

    /// The data of one signer.
    private func signerInfo(_ content: [UInt8]) throws(SigningError) -> [UInt8] {
        var parts = [
            BERWriter.integer(recipe.namesSignerByKeyIdentifier ? 3 : 1),
            try signerIdentifier(),
            try algorithm(digestAlgorithm),
        ]
        var signed = content
        if recipe.hasSignedAttributes {
            let attributes = try signedAttributes(content)
            signed = BERWriter.element(BERTag.set, attributes)
            parts.append(BERWriter.element(BERTag.context0Constructed, attributes))
        }
        parts.append(try algorithm(recipe.signatureAlgorithm))
        parts.append(BERWriter.element(BERTag.octetString, try signature(signed)))
        return BERWriter.element(BERTag.sequence, parts)
    }

    private func signerIdentifier() throws(SigningError) -> [UInt8] {
        if recipe.namesSignerByKeyIdentifier {
            let identifier = SubjectKeyIdentifier(hash: chain.leaf.publicKey).keyIdentifier
            return BERWriter.element(BERTag.context0, Array(identifier))
        }
        return BERWriter.element(
            BERTag.sequence,
            [
                try der(chain.leaf.issuer),
                BERWriter.element(BERTag.integer, Array(chain.leaf.serialNumber.bytes)),
            ]
        )
    }

    /// The signed attributes, in the order of a DER SET OF.
    private func signedAttributes(_ content: [UInt8]) throws(SigningError) -> [[UInt8]] {
        let digest = recipe.messageDigest ?? digest(content)
        let attributes = [
            try attribute(.contentType, try identifier(recipe.signedContentType)),
            try attribute(.messageDigest, BERWriter.element(BERTag.octetString, digest)),
        ]
        return attributes.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func attribute(_ type: ASN1ObjectIdentifier, _ value: [UInt8]) throws(SigningError) -> [UInt8] {
        BERWriter.element(BERTag.sequence, [try identifier(type), BERWriter.element(BERTag.set, value)])
    }

    private func certificates() throws(SigningError) -> [[UInt8]] {
        let certificates: [Certificate] =
            switch recipe.certificates {
            case .all: [chain.leaf, chain.intermediate, chain.root]
            case .reversed: [chain.root, chain.intermediate, chain.leaf]
            case .withoutRoot: [chain.leaf, chain.intermediate]
            case .withoutIntermediate: [chain.leaf, chain.root]
            case .withoutLeaf: [chain.intermediate, chain.root]
            case .none: []
            }
        let first = renewed.flatMap { [$0.leaf, $0.intermediate, $0.root] }
        var encoded: [[UInt8]] = []
        for certificate in first + certificates {
            encoded.append(try certificate.derBytes())
        }
        return encoded
    }
}

// MARK: - Signing

extension TestReceiptContainer {
    private func signature(_ bytes: [UInt8]) throws(SigningError) -> [UInt8] {
        do {
            let padding = _RSA.Signing.Padding.insecurePKCS1v1_5
            let signature =
                switch recipe.digest {
                case .sha1: try key.signature(for: Insecure.SHA1.hash(data: bytes), padding: padding)
                case .sha256: try key.signature(for: SHA256.hash(data: bytes), padding: padding)
                case .sha512: try key.signature(for: SHA512.hash(data: bytes), padding: padding)
                }
            return Array(signature.rawRepresentation)
        } catch {
            throw SigningError(code: .signingFailed, message: "The cryptographic library refused to sign.")
        }
    }

    private func digest(_ bytes: [UInt8]) -> [UInt8] {
        switch recipe.digest {
        case .sha1: Array(Insecure.SHA1.hash(data: bytes))
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }

    private var digestAlgorithm: ASN1ObjectIdentifier {
        switch recipe.digest {
        case .sha1: ReceiptDigest.sha1.objectIdentifier
        case .sha256: ReceiptDigest.sha256.objectIdentifier
        case .sha512: [2, 16, 840, 1, 101, 3, 4, 2, 3]
        }
    }
}

// MARK: - Encoding

extension TestReceiptContainer {
    /// A constructed element, with an end marker if the recipe requires it.
    private func element(_ tag: UInt8, _ contents: [[UInt8]]) -> [UInt8] {
        recipe.hasIndefiniteLengths ? BERWriter.indefinite(tag, contents) : BERWriter.element(tag, contents)
    }

    /// An OCTET STRING, in parts if the recipe requires it.
    private func octets(_ bytes: [UInt8]) -> [UInt8] {
        guard recipe.hasIndefiniteLengths else { return BERWriter.element(BERTag.octetString, bytes) }
        let pieces = stride(from: 0, to: bytes.count, by: 1000).map { start in
            BERWriter.element(BERTag.octetString, Array(bytes[start..<min(start + 1000, bytes.count)]))
        }
        return BERWriter.indefinite(BERTag.octetString, pieces)
    }

    private func algorithm(_ identifier: ASN1ObjectIdentifier) throws(SigningError) -> [UInt8] {
        let null: [UInt8] = [0x05, 0x00]
        return BERWriter.element(BERTag.sequence, [try self.identifier(identifier), null])
    }

    private func identifier(_ identifier: ASN1ObjectIdentifier) throws(SigningError) -> [UInt8] {
        try der(identifier)
    }

    private func der(_ value: some DERSerializable) throws(SigningError) -> [UInt8] {
        do {
            var serializer = DER.Serializer()
            try serializer.serialize(value)
            return serializer.serializedBytes
        } catch {
            throw SigningError(code: .signingFailed, message: "A name or an identifier could not be written.")
        }
    }
}
