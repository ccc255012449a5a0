/// The keys that Apple refused within one call in one environment.
struct KeyTrials {
    /// More keys than any team has: bounds a token source that invents keys.
    private static let keysMax = 16

    /// The refused keys.
    private(set) var refusedKeyIds: Set<String> = []

    /// The refusal of the first key: the error of the call if every key is refused.
    private var first: CallFailure?

    /// Notes a refusal.
    ///
    /// - Returns: Whether another key may be tried.
    mutating func note(_ failure: CallFailure) -> Bool {
        guard let credential = failure.refusedCredential else { return false }
        if first == nil { first = failure }
        guard let keyId = credential.keyId, refusedKeyIds.insert(keyId).inserted else { return false }
        return refusedKeyIds.count < Self.keysMax
    }

    /// The failure of the call after its last attempt.
    func failure(after last: CallFailure) -> CallFailure {
        guard last.refusedCredential != nil, refusedKeyIds.count > 1, var failure = first else { return last }
        failure.error.attempts = last.error.attempts
        let keyIds = refusedKeyIds.sorted().joined(separator: ", ")
        failure.error.message += " It refused \(refusedKeyIds.count) keys: \(keyIds)."
        return failure
    }
}
