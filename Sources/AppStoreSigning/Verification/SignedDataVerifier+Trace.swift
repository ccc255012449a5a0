import AppStoreModel

extension SignedDataVerifier {
    /// Says how the verifier decides about signed data, step by step.
    ///
    /// For a person who wants to know why; it verifies the chain anew and is slower than verifying. The verdict is the
    /// same as that of the method for the kind.
    ///
    /// - Parameters:
    ///   - jws: The compact JWS.
    ///   - kind: The kind that it must be; guessed from the payload when absent, and a transaction when there is
    ///     nothing to guess from.
    public func trace(_ jws: [UInt8], as kind: SignedDataKind? = nil) -> VerificationTrace {
        traced(jws, as: kind).trace
    }

    /// Says how the verifier decides about signed data given as text.
    public func trace(_ jws: String, as kind: SignedDataKind? = nil) -> VerificationTrace {
        trace(Array(jws.utf8), as: kind)
    }

    /// The trace, with the chain that signed when the data was accepted so far.
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
            // What cannot be taken apart has no kind; the trace will say where it breaks.
            return nil
        }
    }
}
