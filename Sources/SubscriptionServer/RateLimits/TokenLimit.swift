/// The rate and the size of a token bucket, and its arithmetic.
///
/// The state of a bucket is one number: the time at which it is full. A token that is taken moves this time by the
/// interval of one token (the generic cell rate algorithm).
struct TokenLimit: Hashable, Sendable {
    /// The time in which one token comes back.
    ///
    /// - Units: nanoseconds.
    let interval: Int64
    /// The number of tokens of a full bucket.
    let burst: Int64

    /// Makes a limit.
    ///
    /// - Parameters:
    ///   - count: The tokens that come back in a span of time.
    ///   - seconds: The span of time.
    ///   - burst: The tokens of a full bucket, up to a million.
    /// - Returns: nil for no limit, a count of 0.
    init?(_ count: Int, perSeconds seconds: Int64 = 1, burst: Int) {
        guard count > 0 else { return nil }
        let span = seconds * 1_000_000_000
        let count = Int64(count)
        // Rounded up, so that the rate is never above the limit.
        interval = max(1, span / count + (span % count == 0 ? 0 : 1))
        self.burst = Int64(min(max(1, burst), 1_000_000))
    }

    /// The time in which an empty bucket becomes full.
    private var span: Int64 { interval * burst }

    /// The state of a bucket that is full at a time, before anything is taken from it.
    func state(fullAt: Int64, now: Int64, cost: Int64 = 1) -> RateLimitState {
        let missing = max(fullAt - now, 0)
        let lacking = missing + min(max(cost, 0), burst) * interval - span
        return RateLimitState(
            isAdmitted: lacking <= 0,
            limit: burst,
            remaining: max(0, (span - missing) / interval),
            resetSeconds: Self.seconds(missing),
            retryAfterSeconds: lacking > 0 ? Self.seconds(lacking) : 0
        )
    }

    /// Takes tokens from a bucket if it has them.
    ///
    /// - Parameters:
    ///   - cost: The number of tokens. More than the bucket can have count as a full bucket.
    ///   - fullAt: When the bucket is full; a time in the past if it is.
    ///   - now: The time, in nanoseconds like the others.
    /// - Returns: The state afterwards.
    func take(_ cost: Int64 = 1, from fullAt: inout Int64, now: Int64) -> RateLimitState {
        let before = state(fullAt: fullAt, now: now, cost: cost)
        guard before.isAdmitted else { return before }
        fullAt = max(fullAt, now) + min(max(cost, 0), burst) * interval
        return state(fullAt: fullAt, now: now, cost: 0)
    }

    private static func seconds(_ nanoseconds: Int64) -> Int64 { (nanoseconds + 999_999_999) / 1_000_000_000 }
}

/// What a rate limit says about a request.
package struct RateLimitState: Hashable, Sendable {
    /// Whether the request is within the limit.
    package let isAdmitted: Bool
    /// The number of requests that are possible at once, after a pause.
    package let limit: Int64
    /// The number of requests that are possible now.
    package let remaining: Int64
    /// The time until ``limit`` requests are possible again, rounded up.
    ///
    /// - Units: seconds.
    package let resetSeconds: Int64
    /// The time until the refused request is possible, rounded up; 0 for an admitted one.
    ///
    /// - Units: seconds.
    package let retryAfterSeconds: Int64
}
