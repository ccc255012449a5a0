public import CoreMetrics

/// The metrics of webhooks.
public final class WebhookMetrics: Sendable {
    private let delivered: Counter
    private let failed: Counter
    private let duration: CoreMetrics.Timer

    /// Makes the metrics; without a factory nothing is recorded.
    public init(factory: any MetricsFactory = NOOPMetricsHandler.instance) {
        func counter(_ result: String) -> Counter {
            Counter(label: "perennial_webhook_attempts_total", dimensions: [("result", result)], factory: factory)
        }
        delivered = counter("delivered")
        failed = counter("failed")
        duration = CoreMetrics.Timer(label: "perennial_webhook_duration_seconds", dimensions: [], factory: factory)
    }

    /// Counts an attempt and its duration.
    func attempted(isSuccess: Bool, in time: Duration) {
        (isSuccess ? delivered : failed).increment()
        duration.recordNanoseconds(Int64(time / .nanoseconds(1)))
    }
}
