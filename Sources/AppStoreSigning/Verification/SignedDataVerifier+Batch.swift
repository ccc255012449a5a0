public import AppStoreModel
import Crypto

// Each input passes the checks that it passes alone, in the same order, with the same outcome; only the hashing is done
// for several at once, where the processor gains by it.
extension SignedDataVerifier {
    /// Verifies many signed transactions, such as a page of a transaction history.
    ///
    /// - Parameter batch: The compact JWS of each.
    /// - Returns: The outcome of each, in the order of the batch.
    public func verifyTransactions(_ batch: [[UInt8]]) -> [Verification<JWSTransactionDecodedPayload>] {
        verifyAll(batch) { (payload: JWSTransactionDecodedPayload) throws(VerificationFailure) in
            var nobody = Unobserved()
            return try judged(payload, observer: &nobody)
        }
    }

    /// Verifies many notifications, such as a page of the notification history or what waits in a queue.
    ///
    /// - Parameter batch: The compact JWS of each (`signedPayload`).
    /// - Returns: The outcome of each, in the order of the batch.
    public func verifyNotifications(_ batch: [[UInt8]]) -> [Verification<VerifiedNotification>] {
        verifyAll(batch) { (payload: ResponseBodyV2DecodedPayload) throws(VerificationFailure) in
            var nobody = Unobserved()
            return try judged(payload, observer: &nobody)
        }
    }

    /// Fewer than this many are not worth their lanes.
    private static var batchMin: Int { 4 }

    private func verifyAll<Payload: SignedPayload, Verified: Sendable>(
        _ batch: [[UInt8]],
        judge: (Payload) throws(VerificationFailure) -> Verified
    ) -> [Verification<Verified>] {
        var outcomes: [Verification<Verified>] = []
        outcomes.reserveCapacity(batch.count)
        for start in stride(from: 0, to: batch.count, by: MultiBufferSHA256.lanes) {
            let part = batch[start..<min(start + MultiBufferSHA256.lanes, batch.count)]
            if let sha256 = MultiBufferSHA256.preferred, part.count >= Self.batchMin {
                verifyTogether(part, sha256, into: &outcomes, judge)
            } else {
                for jws in part {
                    outcomes.append(
                        Verification { () throws(VerificationFailure) in
                            var nobody = Unobserved()
                            return try judge(authenticated(jws, observer: &nobody))
                        }
                    )
                }
            }
        }
        return outcomes
    }

    private func verifyTogether<Payload: SignedPayload, Verified: Sendable>(
        _ part: ArraySlice<[UInt8]>,
        _ sha256: MultiBufferSHA256,
        into outcomes: inout [Verification<Verified>],
        _ judge: (Payload) throws(VerificationFailure) -> Verified
    ) {
        let opened = openTogether(part)
        var digests = sha256.digests(of: opened.compactMap { $0.payload?.message }).makeIterator()
        for opened in opened {
            outcomes.append(
                Verification { () throws(VerificationFailure) in
                    let opened = try opened.get()
                    guard let digest = digests.next() else { fatalError("what was opened has been hashed") }
                    var nobody = Unobserved()
                    return try judge(payload(of: opened, digest: digest, observer: &nobody))
                }
            )
        }
    }

    /// Opens each; a header that the one before had too is looked up once.
    private func openTogether(_ part: ArraySlice<[UInt8]>) -> [Verification<OpenedJWS>] {
        var previous: OpenedJWS?
        return part.map { jws in
            let opened = Verification { () throws(VerificationFailure) in
                var nobody = Unobserved()
                return try self.opened(jws, after: previous, observer: &nobody)
            }
            previous = opened.payload ?? previous
            return opened
        }
    }
}
