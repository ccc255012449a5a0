import AppStoreModel

/// One performance test of the developer's real-time URL.
///
/// Its requests are spread evenly over a span of the virtual clock, in groups that are under way at the same time; how
/// long each answer takes is real time.
struct PerformanceTestRun: Sendable, Codable {
    // Apple publishes the names of these numbers and not the numbers; only the deadline is known to be about 700 ms.

    /// How many requests are under way at a time.
    static let concurrentRequests = 5
    /// How many requests a test makes.
    static let totalRequests = 100
    /// The span of the virtual clock that a test takes, milliseconds.
    static let totalDuration: Int64 = 60_000
    /// How many requests of a hundred must be answered well.
    static let successRateThreshold = 95

    private static let percent = 100
    private static let percentiles = (p50: 50, p90: 90, p95: 95, p99: 99)

    /// Names the test, a UUID.
    let requestId: String
    /// The subscription that is asked about.
    let subscription: LedgerIndex<Subscription>
    /// The URL that was set when the test began.
    let target: String
    /// When it began, milliseconds since 1970.
    let startedAt: Int64
    /// How long an answer may take, milliseconds.
    let deadlineMilliseconds: Int64
    /// Requests that are due, made or not.
    private(set) var dueCount = 0
    /// Requests that were answered, or failed.
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

    /// When the next group of requests is due; `nil` when all were.
    var nextGroupDue: Int64? {
        guard dueCount < Self.totalRequests else { return nil }
        let next = min(dueCount + Self.concurrentRequests, Self.totalRequests)
        return startedAt + Self.totalDuration * Int64(next) / Int64(Self.totalRequests)
    }

    var isOver: Bool { doneCount == Self.totalRequests }

    /// Lets the next group be due.
    mutating func beginGroup() { dueCount = min(dueCount + Self.concurrentRequests, Self.totalRequests) }

    /// Counts the outcome of a request.
    ///
    /// - Parameters:
    ///   - result: `SUCCESS` for an answer that customers could be shown.
    ///   - answeredIn: How long the answer took, where there was one.
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

    /// How it went so far, or in the end.
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

    /// The five numbers, of every answer with a status; zero while there is none.
    private var responseTimes: PerformanceTestResponseTimes {
        let sorted = milliseconds.sorted()
        guard let longest = sorted.last else {
            return PerformanceTestResponseTimes(average: 0, p50: 0, p90: 0, p95: 0, p99: 0)
        }
        // The nearest rank: the smallest time that so many of a hundred do not exceed.
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
