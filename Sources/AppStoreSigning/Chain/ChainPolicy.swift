import Crypto
import SwiftASN1
import X509

/// The rules for the certificate chain of an App Store JWS: leaf, intermediate, and a configured root.
///
/// The path is fixed, so no path search is needed, and neither is the asynchronous verifier of swift-certificates. A
/// test compares the results of both. The rules of RFC 5280 for such a path are checked here: names, signatures,
/// version, basic constraints with path length, key usage and unknown critical extensions. Name constraints are
/// refused, because Apple's chains have none. Validity is not checked here, but for each payload.
package struct ChainPolicy: Sendable {
    /// The trusted roots; the root in the data is not trusted.
    package let roots: [TrustedRoot]

    /// The maximum size of a certificate.
    ///
    /// - Units: DER bytes. Apple's are about 1 000 bytes.
    static let certificateBytesMax = 16 << 10

    /// Makes a policy.
    package init(roots: [TrustedRoot]) {
        self.roots = roots
    }

    /// Verifies a chain, leaf first, as `x5c` has it.
    ///
    /// - Throws: `chain_length`, `certificate_malformed`, `chain_not_trusted`, `marker_oid_missing` or
    ///   `algorithm_not_supported` (the leaf's key is not P-256).
    package func verify(_ chain: [[UInt8]]) throws(VerificationFailure) -> VerifiedChain {
        var observer = Unobserved()
        return try verify(chain, observer: &observer)
    }

    /// Verifies a chain, leaf first, and reports each step.
    ///
    /// - Throws: As ``verify(_:)``.
    func verify(
        _ chain: [[UInt8]],
        observer: inout some VerificationObserver
    ) throws(VerificationFailure) -> VerifiedChain {
        guard chain.count == 3 else {
            throw .chainLength(found: chain.count)
        }
        observer.begin(.certificates)
        let leaf = try certificate(chain[0], "leaf")
        observer.note("leaf: \(leaf.account)")
        let intermediate = try certificate(chain[1], "intermediate")
        observer.note("intermediate: \(intermediate.account)")

        observer.begin(.root)
        let sentRoot = try certificate(chain[2], "root")
        observer.note("sent, and not trusted for that: \(sentRoot.account)")
        let candidates = try candidates(sent: sentRoot)
        for candidate in candidates {
            observer.note("configured root: \(candidate.certificate.account); SHA-256 \(candidate.root.fingerprint)")
        }

        observer.begin(.constraints)
        let anchors = try anchors(among: candidates, leaf: leaf, intermediate: intermediate)
        observer.note("the leaf signs data, the others issue certificates, and nothing unknown is critical")

        observer.begin(.issuance)
        try check(
            anchors.first.map { intermediate.isIssued(by: $0.certificate) } ?? false,
            "The configured root did not issue the intermediate."
        )
        try check(leaf.isIssued(by: intermediate), "The intermediate did not issue the leaf.")
        observer.note("the root's key signed the intermediate, and the intermediate's key the leaf")

        observer.begin(.markers)
        try checkMarkers(leaf: leaf, intermediate: intermediate)
        observer.note("leaf \(MarkerOID.receiptSigning), intermediate \(MarkerOID.worldwideDeveloperRelations)")

        observer.begin(.leafKey)
        guard let leafKey = P256.Signing.PublicKey(leaf.publicKey) else {
            throw VerificationFailure(
                code: .algorithmNotSupported,
                message: "The leaf's key is not a P-256 key, which ES256 needs."
            )
        }
        observer.note("P-256, as ES256 needs")
        return VerifiedChain(
            leafKey: leafKey,
            leaf: chain[0],
            intermediate: chain[1],
            anchors: anchors.map { $0.anchor(below: [leaf, intermediate]) }
        )
    }

    /// The candidates for the root of this path; checks the rules for leaf and intermediate.
    private func anchors(
        among candidates: [Candidate],
        leaf: Certificate,
        intermediate: Certificate
    ) throws(VerificationFailure) -> [Candidate] {
        let issuing = "An issuing certificate is not a certificate authority's."
        try check(intermediate.mayIssueCertificates, issuing)
        let issuers = candidates.filter(\.certificate.mayIssueCertificates)
        try check(!issuers.isEmpty, issuing)
        try check(leaf.isEndEntity, "The leaf is the certificate of an authority.")
        try check(leaf.maySignData, "The leaf's key usage does not allow signatures.")
        let demanding = "A certificate has unknown critical extensions."
        try check(leaf.hasOnlyKnownDemands && intermediate.hasOnlyKnownDemands, demanding)
        let anchors = issuers.filter(\.certificate.hasOnlyKnownDemands)
        try check(!anchors.isEmpty, demanding)
        return anchors
    }

    private func certificate(_ der: [UInt8], _ role: String) throws(VerificationFailure) -> Certificate {
        guard
            der.count <= Self.certificateBytesMax,
            let certificate = try? Certificate(derEncoded: der),
            Certificate.namesOneAlgorithm(der)
        else {
            throw VerificationFailure(
                code: .certificateMalformed,
                message:
                    """
                    The \(role) in the header is not an X.509 certificate in DER, or is too large to be one of \
                    Apple's.
                    """
            )
        }
        return certificate
    }

    /// The configured roots with the subject and key of the sent root.
    ///
    /// There can be several, if a root was renewed with its key and both are configured. The sent bytes themselves are
    /// ignored.
    private func candidates(sent: Certificate) throws(VerificationFailure) -> [Candidate] {
        let candidates = roots.compactMap { root in
            (try? Certificate(derEncoded: root.der)).map { Candidate(root: root, certificate: $0) }
        }.filter { $0.certificate.subject == sent.subject && $0.certificate.publicKey == sent.publicKey }
        guard !candidates.isEmpty else {
            throw VerificationFailure(
                code: .chainNotTrusted,
                message:
                    "The chain ends in a root that is not configured; add the root if this is your own local store."
            )
        }
        return candidates
    }

    private func check(_ condition: Bool, _ message: String) throws(VerificationFailure) {
        guard condition else {
            throw VerificationFailure(code: .chainNotTrusted, message: message)
        }
    }

    private func checkMarkers(leaf: Certificate, intermediate: Certificate) throws(VerificationFailure) {
        let required = [
            ("intermediate", intermediate, MarkerOID.worldwideDeveloperRelations),
            ("leaf", leaf, MarkerOID.receiptSigning),
        ]
        for (role, certificate, marker) in required where certificate.extensions[oid: marker] == nil {
            throw VerificationFailure(
                code: .markerOIDMissing,
                message: "The \(role) lacks the extension \(marker); it was not issued for App Store data."
            )
        }
    }
}

/// A configured root that may end a chain.
private struct Candidate {
    let root: TrustedRoot
    let certificate: Certificate

    func anchor(below: [Certificate]) -> VerifiedChain.Anchor {
        let path = below + [certificate]
        return VerifiedChain.Anchor(
            root: root,
            validFrom: path.map(\.notValidBefore.milliseconds).max() ?? .max,
            validThrough: path.map(\.notValidAfter.milliseconds).min() ?? .min
        )
    }
}
