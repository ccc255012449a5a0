import SubscriptionCore
import SubscriptionStorage

/// A server's work on one endpoint, from the lease until nothing can be sent any more.
///
/// Nothing is stored before a webhook is sent. Its result is stored together with others, and then the cursor moves. A
/// server that is killed in between sends those webhooks again, with the same `webhook-id`.
struct WebhookSession {
    /// The number of items that are decided in memory.
    private static let windowSize = 512
    static let pageSize = 256
    /// The same for notifications of Apple: each has several kilobytes.
    private static let notificationWindowSize = 64
    private static let notificationPageSize = 32
    /// The number of pages that are read before answers are looked at again.
    private static let pagesMax = 16
    /// After this time a session ends: the next one begins with the present secrets.
    static let durationMax = Duration.seconds(30)
    private static let dueSize = 64
    /// The number of results that are stored at once, and the time for which fewer wait for others.
    static let fullCount = 64
    static let commitInterval = Duration.milliseconds(100)
    /// The number of waiting and held deliveries at which an endpoint reads no further.
    static let openMax = 10_000
    /// How often a session with requests in flight looks for new events, and whether its lease must be renewed.
    private static let heartbeat = Duration.milliseconds(250)
    /// The number of requests at the same time at the beginning: a dead endpoint costs little.
    static let requestsAtStart = 4

    /// What a session waits for.
    enum Signal: Sendable {
        case answered(WebhookDelivery, DeliveryWindow.Item?, Answer, isProbe: Bool)
        case stored(WebhookCommit, Result<WebhookCommit.Outcome, StorageError>)
        case beat
    }

    /// What came of a request.
    enum Answer: Sendable {
        /// The form has no message about it, or it was erased.
        case nothing
        case attempt(WebhookAttempt, body: [UInt8]?)
        /// The server stopped before there was an answer.
        case interrupted
        case failed(StorageError)

        var isSuccess: Bool { if case .attempt(let attempt, _) = self { attempt.isSuccess } else { false } }
    }

    let endpoint: WebhookEndpoint
    let app: AppID
    let context: WebhookContext
    var window: DeliveryWindow
    var health: WebhookHealth
    /// Whether the circuit was open when the health was last stored.
    var wasOpen: Bool
    var commit: WebhookCommit
    var due: [WebhookDelivery] = []
    var nextDueAt: Timestamp?
    var inFlight: Set<Int64> = []
    private var known: Set<Int64>
    var items: [Int64: WebhookItem] = [:]
    var requestsMax = Self.requestsAtStart
    var openCount: Int
    let erasures: Int
    var isEnding = false
    let begunAt = ContinuousClock.now
    /// When the lease was taken or renewed, as far as the writer has reported.
    var renewedAt: ContinuousClock.Instant
    var isStoring = false
    var isOver = false
    var failure: StorageError?

    /// Begins with what the lease's transaction read.
    init(of app: AppID, context: WebhookContext, start: WebhookLease.Start) {
        endpoint = start.endpoint
        self.app = app
        self.context = context
        window = DeliveryWindow(cursor: start.progress.cursor, blockedKeys: start.blockedKeys)
        health = start.progress.health
        wasOpen = health.isOpen
        openCount = start.progress.openCount
        erasures = start.progress.erasures
        nextDueAt = start.progress.nextDueAt
        known = start.known
        renewedAt = start.renewedAt
        commit = WebhookCommit()
        commit.cursor = start.progress.cursor
    }

    /// Sends what can be sent.
    ///
    /// - Throws: ``StorageError``; webhooks whose results were not stored are sent again.
    mutating func run() async throws(StorageError) {
        let signing = WebhookSigning(try await context.secrets(of: endpoint.id, app: app))
        await withTaskGroup(of: Signal.self) { group in
            var beats = false
            if !signing.canSign { (commit.disables, isEnding) = (.secretMissing, true) }
            while !isOver, !Task.isCancelled {
                if context.stop.isRequested { isEnding = true }
                await fill()
                send(in: &group, signing)
                store(in: &group)
                guard !inFlight.isEmpty || isStoring, !isOver else { break }
                if !beats {
                    beats = true
                    group.addTask {
                        try? await Task.sleep(for: Self.heartbeat)
                        return .beat
                    }
                }
                switch await group.next() {
                case .answered(let delivery, let item, let answer, let isProbe):
                    take(answer, of: delivery, item, isProbe: isProbe)
                case .stored(let commit, let result): finish(commit, result)
                case .beat: beats = false
                case nil: isOver = true
                }
            }
            group.cancelAll()
        }
        if let failure { throw failure }
    }

    // MARK: - Reading

