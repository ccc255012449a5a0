public import AppStoreModel

/// A verifier that also asks whether the certificates have been revoked.
///
/// Data passes all checks of the ``SignedDataVerifier`` first; then the ``RevocationChecker`` is asked about its chain.
/// A revoked certificate refuses it with `certificate_revoked`; no answer refuses it with `revocation_unknown`, but
/// only in ``RevocationFailureMode/hard``.
public struct OnlineSignedDataVerifier: Sendable {
    /// The checks that need no network.
    public let verifier: SignedDataVerifier

    /// What is known about revoked certificates.
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

    /// Verifies signed data of a kind that is known only when the program runs.
    ///
    /// - Parameters:
    ///   - jws: The compact JWS.
    ///   - kind: The kind that it must be.
    public func verify(_ jws: [UInt8], as kind: SignedDataKind) async -> Verification<VerifiedSignedData> {
        var witness = ChainWitness()
        let outcome = Verification { () throws(VerificationFailure) in
            try verifier.data(jws, as: kind, observer: &witness)
        }
        return await checked(outcome, witness)
    }

    /// Says how the verifier decides, step by step, with what the certificate authority says as the last step.
    ///
    /// - Parameters:
    ///   - jws: The compact JWS.
    ///   - kind: The kind that it must be; guessed from the payload when absent.
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
                message: "The certificate authority has revoked a certificate of the chain; do not believe the data."
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
    /// The same verifier, asking also whether certificates have been revoked.
    ///
    /// - Parameter checker: What is known about that; share one among all verifiers.
    public func checkingRevocation(with checker: RevocationChecker) -> OnlineSignedDataVerifier {
        OnlineSignedDataVerifier(verifier: self, checker: checker)
    }
}
