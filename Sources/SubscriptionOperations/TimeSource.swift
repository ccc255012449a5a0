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
}

extension TimeSource {
    /// The present instant: a clock that follows no store goes its own way.
    public func now(hearing signedAt: Timestamp) -> Timestamp { now() }
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
}
