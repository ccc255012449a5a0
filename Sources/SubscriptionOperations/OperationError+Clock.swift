extension OperationError {
    /// The request needs a date, but another clock contradicts the server's clock.
    static let clockDisputed = OperationError(
        "clock_disputed",
        "Another clock contradicts this server's, so nothing can be dated. Set the clock; GET /readyz "
            + "says how far it"
            + " is off. Then send the request again.",
        kind: .unavailable
    )
}
