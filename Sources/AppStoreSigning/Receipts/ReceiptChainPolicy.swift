import Crypto
import CryptoExtras
import SwiftASN1
import X509

/// The rules for the certificates of a receipt: the signer's, the intermediate's, and one of our own roots.
///
/// They are those of ``ChainPolicy``, on certificates that come in no order and with RSA keys: the path is fixed, and
/// only its ends and middle have to be found in the bag. A certificate that was renewed under its key stands beside the
/// old one, with the same name: every path is tried, and one that keeps the rules is enough.
struct ReceiptChainPolicy: Sendable {
    /// No real certificate comes near it; the App Store's have at most 1.5 KB.
    private static let certificateBytesMax = 16_384

    /// More paths from one signer's certificate are not looked at; with one renewal each there are four.
    static let pathsMax = 16

    let roots: [ReceiptRoot]

    /// From the signer's certificate to a root.
    private struct Path {
        let leaf: Certificate
        let intermediate: Certificate
        let anchor: Certificate

        var certificates: [Certificate] { [leaf, intermediate, anchor] }
    }

    /// Verifies the chains of a signer; time is not looked at.
    ///
    /// - Returns: A chain for each certificate that may be the signer's, at least one; several can be only where the
    ///   signer is named by its key.
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

    /// The paths from a signer's certificate that keep the rules.
    ///
    /// - Throws: Why the first path does not, when none does.
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
            throw .notTrusted("A certificate has demands that cannot be checked.")
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

    /// The paths whose names fit and whose certificates have issued each other.
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

/// What remains to be known of a receipt's certificates once they have been verified.
struct ReceiptChain {
    /// When all certificates of a path are valid, in milliseconds since 1970 (UTC), ends included; never where the
    /// first instant comes after the last.
    private struct Period {
        let first: Int64
        let last: Int64
    }

    /// The certificate whose key signs receipts.
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

    /// Whether on one of the paths all certificates are valid.
    func isValid(at milliseconds: Int64) -> Bool {
        periods.contains { $0.first <= milliseconds && milliseconds <= $0.last }
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
