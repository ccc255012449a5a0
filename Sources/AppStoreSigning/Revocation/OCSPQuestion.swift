import SwiftASN1
import Synchronization
@_spi(FixedExpiryValidationTime) import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Asks about a verified chain with the OCSP policy of swift-certificates.
///
/// The policy answers only yes or no, with a text. Asked strictly, yes means that every answer was good. After a no, it
/// is asked again leniently, where no has one meaning left: a properly signed answer says that a certificate is
/// revoked. What the first pass learnt counts too: an authority that says "revoked" once and then falls silent has said
/// it.
struct OCSPQuestion: Sendable {
    private let leaf: Certificate
    private let intermediate: Certificate
    private let root: Certificate
    private let transport: any OCSPTransport
    private let time: Date

    /// Prepares to ask; `nil` when the chain cannot be asked about.
    ///
    /// - Parameters:
    ///   - chain: A chain that has been verified.
    ///   - transport: What carries question and answer.
    ///   - milliseconds: The time that answers must be valid at, since 1970 (UTC).
    init?(about chain: VerifiedChain, transport: any OCSPTransport, at milliseconds: Int64) {
        guard
            let rootDER = chain.anchors.first?.root.der,
            let leaf = try? Certificate(derEncoded: chain.leaf),
            let intermediate = try? Certificate(derEncoded: chain.intermediate),
            let root = try? Certificate(derEncoded: rootDER),
            // The policy refuses a root that says whom to ask about it, which is not what "revoked" means.
            let access = try? root.extensions.authorityInformationAccess ?? AuthorityInformationAccess(),
            !access.contains(where: { $0.method == .ocspServer })
        else { return nil }
        self.leaf = leaf
        self.intermediate = intermediate
        self.root = root
        self.transport = transport
        self.time = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// Asks the issuers of leaf and intermediate.
    func status() async -> RevocationStatus {
        let strict = OCSPCourier(transport: transport, mode: .hard)
        switch await verdict(strict) {
        case .passed: return .good
        case .revoked: return .revoked
        case .failed: break
        }
        // The first pass stops where an answer is lacking; the second goes on, since the other certificate may be
        // revoked.
        let lenient = OCSPCourier(transport: transport, mode: .soft)
        if await verdict(lenient) != .passed { return .revoked }
        return strict.hasFailed || lenient.hasFailed ? .unreachable : .unknown
    }

    private func verdict(_ courier: OCSPCourier) async -> Verdict {
        var verifier = Verifier(rootCertificates: CertificateStore([root])) {
            RevocationOnlyPolicy(
                policy: OCSPVerifierPolicy(
                    failureMode: courier.mode,
                    requester: courier,
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

/// What the policy says about a chain.
private enum Verdict {
    case passed
    /// A properly signed answer says that a certificate is revoked.
    case revoked
    /// Another no: for a strict policy mostly that an answer was lacking or of no use.
    case failed

    /// Whether a reason is that of a revoked certificate.
    ///
    /// The policy has only a text for it, which a test holds us to. Of the texts that others have a part in, none
    /// begins like this: they stand behind words of the policy's own, and what a transport throws never reaches it.
    /// Were the text to change, the lenient pass would still find what is revoked.
    ///
    /// - Source: swift-certificates 1.21.1 (2026-11-21),
    ///   https://github.com/apple/swift-certificates/blob/1.21.1/Sources/X509/OCSP/OCSPPolicy.swift
    static func saysRevoked(_ reason: PolicyFailureReason) -> Bool {
        reason.description.hasPrefix("revoked through OCSP")
    }
}

/// The OCSP policy alone, for a chain whose other rules have been checked.
private struct RevocationOnlyPolicy: VerifierPolicy {
    var policy: OCSPVerifierPolicy<OCSPCourier>

    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
    ]

    mutating func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
        await policy.chainMeetsPolicyRequirements(chain: chain)
    }
}

/// Carries questions for the policy, and remembers whether one stayed without an answer.
private final class OCSPCourier: OCSPRequester {
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
            // Of itself the strict policy would let a failed request pass.
            return mode == .hard ? .terminalError(NoAnswer()) : .nonTerminalError(NoAnswer())
        }
    }
}

/// That a question stayed without an answer; why is the transport's affair, and its text none of the policy's.
private struct NoAnswer: Error {}
