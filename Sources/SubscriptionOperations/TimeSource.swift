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
package enum ClockTolerance {
    /// How much later than now a derivation time may be.
    static let derivedMilliseconds: Int64 = 10_000
    /// The difference between two clocks above which one is disputed. With NTP, clocks differ by milliseconds.
    package static let disputeMilliseconds: Int64 = 30_000
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

/// The virtual clock of a local store, or the earliest one of several stores. It moves only when a store reports its
/// time.
///
/// The earliest one, so that no access ends before its store had the chance to renew it.
public final class FollowedTimeSource: TimeSource {
    /// The last times that the stores reported, in their order; never empty.
    private let times: Mutex<[Timestamp]>

    /// Makes a source with a start time.
    public init(_ start: Timestamp) {
        times = Mutex([start])
    }

    /// Makes a source of several stores.
    ///
    /// - Parameter starts: Their times; at least one.
    public init(of starts: [Timestamp]) {
        precondition(!starts.isEmpty)
        times = Mutex(starts)
    }

    /// The earliest of the last times that the stores reported.
    public func now() -> Timestamp {
        times.withLock { $0.earliest }
    }

    /// The last time that the store reported by its clock or signed; with several stores, only their clocks count.
    public func now(receiving signedAt: Timestamp) -> Timestamp {
        times.withLock { times in
            if times.count == 1 { times[0] = max(times[0], signedAt) }
            return times.earliest
        }
    }

    /// Moves the clock of a store to a time; never back.
    public func advance(to target: Timestamp, ofStore index: Int = 0) {
        times.withLock { $0[index] = max($0[index], target) }
    }

    /// Moves the clock of a store to a time, also back, for a store that was restored to an earlier snapshot.
    ///
    /// - Returns: Whether ``now()`` moved back.
    public func move(to target: Timestamp, ofStore index: Int = 0) -> Bool {
        times.withLock { times in
            let previous = times.earliest
            times[index] = target
            return times.earliest < previous
        }
    }
}

extension [Timestamp] {
    /// The earliest time of a list that is not empty.
    fileprivate var earliest: Timestamp { dropFirst().reduce(self[0], Swift.min) }
}