    private mutating func fill() async {
        let now = context.time.now()
        guard !isEnding, health.maySend(at: now) else { return }
        do throws(StorageError) {
            if due.isEmpty, !isStoring, let nextDueAt, nextDueAt <= now {
                due = try await context.due(at: now, to: endpoint.id, app: app, limit: Self.dueSize)
                    .filter { row in
                        !inFlight.contains(row.sequence) && commit.rows[row.sequence] == nil
                            && !commit.removed.contains(row.sequence)
                    }
                // The next commit finds out when the next one is due.
                if due.isEmpty { self.nextDueAt = nil }
            }
            var pages = 0
            let isApple = endpoint.form == .apple
            let windowSize = isApple ? Self.notificationWindowSize : Self.windowSize
            while window.count < windowSize, openCount < Self.openMax, !health.isOpen || !window.hasReady,
                pages < Self.pagesMax, !Task.isCancelled
            {
                pages += 1
                guard context.mayHaveItems(after: window.readThrough, for: endpoint, of: app) else { return }
                let page = try await context.feed.page(
                    of: endpoint.form,
                    after: window.readThrough,
                    app: app,
                    limit: isApple ? Self.notificationPageSize : Self.pageSize
                )
                guard page.readThrough > window.readThrough else { return }
                for item in page.items { add(item, at: now) }
                window.skip(through: page.readThrough)
            }
        } catch {
            // What was answered before is stored.
            (failure, isEnding) = (error, true)
        }
    }

    private mutating func add(_ item: WebhookItem, at now: Timestamp) {
        guard endpoint.wants(item.type), !known.contains(item.sequence) else { return }
        let entry = DeliveryWindow.Item(sequence: item.sequence, key: item.orderKey)
        guard window.add(entry) else {
            items[item.sequence] = item
            return
        }
        hold(item, at: now)
    }

    /// Stores an item as held back.
    mutating func hold(_ item: WebhookItem, at now: Timestamp) {
        var delivery = WebhookDelivery(item, to: endpoint, of: app, at: now)
        delivery.state = .held
        commit.rows[item.sequence] = delivery
        openCount += 1
    }

    // MARK: - Sending

    private mutating func send(in group: inout TaskGroup<Signal>, _ signing: WebhookSigning) {
        let now = context.time.now()
        guard !isOver, !isEnding, health.maySend(at: now) else { return }
        let most = health.isOpen ? 1 : min(requestsMax, context.requestsMax)
        // A probe in two is a new event: one that fails forever must not be the only one that is tried.
        let probesNew = health.isOpen && health.failures.isMultiple(of: 2) && window.hasReady
        while inFlight.count < most {
            if !due.isEmpty, !probesNew {
                let delivery = due.removeFirst()
                inFlight.insert(delivery.sequence)
                start(delivery, nil, nil, in: &group, signing)
            } else if let entry = window.next() {
                guard let item = items.removeValue(forKey: entry.sequence) else { continue }
                inFlight.insert(entry.sequence)
                start(WebhookDelivery(item, to: endpoint, of: app, at: now), entry, item, in: &group, signing)
            } else {
                return
            }
        }
    }

    private func start(
        _ delivery: WebhookDelivery,
        _ entry: DeliveryWindow.Item?,
        _ item: WebhookItem?,
        in group: inout TaskGroup<Signal>,
        _ signing: WebhookSigning
    ) {
        let (endpoint, app, context, isProbe) = (endpoint, app, context, health.isOpen)
        group.addTask {
            var answer: Answer
            do throws(StorageError) {
                answer = try await Self.attempt(delivery, item, to: endpoint, of: app, context, signing)
            } catch  where !error.isRetryable {
                // It is tried again as usual, and given up at last: one bad item must not hold up all others.
                answer = .attempt(WebhookAttempt(impossible: error, at: context.time.now()), body: nil)
            } catch {
                answer = .failed(error)
            }
            // The receiver is not to blame for a request that was cancelled.
            if Task.isCancelled, !answer.isSuccess { answer = .interrupted }
            return .answered(delivery, entry, answer, isProbe: isProbe)
        }
    }

    private static func attempt(
        _ delivery: WebhookDelivery,
        _ item: WebhookItem?,
        to endpoint: WebhookEndpoint,
        of app: AppID,
        _ context: WebhookContext,
        _ signing: WebhookSigning
    ) async throws(StorageError) -> Answer {
        let body: [UInt8]
        if let stored = delivery.body {
            body = stored
        } else {
            var item = item
            if item == nil { item = try await context.feed.item(delivery.sequence, of: endpoint.form, app: app) }
            guard let item, let message = try await context.message(about: item, in: endpoint.form, app: app) else {
                return .nothing
            }
            body = message.body
        }
        let headers = signing.headers(
            id: delivery.messageID,
            seconds: context.realSeconds,
            body: body,
            form: endpoint.form
        )
        let attempt = await context.send(WebhookRequest(url: endpoint.url, headers: headers, body: body))
        return .attempt(attempt, body: body)
    }
}
