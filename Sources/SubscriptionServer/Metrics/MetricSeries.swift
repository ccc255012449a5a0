import CoreMetrics
import Synchronization

/// The Prometheus type of a metric.
enum MetricKind: String {
    case counter, gauge, histogram
}

/// One time series: a number or a set of buckets with one set of labels.
protocol MetricSeries: AnyObject, Sendable {
    /// The lines of the text format.
    func lines(name: String, labels: String) -> String
}

/// A counter.
final class CounterSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler {
    private let value = Mutex(0.0)

    func increment(by amount: Int64) { increment(by: Double(amount)) }

    func increment(by amount: Double) {
        guard amount > 0 else { return }
        value.withLock { $0 += amount }
    }

    func reset() { value.withLock { $0 = 0 } }

    func lines(name: String, labels: String) -> String {
        "\(name)\(MetricText.braced(labels)) \(MetricText.number(value.withLock { $0 }))\n"
    }
}

/// A gauge.
final class GaugeSeries: MetricSeries, MeterHandler, RecorderHandler {
    private let value = Mutex(0.0)

    func set(_ new: Int64) { set(Double(new)) }
    func set(_ new: Double) { value.withLock { $0 = new } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func record(_ new: Int64) { set(Double(new)) }
    func record(_ new: Double) { set(new) }

    func lines(name: String, labels: String) -> String {
        "\(name)\(MetricText.braced(labels)) \(MetricText.number(value.withLock { $0 }))\n"
    }
}

/// A histogram.
final class HistogramSeries: MetricSeries, RecorderHandler, TimerHandler {
    private struct Values {
        /// The count of each bucket; the last one is for values above all bounds.
        var counts: [UInt64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let values: Mutex<Values>

    /// - Parameter bounds: Upper bounds, ascending.
    init(bounds: [Double]) {
        self.bounds = bounds
        values = Mutex(Values(counts: [UInt64](repeating: 0, count: bounds.count + 1)))
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        values.withLock { values in
            values.counts[index] += 1
            values.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func lines(name: String, labels: String) -> String {
        let values = values.withLock { $0 }
        var text = ""
        var count: UInt64 = 0
        for (bound, own) in zip(bounds.map(MetricText.number) + ["+Inf"], values.counts) {
            count += own
            let all = labels.isEmpty ? "le=\"\(bound)\"" : "\(labels),le=\"\(bound)\""
            text += "\(name)_bucket{\(all)} \(count)\n"
        }
        text += "\(name)_sum\(MetricText.braced(labels)) \(MetricText.number(values.sum))\n"
        return text + "\(name)_count\(MetricText.braced(labels)) \(count)\n"
    }
}
