import AppStoreModel

/// What one attempt of a call came to when it failed, as far as the next step depends on it.
struct CallFailure: Error {
    /// What to tell the caller if there is no further attempt.
    var error: AppStoreClientError

    /// Whether no further attempt within this call would mend it.
    let isFinal: Bool

    /// A token that is to be replaced before the next attempt.
    var doubtfulCredential: BearerCredential?

    /// A failure of an attempt that was made.
    ///
    /// - Parameters:
    ///   - error: What to tell the caller.
    ///   - call: The call.
    ///   - mayHaveBeenProcessed: Whether the server may have acted on the attempt.
    init(_ error: AppStoreClientError, of call: AppStoreServerCall, mayHaveBeenProcessed: Bool) {
        self.error = mayHaveBeenProcessed ? error.afterPossibleEffect(of: call) : error
        self.isFinal = false
    }

    /// A failure that no further attempt would mend; nothing was sent, or the answer says that nothing was done.
    init(final error: AppStoreClientError) {
        self.error = error
        self.isFinal = true
    }

    /// A failure without a complete answer.
    init(_ error: HTTPTransportError, of call: AppStoreServerCall) {
        self.init(AppStoreClientError(error), of: call, mayHaveBeenProcessed: error.mayHaveBeenSent)
    }

    /// When the server allows the next attempt.
    var retryAfter: RetryAfter? { error.retryAfter }

    func mayBeRepeated(by policy: RetryPolicy) -> Bool {
        if error.apiError?.code == AppStoreServerAPIError.transactionIdNotFound.code {
            return policy.repeatsUnknownTransaction
        }
        return error.isRetryable && !isFinal
    }
}
