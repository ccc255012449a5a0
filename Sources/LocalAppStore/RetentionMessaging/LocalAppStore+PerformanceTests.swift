public import AppStoreModel

extension LocalAppStore {
    /// The locale that a performance test asks for.
    private static let performanceTestLocale = "en-US"

    /// Begins a performance test of the real-time URL, which goes on as the clock does.
    ///
    /// - Source: Retention Messaging API, Initiate Performance Test.
    /// - Returns: `nil` outside the sandbox, where the call does not exist.
    /// - Throws: 4000006, 4000048, 4000185, 4000187; 4000211 for what is no subscription, or without a URL; 4000213.
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

    /// How a performance test goes, or went.
    ///
    /// - Source: Retention Messaging API, Get Performance Test Results.
    /// - Returns: `nil` outside the sandbox, where the call does not exist.
    /// - Throws: 4000212 for what is no UUID, 4040018.
    public func performanceTestResults(
        requestId: String
    ) throws(AppStoreServerAPIError) -> PerformanceTestResultResponse? {
        guard configuration.environment == .sandbox else { return nil }
        guard isUUID(requestId) else { throw .invalidRequestId }
        guard let position = position(ofTest: requestId.lowercased()) else { throw .performanceTestRunNotFound }
        return retention.performanceTests[position].response
    }

    /// The requests of performance tests that are to be made at the present instant, all of them at the same time.
    ///
    /// They are made again until ``recordPerformanceCall(_:answer:)`` says how each went.
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

    /// Records what came of a request of a performance test.
    ///
    /// An answer counts that customers could be shown by its form and its signatures, whatever message it names.
    ///
    /// - Parameters:
    ///   - call: One that ``duePerformanceCalls()`` listed.
    ///   - answer: What came of it.
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

    /// Lets the next group of a test's requests be due now.
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

/// A real-time request that a performance test makes.
public struct PerformanceTestCall: Hashable, Sendable {
    /// The test.
    public let requestId: String
    /// The request.
    public let call: RealtimeCall
}

extension PerformanceTestRequest {
    /// Reads the body of Initiate Performance Test.
    ///
    /// - Throws: 4000211.
    public init(appleBody json: JSONObject) throws(AppStoreServerAPIError) {
        try self.init(appleBody: json, orThrow: { _ in .invalidPerformanceTestRequest })
    }
}
