public import SubscriptionCore
import Synchronization

/// A contradiction between the machine's clock and another clock.
public struct ClockDispute: Hashable, Sendable {
    /// The other clock.
    public enum OtherClock: String, Hashable, Sendable {
        /// The monotonic clock: the machine's clock jumped ahead.
        case monotonicClock = "monotonic_clock"
        /// The database server's clock.
        case database
    }

    /// The other clock.
    public var otherClock: OtherClock
    /// How far the machine's clock is ahead of it; negative if it is behind.
    public var aheadMilliseconds: Int64
}

/// The machine's clock, compared with the monotonic clock and the database's clock (decision 35).
///
/// A jump ahead is accepted only if the database's clock confirms it, or after a restart. A step back is accepted at
/// once, because an earlier time never ends access too soon.
public final class CheckedTimeSource: TimeSource {
    /// A clock's time at a reading of the monotonic clock.
    private struct Sample {
        let time: Timestamp
        let elapsed: Duration

        func time(at present: Duration) -> Timestamp {
            time.adding(milliseconds: Int64((present - elapsed) / .milliseconds(1)))
        }
    }

    /// How often both clocks are read at most, and how long a pair of readings may take.
    private static let readingsMax = 5
    private static let readingTimeMax = Duration.seconds(1)

    private struct State {
        var believed: Sample
        var database: Sample?
        var dispute: ClockDispute?
        var corrections = 0
    }

    private let wall: any TimeSource
    private let elapsed: @Sendable () -> Duration
    private let state: Mutex<State>

    /// Makes a checked clock.
    ///
    /// - Parameters:
    ///   - wall: The clock to check.
    ///   - elapsed: The time since a fixed start, by a monotonic clock.
    public init(wall: any TimeSource = SystemTimeSource(), elapsed: @escaping @Sendable () -> Duration = sinceStart()) {
        self.wall = wall
        self.elapsed = elapsed
        state = Mutex(State(believed: Self.sample(wall, elapsed)))
    }

    /// Both clocks at one moment. If the machine stood still in between, they are read again: the wall's time would be
    /// too early for the monotonic clock's.
    private static func sample(_ wall: any TimeSource, _ elapsed: @Sendable () -> Duration) -> Sample {
        var start = elapsed()
        var sample = Sample(time: wall.now(), elapsed: elapsed())
        for _ in 1..<readingsMax where sample.elapsed - start > readingTimeMax {
            start = sample.elapsed
            sample = Sample(time: wall.now(), elapsed: elapsed())
        }
        return sample
    }

    /// The time since this call, by the continuous clock, which also advances while the machine is suspended.
    public static func sinceStart() -> @Sendable () -> Duration {
        let start = ContinuousClock.now
        return { ContinuousClock.now - start }
    }

    /// The machine's time, disputed or not.
    public func now() -> Timestamp {
        state.withLock { check(&$0) }
    }

    /// The current dispute; nil if no clock contradicts the machine's clock.
    public var dispute: ClockDispute? {
        state.withLock { state in
            _ = check(&state)
            return state.dispute
        }
    }

    /// How often the clock was set back, or agreed again after a dispute. After each correction, states may have to be
    /// derived again.
    var corrections: Int { state.withLock(\.corrections) }

    /// Records the database server's current time.
    func take(database time: Timestamp) {
        state.withLock { state in
            state.database = Sample(time: time, elapsed: elapsed())
            _ = check(&state)
        }
    }

    private func check(_ state: inout State) -> Timestamp {
        let present = Self.sample(self.wall, self.elapsed)
        let (wall, elapsed) = (present.time, present.elapsed)
        let wasDisputed = state.dispute != nil
        state.dispute = Self.dispute(of: wall, at: elapsed, in: state)
        if state.dispute == nil {
            let isSetBack = wall.isBehind(state.believed.time(at: elapsed))
            if isSetBack || wasDisputed { state.corrections += 1 }
            state.believed = present
        }
        return wall
    }

    private static func dispute(of wall: Timestamp, at elapsed: Duration, in state: State) -> ClockDispute? {
        if let database = state.database?.time(at: elapsed) {
            guard wall.isBehind(database) || database.isBehind(wall) else { return nil }
            return ClockDispute(otherClock: .database, aheadMilliseconds: wall.milliseconds(since: database))
        }
        let expected = state.believed.time(at: elapsed)
        guard expected.isBehind(wall) else { return nil }
        return ClockDispute(otherClock: .monotonicClock, aheadMilliseconds: wall.milliseconds(since: expected))
    }
}

extension Timestamp {
    /// Whether it is earlier than another clock's time by more than the tolerance.
    fileprivate func isBehind(_ other: Timestamp) -> Bool {
        adding(milliseconds: ClockTolerance.disputeMilliseconds) < other
    }

    fileprivate func milliseconds(since other: Timestamp) -> Int64 {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(other.milliseconds)
        return overflow ? (self < other ? .min : .max) : difference
    }
}
