public import Logging
import ServiceLifecycle
import SubscriptionCore
public import SubscriptionStorage
import Synchronization

/// Sends the events of the feed to the webhook endpoints.
///
/// Each endpoint has its own position in the feed. Servers share the endpoints by leases in the database. When an
/// endpoint takes nothing, its position stands still, and the others go on.
public final class WebhookDispatcher: Sendable {
    /// An endpoint and what is stored about it.
    private struct Work: Hashable {
        let app: AppID
        let endpoint: WebhookEndpoint
        let progress: WebhookProgress
    }

    struct Running: Hashable {
        let app: AppID
        let endpoint: WebhookEndpointID
    }

    private static let interval = Duration.milliseconds(200)
    private static let firstPause = Duration.milliseconds(500)
    /// The number of doublings of the pause after failures.
    private static let pausesMax = 7
    static let pauseWithoutDatabase = Duration.seconds(5)
    private static let notificationPage = 1_000
    private static let pageSize = 256
    /// The number of pages that one look for work reads; the next one goes on.
    private static let pagesMax = 64
    /// The number of events without interest for an endpoint after which its position is stored.
    private static let skippedMax: Int64 = 10_000

    let context: WebhookContext
    private let running = Mutex<Set<Running>>([])
    /// The positions up to which nothing is of interest for an endpoint, and the choice of types for which that holds.
    let skipped = Mutex<[Running: (through: Int64, eventTypes: [String]?)]>([:])
    /// How many customers were erased when an endpoint was last worked on.
    private let erasures = Mutex<[Running: Int]>([:])
    /// Endpoints that wait after a failure of the database.
    private let pauses = Mutex<[Running: (until: ContinuousClock.Instant, count: Int)]>([:])

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - reading: Reads customers, for the form `state`.
    ///   - time: The clock of retries.
    ///   - realTime: Real time, for signatures and leases.
    public init(
        database: any SubscriptionDatabase,
        reading: CustomerReading,
        transport: any WebhookTransport,
        settings: WebhookSettings = WebhookSettings(),
        time: any TimeSource,
        realTime: any TimeSource = SystemTimeSource(),
        metrics: WebhookMetrics = WebhookMetrics()
    ) {
        context = WebhookContext(
            database: database,
            feed: WebhookFeed(database: database),
            messages: WebhookMessages(database: database, reading: reading),
            transport: transport,
            settings: settings,
            lease: WebhookLease(server: RandomName.make(), realTime: realTime),
            lastPositions: WebhookLastPositions(),
            time: time,
            realTime: realTime,
            metrics: metrics,
            stop: WebhookStop(grace: settings.stopGrace),
            writer: WebhookWriter(database: database)
        )
    }

