import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Performance tests of the real-time URL` {
    private static let minute: Int64 = 60_000
    private static let threshold = 95

    @Test func `a test makes all of its requests within its time, with limited concurrency, and then has a result`()
        throws
    {
        var (store, id) = try subscriber()
        let test = try #require(try store.initiatePerformanceTest(request: .init(originalTransactionId: id)))
        let config = try #require(test.config)
        #expect(config.totalDuration == Self.minute && config.responseTimeThreshold == 700)
        let (start, total) = (store.now, try #require(config.totalRequests))
        #expect(try results(&store, test)?.result == .pending)
        let none = PerformanceTestResponseTimes(average: 0, p50: 0, p90: 0, p95: 0, p99: 0)
        #expect(try results(&store, test)?.responseTimes == none)
        #expect(try results(&store, test)?.numPending == Int32(total))
        var identifiers: Set<String> = []
        while let time = store.nextDue(atOrBefore: start + Self.minute) {
            try store.step(to: time)
            let calls = try store.duePerformanceCalls()
            #expect(calls.count == Int(try #require(config.maxConcurrentRequests)))
            #expect(calls.allSatisfy { $0.call.url == "https://shop.example/retention" })
            #expect(calls.allSatisfy { $0.call.request.signedDate == time })
            for call in calls {
                identifiers.insert(call.call.request.requestIdentifier)
                store.recordPerformanceCall(call, answer: good(in: Int64(identifiers.count)))
                store.recordPerformanceCall(call, answer: good(in: 1_000))
            }
        }
        #expect(store.now == start + Self.minute)
        #expect(identifiers.count == Int(total))
        #expect(try store.duePerformanceCalls().isEmpty)
        let result = try #require(try results(&store, test))
        #expect(result.result == .pass && result.successRate == 100 && result.numPending == 0)
        #expect(result.target == "https://shop.example/retention")
        #expect(result.failures?.counts == [:])
        #expect(store.retentionReport.hasPassedPerformanceTest)
    }

    @Test(arguments: [(0, true), (100 - threshold, true), (101 - threshold, false), (100, false)])
    func `a test passes if enough of its answers are valid`(failures: Int, passes: Bool) throws {
        var (store, id) = try subscriber()
        let test = try #require(try store.initiatePerformanceTest(request: .init(originalTransactionId: id)))
        var left = failures
        try carryOut(&store) {
            left -= 1
            return left >= 0 ? RealtimeAnswer(failure: .timedOut, milliseconds: 700) : good(in: 40)
        }
        let result = try #require(try results(&store, test))
        #expect(result.result == (passes ? .pass : .fail))
        #expect(result.successRate == Int32(100 - failures))
        #expect(result.failures?.counts == (failures == 0 ? [:] : [.timedOut: Int64(failures)]))
        let times = try #require(result.responseTimes)
        #expect(times.average == (failures == 100 ? 0 : 40))
        #expect([times.p50, times.p90, times.p95, times.p99].allSatisfy { $0 == times.average })
        #expect(store.retentionReport.hasPassedPerformanceTest == passes)
    }

    @Test func `times include all answers, and an answer of another form is a failure`() throws {
        var (store, id) = try subscriber()
        let test = try #require(try store.initiatePerformanceTest(request: .init(originalTransactionId: id)))
        var number: Int64 = 0
        try carryOut(&store) {
            number += 1
            switch number {
            case 1: return RealtimeAnswer(httpStatus: 503, body: [], milliseconds: number)
            case 2: return RealtimeAnswer(httpStatus: 200, body: Array("{}".utf8), milliseconds: number)
            default: return good(in: number)
            }
        }
        let result = try #require(try results(&store, test))
        #expect(result.failures?.counts == [.unsuccessfulHTTPResponseCode: 1, .invalidResponse: 1])
        #expect(result.successRate == 98)
        let times = try #require(result.responseTimes)
        #expect([times.average, times.p50, times.p90, times.p95, times.p99] == [50, 50, 90, 95, 99])
    }

    @Test func `one test runs at a time, for a purchaser's subscription, with a URL, in the sandbox`() throws {
        var (store, id) = try subscriber()
        let coins = try store.purchase(accountId: "a", request: PurchaseRequest(productId: "coins.100")).transactionId
        let app = try store.account("a").appTransactionId
        let table: [(String, AppStoreServerAPIError)] = [
            ("x", .invalidTransactionId), ("2000000000009999", .invalidTransactionId),
            (app, .appTransactionIdNotSupported), (coins, .invalidPerformanceTestRequest),
        ]
        func initiate(_ id: String) -> AppStoreServerAPIError? {
            result { _ = try store.initiatePerformanceTest(request: PerformanceTestRequest(originalTransactionId: id)) }
        }
        for (id, error) in table { #expect(initiate(id) == error) }
        #expect(initiate(id) == nil)
        #expect(initiate(id) == .existingPerformanceTestRun)
        try carryOut(&store) { good(in: 1) }
        let renewed = try store.account("a").transactions.last { $0.productId == "pro.weekly" }?.transactionId
        #expect(initiate(try #require(renewed)) == .transactionIdIsNotOriginalTransactionId)
        #expect(initiate(id) == nil)
        try carryOut(&store) { good(in: 1) }
        try store.deleteRealtimeURL()
        #expect(initiate(id) == .invalidPerformanceTestRequest)
        #expect(result { _ = try store.performanceTestResults(requestId: "x") } == .invalidRequestId)
        #expect(result { _ = try store.performanceTestResults(requestId: uuid(1)) } == .performanceTestRunNotFound)
        #expect(
            result { _ = try PerformanceTestRequest(appleBody: [:]) } == .invalidPerformanceTestRequest
        )
        var production = try StoreTranscript(at: 0, environment: .production).store
        #expect(try production.initiatePerformanceTest(request: .init(originalTransactionId: id)) == nil)
        #expect(try production.performanceTestResults(requestId: uuid(1)) == nil)
    }

    @Test func `a family member's subscription is not tested`() throws {
        var (store, _) = try subscriber()
        _ = try store.createAccount(accountId: "b")
        try store.addFamilyMember(accountId: "a", member: "b")
        _ = try store.purchase(accountId: "a", request: PurchaseRequest(productId: "lifetime"))
        let shared = try #require(try store.account("b").transactions.first).transactionId
        #expect(
            result { _ = try store.initiatePerformanceTest(request: .init(originalTransactionId: shared)) }
                == .familyTransactionNotSupported
        )
    }

    /// A store with a realtime URL and a subscriber who is about to renew, so that renewals occur between the requests.
    private func subscriber() throws -> (LocalAppStore, id: String) {
        var transcript = try StoreTranscript.withAccount(at: 0, environment: .sandbox)
        let id = try transcript.buy("pro.weekly").originalTransactionId
        var store = transcript.store
        try store.setNotificationEndpoint(url: nil)
        try store.step(to: 7 * dayLength - 2 * hourLength)
        try store.step(to: 7 * dayLength + 1)
        try store.configureRealtimeURL(request: RealtimeUrlRequest(realtimeURL: "https://shop.example/retention"))
        return (store, id)
    }

    private func good(in milliseconds: Int64) -> RealtimeAnswer {
        let body = RealtimeResponseBody.message(uuid(404)).jsonBytes
        return RealtimeAnswer(httpStatus: 200, body: body, milliseconds: milliseconds)
    }

    /// Advances the clock by the duration of a test and answers each request.
    private func carryOut(_ store: inout LocalAppStore, answer: () -> RealtimeAnswer) throws {
        let end = store.now + Self.minute
        while let time = store.nextDue(atOrBefore: end) {
            try store.step(to: time)
            for call in try store.duePerformanceCalls() { store.recordPerformanceCall(call, answer: answer()) }
        }
        try store.step(to: end)
    }

    private func results(
        _ store: inout LocalAppStore,
        _ test: PerformanceTestResponse
    ) throws -> PerformanceTestResultResponse? {
        try store.performanceTestResults(requestId: test.requestId.uppercased())
    }
}
