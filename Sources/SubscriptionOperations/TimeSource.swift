public import SubscriptionCore
import Synchronization

/// Where "now" comes from: read in one place, handed to everything else as a value.
public protocol TimeSource: Sendable {
    /// The present instant.
    func now() -> Timestamp
}

/// The machine's clock.
public struct SystemTimeSource: TimeSource {
    private let origin = Timestamp.wallClock
    private let start = ContinuousClock.now

    /// Makes a source that starts at the wall clock and then never goes back.
    public init() {}

    /// The present instant.
    public func now() -> Timestamp {
        let elapsed = start.duration(to: .now).components
        return origin.adding(milliseconds: elapsed.seconds * 1000 + elapsed.attoseconds / 1_000_000_000_000_000)
    }
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

    /// Moves to an instant; never back.
    public func advance(to target: Timestamp) {
        instant.withLock { $0 = max($0, target) }
    }
}
