import SubscriptionCore
import Synchronization

/// Spaces the queries of each app evenly, so that they stay below Apple's limits.
///
/// Each query takes a slot, whether it asks for a status or for one page of a history.
final class QueryPace: Sendable {
    private let settings: PollingSettings
    private let now: @Sendable () -> Duration
    private let sleep: @Sendable (_ until: Duration) async -> Void
    /// The next free slot of each app.
    private let slots = Mutex<[AppID: Duration]>([:])

    /// - Parameter clock: Real time.
    init<C: Clock<Duration>>(_ settings: PollingSettings, clock: C) {
        self.settings = settings
        let start = clock.now
        now = { start.duration(to: clock.now) }
        // A cancelled sleep ends the wait; the query after it fails at once.
        sleep = { end in _ = try? await clock.sleep(until: start.advanced(by: end), tolerance: nil) }
    }

    /// The time since the pace was made.
    var elapsed: Duration { now() }

    /// Waits for the next free slot of an app.
    func wait(for app: AppID) async {
        _ = await wait(for: app, until: nil)
    }

    /// Waits for the next free slot of an app, if it comes before a time.
    ///
    /// - Parameter end: A time since the pace was made; nil for no limit.
    /// - Returns: Whether the slot is taken.
    func wait(for app: AppID, until end: Duration?) async -> Bool {
        let interval = settings.queryInterval(in: app.environment ?? .sandbox)
        let time = now()
        let slot = slots.withLock { slots -> Duration? in
            let slot = max(slots[app] ?? time, time)
            if let end, slot > end { return nil }
            slots[app] = slot + interval
            return slot
        }
        guard let slot else { return false }
        if slot > time { await sleep(slot) }
        return true
    }
}
