import AppStoreModel

extension AppStoreClientError {
    /// The error of a call that the server may have carried out: where that would count, it is not to be made again
    /// blindly.
    func afterPossibleEffect(of call: AppStoreServerCall) -> AppStoreClientError {
        guard !call.isRepeatable else { return self }
        var error = self
        error.mayHaveTakenEffect = true
        error.isRetryable = false
        error.message += " It may have taken effect all the same: look before you make \(call.title) again."
        return error
    }

    /// The error of the environment asked last, with what those said that were asked before it.
    ///
    /// A 401 of the first and an unknown transaction in the second say together that nobody knows whether the first has
    /// it: then the 401 is the answer.
    func after(_ before: [AppStoreClientError]) -> AppStoreClientError {
        guard let unauthorized = before.last(where: { $0.code == .unauthorized }), code == .transactionNotFound else {
            return following(before)
        }
        var error = unauthorized.following([self])
        error.attempts = attempts
        return error
    }

    private func following(_ others: [AppStoreClientError]) -> AppStoreClientError {
        var error = self
        error.otherEnvironments = others
        for other in others {
            error.message +=
                " \(other.environment?.rawValue ?? "The other environment") answered \(other.code.rawValue)."
        }
        return error
    }
}
