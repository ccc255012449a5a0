import Crypto
import CryptoExtras
import SwiftASN1
import X509

/// The rules for the certificates of a receipt: the signer's, the intermediate's, and a configured root.
///
/// The rules are those of ``ChainPolicy``, for unordered certificates with RSA keys. The path is fixed; only its
/// certificates must be found among those sent. A certificate that was renewed with its key has the same name as the
/// old one. So every path is tried, and one valid path is sufficient.
struct ReceiptChainPolicy: Sendable {
    /// Far above real certificates; the App Store's have at most 1.5 KB.
    private static let certificateBytesMax = 16_384

    /// The maximum number of paths of one signer; with one renewal each there are four.
    static let pathsMax = 16

    let roots: [ReceiptRoot]

    /// From the signer's certificate to a root.
    private struct Path {
        let leaf: Certificate
        let intermediate: Certificate
        let anchor: Certificate

        var certificates: [Certificate] { [leaf, intermediate, anchor] }
    }

    /// Verifies the chains of a signer without their validity period.
    ///
    /// - Returns: A chain for each possible certificate of the signer, at least one. There can be several only if the
    ///   signer is identified by its key.
    /// - Throws: `certificate_malformed`, `chain_not_trusted`, `marker_oid_missing` or `algorithm_not_supported` (the
    ///   signer's key is not RSA).
    func verify(
        _ signer: ReceiptSigner.Identifier,
        certificates: [ArraySlice<UInt8>]
    ) throws(VerificationFailure) -> [ReceiptChain] {
        let bag = try parse(certificates)
        let leaves = bag.filter { signer.names($0) }
        guard !leaves.isEmpty else {
            throw .notTrusted("The certificate that the signature names is not in the receipt.")
        }
        let anchors = try anchors(in: certificates)
        guard !anchors.isEmpty else {
            throw .notTrusted(
                "No configured root is in the receipt; add the root if the receipt is of your own local store."
            )
        }
        var chains: [ReceiptChain] = []
        var refusal: VerificationFailure?
        for leaf in leaves {
            do throws(VerificationFailure) {
                chains.append(try chain(from: leaf, through: bag, to: anchors))
            } catch {
                refusal = refusal ?? error
            }
        }
        if chains.isEmpty, let refusal { throw refusal }
        return chains
    }

    /// The valid paths from a signer's certificate.
    ///
    /// - Throws: The error of the first path, if none is valid.
    private func chain(
        from leaf: Certificate,
        through bag: [Certificate],
        to anchors: [Certificate]
    ) throws(VerificationFailure) -> ReceiptChain {
        var good: [[Certificate]] = []
        var refusal: VerificationFailure?
        for path in paths(from: leaf, through: bag, to: anchors) {
            do throws(VerificationFailure) {
                try check(path)
                good.append(path.certificates)
            } catch {
                refusal = refusal ?? error
            }
        }
        guard good.isEmpty else { return ReceiptChain(leaf: leaf, paths: good) }
        throw refusal
            ?? .notTrusted("The signer's certificate does not lead through an intermediate to a configured root.")
    }

    private func check(_ path: Path) throws(VerificationFailure) {
        guard path.leaf.isEndEntity, path.leaf.maySignData else {
            throw .notTrusted("The signer's certificate is an authority's, or its key usage allows no signatures.")
        }
        guard path.certificates.allSatisfy(\.hasOnlyKnownDemands) else {
            throw .notTrusted("A certificate has unknown critical extensions.")
        }
        try checkMarkers(leaf: path.leaf, intermediate: path.intermediate)
        guard _RSA.Signing.PublicKey(path.leaf.publicKey).map({ $0.keySizeInBits >= 2048 }) ?? false else {
            throw VerificationFailure(
                code: .algorithmNotSupported,
                message: "The signer's key is not an RSA key of 2048 bits or more."
            )
        }
    }

    private func parse(_ certificates: [ArraySlice<UInt8>]) throws(VerificationFailure) -> [Certificate] {
        var parsed: [Certificate] = []
        for der in certificates {
            parsed.append(try certificate(der, "in the receipt"))
        }
        return parsed
    }

    private func certificate(_ der: ArraySlice<UInt8>, _ role: String) throws(VerificationFailure) -> Certificate {
        guard
            der.count <= Self.certificateBytesMax,
            let certificate = try? Certificate(derEncoded: der),
            Certificate.namesOneAlgorithm(Array(der))
        else {
            throw VerificationFailure(
                code: .certificateMalformed,
                message: "A certificate \(role) is not an X.509 certificate in DER."
            )
        }
        return certificate
    }

    /// The configured roots: the given certificates, and sent ones with a configured fingerprint.
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

    /// The paths with matching names whose certificates have issued each other.
    private func paths(from leaf: Certificate, through bag: [Certificate], to anchors: [Certificate]) -> [Path] {
        var candidates: [Path] = []
        for intermediate in bag where intermediate.subject == leaf.issuer && intermediate.mayIssueCertificates {
            for anchor in anchors where anchor.subject == intermediate.issuer && anchor.mayIssueCertificates {
                candidates.append(Path(leaf: leaf, intermediate: intermediate, anchor: anchor))
            }
        }
        return candidates.prefix(Self.pathsMax).filter { path in
            path.intermediate.isIssued(by: path.anchor) && path.leaf.isIssued(by: path.intermediate)
        }
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

/// The result of verifying a receipt's certificates.
struct ReceiptChain {
    /// The common validity of all certificates of a path, in milliseconds since 1970 (UTC), ends included; never valid
    /// if the start is after the end.
    private struct Period {
        let first: Int64
        let last: Int64
    }

    /// The certificate of the signing key.
    let leaf: Certificate
    private let periods: [Period]

    init(leaf: Certificate, paths: [[Certificate]]) {
        self.leaf = leaf
        periods = paths.map { path in
            Period(
                first: path.map(\.notValidBefore.milliseconds).max() ?? .max,
                last: path.map(\.notValidAfter.milliseconds).min() ?? .min
            )
        }
    }

    /// Whether all certificates of one of the paths are valid.
    func isValid(at milliseconds: Int64) -> Bool {
        periods.contains { $0.first <= milliseconds && milliseconds <= $0.last }
    }
}

extension ReceiptSigner.Identifier {
    /// Whether it identifies a certificate.
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
