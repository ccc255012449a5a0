package import CoreMetrics
import HTTPTypes
import Synchronization

/// The number and duration of requests by route, method and status class, all of which are bounded.
package final class RequestMetrics: Sendable {
    /// The label of a path without a route.
    static let noRoute = "none"
    /// Other methods share one label.
    private static func isKnown(_ method: HTTPRequest.Method) -> Bool {
        switch method {
        case .get, .post, .put, .delete, .patch, .head, .options: true
        default: false
        }
    }

    private struct Key: Hashable {
        let route: String?
        let method: HTTPRequest.Method
        let statusClass: Int
    }

    private struct Series {
        let count: Counter
        let duration: CoreMetrics.Timer
    }

    private let factory: any MetricsFactory
    private let series = Mutex<[Key: Series]>([:])
    private let underWay = Mutex(0)

    /// Makes the metrics of requests.
    package init(factory: any MetricsFactory) {
        self.factory = factory
    }

    /// The number of concurrent requests.
    package var inProgress: Int { underWay.withLock { $0 } }

    func begin() { underWay.withLock { $0 += 1 } }

    func end() { underWay.withLock { $0 -= 1 } }

    func record(route: String?, method: HTTPRequest.Method, status: HTTPResponse.Status, duration: Duration) {
        let key = Key(route: route, method: Self.isKnown(method) ? method : .connect, statusClass: status.code / 100)
        let series = series.withLock { all in
            if let existing = all[key] { return existing }
            let new = make(key, method: Self.name(of: method))
            all[key] = new
            return new
        }
        series.count.increment(by: 1)
        series.duration.recordNanoseconds(Int64(max(0, duration / .nanoseconds(1))))
    }

    private func make(_ key: Key, method: String) -> Series {
        let labels = [
            ("route", key.route ?? Self.noRoute), ("method", method), ("status", "\(key.statusClass)xx"),
        ]
        return Series(
            count: Counter(label: "perennial_http_requests_total", dimensions: labels, factory: factory),
            duration: CoreMetrics.Timer(
                label: "perennial_http_request_duration_seconds",
                dimensions: labels,
                factory: factory
            )
        )
    }

    /// The method as a label.
    static func name(of method: HTTPRequest.Method) -> String {
        isKnown(method) ? method.rawValue : "OTHER"
    }
}
