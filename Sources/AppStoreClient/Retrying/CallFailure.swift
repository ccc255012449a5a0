import AppStoreModel

/// What one attempt of a call came to when it failed, as far as the next step depends on it.
struct CallFailure: Error {
    /// What to tell the caller if there is no further attempt.
    var error: AppStoreClientError

    /// Whether the call may be sent twice.
    let isRepeatable: Bool

    /// Whether the server may have acted on the attempt.
    let mayHaveBeenProcessed: Bool

    /// A token that is to be replaced before the next attempt.
    var doubtfulCredential: BearerCredential?

    init(error: AppStoreClientError, isRepeatable: Bool, mayHaveBeenProcessed: Bool) {
        self.error = error
        self.isRepeatable = isRepeatable
        self.mayHaveBeenProcessed = mayHaveBeenProcessed
    }

    /// A failure that no further attempt would mend.
    init(final error: AppStoreClientError) {
        self.init(error: error, isRepeatable: false, mayHaveBeenProcessed: true)
    }

    /// A failure without a complete answer.
    init(_ error: HTTPTransportError, of call: AppStoreServerCall) {
        self.init(
            error: AppStoreClientError(error),
            isRepeatable: call.isRepeatable,
            mayHaveBeenProcessed: error.mayHaveBeenSent
        )
    }

    /// When the server allows the next attempt.
    var retryAfter: RetryAfter? { error.retryAfter }

    func mayBeRepeated(by policy: RetryPolicy) -> Bool {
        if error.apiError?.code == AppStoreServerAPIError.transactionIdNotFound.code {
            return policy.repeatsUnknownTransaction
        }
        return error.isRetryable && (isRepeatable || !mayHaveBeenProcessed)
    }
}
