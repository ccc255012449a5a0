import AppStoreModel

extension AppStoreClientError {
    /// The error of a call that the server may have processed; a call with side effects must not be repeated without a
    /// check.
    func afterPossibleEffect(of call: AppStoreServerCall) -> AppStoreClientError {
        guard !call.isRepeatable else { return self }
        var error = self
        error.mayHaveTakenEffect = true
        error.isRetryable = false
        error.message += " It may have taken effect all the same: look before you make \(call.title) again."
        return error
    }

    /// The error of the last environment, with the errors of the previous ones.
    ///
    /// After a 401 in the first environment and an unknown transaction in the second, the first may still have the
    /// transaction. So the 401 is reported.
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
