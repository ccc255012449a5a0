public import SubscriptionCore
import Synchronization

/// Where "now" comes from: read in one place, handed to everything else as a value.
public protocol TimeSource: Sendable {
    /// The present instant.
    func now() -> Timestamp

    /// The present instant, at which something is heard that a store signed.
    ///
    /// A clock that follows that store is not behind what it signed.
    func now(hearing signedAt: Timestamp) -> Timestamp

    /// Which other clock contradicts this one; nil where none does. Meanwhile no access ends because time passed.
    var dispute: ClockDispute? { get }
}

extension TimeSource {
    /// The present instant: a clock that follows no store goes its own way.
    public func now(hearing signedAt: Timestamp) -> Timestamp { now() }

    /// Nothing contradicts a clock that is not checked.
    public var dispute: ClockDispute? { nil }

    /// The present, and whether it is disputed.
    var reading: ClockReading { ClockReading(now: now(), isDisputed: dispute != nil) }
}

/// The present by a clock, and whether another clock contradicts it.
struct ClockReading: Hashable, Sendable {
    let now: Timestamp
    let isDisputed: Bool

    /// Whether what was derived at an instant was derived by a clock that was ahead, and has to be derived again.
    ///
    /// A few seconds are no mistake: who waited for a transaction took the time before it.
    func isBehind(_ derivedAt: Timestamp) -> Bool {
        !isDisputed && derivedAt > now.adding(milliseconds: ClockTolerance.derivedMilliseconds)
    }
}

/// How far clocks may be apart.
enum ClockTolerance {
    /// How much later than now a state may have been derived.
    static let derivedMilliseconds: Int64 = 10_000
    /// How far apart two clocks may be before one is disputed. Machines with NTP are apart by milliseconds.
    static let disputeMilliseconds: Int64 = 30_000
}

/// The machine's clock.
public struct SystemTimeSource: TimeSource {
    /// Makes a source that reads the wall clock whenever it is asked, so that corrections of that clock are followed.
    public init() {}

    /// The present instant.
    public func now() -> Timestamp {
        .wallClock
    }
}

/// One instant.
struct StandingTimeSource: TimeSource {
    let instant: Timestamp

    init(_ instant: Timestamp) { self.instant = instant }

    func now() -> Timestamp { instant }
}

/// The virtual clock of a local store: it stands until the store says how far it went.
public final class FollowedTimeSource: TimeSource {
    private let instant: Mutex<Timestamp>

    /// Makes a source that stands at an instant.
    public init(_ start: Timestamp) {
        instant = Mutex(start)
    }

    /// The instant that the store last told.
    public func now() -> Timestamp {
        instant.withLock { $0 }
    }

    /// The instant that the store last told, by its clock or by what it signed.
    public func now(hearing signedAt: Timestamp) -> Timestamp {
        instant.withLock { instant in
            instant = max(instant, signedAt)
            return instant
        }
    }

    /// Moves to an instant; never back.
    public func advance(to target: Timestamp) {
        instant.withLock { $0 = max($0, target) }
    }

    /// Moves to an instant, also back: a store that was restored to an earlier snapshot goes on from there.
    ///
    /// - Returns: Whether it moved back.
    public func move(to target: Timestamp) -> Bool {
        instant.withLock { instant in
            defer { instant = target }
            return target < instant
        }
    }
}
