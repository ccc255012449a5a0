/// When the store retries a failed renewal, and the first attempt that succeeds.
///
/// Apple publishes no schedule, so the times are an assumption. They are frequent at first and fit into billing retry.
/// No attempt takes place exactly when a grace period or billing retry ends.
struct PaymentAttempts: Hashable, Sendable {
    /// The times of the attempts, milliseconds from the end of the period, without the accelerated sandbox.
    private static let offsets: [Int64] = [
        6 * Milliseconds.hour,
        1 * Milliseconds.day,
        2 * Milliseconds.day,
        4 * Milliseconds.day,
        7 * Milliseconds.day,
        10 * Milliseconds.day,
        14 * Milliseconds.day,
        21 * Milliseconds.day,
        30 * Milliseconds.day,
        45 * Milliseconds.day,
        59 * Milliseconds.day,
    ]

    /// The month to which the accelerated sandbox scales the times, milliseconds.
    private static let monthLength = 30 * Milliseconds.day

    /// The numbers of the attempts.
    static var numbers: ClosedRange<Int> { 1...offsets.count }

    /// The number of the first attempt that succeeds, from 1.
    let succeeding: Int

    /// The accelerated durations, if the store has them.
    let pace: SandboxPace?

    /// Whether an attempt that succeeds was due at a time.
    func haveSucceeded(at now: Int64, afterPeriodTo end: Int64) -> Bool {
        time(of: succeeding, afterPeriodTo: end) <= now
    }

    /// When the next attempt that succeeds takes place, milliseconds since 1970; `nil` if none is left.
    func next(after now: Int64, afterPeriodTo end: Int64) -> Int64? {
        (succeeding...Self.offsets.count).lazy.map { time(of: $0, afterPeriodTo: end) }.first { $0 > now }
    }

    private func time(of number: Int, afterPeriodTo end: Int64) -> Int64 {
        let offset = Self.offsets[number - 1]
        return end + (pace.map { offset * $0.month / Self.monthLength } ?? offset)
    }
}
