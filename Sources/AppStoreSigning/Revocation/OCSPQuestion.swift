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
/// is asked again leniently, where no has one meaning left: a properly signed answer says that a certificate is revoked.
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
        if await passes(strict) { return .good }
        // The first pass stops where an answer is lacking; the second goes on, since the other certificate may be revoked.
        let lenient = OCSPCourier(transport: transport, mode: .soft)
        if await !passes(lenient) { return .revoked }
        return strict.hasFailed || lenient.hasFailed ? .unreachable : .unknown
    }

    private func passes(_ courier: OCSPCourier) async -> Bool {
        var verifier = Verifier(rootCertificates: CertificateStore([root])) {
            RevocationOnlyPolicy(
                policy: OCSPVerifierPolicy(
                    failureMode: courier.mode,
                    requester: courier,
                    fixedExpiryValidationTime: time
                )
            )
        }
        let result = await verifier.validate(leaf: leaf, intermediates: CertificateStore([intermediate]))
        if case .validCertificate = result { return true }
        return false
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
            return mode == .hard ? .terminalError(error) : .nonTerminalError(error)
        }
    }
}
