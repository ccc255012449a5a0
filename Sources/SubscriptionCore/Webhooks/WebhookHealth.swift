/// Whether an endpoint takes webhooks, as a circuit breaker.
///
/// After several failures in a row the circuit opens: from time to time one webhook is sent as a probe, and all others
/// wait. The first success closes it.
public struct WebhookHealth: Hashable, Sendable {
    /// What follows from a failure.
    public enum Consequence: Hashable, Sendable {
        /// Nothing.
        case none
        /// The circuit opened now.
        case opened
        /// The endpoint is to be disabled.
        case disable
    }

    /// The number of failures in a row at which the circuit opens.
    public static let failuresMax = 10
    /// After this time without a success the endpoint is disabled, in milliseconds: 120 hours.
    public static let patience: Int64 = 432_000_000
    /// The longest wait between two probes, in milliseconds.
    public static let probeWaitMax: Int64 = 300_000
    private static let probeWaitMin: Int64 = 5_000

    /// The number of failures since the last success.
    public var failures = 0
    /// The time of the first of them; nil after a success.
    public var failingSince: Timestamp?
    /// When the next probe may be sent; nil if the circuit is closed.
    public var probeAt: Timestamp?

    /// Makes the health of a new endpoint.
    public init() {}

    /// Whether the circuit is open.
    public var isOpen: Bool { probeAt != nil }

    /// Whether a webhook may be sent now.
    ///
    /// A probe that is due much later than any probe can be was set by a clock that was ahead.
    public func maySend(at now: Timestamp) -> Bool {
        guard let probeAt else { return true }
        return probeAt <= now || probeAt > now.adding(milliseconds: 2 * WebhookRetries.waitMax)
    }

    /// Notes a success.
    public mutating func succeed() { self = WebhookHealth() }

    /// Makes the next probe wait for as long as the receiver asks for, if that is longer.
    public mutating func postpone(by wait: Int64, at now: Timestamp) {
        guard let probeAt else { return }
        self.probeAt = max(probeAt, now.adding(milliseconds: min(wait, WebhookRetries.waitMax)))
    }

    /// Notes a failure.
    ///
    /// - Parameters:
    ///   - retryAfter: The wait in the receiver's `Retry-After`, in milliseconds.
    ///   - chance: A random number from 0 to 1, for the jitter.
    public mutating func fail(at now: Timestamp, retryAfter: Int64? = nil, chance: Double) -> Consequence {
        let wasOpen = isOpen
        failures += 1
        // A clock that was set back begins the patience again.
        let since = min(failingSince ?? now, now)
        failingSince = since
        guard failures >= Self.failuresMax else { return .none }
        let doublings = min(failures - Self.failuresMax, 10)
        let wait = min(Self.probeWaitMin << Int64(doublings), Self.probeWaitMax)
        let asked = min(retryAfter ?? 0, WebhookRetries.waitMax)
        probeAt = now.adding(milliseconds: max(WebhookRetries.jittered(wait, chance: chance), asked))
        // A jump of the clock alone disables nothing: there must be failed probes too.
        if failures >= 2 * Self.failuresMax, since.adding(milliseconds: Self.patience) <= now { return .disable }
        return wasOpen ? .none : .opened
    }
}
