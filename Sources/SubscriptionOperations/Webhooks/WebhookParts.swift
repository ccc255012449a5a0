import SubscriptionCore
import SubscriptionStorage
import Synchronization

/// What all turns of a server share.
struct WebhookParts: Sendable {
    let database: any SubscriptionDatabase
    let feed: WebhookFeed
    let messages: WebhookMessages
    let transport: any WebhookTransport
    let settings: WebhookSettings
    let lease: WebhookLease
    let tails: WebhookTails
    let time: any TimeSource
    let realTime: any TimeSource
    let metrics: WebhookMetrics
    let stop: WebhookStop
    let log = WebhookLog()

    /// Real time in seconds, for the signature.
    var realSeconds: Int64 { realTime.now().milliseconds / 1_000 }

    /// A random number from 0 to 1.
    func chance() -> Double {
        var bits = RandomName.Bits()
        return Double.random(in: 0...1, using: &bits)
    }

    /// Whether there may be items after a position.
    func mayHaveItems(after position: Int64, for endpoint: WebhookEndpoint, of app: AppID) -> Bool {
        tails.last(of: endpoint.form, app: app) > position
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
        let (at, start) = (time.now(), ContinuousClock.now)
        let result: Result<WebhookAnswer, WebhookSendError>
        do throws(WebhookSendError) {
            result = .success(try await transport.send(request, timeout: settings.timeout))
        } catch {
            result = .failure(error)
        }
        let duration = ContinuousClock.now - start
        let milliseconds = Int64(duration / .milliseconds(1))
        let attempt = WebhookAttempt(at: at, milliseconds: milliseconds, result: result)
        metrics.attempted(isSuccess: attempt.isSuccess, in: duration)
        return attempt
    }

    /// Stores results.
    ///
    /// - Throws: ``StorageError``.
    func store(
        _ commit: WebhookCommit,
        of endpoint: WebhookEndpointID,
        app: AppID
    ) async throws(StorageError) -> WebhookCommit.Outcome {
        try await database.write { [lease, time] storage throws(StorageError) in
            try commit.store(of: endpoint, app: app, lease: lease, at: time.now(), in: storage)
        }
    }
}

/// The last positions of each app, as they were last read.
final class WebhookTails: Sendable {
    private struct Tail {
        var event: Int64 = 0
        var notification: Int64 = 0
    }

    private let tails = Mutex<[AppID: Tail]>([:])

    /// The last position that an endpoint of a form may be told about.
    func last(of form: WebhookEndpoint.Form, app: AppID) -> Int64 {
        tails.withLock { form == .apple ? $0[app]?.notification : $0[app]?.event } ?? 0
    }

    /// Notes the last event of an app.
    func note(event: Int64, of app: AppID) { tails.withLock { $0[app, default: Tail()].event = event } }

    /// Notes a position among an app's inputs up to which there are notifications.
    func note(notification: Int64, of app: AppID) {
        tails.withLock { $0[app, default: Tail()].notification = notification }
    }
}
