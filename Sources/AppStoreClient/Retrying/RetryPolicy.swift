/// How often and how patiently a failed call is repeated.
///
/// Repeated are: rate limits, after `Retry-After`; Apple's retryable errors (4040002, 4040004, 4040006); and, for calls
/// that may be repeated (``AppStoreServerCall/isRepeatable``), faults of the server, timeouts and broken connections. A
/// connection that was never made is tried again for every call. Between attempts the client waits a random time
/// between zero and a bound that doubles ("full jitter"), so that many callers do not come back at the same moment.
public struct RetryPolicy: Hashable, Sendable {
    /// How often a call is sent to one environment, the first time included.
    public var attemptsMax: Int

    /// The bound of the first wait; it doubles with every further attempt.
    public var backOffStart: Duration

    /// The largest bound.
    public var backOffMax: Duration

    /// How long one attempt may take.
    public var attemptTimeout: Duration

    /// How long a call may take altogether: waiting for the rate limiter, attempts, waits between them, and the second
    /// environment. A wait that would end after it is not begun. A day at most.
    public var deadline: Duration

    /// Whether an unknown transaction (4040010) is asked for again.
    ///
    /// A new transaction is sometimes not visible for a moment. Off by default, since with an identifier from the other
    /// environment it only costs time.
    public var repeatsUnknownTransaction: Bool

    /// Makes a policy.
    public init(
        attemptsMax: Int = 4,
        backOffStart: Duration = .milliseconds(500),
        backOffMax: Duration = .seconds(20),
        attemptTimeout: Duration = .seconds(30),
        deadline: Duration = .seconds(60),
        repeatsUnknownTransaction: Bool = false
    ) {
        self.attemptsMax = attemptsMax
        self.backOffStart = backOffStart
        self.backOffMax = backOffMax
        self.attemptTimeout = attemptTimeout
        self.deadline = deadline
        self.repeatsUnknownTransaction = repeatsUnknownTransaction
    }

    /// The standard policy: four attempts, a minute altogether.
    public static let standard = RetryPolicy()

    /// One attempt only.
    public static let never = RetryPolicy(attemptsMax: 1)
}

extension RetryPolicy {
    /// A day: no call and no wait is longer, whatever a policy says.
    static let waitMillisecondsMax: Int64 = 86_400_000

    /// The largest wait after an attempt, in milliseconds: the start, doubled for each attempt, at most the maximum.
    func backOffBound(afterAttempt attempt: Int) -> Int64 {
        let start = max(0, backOffStart.wholeMilliseconds)
        let doublings = min(max(0, attempt - 1), 40)
        let (bound, overflow) = start.multipliedReportingOverflow(by: 1 << Int64(doublings))
        return min(overflow ? .max : bound, max(0, backOffMax.wholeMilliseconds), Self.waitMillisecondsMax)
    }

    /// How long to wait before the next attempt, or nil when there is none.
    ///
    /// - Parameters:
    ///   - failure: Why the attempt failed.
    ///   - attempt: Its number, from 1.
    ///   - remaining: What is left of the deadline, in milliseconds.
    ///   - jitter: A random number from 0 to below 1.
    func wait(after failure: CallFailure, attempt: Int, remaining: Int64, jitter: Double) -> Int64? {
        guard attempt < attemptsMax, failure.mayBeRepeated(by: self) else { return nil }
        let fraction = jitter.isFinite ? min(max(jitter, 0), 1) : 1
        let random = Int64(Double(backOffBound(afterAttempt: attempt)) * fraction)
        // The server's instant is the earliest; some jitter on top keeps waiting callers apart.
        let wait = failure.retryAfter.map { $0.delay.addingClamped(min(random, 1000)) } ?? random
        return wait < remaining ? wait : nil
    }
}
