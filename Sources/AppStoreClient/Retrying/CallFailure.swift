import AppStoreModel

/// What one attempt of a call came to when it failed, as far as the next step depends on it.
struct CallFailure: Sendable {
    /// What to tell the caller if there is no further attempt.
    var error: AppStoreClientError

    /// Whether the call may be sent twice.
    let isRepeatable: Bool

    /// Whether the server may have acted on the attempt.
    let mayHaveBeenProcessed: Bool

    /// When the server allows the next attempt.
    var retryAfter: RetryAfter? { error.retryAfter }

    func mayBeRepeated(by policy: RetryPolicy) -> Bool {
        if error.apiError?.code == AppStoreServerAPIError.transactionIdNotFound.code {
            return policy.repeatsUnknownTransaction
        }
        return error.isRetryable && (isRepeatable || !mayHaveBeenProcessed)
    }
}
