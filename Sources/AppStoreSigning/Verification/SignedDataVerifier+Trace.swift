import AppStoreModel

extension SignedDataVerifier {
    /// Explains the verifier's decision about signed data, step by step.
    ///
    /// For people; it verifies the chain again and is slower than verification. The verdict is the same as that of the
    /// method for the kind.
    ///
    /// - Parameters:
    ///   - jws: The compact JWS.
    ///   - kind: The required kind; if absent, it is determined from the payload, or a transaction if that is not
    ///     possible.
    public func trace(_ jws: [UInt8], as kind: SignedDataKind? = nil) -> VerificationTrace {
        traced(jws, as: kind).trace
    }

    /// Explains the verifier's decision about signed data in a text.
    public func trace(_ jws: String, as kind: SignedDataKind? = nil) -> VerificationTrace {
        trace(Array(jws.utf8), as: kind)
    }

    /// The trace, with the signing chain if the data was accepted so far.
    func traced(_ jws: [UInt8], as kind: SignedDataKind?) -> (trace: VerificationTrace, chain: VerifiedChain?) {
        var recorder = TraceRecorder()
        let kind = kind ?? guessedKind(of: jws) ?? .transaction
        let failure: VerificationFailure?
        do {
            _ = try data(jws, as: kind, observer: &recorder)
            failure = nil
        } catch {
            failure = error
        }
        return (recorder.trace(of: kind, failure: failure), recorder.header?.chain)
    }

    private func guessedKind(of jws: [UInt8]) -> SignedDataKind? {
        guard jws.count <= bytesMax else { return nil }
        do {
            return SignedDataKind(guessing: try UnverifiedJWS.decode(jws).payload)
        } catch {
            // Undecodable data has no kind; the trace shows the error.
            return nil
        }
    }
}
