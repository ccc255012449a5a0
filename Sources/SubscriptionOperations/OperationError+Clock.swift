extension OperationError {
    /// What would be dated by a clock that another one contradicts.
    static let clockDisputed = OperationError(
        "clock_disputed",
        "Another clock contradicts this server's, so that nothing can be dated. Set the clock right; GET /readyz "
            + "says how far it"
            + " is off. Then send the request again.",
        kind: .unavailable
    )
}
