public import SubscriptionCore
import Synchronization

/// The clock of the program. It is read once per operation and passed on as a value.
public protocol TimeSource: Sendable {
    /// The current time.
    func now() -> Timestamp

    /// The current time at which data that a store signed is received.
    ///
    /// A clock that follows that store is never behind a signing time.
    func now(receiving signedAt: Timestamp) -> Timestamp

    /// The dispute with another clock; nil if there is none. During a dispute no access ends by time.
    var dispute: ClockDispute? { get }
}

extension TimeSource {
    /// The current time: a clock that follows no store ignores signing times.
    public func now(receiving signedAt: Timestamp) -> Timestamp { now() }

    /// Nil, because the clock is not checked.
    public var dispute: ClockDispute? { nil }

    /// The current time, and whether it is disputed.
    var reading: ClockReading { ClockReading(now: now(), isDisputed: dispute != nil) }
}

/// The time of a clock, and whether another clock contradicts it.
struct ClockReading: Hashable, Sendable {
    let now: Timestamp
    let isDisputed: Bool

    /// Whether a state was derived by a clock that was ahead and has to be derived again.
    ///
    /// A few seconds are tolerated, because a writer may have read the time before it waited for its transaction.
    func isBehind(_ derivedAt: Timestamp) -> Bool {
        !isDisputed && derivedAt > now.adding(milliseconds: ClockTolerance.derivedMilliseconds)
    }
}

/// The tolerances between clocks.
enum ClockTolerance {
    /// How much later than now a derivation time may be.
    static let derivedMilliseconds: Int64 = 10_000
    /// The difference between two clocks above which one is disputed. With NTP, clocks differ by milliseconds.
    static let disputeMilliseconds: Int64 = 30_000
}

/// The machine's clock.
public struct SystemTimeSource: TimeSource {
    /// Makes a source that reads the wall clock at each call, so it follows corrections of that clock.
    public init() {}

    /// The current time.
    public func now() -> Timestamp {
        .wallClock
    }
}

/// A clock that always returns the same time.
struct FixedTimeSource: TimeSource {
    let time: Timestamp

    init(_ time: Timestamp) { self.time = time }

    func now() -> Timestamp { time }
}

/// The virtual clock of a local store. It moves only when the store reports its time.
public final class FollowedTimeSource: TimeSource {
    private let time: Mutex<Timestamp>

    /// Makes a source with a start time.
    public init(_ start: Timestamp) {
        time = Mutex(start)
    }

    /// The last time that the store reported.
    public func now() -> Timestamp {
        time.withLock { $0 }
    }

    /// The last time that the store reported by its clock or signed.
    public func now(receiving signedAt: Timestamp) -> Timestamp {
        time.withLock { time in
            time = max(time, signedAt)
            return time
        }
    }

    /// Moves to a time; never back.
    public func advance(to target: Timestamp) {
        time.withLock { $0 = max($0, target) }
    }

    /// Moves to a time, also back, for a store that was restored to an earlier snapshot.
    ///
    /// - Returns: Whether it moved back.
    public func move(to target: Timestamp) -> Bool {
        time.withLock { time in
            defer { time = target }
            return target < time
        }
    }
}
