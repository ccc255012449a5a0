import SubscriptionCore
import SubscriptionOperations

/// Compares the machine's clock with another clock that was read between two readings of the machine's clock.
struct ClockComparison: Hashable, Sendable {
    private static let noticeMilliseconds: Int64 = 5_000

    /// The name of the other clock.
    let witness: String
    /// The other clock's time.
    let time: Timestamp
    /// The resolution of the other clock's time, in milliseconds.
    let resolutionMilliseconds: Int64
    /// The machine's time before the other clock was read.
    let before: Timestamp
    /// The machine's time afterwards.
    let after: Timestamp

    /// How far the machine's clock is surely ahead of the other one; negative if it is behind, 0 if both may agree.
    ///
    /// - Units: milliseconds.
    var aheadMilliseconds: Int64 {
        let latest = time.adding(milliseconds: max(0, resolutionMilliseconds - 1))
        if before > latest { return before.milliseconds - latest.milliseconds }
        if after < time { return after.milliseconds - time.milliseconds }
        return 0
    }

    var finding: DoctorFinding {
        let ahead = aheadMilliseconds
        let seconds = ahead.magnitude / 1_000
        let (direction, effect, correction) =
            ahead > 0 ? ("ahead of", "too early", "back") : ("behind", "too late", "forward")
        let message = "This machine's clock is \(seconds) s \(direction) the clock of \(witness)"
        let remedy = "Set this machine's clock \(correction), for instance with NTP, unless the other clock is wrong."
        if ahead.magnitude > ClockTolerance.disputeMilliseconds.magnitude {
            let effects = "Apple may refuse tokens, and access may end \(effect)"
            return .problem(.clock, "clock_wrong", witness, "\(message): \(effects).", remedy: remedy)
        }
        if ahead.magnitude > Self.noticeMilliseconds {
            return .warning(.clock, "clock_inexact", witness, "\(message).", remedy: remedy)
        }
        return .ok(.clock, witness, "This machine's clock agrees with the clock of \(witness).")
    }
}
