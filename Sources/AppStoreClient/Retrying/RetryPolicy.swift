/// How often and for how long a failed call is retried.
///
/// Retried are rate limits, after `Retry-After`, and Apple's retryable errors (4040002, 4040004, 4040006). Idempotent
/// calls (`AppStoreServerCall.isRepeatable`) are also retried after server errors, timeouts and broken connections. A
/// connection that was never made is retried for every call. Between attempts the client waits a random time between
/// zero and a maximum that doubles ("full jitter"), so that many callers do not retry at the same time.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of attempts per environment, including the first; attempts with a refused key do not count.
    public var attemptsMax: Int

    /// The maximum of the first wait; it doubles with every further attempt.
    public var backOffStart: Duration

    /// The upper limit of that maximum.
    public var backOffMax: Duration

    /// The time limit of one attempt.
    public var attemptTimeout: Duration

    /// The time limit of a whole call: rate limiting, attempts, waits between them, and the second environment. A wait
    /// that would end after it is not started. At most a day.
    public var deadline: Duration

    /// Whether a call for an unknown transaction (4040010) is retried.
    ///
    /// A new transaction may be invisible for a moment. Off by default, because for an identifier of the other
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

    /// The standard policy: four attempts within a minute.
    public static let standard = RetryPolicy()

    /// One attempt only.
    public static let never = RetryPolicy(attemptsMax: 1)
}

extension RetryPolicy {
    /// A day: the maximum of all calls and waits, whatever a policy says.
    static let waitMillisecondsMax: Int64 = 86_400_000

    /// The maximum wait after an attempt, in milliseconds: the start value, doubled for each attempt, up to the limit.
    func backOffBound(afterAttempt attempt: Int) -> Int64 {
        let start = max(0, backOffStart.wholeMilliseconds)
        let doublings = min(max(0, attempt - 1), 40)
        let (bound, overflow) = start.multipliedReportingOverflow(by: 1 << Int64(doublings))
        return min(overflow ? .max : bound, max(0, backOffMax.wholeMilliseconds), Self.waitMillisecondsMax)
    }

    /// How long to wait before the next attempt; nil if there is none.
    ///
    /// - Parameters:
    ///   - failure: Why the attempt failed.
    ///   - attempt: Its number, from 1.
    ///   - remaining: The remaining time until the deadline, in milliseconds.
    ///   - jitter: A random number from 0 up to, but not including, 1.
    func wait(after failure: CallFailure, attempt: Int, remaining: Int64, jitter: Double) -> Int64? {
        guard attempt < attemptsMax, failure.mayBeRepeated(by: self) else { return nil }
        let fraction = jitter.isFinite ? min(max(jitter, 0), 1) : 1
        let random = Int64(Double(backOffBound(afterAttempt: attempt)) * fraction)
        // The server's time is the earliest; additional jitter separates waiting callers.
        let wait = failure.retryAfter.map { $0.delay.addingClamped(min(random, 1000)) } ?? random
        return wait < remaining ? wait : nil
    }
}
