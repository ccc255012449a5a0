public import AppStoreModel
import Crypto

// Each input passes the same checks in the same order as a single one, with the same result. Only the hashing is done
// in batches, if the processor supports it.
extension SignedDataVerifier {
    /// Verifies many signed transactions, for example a page of a transaction history.
    ///
    /// - Parameter batch: The compact JWS of each.
    /// - Returns: The results, in the order of the batch.
    public func verifyTransactions(_ batch: [[UInt8]]) -> [Verification<JWSTransactionDecodedPayload>] {
        verifyAll(batch, .preferred) { (payload: JWSTransactionDecodedPayload) throws(VerificationFailure) in
            var nobody = Unobserved()
            return try judged(payload, observer: &nobody)
        }
    }

    /// Verifies many notifications, for example a page of the notification history or a queue.
    ///
    /// - Parameter batch: The compact JWS of each (`signedPayload`).
    /// - Returns: The results, in the order of the batch.
    public func verifyNotifications(_ batch: [[UInt8]]) -> [Verification<VerifiedNotification>] {
        verifyNotifications(batch, hashedWith: .preferred)
    }

    /// The same with a given hashing method; one by one without any.
    func verifyNotifications(
        _ batch: [[UInt8]],
        hashedWith sha256: MultiBufferSHA256?
    ) -> [Verification<VerifiedNotification>] {
        verifyAll(batch, sha256) { (payload: ResponseBodyV2DecodedPayload) throws(VerificationFailure) in
            var nobody = Unobserved()
            return try judged(payload, observer: &nobody)
        }
    }

    /// The minimum batch size for which SIMD lanes are faster.
    private static var batchMin: Int { 4 }

    private func verifyAll<Payload: SignedPayload, Verified: Sendable>(
        _ batch: [[UInt8]],
        _ sha256: MultiBufferSHA256?,
        judge: (Payload) throws(VerificationFailure) -> Verified
    ) -> [Verification<Verified>] {
        var outcomes: [Verification<Verified>] = []
        outcomes.reserveCapacity(batch.count)
        for start in stride(from: 0, to: batch.count, by: MultiBufferSHA256.lanes) {
            let opened = openAll(batch[start..<min(start + MultiBufferSHA256.lanes, batch.count)])
            let messages = opened.compactMap { $0.payload?.message }
            // The digests of all messages, or of none.
            let digests = messages.count < Self.batchMin ? [] : sha256?.digests(of: messages) ?? []
            var next = digests.makeIterator()
            for opened in opened {
                outcomes.append(
                    Verification { () throws(VerificationFailure) in
                        let opened = try opened.get()
                        var nobody = Unobserved()
                        if let digest = next.next() {
                            return try judge(payload(of: opened, digest: digest, observer: &nobody))
                        }
                        let digest = opened.parts.digest(after: opened.header)
                        return try judge(payload(of: opened, digest: digest, observer: &nobody))
                    }
                )
            }
        }
        return outcomes
    }

    /// Opens each; a repeated header is looked up once.
    private func openAll(_ part: ArraySlice<[UInt8]>) -> [Verification<OpenedJWS>] {
        var known: [OpenedJWS] = []
        return part.map { jws in
            let opened = Verification { () throws(VerificationFailure) in
                var nobody = Unobserved()
                return try self.opened(jws, knowing: known, observer: &nobody)
            }
            if let new = opened.payload, !known.contains(where: { $0.header === new.header }) { known.append(new) }
            return opened
        }
    }
}
