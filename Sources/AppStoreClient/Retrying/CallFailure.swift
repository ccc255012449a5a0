import AppStoreModel

/// The result of a failed attempt, as far as the next step depends on it.
struct CallFailure: Error {
    /// The error for the caller if there is no further attempt.
    var error: AppStoreClientError

    /// Whether further attempts within this call are pointless.
    let isFinal: Bool

    /// A token to replace before the next attempt.
    var doubtfulCredential: BearerCredential?

    /// A token that Apple refused, if another key of the app may be accepted.
    var refusedCredential: BearerCredential?

    /// A failure of an attempt that was made.
    ///
    /// - Parameters:
    ///   - error: The error for the caller.
    ///   - call: The call.
    ///   - mayHaveBeenProcessed: Whether the server may have processed the attempt.
    init(_ error: AppStoreClientError, of call: AppStoreServerCall, mayHaveBeenProcessed: Bool) {
        self.error = mayHaveBeenProcessed ? error.afterPossibleEffect(of: call) : error
        self.isFinal = false
    }

    /// A failure without further attempts; nothing was sent, or the answer states that nothing was done.
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
