public import CoreMetrics
import SubscriptionStorage

/// The metrics of answers to refund requests.
public final class ConsumptionMetrics: Sendable {
    private let factory: any MetricsFactory

    /// Makes the metrics; without a factory nothing is recorded.
    public init(factory: any MetricsFactory = NOOPMetricsHandler.instance) {
        self.factory = factory
    }

    /// Counts a request with a result.
    func count(_ state: RefundRequest.State) { count("perennial_refund_requests_total", state.rawValue) }

    /// Counts an answer that could not be sent, and will be tried again.
    func countFailure() { count("perennial_refund_requests_total", "failed") }

    /// Counts a question to the developer's backend.
    func countHook(isAnswered: Bool) { count("perennial_consumption_hook_total", isAnswered ? "answered" : "failed") }

    private func count(_ name: String, _ result: String) {
        Counter(label: name, dimensions: [("result", result)], factory: factory).increment()
    }
}
