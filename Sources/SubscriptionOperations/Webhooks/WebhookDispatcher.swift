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
    private static let pauseWithoutDatabase = Duration.seconds(5)
    private static let pruningInterval = Duration.seconds(60)
    private static let pruningPage = 500
    private static let notificationPage = 1_000
    private static let pageSize = 256
    /// The number of events without interest for an endpoint after which its position is stored.
    private static let skippedMax: Int64 = 50_000

    let parts: WebhookParts
    private let running = Mutex<Set<Running>>([])
    /// The positions up to which nothing is of interest for an endpoint, and the choice of types for which that holds.
    let skipped = Mutex<[Running: (through: Int64, eventTypes: [String]?)]>([:])
    /// How many customers were erased when an endpoint was last worked on.
    private let erasures = Mutex<[Running: Int]>([:])
    /// Endpoints that wait after a failure of the database.
    private let pauses = Mutex<[Running: (until: ContinuousClock.Instant, count: Int)]>([:])
    private let prunedAt = Mutex<ContinuousClock.Instant>(.now)

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
        parts = WebhookParts(
            database: database,
            feed: WebhookFeed(database: database),
            messages: WebhookMessages(database: database, reading: reading),
            transport: transport,
            settings: settings,
            lease: WebhookLease(server: RandomName.make(), realTime: realTime),
            tails: WebhookTails(),
            time: time,
            realTime: realTime,
            metrics: metrics,
            stop: WebhookStop(grace: settings.stopGrace)
        )
    }

    /// Sends everything that can be sent now, and returns when nothing is left but what is due later.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func settle() async throws(OperationError) {
        var before: [Work] = []
        do throws(StorageError) {
            while !Task.isCancelled, !parts.stop.isRequested {
                let work = try await startable(ignoringPauses: true)
                if work.isEmpty, running.withLock(\.isEmpty) { return }
                // An endpoint that made no progress has to wait for something.
                guard work.isEmpty || work != before else { return }
                before = work
                var failures: [StorageError] = []
                await withTaskGroup(of: StorageError?.self) { group in
                    for work in work { group.addTask { await self.turn(work) } }
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
    /// - Parameter ignoringPauses: Whether endpoints count that wait after a failure of the database.
    private func startable(ignoringPauses: Bool = false) async throws(StorageError) -> [Work] {
        let now = parts.time.now()
        let all = try await parts.database.read { storage throws(StorageError) in
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
        for (app, last, work) in all {
            parts.tails.note(event: last, of: app)
            try await noteNotifications(of: app, for: work)
            for work in work where ignoringPauses || !isPaused(work) {
                if try await isStartable(work, at: now) { found.append(work) }
            }
        }
        return found
    }

    private func isPaused(_ work: Work) -> Bool {
        let key = Running(app: work.app, endpoint: work.endpoint.id)
        return pauses.withLock { $0[key] }.map { $0.until > .now } ?? false
    }

    private func isStartable(_ work: Work, at now: Timestamp) async throws(StorageError) -> Bool {
        let (progress, key) = (work.progress, Running(app: work.app, endpoint: work.endpoint.id))
        guard progress.health.maySend(at: now), parts.lease.mayTake(progress),
            !running.withLock({ $0.contains(key) })
        else { return false }
        let far = now.adding(milliseconds: 2 * WebhookRetries.waitMax)
        if let due = progress.nextDueAt, due <= now || due > far { return true }
        guard progress.openCount < WebhookTurn.openMax else { return false }
        return try await hasNews(work, key)
    }

    /// Whether there is an item that the endpoint wants. Positions that it does not care for are only kept in memory.
    private func hasNews(_ work: Work, _ key: Running) async throws(StorageError) -> Bool {
        let endpoint = work.endpoint
        guard endpoint.eventTypes != nil else {
            return parts.mayHaveItems(after: work.progress.cursor, for: endpoint, of: work.app)
        }
        let known = skipped.withLock { $0[key] }
        var position = work.progress.cursor
        if let known, known.eventTypes == endpoint.eventTypes { position = max(position, known.through) }
        while parts.mayHaveItems(after: position, for: endpoint, of: work.app) {
            let page = try await parts.feed.page(
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

    /// Finds the last notification of an app, if an endpoint is told about notifications.
    private func noteNotifications(of app: AppID, for work: [Work]) async throws(StorageError) {
        let cursors = work.filter { $0.endpoint.form == .apple }.map(\.progress.cursor)
        guard let start = cursors.max() else { return }
        var position = max(start, parts.tails.last(of: .apple, app: app))
        while true {
            let page = try await parts.database.read { [position] storage throws(StorageError) in
                try storage.evidence(.notification, of: app, after: position, limit: Self.notificationPage)
            }
            guard let last = page.last?.sequence else { break }
            position = last
        }
        parts.tails.note(notification: position, of: app)
    }

    // MARK: - Turns

    /// Works on an endpoint.
    ///
    /// - Returns: What interrupted the work; nil if nothing did.
    private func turn(_ work: Work) async -> StorageError? {
        let key = Running(app: work.app, endpoint: work.endpoint.id)
        guard !parts.stop.isRequested, running.withLock({ $0.insert(key).inserted }) else { return nil }
        defer { _ = running.withLock { $0.remove(key) } }
        do throws(StorageError) {
            let now = parts.time.now()
            let start = try await parts.database.write { [lease = parts.lease] storage throws(StorageError) in
                try lease.begin(work.endpoint.id, app: work.app, at: now, in: storage)
            }
            guard let start else { return nil }
            // Events that were read before an erasure may name the customer.
            let erasures = start.progress.erasures
            if self.erasures.withLock({ $0.updateValue(erasures, forKey: key) }) != erasures {
                parts.feed.forget(work.app)
            }
            var turn = WebhookTurn(of: work.app, parts: parts, start: start)
            try await turn.run()
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

    // MARK: - Pruning

    private func pruneIfDue() async throws(StorageError) {
        let isDue = prunedAt.withLock { prunedAt in
            guard ContinuousClock.now - prunedAt > Self.pruningInterval else { return false }
            prunedAt = .now
            return true
        }
        if isDue { try await prune() }
    }

    /// Removes deliveries that were settled long ago.
    ///
    /// - Throws: ``StorageError``.
    package func prune() async throws(StorageError) {
        let end = parts.time.now().adding(milliseconds: -parts.settings.logMilliseconds)
        let all = try await parts.database.read { storage throws(StorageError) in
            var all: [(AppID, WebhookEndpointID)] = []
            for app in try storage.apps() {
                for endpoint in try storage.webhookEndpoints(of: app.id) { all.append((app.id, endpoint.id)) }
            }
            return all
        }
        for (app, endpoint) in all {
            var last: Int64? = 0
            while let position = last, !Task.isCancelled {
                last = try await parts.database.write { storage throws(StorageError) in
                    try storage.pruneWebhookDeliveries(
                        to: endpoint,
                        settledUntil: end,
                        after: position,
                        app: app,
                        limit: Self.pruningPage
                    )
                }
            }
        }
    }
}

extension WebhookDispatcher: SettledWork {
    /// What a failure means.
    public static let failed = "Webhooks were not delivered"
}

extension WebhookDispatcher {
    /// Sends webhooks until shutdown. Failures of the database are logged, and the work is repeated.
    ///
    /// At a graceful shutdown nothing new is sent. What was answered within ``WebhookSettings/stopGrace`` is stored, and
    /// the leases are returned, so that another server goes on at once. A cancellation drops the results instead: those
    /// webhooks are sent again.
    public func run(reportingTo logger: Logger?) async {
        parts.log.begin(logger)
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled, !self.parts.stop.isRequested {
                    do throws(StorageError) {
                        for work in try await self.startable() {
                            group.addTask { self.report(await self.turn(work), to: logger) }
                        }
                        try await self.pruneIfDue()
                    } catch {
                        self.report(error, to: logger)
                        await self.pause(Self.pauseWithoutDatabase)
                    }
                    await self.pause(Self.interval)
                }
            }
        } onGracefulShutdown: {
            self.parts.stop.request()
        }
    }

    /// Waits; a shutdown ends the wait.
    private func pause(_ duration: Duration) async {
        // An interrupted wait ends the loop.
        try? await cancelWhenGracefulShutdown { try await Task.sleep(for: duration) }
    }

    private func report(_ error: StorageError?, to logger: Logger?) {
        guard let error, !Task.isCancelled else { return }
        let failure = OperationError(error)
        logger?.log(
            level: failure.needsOperator ? .error : .warning,
            "\(Self.failed) and will be again: \(failure.message)",
            metadata: ["code": "\(failure.code)"]
        )
    }
}

extension StorageWriting {
    /// Removes deliveries that were settled before a time, from the oldest on.
    ///
    /// - Returns: The last position that was looked at; nil if no older ones can follow.
    fileprivate func pruneWebhookDeliveries(
        to endpoint: WebhookEndpointID,
        settledUntil end: Timestamp,
        after position: Int64,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> Int64? {
        let page = try webhookDeliveries(to: endpoint, after: position, app: app, limit: limit)
        var isOldest = true
        for delivery in page {
            guard let settledAt = delivery.settledAt, settledAt < end else {
                isOldest = isOldest && delivery.isOpen
                continue
            }
            try removeWebhookDelivery(delivery.sequence, to: endpoint, app: app)
        }
        return page.count == limit && isOldest ? page.last?.sequence : nil
    }
}
