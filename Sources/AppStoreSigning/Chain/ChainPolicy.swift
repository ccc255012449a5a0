import Crypto
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The rules for the certificate chain of an App Store JWS: leaf, intermediate, and one of our own roots.
///
/// The path is fixed, so there is no path to search for and no need of the asynchronous verifier of swift-certificates
/// (its answers are compared with ours in a test). The rules of RFC 5280 that apply to such a path are checked here:
/// names, signatures, version, basic constraints with path length, key usage and unknown critical extensions; name
/// constraints, which Apple's chains do not have, are refused. Time is not: it is a question for each payload.
package struct ChainPolicy: Sendable {
    /// The roots that are trusted; the root that comes with the data is not.
    package let roots: [TrustedRoot]

    /// Makes a policy.
    package init(roots: [TrustedRoot]) {
        self.roots = roots
    }

    /// Verifies a chain, leaf first, as `x5c` has it.
    ///
    /// - Throws: `chain_length`, `certificate_malformed`, `chain_not_trusted`, `marker_oid_missing` or
    ///   `algorithm_not_supported` (the leaf's key is not P-256).
    package func verify(_ chain: [[UInt8]]) throws(VerificationFailure) -> VerifiedChain {
        guard chain.count == 3 else {
            throw .chainLength(found: chain.count)
        }
        let leaf = try certificate(chain[0], "leaf")
        let intermediate = try certificate(chain[1], "intermediate")
        let (root, anchor) = try anchor(sent: chain[2])

        for authority in [intermediate, anchor] {
            try check(authority.mayIssueCertificates, "An issuing certificate is not a certificate authority's.")
        }
        try check(!leaf.isAuthority, "The leaf is the certificate of an authority.")
        try check(leaf.maySignData, "The leaf's key usage does not allow signatures.")
        for certificate in [leaf, intermediate, anchor] {
            try check(certificate.hasOnlyKnownDemands, "A certificate has demands that cannot be checked.")
        }
        try check(intermediate.isIssued(by: anchor), "The configured root did not issue the intermediate.")
        try check(leaf.isIssued(by: intermediate), "The intermediate did not issue the leaf.")
        try checkMarkers(leaf: leaf, intermediate: intermediate)
        guard let leafKey = P256.Signing.PublicKey(leaf.publicKey) else {
            throw VerificationFailure(
                code: .algorithmNotSupported,
                message: "The leaf's key is not a P-256 key, which ES256 needs."
            )
        }
        let path = [leaf, intermediate, anchor]
        return VerifiedChain(
            leafKey: leafKey,
            validFrom: path.map(\.notValidBefore.milliseconds).max() ?? .max,
            validThrough: path.map(\.notValidAfter.milliseconds).min() ?? .min,
            root: root
        )
    }

    private func certificate(_ der: [UInt8], _ role: String) throws(VerificationFailure) -> Certificate {
        guard let certificate = try? Certificate(derEncoded: der) else {
            throw VerificationFailure(
                code: .certificateMalformed,
                message: "The \(role) in the header is not an X.509 certificate in DER."
            )
        }
        return certificate
    }

    /// The configured root that the sent one names: the same bytes, or the same subject and key.
    private func anchor(sent der: [UInt8]) throws(VerificationFailure) -> (TrustedRoot, Certificate) {
        if let root = roots.first(where: { $0.der == der }) {
            return (root, try certificate(root.der, "configured root"))
        }
        let sent = try certificate(der, "root")
        for root in roots {
            let candidate = try certificate(root.der, "configured root")
            if candidate.subject == sent.subject, candidate.publicKey == sent.publicKey {
                return (root, candidate)
            }
        }
        throw VerificationFailure(
            code: .chainNotTrusted,
            message: "The chain ends in a root that is not configured; add the root if this is your own local store."
        )
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

extension Certificate {
    fileprivate var isAuthority: Bool {
        guard
            let constraints = try? extensions.basicConstraints,
            case .isCertificateAuthority = constraints
        else { return false }
        return true
    }

    /// A certificate authority whose key usage, when it names any, allows signing certificates.
    ///
    /// Both path lengths that can occur are satisfied by the fixed path: the intermediate has no authority below it,
    /// and a root that limits to zero is refused because it has one.
    fileprivate var mayIssueCertificates: Bool {
        guard
            version == .v3,
            let constraints = try? extensions.basicConstraints,
            case .isCertificateAuthority(let pathLength) = constraints,
            subject != issuer || pathLength != 0
        else { return false }
        return allows(\.keyCertSign)
    }

    fileprivate var maySignData: Bool {
        version == .v3 && allows(\.digitalSignature)
    }

    private func allows(_ usage: (KeyUsage) -> Bool) -> Bool {
        do {
            return try extensions.keyUsage.map(usage) ?? true
        } catch {
            // A key usage that cannot be read allows nothing.
            return false
        }
    }

    fileprivate var hasOnlyKnownDemands: Bool {
        let known: [ASN1ObjectIdentifier] = [.X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage]
        return extensions.allSatisfy { !$0.critical || known.contains($0.oid) }
            && extensions[oid: .X509ExtensionID.nameConstraints] == nil
    }

    fileprivate func isIssued(by authority: Certificate) -> Bool {
        issuer == authority.subject && authority.publicKey.isValidSignature(signature, for: self)
    }
}

extension Date {
    fileprivate var milliseconds: Int64 {
        Int64(timeIntervalSince1970 * 1000)
    }
}
