import HTTPTypes
package import Hummingbird
import NIOCore
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// What is measured, for Prometheus.
package struct MetricsController: Sendable {
    private let services: Services

    /// Makes the controller.
    package init(services: Services) {
        self.services = services
    }

    /// Adds the route, which needs no key: it tells of the server, never of an app's customers.
    package func addRoutes(to router: Router<ServerRequestContext>) {
        router.get("metrics", use: metrics)
    }

    private func metrics(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let metrics = services.metrics
        metrics.set("perennial_http_requests_in_progress", metrics.requests.inProgress)
        metrics.set("perennial_http_connections", metrics.connections.current)
        let waiting = services.ingestion.waiting
        for (queue, count) in [
            ("verification", waiting.verification), ("commit", waiting.commit), ("event_feed", services.events.waiting),
        ] {
            metrics.set("perennial_queue_waiting", count, [("queue", queue)])
        }
        let now = services.time.now()
        // Not zero with a local store, whose clock the server follows.
        let offset = now.milliseconds - Timestamp.wallClock.milliseconds
        metrics.set("perennial_clock_offset_seconds", seconds: offset)
        let dispute = services.time.dispute
        metrics.set("perennial_clock_disputed", dispute == nil ? 0 : 1)
        metrics.set("perennial_clock_disagreement_seconds", seconds: dispute?.aheadMilliseconds ?? 0)
        metrics.set("perennial_due_set_aside", services.duePurchases.setAsideCount)
        await setLag(at: now)
        var answer = Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.registry.text())))
        answer.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
        return answer
    }

    /// How long the oldest of what the clock has made due waits. A database that is away, or says nothing, is told, and is no
    /// reason to tell nothing.
    private func setLag(at now: Timestamp) async {
        do {
            let oldest = try await services.database.promptAnswer(by: services.waiting) {
                storage throws(StorageError) in
                [
                    try storage.duePurchases(until: now, limit: 1).first?.dueAt,
                    try storage.dueGrants(until: now, limit: 1).first?.dueAt,
                ].compactMap(\.self).min()
            }
            let lag = oldest.map { now.milliseconds - $0.milliseconds } ?? 0
            services.metrics.set("perennial_due_oldest_seconds", seconds: lag)
            services.metrics.set("perennial_database_up", 1)
        } catch {
            services.metrics.set("perennial_database_up", 0)
        }
    }
}
