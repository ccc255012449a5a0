public import AppStoreModel
import PerennialPrimitives

extension LocalAppStore {
    /// The locale of a performance test.
    private static let performanceTestLocale = "en-US"

    /// Starts a performance test of the realtime URL, which continues as the clock moves.
    ///
    /// - Source: Retention Messaging API, Initiate Performance Test.
    /// - Returns: `nil` outside the sandbox, where the call does not exist.
    /// - Throws: One of `AppStoreServerCall.initiatePerformanceTest.errors`: 4000211 without a subscription or a URL.
    public mutating func initiatePerformanceTest(
        request: PerformanceTestRequest
    ) throws(AppStoreServerAPIError) -> PerformanceTestResponse? {
        guard configuration.environment == .sandbox else { return nil }
        // Apple lists no 404 for an unknown transaction here.
        let index = try namedTransaction(request.originalTransactionId, unknown: .invalidTransactionId)
        guard ledger[index].ownership != .familyShared else { throw .familyTransactionNotSupported }
        guard ledger[index].original == index else { throw .transactionIdIsNotOriginalTransactionId }
        guard let subscription = ledger[index].subscription, let target = retention.realtimeURL else {
            throw .invalidPerformanceTestRequest
        }
        guard retention.performanceTests.allSatisfy(\.isOver) else { throw .existingPerformanceTestRun }
        let run = PerformanceTestRun(
            requestId: identifiers.nextUUID(),
            subscription: subscription,
            target: target,
            startedAt: now,
            deadlineMilliseconds: settings.realtimeDeadlineMilliseconds
        )
        retention.performanceTests.append(run)
        scheduleGroup(ofTest: retention.performanceTests.count - 1)
        return PerformanceTestResponse(requestId: run.requestId, config: run.config)
    }

    /// The status of a performance test.
    ///
    /// - Source: Retention Messaging API, Get Performance Test Results.
    /// - Returns: `nil` outside the sandbox, where the call does not exist.
    /// - Throws: One of `AppStoreServerCall.getPerformanceTestResults.errors`.
    public func performanceTestResults(
        requestId: String
    ) throws(AppStoreServerAPIError) -> PerformanceTestResultResponse? {
        guard configuration.environment == .sandbox else { return nil }
        guard requestId.isUUID else { throw .invalidRequestId }
        guard let position = position(ofTest: requestId.lowercased()) else { throw .performanceTestRunNotFound }
        return retention.performanceTests[position].response
    }

    /// The performance-test requests that are due at the current time; the caller makes them concurrently.
    ///
    /// They stay due until ``recordPerformanceCall(_:answer:)`` records each result.
    ///
    /// - Throws: `signing_failed`.
    public mutating func duePerformanceCalls() throws(StoreError) -> [PerformanceTestCall] {
        var calls: [PerformanceTestCall] = []
        for run in retention.performanceTests where run.doneCount < run.dueCount {
            for _ in run.doneCount..<run.dueCount {
                let call = try realtimeCall(
                    about: run.subscription,
                    to: run.target,
                    locale: Self.performanceTestLocale,
                    purpose: .performanceTest
                )
                calls.append(PerformanceTestCall(requestId: run.requestId, call: call))
            }
        }
        return calls
    }

    /// Records the result of a performance-test request.
    ///
    /// An answer is successful if its form and its signatures are valid, whatever message it names.
    ///
    /// - Parameters:
    ///   - call: A request from ``duePerformanceCalls()``.
    ///   - answer: Its result.
    public mutating func recordPerformanceCall(_ call: PerformanceTestCall, answer: RealtimeAnswer) {
        guard let position = position(ofTest: call.requestId) else { return }
        var result = answer.result
        if result == .success {
            let deadline = call.call.deadlineMilliseconds
            do { _ = try acceptable(answer, deadlineMilliseconds: deadline) } catch { result = .invalidResponse }
        }
        let isAnswered = answer.httpStatus != nil
        retention.performanceTests[position].record(result, answeredIn: isAnswered ? answer.milliseconds : nil)
        if retention.performanceTests[position].hasPassed { retention.hasPassedPerformanceTest = true }
    }

    /// Makes the next group of a test's requests due.
    mutating func beginPerformanceGroup(ofTest position: Int) {
        retention.performanceTests[position].beginGroup()
        scheduleGroup(ofTest: position)
    }

    private mutating func scheduleGroup(ofTest position: Int) {
        guard let dueAt = retention.performanceTests[position].nextGroupDue else { return }
        schedule.push(.performanceTest(position), dueAt: dueAt)
    }

    private func position(ofTest requestId: String) -> Int? {
        retention.performanceTests.firstIndex { $0.requestId == requestId }
    }
}

/// A realtime request of a performance test.
public struct PerformanceTestCall: Hashable, Sendable {
    /// The test.
    public let requestId: String
    /// The request.
    public let call: RealtimeCall
}

extension PerformanceTestRequest {
    /// Reads the body of Initiate Performance Test.
    ///
    /// - Throws: Apple's error for the invalid field.
    public init(appleBody json: JSONObject) throws(AppStoreServerAPIError) {
        try self.init(appleBody: json, orThrow: { _ in .invalidPerformanceTestRequest })
    }
}
