import SwiftASN1
import Synchronization
@_spi(FixedExpiryValidationTime) import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Checks a verified chain with the OCSP policy of swift-certificates.
///
/// The policy answers only yes or no, with a text. In the strict pass, yes means that every answer was good. After a no
/// there is a lenient pass, in which a no can only mean a validly signed answer with a revoked certificate. The result
/// of the first pass counts too: an authority may answer "revoked" once and then not answer at all.
struct OCSPRequest: Sendable {
    private let leaf: Certificate
    private let intermediate: Certificate
    private let root: Certificate
    private let transport: any OCSPTransport
    private let time: Date

    /// Prepares the check; `nil` if the chain cannot be checked.
    ///
    /// - Parameters:
    ///   - chain: A verified chain.
    ///   - transport: Carries OCSP requests and answers.
    ///   - milliseconds: The time at which answers must be valid, since 1970 (UTC).
    init?(about chain: VerifiedChain, transport: any OCSPTransport, at milliseconds: Int64) {
        guard
            let rootDER = chain.anchors.first?.root.der,
            let leaf = try? Certificate(derEncoded: chain.leaf),
            let intermediate = try? Certificate(derEncoded: chain.intermediate),
            let root = try? Certificate(derEncoded: rootDER),
            // The policy refuses a root with its own OCSP responder, which does not mean "revoked".
            let access = try? root.extensions.authorityInformationAccess ?? AuthorityInformationAccess(),
            !access.contains(where: { $0.method == .ocspServer })
        else { return nil }
        self.leaf = leaf
        self.intermediate = intermediate
        self.root = root
        self.transport = transport
        self.time = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// Queries the issuers of leaf and intermediate.
    func status() async -> RevocationStatus {
        let strict = OCSPTransportRequester(transport: transport, mode: .hard)
        switch await verdict(strict) {
        case .passed: return .good
        case .revoked: return .revoked
        case .failed: break
        }
        // The first pass stops at a missing answer; the second continues, because the other certificate may be revoked.
        let lenient = OCSPTransportRequester(transport: transport, mode: .soft)
        if await verdict(lenient) != .passed { return .revoked }
        return strict.hasFailed || lenient.hasFailed ? .unreachable : .unknown
    }

    private func verdict(_ requester: OCSPTransportRequester) async -> Verdict {
        var verifier = Verifier(rootCertificates: CertificateStore([root])) {
            RevocationOnlyPolicy(
                policy: OCSPVerifierPolicy(
                    failureMode: requester.mode,
                    requester: requester,
                    fixedExpiryValidationTime: time
                )
            )
        }
        switch await verifier.validate(leaf: leaf, intermediates: CertificateStore([intermediate])) {
        case .validCertificate: return .passed
        case .couldNotValidate(let failures):
            return failures.contains { Verdict.saysRevoked($0.policyFailureReason) } ? .revoked : .failed
        }
    }
}

/// The result of the policy for a chain.
private enum Verdict {
    case passed
    /// A validly signed answer reports a revoked certificate.
    case revoked
    /// Another no: in the strict pass usually a missing or invalid answer.
    case failed

    /// Whether a reason is that of a revoked certificate.
    ///
    /// The policy has only a text for it, which a test checks. No text with foreign parts starts like this: foreign
    /// parts follow the policy's own text, and errors of a transport never reach it. If the text changed, the lenient
    /// pass would still find revoked certificates.
    ///
    /// - Source: swift-certificates 1.21.1 (2026-11-21),
    ///   https://github.com/apple/swift-certificates/blob/1.21.1/Sources/X509/OCSP/OCSPPolicy.swift
    static func saysRevoked(_ reason: PolicyFailureReason) -> Bool {
        reason.description.hasPrefix("revoked through OCSP")
    }
}

/// The OCSP policy alone, for a chain whose other rules were checked.
private struct RevocationOnlyPolicy: VerifierPolicy {
    var policy: OCSPVerifierPolicy<OCSPTransportRequester>

    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
    ]

    mutating func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
        await policy.chainMeetsPolicyRequirements(chain: chain)
    }
}

/// Carries requests for the policy, and records whether one had no answer.
private final class OCSPTransportRequester: OCSPRequester {
    let mode: OCSPFailureMode
    private let transport: any OCSPTransport
    private let failed = Mutex(false)

    init(transport: any OCSPTransport, mode: OCSPFailureMode) {
        self.transport = transport
        self.mode = mode
    }

    var hasFailed: Bool {
        failed.withLock { $0 }
    }

    func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
        do {
            return .response(try await transport.post(request, to: uri))
        } catch {
            failed.withLock { $0 = true }
            // By itself, the strict policy would accept a failed request.
            return mode == .hard ? .terminalError(NoAnswer()) : .nonTerminalError(NoAnswer())
        }
    }
}

/// A request had no answer. The reason belongs to the transport, and its text is not part of the policy's.
private struct NoAnswer: Error {}
