import Crypto
import CryptoExtras
import SwiftASN1
import X509

/// The rules for the certificates of a receipt: the signer's, the intermediate's, and one of our own roots.
///
/// They are those of ``ChainPolicy``, on certificates that come in no order and with RSA keys: the path is fixed, and
/// only its ends and middle have to be found in the bag.
struct ReceiptChainPolicy: Sendable {
    /// No real certificate comes near it; the App Store's have at most 1.5 KB.
    private static let certificateBytesMax = 16_384

    let roots: [ReceiptRoot]

    /// Verifies the chain of a signer; time is not looked at.
    ///
    /// - Throws: `certificate_malformed`, `chain_not_trusted`, `marker_oid_missing` or `algorithm_not_supported` (the
    ///   signer's key is not RSA).
    func verify(
        _ signer: ReceiptSigner.Identifier,
        certificates: [ArraySlice<UInt8>]
    ) throws(VerificationFailure) -> ReceiptChain {
        let bag = try parse(certificates)
        guard let leaf = bag.first(where: { signer.names($0) }) else {
            throw .notTrusted("The certificate that the signature names is not in the receipt.")
        }
        let anchors = try anchors(in: certificates)
        guard !anchors.isEmpty else {
            throw .notTrusted(
                "No configured root is in the receipt; add the root if the receipt is of your own local store."
            )
        }
        guard
            let (intermediate, anchor) = path(from: leaf, through: bag, to: anchors)
        else {
            throw .notTrusted("The signer's certificate does not lead through an intermediate to a configured root.")
        }
        guard leaf.isEndEntity, leaf.maySignData else {
            throw .notTrusted("The signer's certificate is an authority's, or its key usage allows no signatures.")
        }
        guard [leaf, intermediate, anchor].allSatisfy(\.hasOnlyKnownDemands) else {
            throw .notTrusted("A certificate has demands that cannot be checked.")
        }
        try checkMarkers(leaf: leaf, intermediate: intermediate)
        guard _RSA.Signing.PublicKey(leaf.publicKey).map({ $0.keySizeInBits >= 2048 }) ?? false else {
            throw VerificationFailure(
                code: .algorithmNotSupported,
                message: "The signer's key is not an RSA key of 2048 bits or more."
            )
        }
        return ReceiptChain(leaf: leaf, path: [leaf, intermediate, anchor])
    }

    private func parse(_ certificates: [ArraySlice<UInt8>]) throws(VerificationFailure) -> [Certificate] {
        var parsed: [Certificate] = []
        for der in certificates {
            parsed.append(try certificate(der, "in the receipt"))
        }
        return parsed
    }

    private func certificate(_ der: ArraySlice<UInt8>, _ place: String) throws(VerificationFailure) -> Certificate {
        guard
            der.count <= Self.certificateBytesMax,
            let certificate = try? Certificate(derEncoded: der),
            Certificate.namesOneAlgorithm(Array(der))
        else {
            throw VerificationFailure(
                code: .certificateMalformed,
                message: "A certificate \(place) is not an X.509 certificate in DER."
            )
        }
        return certificate
    }

    /// The configured roots: those given as certificates, and those that came along under a configured fingerprint.
    private func anchors(in certificates: [ArraySlice<UInt8>]) throws(VerificationFailure) -> [Certificate] {
        let fingerprints = certificates.map { Array(SHA256.hash(data: $0)) }
        var anchors: [Certificate] = []
        for root in roots {
            if let der = root.der {
                anchors.append(try certificate(der[...], "among the configured roots"))
            } else if let index = fingerprints.firstIndex(of: root.sha256) {
                anchors.append(try certificate(certificates[index], "in the receipt"))
            }
        }
        return anchors
    }

    private func path(
        from leaf: Certificate,
        through bag: [Certificate],
        to anchors: [Certificate]
    ) -> (intermediate: Certificate, anchor: Certificate)? {
        for intermediate in bag where intermediate.subject == leaf.issuer && intermediate.mayIssueCertificates {
            for anchor in anchors where anchor.subject == intermediate.issuer && anchor.mayIssueCertificates {
                if intermediate.isIssued(by: anchor), leaf.isIssued(by: intermediate) {
                    return (intermediate, anchor)
                }
            }
        }
        return nil
    }

    private func checkMarkers(leaf: Certificate, intermediate: Certificate) throws(VerificationFailure) {
        let required = [
            ("intermediate's", intermediate, MarkerOID.worldwideDeveloperRelations),
            ("signer's", leaf, MarkerOID.receiptSigning),
        ]
        for (role, certificate, marker) in required where certificate.extensions[oid: marker] == nil {
            throw VerificationFailure(
                code: .markerOIDMissing,
                message: "The \(role) certificate lacks the extension \(marker); it was not issued for receipts."
            )
        }
    }
}

/// What remains to be known of a receipt's certificates once they have been verified.
struct ReceiptChain {
    /// The certificate whose key signs receipts.
    let leaf: Certificate
    /// The first instant at which all are valid, in milliseconds since 1970 (UTC).
    let validFrom: Int64
    /// The last instant at which all are valid, in milliseconds since 1970 (UTC).
    let validThrough: Int64

    init(leaf: Certificate, path: [Certificate]) {
        self.leaf = leaf
        validFrom = path.map(\.notValidBefore.milliseconds).max() ?? .max
        validThrough = path.map(\.notValidAfter.milliseconds).min() ?? .min
    }

    func isValid(at milliseconds: Int64) -> Bool {
        validFrom <= milliseconds && milliseconds <= validThrough
    }
}

extension ReceiptSigner.Identifier {
    /// Whether it names a certificate.
    fileprivate func names(_ certificate: Certificate) -> Bool {
        switch self {
        case .issuerAndSerialNumber(let issuer, let serialNumber):
            var name = DER.Serializer()
            guard (try? name.serialize(certificate.issuer)) != nil else { return false }
            return serialNumber.drop { $0 == 0 }.elementsEqual(certificate.serialNumber.bytes.drop { $0 == 0 })
                && issuer.elementsEqual(name.serializedBytes)
        case .subjectKeyIdentifier(let identifier):
            guard let own = try? certificate.extensions.subjectKeyIdentifier else { return false }
            return own.keyIdentifier.elementsEqual(identifier)
        }
    }
}

extension VerificationFailure {
    fileprivate static func notTrusted(_ message: String) -> Self {
        VerificationFailure(code: .chainNotTrusted, message: message)
    }
}
