import ServiceLifecycle
import SubscriptionCore
public import SubscriptionStorage
import Synchronization

/// Reads an app's events in commit order, each exactly once, and can wait for new ones.
///
/// Events are written in the same transaction as the state change, and their sequence numbers have no gaps. So a reader
/// that continues after its last sequence number misses no event, even with concurrent writers.
public final class EventFeed: Sendable {
    /// A page of the feed.
    public struct Page: Hashable, Sendable {
        /// The events, in order.
        public let events: [EventRecord]
        /// Whether more events exist.
        public let hasMore: Bool
        /// The cursor of the next page, also after an empty page.
        public let next: EventCursor
    }

    /// The maximum number of waiting requests in one process.
    public static let waitersMax = 128
    /// The polling interval of a waiting request; it polls because other processes write to the same database.
    private static let interval = Duration.milliseconds(250)

    private let database: any SubscriptionDatabase
    private let clock: any Clock<Duration>
    private let waiters = Mutex(0)

    /// The number of waiting requests.
    public var waiting: Int { waiters.withLock { $0 } }

    /// Makes the use case.
    ///
    /// - Parameter clock: Measures how long a request waits; this is real time, not the store's clock.
    public init(database: any SubscriptionDatabase, clock: any Clock<Duration> = ContinuousClock()) {
        self.database = database
        self.clock = clock
    }

    /// The events after a cursor.
    ///
    /// - Parameters:
    ///   - cursor: The end of an earlier page, or the start.
    ///   - limit: The maximum number of events.
    ///   - wait: How long to wait if there is no event; a shutdown ends the wait.
    ///   - isGone: Whether the client has disconnected; it is called a few times a second, so that a disconnected
    ///     client frees its slot.
    /// - Throws: ``OperationError`` `cursor_unknown` if the feed does not reach the cursor, `too_many_waiting`, or
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
            // One more at the start, to check that the cursor's event exists; one more at the end, to see whether more
            // follow.
            records = try await database.read { storage throws(StorageError) in
                try storage.events(of: cursor.app, after: max(0, cursor.sequence - 1), limit: limit + 2)
            }
        } catch {
            throw OperationError(error)
        }
        guard cursor.sequence == 0 || records.first.map(cursor.isAfter) == true else { throw .cursorUnknown }
        let new = records.drop { $0.sequence <= cursor.sequence }
        let shown = Array(new.prefix(limit))
        return Page(
            events: shown,
            hasMore: new.count > limit,
            next: shown.last?.cursor(of: cursor.app) ?? cursor
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

    /// False if the task was cancelled or the server shuts down.
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
        "The feed has no such position; the database may be an older copy. Read again without after.",
        kind: .conflict,
        parameter: "after"
    )

    fileprivate static let tooManyWaiting = OperationError(
        "too_many_waiting",
        "\(EventFeed.waitersMax) requests wait already. Send it without wait, or again in a few seconds.",
        kind: .unavailable,
        parameter: "wait"
    )
}
