public import CoreMetrics

/// The metrics of status polling.
public final class PollingMetrics: Sendable {
    /// What became of a poll.
    enum Result: String {
        /// Apple answered.
        case answered
        /// Apple does not know the subscription.
        case unknown
        /// Apple did not answer, or its answer was refused.
        case failed
    }

    private let factory: any MetricsFactory

    /// Makes the metrics; without a factory nothing is recorded.
    public init(factory: any MetricsFactory = NOOPMetricsHandler.instance) {
        self.factory = factory
    }

    /// Counts a query.
    func count(_ result: Result) {
        let dimensions = [("result", result.rawValue)]
        Counter(label: "perennial_status_polls_total", dimensions: dimensions, factory: factory).increment()
    }

    /// Sets how long the oldest poll of an app has been due.
    func setLag(milliseconds: Int64, of app: String) {
        let dimensions = [("app", app)]
        Meter(label: "perennial_status_polls_lag_seconds", dimensions: dimensions, factory: factory)
            .set(Double(milliseconds) / 1_000)
    }
}
