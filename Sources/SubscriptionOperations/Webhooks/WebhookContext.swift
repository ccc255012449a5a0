import SubscriptionCore
import SubscriptionStorage
import Synchronization

/// What all sessions of a server share.
struct WebhookContext: Sendable {
    /// The number of requests to all endpoints that is divided among them.
    private static let requestsOfAllEndpoints = 2_048
    /// The number of rows that take about as long to read as one to write.
    private static let readsForOneWrite = 16

    let database: any SubscriptionDatabase
    let feed: WebhookFeed
    let messages: WebhookMessages
    let transport: any WebhookTransport
    let settings: WebhookSettings
    let lease: WebhookLease
    let lastPositions: WebhookLastPositions
    let time: any TimeSource
    let realTime: any TimeSource
    let metrics: WebhookMetrics
    let stop: WebhookStop
    let log = WebhookLog()
    let writer: WebhookWriter
    let sessions = WebhookSessionCount()

    /// Real time in seconds, for the signature.
    var realSeconds: Int64 { realTime.now().milliseconds / 1_000 }

    /// A random number from 0 to 1.
    func chance() -> Double {
        var bits = RandomName.Bits()
        return Double.random(in: 0...1, using: &bits)
    }

    /// Whether there may be items after a position.
    func mayHaveItems(after position: Int64, for endpoint: WebhookEndpoint, of app: AppID) -> Bool {
        lastPositions.last(of: endpoint.form, app: app) > position
    }

    /// The secrets that are valid now, newest first.
    ///
    /// - Throws: ``StorageError``.
    func secrets(of endpoint: WebhookEndpointID, app: AppID) async throws(StorageError) -> [WebhookSecret] {
        let now = realTime.now()
        return try await database.read { storage throws(StorageError) in
            try storage.webhookSecrets(of: endpoint, app: app)
        }.filter { $0.expiresAt.map { $0 > now } ?? true }
    }

    /// The deliveries that are due.
    ///
    /// - Throws: ``StorageError``.
    func due(
        at now: Timestamp,
        to endpoint: WebhookEndpointID,
        app: AppID,
        limit: Int
    ) async throws(StorageError) -> [WebhookDelivery] {
        try await database.read { storage throws(StorageError) in
            try storage.waitingWebhookDeliveries(to: endpoint, dueUntil: now, app: app, limit: limit)
        }
    }

    /// A message about an item; nil if the form knows nothing like it.
    ///
    /// - Throws: ``StorageError``.
    func message(
        about item: WebhookItem,
        in form: WebhookEndpoint.Form,
        app: AppID
    ) async throws(StorageError) -> WebhookMessage? {
        do {
            return try await messages.message(about: item, in: form, app: app)
        } catch {
            throw StorageError(
                StorageError.Code(rawValue: error.code),
                error.message,
                isRetryable: error.isRetryable,
                detail: error.detail
            )
        }
    }

    /// Sends a request and measures it.
    func send(_ request: WebhookRequest) async -> WebhookAttempt {
        let (attempt, duration) = await transport.attempt(request, timeout: settings.timeout, at: time.now())
        metrics.attempted(isSuccess: attempt.isSuccess, in: duration)
        return attempt
    }

    /// Takes the lease of an endpoint and reads what a session begins with; nil if it may not begin.
    ///
    /// - Parameter openCount: About how many deliveries wait or are held back.
    /// - Throws: ``StorageError``.
    func begin(
        _ endpoint: WebhookEndpoint,
        openCount: Int,
        app: AppID
    ) async throws(StorageError) -> WebhookLease.Start? {
        let write = WebhookWrite(
            position: position(of: endpoint, app),
            rowCount: 1 + openCount / Self.readsForOneWrite
        ) { [lease, time] storage throws(StorageError) in
            .begun(try lease.begin(endpoint.id, app: app, at: time.now(), in: storage))
        }
        let written = try await writer.write(write)
        return if case .begun(let start) = written { start } else { nil }
    }

    /// Stores results, together with those of other endpoints.
    ///
    /// - Throws: ``StorageError``.
    func store(
        _ commit: WebhookCommit,
        of endpoint: WebhookEndpoint,
        app: AppID
    ) async throws(StorageError) -> WebhookCommit.Outcome {
        // An event locks the feed, and must not wait for other endpoints then.
        let rowCount = commit.disables == nil ? 1 + commit.rows.count + commit.removed.count : Int(Int32.max)
        let write = WebhookWrite(
            position: position(of: endpoint, app),
            rowCount: rowCount
        ) { [lease, time] storage throws(StorageError) in
            .stored(try commit.store(of: endpoint.id, app: app, lease: lease, at: time.now(), in: storage))
        }
        guard case .stored(let outcome) = try await writer.write(write) else {
            return WebhookCommit.Outcome(isStored: false, isHeld: false)
        }
        return outcome
    }

    private func position(of endpoint: WebhookEndpoint, _ app: AppID) -> WebhookWrite.Position {
        WebhookWrite.Position(app: app, createdAt: endpoint.createdAt, id: endpoint.id)
    }

    /// The most requests to one endpoint at the same time: fewer if many endpoints have something to send, so that the
    /// memory of all requests has a bound.
    var requestsMax: Int {
        let share = Self.requestsOfAllEndpoints / max(1, sessions.count)
        return min(settings.requestsMax, max(WebhookSession.requestsAtStart, share))
    }
}

/// The number of endpoints on which this server works now.
final class WebhookSessionCount: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }

    func begin() { value.add(1, ordering: .relaxed) }

    func end() { value.subtract(1, ordering: .relaxed) }
}

/// The last positions of each app, as they were last read.
final class WebhookLastPositions: Sendable {
    private struct Positions {
        var event: Int64 = 0
        var notification: Int64 = 0
    }

    private let positions = Mutex<[AppID: Positions]>([:])

    /// The last position that an endpoint of a form may receive.
    func last(of form: WebhookEndpoint.Form, app: AppID) -> Int64 {
        positions.withLock { form == .apple ? $0[app]?.notification : $0[app]?.event } ?? 0
    }

    /// Notes the last event of an app.
    func note(event: Int64, of app: AppID) { positions.withLock { $0[app, default: Positions()].event = event } }

    /// Notes a position among an app's inputs up to which there are notifications.
    func note(notification: Int64, of app: AppID) {
        positions.withLock { $0[app, default: Positions()].notification = notification }
    }
}
