public import CoreMetrics
import SubscriptionStorage

/// The metrics of recovery.
public final class RecoveryMetrics: Sendable {
    private let factory: any MetricsFactory

    /// Makes the metrics; without a factory nothing is recorded.
    public init(factory: any MetricsFactory = NOOPMetricsHandler.instance) {
        self.factory = factory
    }

    /// Counts a window after a run, by its state, and the results of one that ended.
    func count(_ window: RecoveryWindow) {
        add("perennial_recovery_windows_total", 1, ("state", window.failure == nil ? window.state.rawValue : "failed"))
        guard window.state != .running else { return }
        let counts = window.counts
        for (result, count) in [
            ("held", counts.held), ("recovered", counts.recovered), ("refused", counts.refused),
            ("missing", counts.missing),
        ] {
            add("perennial_recovery_notifications_total", count, ("result", result))
        }
        add("perennial_recovery_retrying_total", counts.retrying)
    }

    private func add(_ name: String, _ count: Int, _ labels: (String, String)...) {
        Counter(label: name, dimensions: labels, factory: factory).increment(by: count)
    }
}
