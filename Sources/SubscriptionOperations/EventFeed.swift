import ServiceLifecycle
import SubscriptionCore
public import SubscriptionStorage
import Synchronization

/// Reads an app's events in the order in which they were committed: each once, none left out, new ones awaited.
///
/// Events are written in the transaction that changes the state they tell of, and their places have no gaps, so a
/// reader that goes on after the last place it saw misses nothing, however many write at the same time.
public final class EventFeed: Sendable {
    /// A part of the feed.
    public struct Page: Hashable, Sendable {
        /// The events, in order.
        public let events: [EventRecord]
        /// Whether more are there already.
        public let hasMore: Bool
        /// Where to go on, also after an empty page.
        public let next: EventCursor
    }

    /// How many requests may wait at a time, in one process.
    public static let waitersMax = 128
    /// How often a waiting request looks: other processes write to the same database, so it is asked.
    private static let interval = Duration.milliseconds(250)

    private let database: any SubscriptionDatabase
    private let clock: any Clock<Duration>
    private let waiters = Mutex(0)

    /// How many requests wait now.
    public var waiting: Int { waiters.withLock { $0 } }

    /// Makes the use case.
    ///
    /// - Parameter clock: Measures how long a request waits: people's time, not the store's.
    public init(database: any SubscriptionDatabase, clock: any Clock<Duration> = ContinuousClock()) {
        self.database = database
        self.clock = clock
    }

    /// The events after a place.
    ///
    /// - Parameters:
    ///   - cursor: Where an earlier page ended, or the start.
    ///   - limit: How many at most.
    ///   - wait: How long to wait for the first event where there is none; a shutdown ends the wait.
    ///   - isGone: Whether the caller has gone: asked a few times a second, so that nobody who has gone keeps a place.
    /// - Throws: ``OperationError`` `cursor_unknown` where the feed does not reach the cursor, `too_many_waiting`, or
    ///   storage's codes.
    public func page(
        after cursor: EventCursor,
        limit: Int,
        wait: Duration,
        isGone: @Sendable () -> Bool = { false }
    ) async throws(OperationError) -> Page {
        let page = try await page(after: cursor, limit: limit)
        guard page.events.isEmpty, wait > .zero else { return page }
        try beginWaiting()
        defer { waiters.withLock { $0 -= 1 } }
        var left = wait
        while left > .zero {
            let pause = min(left, Self.interval)
            guard await slept(for: pause), !isGone() else { break }
            left -= pause
            let page = try await self.page(after: cursor, limit: limit)
            if !page.events.isEmpty { return page }
        }
        return page
    }

    private func page(after cursor: EventCursor, limit: Int) async throws(OperationError) -> Page {
        let records: [EventRecord]
        do {
            // One before, to see that the cursor's own event is there; one behind, to see whether more are.
            records = try await database.read { storage throws(StorageError) in
                try storage.events(of: cursor.app, after: max(0, cursor.place - 1), limit: limit + 2)
            }
        } catch {
            throw OperationError(error)
        }
        guard cursor.place == 0 || records.first?.sequence == cursor.place else { throw .cursorUnknown }
        let new = records.drop { $0.sequence <= cursor.place }
        let shown = Array(new.prefix(limit))
        return Page(
            events: shown,
            hasMore: new.count > limit,
            next: EventCursor(place: shown.last?.sequence ?? cursor.place, app: cursor.app)
        )
    }

    private func beginWaiting() throws(OperationError) {
        let isFull = waiters.withLock { count in
            guard count < Self.waitersMax else { return true }
            count += 1
            return false
        }
        guard !isFull else { throw .tooManyWaiting }
    }

    /// False where the task was cancelled or the server shuts down.
    private func slept(for pause: Duration) async -> Bool {
        do {
            try await cancelWhenGracefulShutdown { [clock] in try await clock.sleep(for: pause) }
            return true
        } catch {
            return false
        }
    }
}

extension OperationError {
    fileprivate static let cursorUnknown = OperationError(
        "cursor_unknown",
        "The feed does not reach this cursor; the database may be an older copy. Read again without after.",
        kind: .conflict,
        parameter: "after"
    )

    fileprivate static let tooManyWaiting = OperationError(
        "too_many_waiting",
        "\(EventFeed.waitersMax) requests wait already. Ask without wait, or again in some seconds.",
        kind: .unavailable,
        parameter: "wait"
    )
}
