import CoreMetrics
package import SubscriptionOperations

/// The metrics of a server.
package struct ServerMetrics: Sendable {
    /// The registry of all metrics.
    package let registry: MetricsRegistry
    /// Requests.
    package let requests: RequestMetrics
    /// Requests that a rate limit refused.
    package let rateLimits: RateLimitMetrics
    /// Open connections.
    package let connections = ConnectionCount()
    /// The intake.
    package let intake: IntakeMetrics
    /// Recovery.
    package let recovery: RecoveryMetrics
    /// Status polling.
    package let polling: PollingMetrics
    /// Answers to refund requests.
    package let consumption: ConsumptionMetrics
    /// Webhooks.
    package let webhooks: WebhookMetrics

    /// Makes empty metrics.
    package init() {
        registry = MetricsRegistry(buckets: [IntakeMetrics.commitSize: [1, 2, 4, 8, 16, 32, 64, 128]])
        requests = RequestMetrics(factory: registry)
        rateLimits = RateLimitMetrics(factory: registry)
        intake = IntakeMetrics(factory: registry)
        recovery = RecoveryMetrics(factory: registry)
        polling = PollingMetrics(factory: registry)
        consumption = ConsumptionMetrics(factory: registry)
        webhooks = WebhookMetrics(factory: registry)
    }

    func set(_ name: String, _ value: some BinaryInteger, _ labels: [(String, String)] = []) {
        Meter(label: name, dimensions: labels, factory: registry).set(Int64(clamping: value))
    }

    func set(_ name: String, seconds milliseconds: Int64, _ labels: [(String, String)] = []) {
        Meter(label: name, dimensions: labels, factory: registry).set(Double(milliseconds) / 1_000)
    }
}
