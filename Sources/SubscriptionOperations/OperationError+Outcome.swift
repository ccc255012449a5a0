import SubscriptionStorage

extension OperationError {
    /// It is not known whether something was done that a copy of the request would do again.
    package static let outcomeUnknown = OperationError(
        "outcome_unknown",
        "The connection to the database was lost while committing, so it is not known whether this was done. "
            + "Look before you "
            + "send it again; with an Idempotency-Key a copy does nothing twice.",
        kind: .unavailable,
        isRetryable: false
    )

    /// The same where the request has a key: a copy is done once.
    package static let outcomeUnknownUnderAKey = OperationError(
        "outcome_unknown",
        "The connection to the database was lost while committing, so it is not known whether this was done. "
            + "Send it again "
            + "under the same Idempotency-Key: it is done once.",
        kind: .unavailable,
        isRetryable: true
    )

    /// A storage failure of something that a copy of the request would do again.
    init(unrepeatable error: StorageError) {
        self = error.code == .commitUnknown ? .outcomeUnknown : OperationError(error)
    }
}
