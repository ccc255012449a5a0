import HTTPTypes
package import Hummingbird
import NIOCore
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// Metrics for Prometheus.
package struct MetricsController: Sendable {
    private let services: Services

    /// Makes the controller.
    package init(services: Services) {
        self.services = services
    }

    /// Adds the route, which needs no key: it contains data about the server, not about customers.
    package func addRoutes(to router: Router<ServerRequestContext>) {
        router.get("metrics", use: metrics)
    }

    private func metrics(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let metrics = services.metrics
        metrics.set("perennial_build_info", 1, [("version", ProgramVersion.current)])
        metrics.set("perennial_http_requests_in_progress", metrics.requests.inProgress)
        metrics.set("perennial_http_connections", metrics.connections.current)
        metrics.set("perennial_http_connections_refused", metrics.connections.refused)
        let waiting = services.ingestion.waiting
        for (queue, count) in [
            ("verification", waiting.verification), ("commit", waiting.commit), ("event_feed", services.events.waiting),
        ] {
            metrics.set("perennial_queue_waiting", count, [("queue", queue)])
        }
        let now = services.time.now()
        // Nonzero with a local store, whose clock the server follows.
        let offset = now.milliseconds - Timestamp.wallClock.milliseconds
        metrics.set("perennial_clock_offset_seconds", seconds: offset)
        let dispute = services.time.dispute
        metrics.set("perennial_clock_disputed", dispute == nil ? 0 : 1)
        metrics.set("perennial_clock_disagreement_seconds", seconds: dispute?.aheadMilliseconds ?? 0)
        metrics.set("perennial_due_set_aside", services.duePurchases.setAsideCount)
        await setWhatIsStored(at: now)
        var answer = Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.registry.text())))
        answer.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
        return answer
    }

    /// Sets the lag of the oldest due work, the number of unlisted products, the age of each app's recovery and the
    /// state of the webhook endpoints. If the database does not respond, a metric reports that, and the other metrics
    /// are still returned.
    private func setWhatIsStored(at now: Timestamp) async {
        do {
            let stored = try await services.storedFigures.answer { [services] storage throws(StorageError) in
                let due = [
                    try storage.duePurchases(until: now, limit: 1).first?.dueAt,
                    try storage.dueGrants(until: now, limit: 1).first?.dueAt,
                ]
                var unlisted = 0
                for app in try storage.apps() { unlisted += try storage.unlistedProducts(of: app.id).count }
                return StoredFigures(
                    oldestDueAt: due.compactMap(\.self).min(),
                    unlistedProducts: unlisted,
                    recovery: try services.recovery.ages(in: storage, at: now),
                    webhooks: try services.webhookDispatcher.figures(in: storage)
                )
            }
            for age in stored.recovery {
                guard let until = age.comparedUntil else { continue }
                services.metrics.set(
                    "perennial_recovery_age_seconds",
                    seconds: now.milliseconds - until.milliseconds,
                    [("app", age.app.rawValue)]
                )
            }
            set(stored.webhooks, at: now)
            services.metrics.set("perennial_products_unlisted", stored.unlistedProducts)
            let lag = stored.oldestDueAt.map { now.milliseconds - $0.milliseconds } ?? 0
            services.metrics.set("perennial_due_oldest_seconds", seconds: lag)
            services.metrics.set("perennial_database_up", 1)
        } catch {
            services.metrics.set("perennial_database_up", 0)
        }
    }

    private func set(_ webhooks: WebhookFigures, at now: Timestamp) {
        for (state, count) in [
            ("enabled", webhooks.enabled), ("failing", webhooks.failing), ("disabled", webhooks.disabled),
        ] {
            services.metrics.set("perennial_webhook_endpoints", count, [("state", state)])
        }
        services.metrics.set("perennial_webhook_deliveries_open", webhooks.openDeliveries)
        let lag = webhooks.behindSince.map { max(0, now.milliseconds - $0.milliseconds) } ?? 0
        services.metrics.set("perennial_webhook_lag_seconds", seconds: lag)
    }
}

/// The figures from the database for `/metrics`.
package struct StoredFigures: Sendable {
    /// When the oldest due work became due; nil if none is due.
    let oldestDueAt: Timestamp?
    /// The number of sold products that are not in their app's list.
    let unlistedProducts: Int
    /// How far each app was compared with Apple's history.
    let recovery: [RecoveryAge]
    /// How the webhook endpoints are.
    let webhooks: WebhookFigures
}
