package import CoreMetrics
import Synchronization

/// Collects metrics and writes them in Prometheus' text format.
///
/// The number of series is bounded, so that a client cannot fill the memory.
package final class MetricsRegistry: Sendable {
    /// The upper bounds of histogram buckets, by metric name.
    package typealias Buckets = [String: [Double]]

    private struct Family {
        var kind: MetricKind
        /// By their formatted labels.
        var series: [String: any MetricSeries] = [:]
    }

    /// The maximum number of label combinations of a name; further ones are dropped and counted.
    private static let seriesMax = 400
    private static let dropped = "perennial_metrics_series_dropped_total"
    /// From a millisecond to half a minute, the longest duration of a request.
    private static let seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

    private let families = Mutex<[String: Family]>([:])
    private let buckets: Buckets

    /// Makes an empty registry.
    ///
    /// - Parameter buckets: The buckets of metrics that are not durations in seconds.
    package init(buckets: Buckets = [:]) {
        self.buckets = buckets
    }

    /// All metrics in the text format, in order of name and labels.
    ///
    /// - Source: Prometheus, "Exposition formats", text format version 0.0.4.
    package func text() -> String {
        let families = families.withLock { $0 }
        var text = ""
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            text += "# TYPE \(name) \(family.kind.rawValue)\n"
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                text += series.lines(name: name, labels: labels)
            }
        }
        return text
    }

    /// The series of a name and labels; nil if the name has too many series or another kind.
    private func series<Series: MetricSeries>(
        _ kind: MetricKind,
        _ label: String,
        _ dimensions: [(String, String)],
        make: (String) -> Series
    ) -> Series? {
        let name = MetricText.name(label)
        let labels = MetricText.labels(dimensions)
        return families.withLock { families in
            var family = families[name] ?? Family(kind: kind)
            if let series = family.series[labels] { return series as? Series }
            guard family.kind == kind, family.series.count < Self.seriesMax else {
                Self.countDropped(in: &families)
                return nil
            }
            let series = make(name)
            family.series[labels] = series
            families[name] = family
            return series
        }
    }

    private static func countDropped(in families: inout [String: Family]) {
        var family = families[dropped] ?? Family(kind: .counter)
        let counter = family.series[""] as? CounterSeries ?? CounterSeries()
        counter.increment(by: 1 as Int64)
        family.series[""] = counter
        families[dropped] = family
    }
}

extension MetricsRegistry: MetricsFactory {
    /// Makes a counter.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(.counter, label, dimensions) { _ in CounterSeries() } ?? CounterSeries()
    }

    /// Makes a counter with fractions.
    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(.counter, label, dimensions) { _ in CounterSeries() } ?? CounterSeries()
    }

    /// Makes a gauge.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(.gauge, label, dimensions) { _ in GaugeSeries() } ?? GaugeSeries()
    }

    /// Makes a histogram, or a gauge if values are not aggregated.
    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return series(.gauge, label, dimensions) { _ in GaugeSeries() } ?? GaugeSeries() }
        return histogram(label, dimensions)
    }

    /// Makes a histogram of durations in seconds.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions)
    }

    /// Does nothing, because the number of series is bounded.
    package func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing.
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Does nothing.
    package func destroyMeter(_ handler: any MeterHandler) {}
    /// Does nothing.
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing.
    package func destroyTimer(_ handler: any TimerHandler) {}

    private func histogram(_ label: String, _ dimensions: [(String, String)]) -> HistogramSeries {
        let make = { [buckets] (name: String) in HistogramSeries(bounds: buckets[name] ?? Self.seconds) }
        return series(.histogram, label, dimensions, make: make) ?? HistogramSeries(bounds: [])
    }
}