    /// Sends everything that can be sent now, and returns when nothing is left but what is due later.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func settle() async throws(OperationError) {
        var before: [Work] = []
        do throws(StorageError) {
            while !Task.isCancelled, !context.stop.isRequested {
                let work = try await startable(ignoringPauses: true, pagesMax: .max)
                if work.isEmpty, running.withLock(\.isEmpty) { return }
                // An endpoint that made no progress has to wait for something.
                guard work.isEmpty || work != before else { return }
                before = work
                var failures: [StorageError] = []
                await withTaskGroup(of: StorageError?.self) { group in
                    for work in work { group.addTask { await self.session(work) } }
                    for await failure in group { if let failure { failures.append(failure) } }
                }
                if let failure = failures.first { throw failure }
                // Endpoints that another task works on.
                if work.isEmpty { try? await Task.sleep(for: .milliseconds(5)) }
            }
        } catch {
            throw OperationError(error)
        }
    }

    // MARK: - Finding work

    /// The endpoints for which something can be sent now, and on which no server works.
    ///
    /// - Parameters:
    ///   - ignoringPauses: Whether endpoints count that wait after a failure of the database.
    ///   - pagesMax: How many pages are read at most, beside the first one of each endpoint and app.
    private func startable(
        ignoringPauses: Bool = false,
        pagesMax: Int = pagesMax
    ) async throws(StorageError) -> [Work] {
        let now = context.time.now()
        let all = try await context.database.read { storage throws(StorageError) in
            var all: [(app: AppID, last: Int64, work: [Work])] = []
            for app in try storage.apps() {
                let endpoints = try storage.webhookEndpoints(of: app.id).filter { $0.disabledReason == nil }
                guard !endpoints.isEmpty else { continue }
                let progress = Dictionary(
                    try storage.webhookProgress(of: app.id).map { ($0.endpointID, $0) },
                    uniquingKeysWith: { first, _ in first }
                )
                let work = endpoints.compactMap { endpoint in
                    progress[endpoint.id].map { Work(app: app.id, endpoint: endpoint, progress: $0) }
                }
                all.append((app.id, try storage.lastEvent(of: app.id), work))
            }
            return all
        }
        var found: [Work] = []
        var pages = pagesMax
        for (app, last, work) in all {
            context.lastPositions.note(event: last, of: app)
            try await noteNotifications(of: app, for: work, pages: &pages)
            for work in work where ignoringPauses || !isPaused(work) {
                if try await isStartable(work, at: now, pages: &pages) { found.append(work) }
            }
        }
        return found
    }

    private func isPaused(_ work: Work) -> Bool {
        let key = Running(app: work.app, endpoint: work.endpoint.id)
        return pauses.withLock { $0[key] }.map { $0.until > .now } ?? false
    }

    private func isStartable(
        _ work: Work,
        at now: Timestamp,
        pages: inout Int
    ) async throws(StorageError) -> Bool {
        let (progress, key) = (work.progress, Running(app: work.app, endpoint: work.endpoint.id))
        guard progress.health.maySend(at: now), context.lease.mayTake(progress),
            !running.withLock({ $0.contains(key) })
        else { return false }
        let far = now.adding(milliseconds: 2 * WebhookRetries.waitMax)
        if let due = progress.nextDueAt, due <= now || due > far { return true }
        guard progress.openCount < WebhookSession.openMax else { return false }
        return try await hasNews(work, key, pages: &pages)
    }

    /// Whether there is an item that the endpoint wants. Positions that it does not care for are only kept in memory.
    private func hasNews(_ work: Work, _ key: Running, pages: inout Int) async throws(StorageError) -> Bool {
        let endpoint = work.endpoint
        guard endpoint.eventTypes != nil else {
            return context.mayHaveItems(after: work.progress.cursor, for: endpoint, of: work.app)
        }
        let known = skipped.withLock { $0[key] }
        var position = work.progress.cursor
        if let known, known.eventTypes == endpoint.eventTypes { position = max(position, known.through) }
        // The first page is free, so that many endpoints before this one do not keep it from its turn.
        var isFirst = true
        while isFirst || pages > 0, context.mayHaveItems(after: position, for: endpoint, of: work.app) {
            if !isFirst { pages -= 1 }
            isFirst = false
            let page = try await context.feed.page(
                of: endpoint.form,
                after: position,
                app: work.app,
                limit: Self.pageSize
            )
            if page.items.contains(where: { endpoint.wants($0.type) }) { return true }
            guard page.readThrough > position else { break }
            position = page.readThrough
            if position - work.progress.cursor > Self.skippedMax { return true }
        }
        skipped.withLock { $0[key] = (position, endpoint.eventTypes) }
        return false
    }

    /// Finds the last notification of an app, if an endpoint receives notifications.
    private func noteNotifications(
        of app: AppID,
        for work: [Work],
        pages: inout Int
    ) async throws(StorageError) {
        let cursors = work.filter { $0.endpoint.form == .apple }.map(\.progress.cursor)
        guard let start = cursors.max() else { return }
        var position = max(start, context.lastPositions.last(of: .apple, app: app))
        var isFirst = true
        while isFirst || pages > 0 {
            if !isFirst { pages -= 1 }
            isFirst = false
            let page = try await context.database.read { [position] storage throws(StorageError) in
                try storage.evidence(.notification, of: app, after: position, limit: Self.notificationPage)
            }
            if let last = page.last?.sequence { position = last }
            guard page.count == Self.notificationPage else { break }
        }
        context.lastPositions.note(notification: position, of: app)
    }

    // MARK: - Sessions

    /// Works on an endpoint.
    ///
    /// - Returns: What interrupted the work; nil if nothing did.
    private func session(_ work: Work) async -> StorageError? {
        let key = Running(app: work.app, endpoint: work.endpoint.id)
        guard !context.stop.isRequested, running.withLock({ $0.insert(key).inserted }) else { return nil }
        defer { _ = running.withLock { $0.remove(key) } }
        do throws(StorageError) {
            let openCount = work.progress.openCount
            guard let start = try await context.begin(work.endpoint, openCount: openCount, app: work.app)
            else { return nil }
            context.sessions.begin()
            defer { context.sessions.end() }
            // Events that were read before an erasure may name the customer.
            let erasures = start.progress.erasures
            if self.erasures.withLock({ $0.updateValue(erasures, forKey: key) }) != erasures {
                context.feed.forget(work.app)
            }
            var session = WebhookSession(of: work.app, context: context, start: start)
            try await session.run()
            pauses.withLock { $0[key] = nil }
            return nil
        } catch {
            pauses.withLock { pauses in
                let count = min((pauses[key]?.count ?? 0) + 1, Self.pausesMax)
                pauses[key] = (.now + Self.firstPause * (1 << count), count)
            }
            return error
        }
    }
}

extension WebhookDispatcher: SettledWork {
    /// What a failure means.
    public static let failed = "Webhooks were not delivered"
}

extension WebhookDispatcher {
    /// Whether a shutdown began: no further webhook is sent.
    package var isStopping: Bool { context.stop.isRequested }

    /// Sends webhooks until shutdown. Failures of the database are logged, and the work is repeated.
    ///
    /// At a graceful shutdown nothing new is sent. What was answered within ``WebhookSettings/stopGrace`` is stored,
    /// and the leases are returned, so that another server goes on at once. A cancellation drops the results instead:
    /// those webhooks are sent again.
    public func run(reportingTo logger: Logger?) async {
        context.log.begin(logger)
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.pruneRepeatedly(reportingTo: logger) }
                while !Task.isCancelled, !self.context.stop.isRequested {
                    do throws(StorageError) {
                        for work in try await self.startable() {
                            group.addTask { self.report(await self.session(work), to: logger) }
                        }
                    } catch {
                        self.report(error, to: logger)
                        await self.pause(Self.pauseWithoutDatabase)
                    }
                    await self.pause(Self.interval)
                }
            }
        } onGracefulShutdown: {
            self.context.stop.request()
        }
    }

    /// Waits; a shutdown ends the wait.
    func pause(_ duration: Duration) async {
        // An interrupted wait ends the loop.
        try? await cancelWhenGracefulShutdown { try await Task.sleep(for: duration) }
    }

    /// Logs a failure of the database.
    func report(_ error: StorageError?, to logger: Logger?) {
        guard let error, !Task.isCancelled else { return }
        let failure = OperationError(error)
        logger?.log(
            level: failure.needsOperator ? .error : .warning,
            "\(Self.failed), and the server tries again: \(failure.message)",
            metadata: ["code": "\(failure.code)"]
        )
    }
}
