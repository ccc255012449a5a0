import SubscriptionStorage

extension OperationError {
    /// The outcome is unknown, and a repeated request would be processed again.
    package static let outcomeUnknown = OperationError(
        "outcome_unknown",
        "The connection to the database was lost while committing, so it is not known whether this was done. "
            + "Look before you "
            + "send it again; with an Idempotency-Key a copy does nothing twice.",
        kind: .unavailable,
        isRetryable: false
    )

    /// The outcome is unknown, and a repeated request with the same key is processed once.
    package static let outcomeUnknownUnderAKey = OperationError(
        "outcome_unknown",
        "The connection to the database was lost while committing, so it is not known whether this was done. "
            + "Send it again "
            + "under the same Idempotency-Key: it is done once.",
        kind: .unavailable,
        isRetryable: true
    )

    /// A storage failure of a request that is not idempotent.
    init(unrepeatable error: StorageError) {
        self = error.code == .commitUnknown ? .outcomeUnknown : OperationError(error)
    }
}
