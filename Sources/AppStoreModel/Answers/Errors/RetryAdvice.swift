/// Whether the same call may succeed later.
public enum RetryAdvice: String, Sendable, Hashable, CaseIterable {
    /// The same call fails again: change it.
    case never
    /// A passing fault: repeat the call after a short pause, then after longer ones.
    case shortly
    /// Too many calls: repeat it at the time that the header `Retry-After` names.
    case afterRateLimit = "after_rate_limit"
    /// What the call asks for may come into being: ask again in a while, and not for ever.
    case whenReady = "when_ready"

    /// What an HTTP status says when no error code says more.
    public init(httpStatus: Int) {
        self =
            switch httpStatus {
            case 429: .afterRateLimit
            case 500..<600: .shortly
            default: .never
            }
    }
}
