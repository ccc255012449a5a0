public import AppStoreModel

/// A verifier that also checks for revoked certificates.
///
/// Data passes all checks of the ``SignedDataVerifier`` first; then the ``RevocationChecker`` checks its chain. A
/// revoked certificate is refused with `certificate_revoked`. A missing answer is refused with `revocation_unknown`,
/// but only in ``RevocationFailureMode/hard``.
public struct OnlineSignedDataVerifier: Sendable {
    /// The checks without network access.
    public let verifier: SignedDataVerifier

    /// The revocation checker.
    public let checker: RevocationChecker

    /// Verifies a signed transaction.
    ///
    /// - Parameter jws: The compact JWS.
    public func verifyTransaction(_ jws: [UInt8]) async -> Verification<JWSTransactionDecodedPayload> {
        var witness = ChainWitness()
        let outcome = Verification { () throws(VerificationFailure) in
            try verifier.transaction(jws, observer: &witness)
        }
        return await checked(outcome, witness)
    }

    /// Verifies signed renewal information.
    ///
    /// - Parameter jws: The compact JWS.
    public func verifyRenewalInfo(_ jws: [UInt8]) async -> Verification<JWSRenewalInfoDecodedPayload> {
        var witness = ChainWitness()
        let outcome = Verification { () throws(VerificationFailure) in
            try verifier.renewalInfo(jws, observer: &witness)
        }
        return await checked(outcome, witness)
    }

    /// Verifies a signed app transaction.
    ///
    /// - Parameter jws: The compact JWS.
    public func verifyAppTransaction(_ jws: [UInt8]) async -> Verification<JWSAppTransactionDecodedPayload> {
        var witness = ChainWitness()
        let outcome = Verification { () throws(VerificationFailure) in
            try verifier.appTransaction(jws, observer: &witness)
        }
        return await checked(outcome, witness)
    }

    /// Verifies a notification.
    ///
    /// - Parameter jws: The compact JWS.
    public func verifyNotification(_ jws: [UInt8]) async -> Verification<VerifiedNotification> {
        var witness = ChainWitness()
        let outcome = Verification { () throws(VerificationFailure) in
            try verifier.notification(jws, observer: &witness)
        }
        return await checked(outcome, witness)
    }

    /// Verifies a request for a retention message.
    ///
    /// - Parameter jws: The compact JWS.
    public func verifyRealtimeRequest(_ jws: [UInt8]) async -> Verification<DecodedRealtimeRequestBody> {
        var witness = ChainWitness()
        let outcome = Verification { () throws(VerificationFailure) in
            try verifier.realtimeRequest(jws, observer: &witness)
        }
        return await checked(outcome, witness)
    }

    /// Verifies signed data of a kind that is selected at run time.
    ///
    /// - Parameters:
    ///   - jws: The compact JWS.
    ///   - kind: The required kind.
    public func verify(_ jws: [UInt8], as kind: SignedDataKind) async -> Verification<VerifiedSignedData> {
        var witness = ChainWitness()
        let outcome = Verification { () throws(VerificationFailure) in
            try verifier.data(jws, as: kind, observer: &witness)
        }
        return await checked(outcome, witness)
    }

    /// Explains the verifier's decision step by step; the last step is the certificate authority's answer.
    ///
    /// - Parameters:
    ///   - jws: The compact JWS.
    ///   - kind: The required kind; determined from the payload if absent.
    public func trace(_ jws: [UInt8], as kind: SignedDataKind? = nil) async -> VerificationTrace {
        let (trace, chain) = verifier.traced(jws, as: kind)
        guard trace.isVerified, let chain else { return trace.adding(.revocation, .notReached, notes: []) }
        let status = await checker.status(of: chain)
        let failure = failure(for: status)
        let notes = ["leaf and intermediate: \(status.rawValue)"] + (failure.map { [$0.message] } ?? [])
        return trace.adding(.revocation, failure == nil ? .passed : .failed, notes: notes, failure: failure)
    }

    private func checked<Payload>(
        _ outcome: Verification<Payload>,
        _ witness: ChainWitness
    ) async -> Verification<Payload> {
        guard case .verified = outcome, let header = witness.header else { return outcome }
        let status = await checker.status(of: header.chain)
        return failure(for: status).map { .refused($0) } ?? outcome
    }

    private func failure(for status: RevocationStatus) -> VerificationFailure? {
        switch (status, checker.failureMode) {
        case (.good, _), (.unknown, .soft), (.unreachable, .soft):
            nil
        case (.revoked, _):
            VerificationFailure(
                code: .certificateRevoked,
                message: "The certificate authority has revoked a certificate of the chain; do not trust the data."
            )
        case (.unknown, .hard):
            VerificationFailure(
                code: .revocationUnknown,
                message: "The certificate authority's answer about the chain cannot be used; try again later.",
                isRetryable: true
            )
        case (.unreachable, .hard):
            VerificationFailure(
                code: .revocationUnknown,
                message: "The certificate authority cannot be reached; check that the server may call it over HTTP.",
                isRetryable: true
            )
        }
    }
}

extension SignedDataVerifier {
    /// The same verifier with an additional revocation check.
    ///
    /// - Parameter checker: The revocation checker; share one among all verifiers.
    public func checkingRevocation(with checker: RevocationChecker) -> OnlineSignedDataVerifier {
        OnlineSignedDataVerifier(verifier: self, checker: checker)
    }
}
