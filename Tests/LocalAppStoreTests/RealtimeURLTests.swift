import AppStoreModel
import Foundation
import LocalAppStore
import Testing

@Suite struct `The real-time URL and its faults` {
    @Test(arguments: [
        ("https://shop.example/retention", true), ("HTTPS://shop.example:8443/?a=b", true),
        ("http://127.0.0.1:8080/retention", true), ("http://[::1]:8080/", true), ("http://localhost:8080/", true),
        ("http://app:8080/retention", true), ("http://shop.example/retention", false),
        ("http://127.shop.example/", false), ("http://10.0.0.1/", false), ("ftp://shop.example/", false),
        ("https://", false), ("https:///retention", false), ("https://user@shop.example/", false), ("", false),
        ("shop.example/retention", false), ("https://shop.example/ä", false), ("https://shop.example/a b", false),
        ("https://shop.example/" + String(repeating: "a", count: 235), true),
        ("https://shop.example/" + String(repeating: "a", count: 236), false),
    ])
    func `a URL is HTTPS, or on this machine or beside it, and of 256 characters at most`(url: String, isGood: Bool)
        throws
    {
        var store = try StoreTranscript(at: 0, environment: .sandbox).store
        let error = result { try store.configureRealtimeURL(request: RealtimeUrlRequest(realtimeURL: url)) }
        #expect(error == (isGood ? nil : .badRequestRealtimeUrl))
        #expect(store.retentionReport.realtimeURL == (isGood ? url : nil))
    }

    @Test(arguments: [
        ("https://shop.example/n", true), ("http://127.0.0.1:8080/n", true), ("http://[::1]/n", true),
        ("HTTP://localhost:8080/n", true), ("http://shop.example/n", false), ("http://app:8080/n", false),
        ("http://127.shop.example/n", false), ("http://127.0.0.1@shop.example/n", false),
    ])
    func `production sends over plain HTTP to this machine only, the sandbox to any`(url: String, isGood: Bool) throws {
        var store = try StoreTranscript(at: 0, environment: .production).store
        if isGood {
            try store.setNotificationEndpoint(url: url)
        } else {
            expectRefusal(.urlInvalid, .invalid) { try store.setNotificationEndpoint(url: url) }
        }
        store.setPassedPerformanceTest(true)
        let error = result { try store.configureRealtimeURL(request: RealtimeUrlRequest(realtimeURL: url)) }
        #expect(error == (isGood ? nil : .badRequestRealtimeUrl))
        var sandbox = try StoreTranscript(at: 0, environment: .sandbox).store
        try sandbox.setNotificationEndpoint(url: url)
    }

    @Test func `production accepts a URL only after a successful performance test in the sandbox`() throws {
        var store = try StoreTranscript(at: 0, environment: .production).store
        let request = RealtimeUrlRequest(realtimeURL: "https://shop.example/")
        #expect(result { try store.configureRealtimeURL(request: request) } == .forbiddenNoPassingTest)
        store.setPassedPerformanceTest(true)
        #expect(result { try store.configureRealtimeURL(request: request) } == nil)
    }

    @Test func `a URL is set, read, replaced and deleted`() throws {
        var store = try StoreTranscript(at: 0, environment: .sandbox).store
        #expect(result { _ = try store.realtimeURL() } == .realtimeUrlNotFound)
        #expect(result { try store.deleteRealtimeURL() } == .realtimeUrlNotFound)
        for url in ["https://shop.example/1", "https://shop.example/2"] {
            try store.configureRealtimeURL(request: RealtimeUrlRequest(realtimeURL: url))
            #expect(try store.realtimeURL().realtimeURL == url)
        }
        try store.deleteRealtimeURL()
        #expect(result { _ = try store.realtimeURL() } == .realtimeUrlNotFound)
        #expect(result { _ = try RealtimeUrlRequest(appleBody: ["realtimeURL": 7]) } == .badRequestRealtimeUrl)
    }

    @Test func `faults affect the requests of their purpose, and none is delayed`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0, environment: .sandbox)
        let id = try transcript.buy("pro.monthly").originalTransactionId
        try transcript.store.setNotificationEndpoint(url: nil)
        try transcript.store.configureRealtimeURL(request: RealtimeUrlRequest(realtimeURL: "https://shop.example/"))
        transcript.store.replaceFaults(
            FaultPlan(realtime: [
                FaultRule(.delay(.hours(1)), frequency: .probability(1)),
                FaultRule(.reset, target: .performanceTest, frequency: .count(5)),
                FaultRule(.status(500), target: .cancelPage, frequency: .count(1)),
                FaultRule(.drop, frequency: .probability(1)),
            ])
        )
        #expect(try transcript.store.openCancelPage(originalTransactionId: id).call?.fault == .status(500))
        #expect(try transcript.store.openCancelPage(originalTransactionId: id).call?.fault == .drop)
        let request = PerformanceTestRequest(originalTransactionId: id)
        _ = try transcript.store.initiatePerformanceTest(request: request)
        try transcript.store.step(to: try #require(transcript.store.nextDue(atOrBefore: .max)))
        #expect(try transcript.store.duePerformanceCalls().map(\.call.fault) == Array(repeating: .reset, count: 5))
        #expect(transcript.store.faults.realtime.map(\.happened) == [5, 1, 1])
    }

    @Test func `an encoded and decoded store has all of it`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0, environment: .sandbox)
        let id = try transcript.buy("pro.monthly").originalTransactionId
        var store = transcript.store
        try store.uploadImage(uuid(1), file: fullSizeFile)
        try store.uploadStay(2)
        let request = DefaultConfigurationRequest(messageIdentifier: uuid(2))
        try store.configureDefaultMessage(productId: "pro.monthly", locale: "en-US", request: request)
        try store.configureRealtimeURL(request: RealtimeUrlRequest(realtimeURL: "https://shop.example/"))
        let test = try #require(try store.initiatePerformanceTest(request: .init(originalTransactionId: id)))
        let group = try store.makeCustomerGroup(.consumer, members: [.init(accountId: "a")])
        let again = try JSONDecoder().decode(LocalAppStore.self, from: JSONEncoder().encode(store))
        #expect(again.retentionReport == store.retentionReport)
        #expect(try again.performanceTestResults(requestId: test.requestId)?.result == .pending)
        #expect(again.nextDue(atOrBefore: .max) == store.nextDue(atOrBefore: .max))
        #expect(try again.customerGroups(anyTransactionId: id)?.groups.map(\.groupId) == [group.groupId])
    }
}
