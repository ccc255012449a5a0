import AppStoreModel

/// One performance test of the developer's realtime URL.
///
/// Its requests are spread evenly over a time span of the virtual clock, in concurrent groups. The response times are
/// measured in real time.
struct PerformanceTestRun: Sendable, Codable {
    // Apple publishes the names of these numbers, but no values; only the deadline is known to be about 700 ms.

    /// The number of concurrent requests.
    static let concurrentRequests = 5
    /// The number of requests of a test.
    static let totalRequests = 100
    /// The duration of a test on the virtual clock, milliseconds.
    static let totalDuration: Int64 = 60_000
    /// The required percentage of successful requests.
    static let successRateThreshold = 95

    private static let percent = 100
    private static let percentiles = (p50: 50, p90: 90, p95: 95, p99: 99)

    /// The identifier of the test, a UUID.
    let requestId: String
    /// The subscription of the requests.
    let subscription: LedgerIndex<Subscription>
    /// The URL at the start of the test.
    let target: String
    /// When it started, milliseconds since 1970.
    let startedAt: Int64
    /// The deadline of an answer, milliseconds.
    let deadlineMilliseconds: Int64
    /// Requests that are or were due.
    private(set) var dueCount = 0
    /// Requests that succeeded or failed.
    private(set) var doneCount = 0
    private var succeeded = 0
    private var milliseconds: [Int64] = []
    private var failures: [SendAttemptResult: Int64] = [:]

    init(
        requestId: String,
        subscription: LedgerIndex<Subscription>,
        target: String,
        startedAt: Int64,
        deadlineMilliseconds: Int64
    ) {
        self.requestId = requestId
        self.subscription = subscription
        self.target = target
        self.startedAt = startedAt
        self.deadlineMilliseconds = deadlineMilliseconds
    }

    /// When the next group of requests is due; `nil` after the last.
    var nextGroupDue: Int64? {
        guard dueCount < Self.totalRequests else { return nil }
        let next = min(dueCount + Self.concurrentRequests, Self.totalRequests)
        return startedAt + Self.totalDuration * Int64(next) / Int64(Self.totalRequests)
    }

    var isOver: Bool { doneCount == Self.totalRequests }

    /// Makes the next group due.
    mutating func beginGroup() { dueCount = min(dueCount + Self.concurrentRequests, Self.totalRequests) }

    /// Counts the result of a request.
    ///
    /// - Parameters:
    ///   - result: `SUCCESS` for an answer that can be shown.
    ///   - answeredIn: The response time, if there was an answer.
    mutating func record(_ result: SendAttemptResult, answeredIn: Int64?) {
        guard doneCount < dueCount else { return }
        doneCount += 1
        if result == .success { succeeded += 1 } else { failures[result, default: 0] += 1 }
        if let answeredIn { milliseconds.append(answeredIn) }
    }

    var config: PerformanceTestConfig {
        PerformanceTestConfig(
            maxConcurrentRequests: Int64(Self.concurrentRequests),
            totalRequests: Int64(Self.totalRequests),
            totalDuration: Self.totalDuration,
            responseTimeThreshold: deadlineMilliseconds,
            successRateThreshold: Int32(Self.successRateThreshold)
        )
    }

    var hasPassed: Bool { isOver && succeeded * Self.percent >= Self.successRateThreshold * Self.totalRequests }

    /// The current or final result.
    var response: PerformanceTestResultResponse {
        PerformanceTestResultResponse(
            result: isOver ? (hasPassed ? .pass : .fail) : .pending,
            config: config,
            target: target,
            successRate: Int32(doneCount == 0 ? 0 : succeeded * Self.percent / doneCount),
            numPending: Int32(Self.totalRequests - doneCount),
            responseTimes: responseTimes,
            failures: PerformanceTestFailures(counts: failures)
        )
    }

    /// The five numbers of all answers with a status; zero while there is none.
    private var responseTimes: PerformanceTestResponseTimes {
        let sorted = milliseconds.sorted()
        guard let longest = sorted.last else {
            return PerformanceTestResponseTimes(average: 0, p50: 0, p90: 0, p95: 0, p99: 0)
        }
        // The nearest rank: the smallest time that this percentage does not exceed.
        func percentile(_ share: Int) -> Int64 {
            let rank = (sorted.count * share + Self.percent - 1) / Self.percent
            return sorted.indices.contains(rank - 1) ? sorted[rank - 1] : longest
        }
        return PerformanceTestResponseTimes(
            average: sorted.reduce(0, +) / Int64(sorted.count),
            p50: percentile(Self.percentiles.p50),
            p90: percentile(Self.percentiles.p90),
            p95: percentile(Self.percentiles.p95),
            p99: percentile(Self.percentiles.p99)
        )
    }
}
