/// Whether the same call may succeed later.
public enum RetryAdvice: String, Sendable, Hashable, CaseIterable {
    /// The same call will fail again: change it.
    case never
    /// A temporary error: retry the call after a short pause, then after longer ones.
    case shortly
    /// Too many calls: retry at the time in the header `Retry-After`.
    case afterRateLimit = "after_rate_limit"
    /// The requested object may appear later: retry after a while, a limited number of times.
    case whenReady = "when_ready"

    /// The advice for an HTTP status without an error code.
    public init(httpStatus: Int) {
        self =
            switch httpStatus {
            case 429: .afterRateLimit
            case 500..<600: .shortly
            default: .never
            }
    }
}
