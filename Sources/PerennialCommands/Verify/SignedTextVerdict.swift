import AppStoreModel
import AppStoreSigning

/// The verification result of a signed text, and its content if it is verified.
struct SignedTextVerdict {
    /// Its kind; `nil` if it is not readable far enough.
    let kind: SignedDataKind?
    /// Why it is refused; `nil` if it is verified.
    let failure: VerificationFailure?
    /// The signed payload, only of a verified text.
    let payload: JSONObject?
    /// The trace of the decision, if it was requested.
    let trace: VerificationTrace?

    /// Verifies a text.
    ///
    /// - Parameters:
    ///   - jws: The compact JWS.
    ///   - kind: The expected kind; determined from its payload if `nil`.
    ///   - verifier: The trust and the expectations.
    ///   - explains: Whether to trace the decision.
    init(_ jws: [UInt8], kind: SignedDataKind?, verifier: SignedDataVerifier, explains: Bool) {
        let decoded = try? UnverifiedJWS.decode(jws)
        self.kind = kind ?? decoded.flatMap { SignedDataKind(guessing: $0.payload) }
        // A text of unknown form is verified too, so that its refusal explains the problem.
        let verifiedKind = self.kind ?? .transaction
        failure = verifier.verify(jws, as: verifiedKind).failure
        payload = failure == nil ? decoded?.payload : nil
        trace = explains ? verifier.trace(jws, as: verifiedKind) : nil
    }

    /// One object for programs.
    var json: JSONObject {
        var object: JSONObject = [
            "verified": .bool(failure == nil),
            "kind": kind.map { .string($0.rawValue) } ?? .null,
        ]
        if let failure {
            object["reason"] = .string(failure.code.rawValue)
            object["message"] = .string(failure.message)
        }
        if let payload { object["payload"] = .object(payload) }
        if let trace { object["steps"] = trace.json["steps"] }
        return object
    }

    /// For people.
    var text: String {
        var lines = [trace?.description ?? verdict]
        if let payload { lines.append(ReadableJSON.text(.object(payload))) }
        return lines.joined(separator: "\n")
    }

    private var verdict: String {
        let kind = kind?.rawValue ?? "signed text"
        return failure.map { "refused: \($0)" } ?? "verified: \(kind)"
    }
}
