import AppStoreModel
import AppStoreSigning

/// Whether a signed text is to be believed, and what it says if so.
struct SignedTextVerdict {
    /// What it is about; `nil` when it cannot be read far enough to tell.
    let kind: SignedDataKind?
    /// Why it is refused; `nil` when it is verified.
    let failure: VerificationFailure?
    /// The payload as signed, of a verified text only.
    let payload: JSONObject?
    /// How the decision was made, where that was asked for.
    let trace: VerificationTrace?

    /// Verifies a text.
    ///
    /// - Parameters:
    ///   - jws: The compact JWS.
    ///   - kind: What it must be; guessed from its payload when `nil`.
    ///   - verifier: What is trusted and expected.
    ///   - explains: Whether the decision is traced.
    init(_ jws: [UInt8], kind: SignedDataKind?, verifier: SignedDataVerifier, explains: Bool) {
        let decoded = try? UnverifiedJWS.decode(jws)
        self.kind = kind ?? decoded.flatMap { SignedDataKind(guessing: $0.payload) }
        // A text that looks like nothing is verified all the same: its refusal then says what is wrong with it.
        let verifiedKind = self.kind ?? .transaction
        failure = verifier.verify(jws, as: verifiedKind).failure
        payload = failure == nil ? decoded?.payload : nil
        trace = explains ? verifier.trace(jws, as: verifiedKind) : nil
    }

    /// One object for machines.
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
