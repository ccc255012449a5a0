import AppStoreModel
import AppStoreSigning
import NIOHTTP1
import Testing

/// A customer on the cancellation page of a subscription, and the developer's server.
@Suite struct `The cancel page over HTTP` {
    private static let path = "/inApps/v1/messaging"
    /// Longer than any answer on a loopback interface takes.
    private static let timeouts: Int64 = 20_000

    @Test func `the developer's server is called, and its message shown`() async throws {
        try await withVisitor { store, developer, page in
            let answer = try await store.post(page, ["locale": "de-DE"]).json
            #expect(answer["shown"] == "realtime")
            #expect(answer["message"]["messageIdentifier"] == .string(uuid(2)))
            #expect(answer["message"]["content"]["header"] == "Real")
            #expect(answer["alternateProduct"] == ["productId": "pro.yearly"])
            #expect(answer["request"]["result"] == "SUCCESS" && answer["request"]["httpStatus"] == 200)
            let asked = try #require(await developer.log.realtimeRequests.first)
            #expect(answer["request"]["signedPayload"].stringValue == asked)
            let request = try store.verifier.verifyRealtimeRequest(asked).get()
            #expect(request.userLocale == "de-DE" && request.productId == "pro.monthly")
            #expect(request.requestIdentifier == answer["request"]["requestIdentifier"].stringValue)
        }
    }

    @Test(arguments: [
        ("drop", "realtime_timed_out", "TIMED_OUT", 0), ("duplicate", nil, "SUCCESS", 2),
        ("truncate", "realtime_status", "UNSUCCESSFUL_HTTP_RESPONSE_CODE", 0),
        ("status", "realtime_status", "UNSUCCESSFUL_HTTP_RESPONSE_CODE", 1), ("slow", nil, "SUCCESS", 1),
        ("reset", "realtime_unreachable", "SOCKET_ISSUE", 0),
    ])
    func `a fault of the transfer leads to the default`(
        fault: String,
        refusal: String?,
        result: String,
        arrivals: Int
    ) async throws {
        try await withVisitor { store, developer, page in
            var rule: JSONObject = ["fault": .string(fault), "purpose": "cancel_page", "count": 1]
            if fault == "slow" { rule["milliseconds"] = 1 }
            #expect(try await store.put("/_store/faults", ["realtime": [.object(rule)]]).status == 200)
            let answer = try await store.post(page).json
            #expect(answer["shown"].stringValue == (refusal == nil ? "realtime" : "default"))
            #expect(answer["message"]["messageIdentifier"] == .string(uuid(refusal == nil ? 2 : 1)))
            #expect(answer["realtimeRefusal"]["code"].stringValue == refusal)
            #expect(answer["request"]["result"].stringValue == result)
            #expect(await developer.log.realtimeRequests.count == arrivals)
            #expect(try await store.get("/_store/faults").json["realtime"][0]["happened"] == 1)
            #expect(try await store.post(page).json["shown"] == "realtime")
        }
    }

    @Test(arguments: [
        ("silence", "realtime_timed_out", "TIMED_OUT"),
        ("nothing", "realtime_status", "UNSUCCESSFUL_HTTP_RESPONSE_CODE"),
        ("moved/307", "realtime_status", "UNSUCCESSFUL_HTTP_RESPONSE_CODE"),
        ("flood", "realtime_answer_malformed", "INVALID_RESPONSE"), ("landing", "realtime_answer_malformed", "SUCCESS"),
    ])
    func `an invalid answer leads to the default`(
        target: String,
        refusal: String,
        result: String
    ) async throws {
        try await withVisitor { store, developer, page in
            if target == "silence" {
                _ = try await store.put("/_store/settings", ["realtimeDeadlineMilliseconds": 20])
            }
            try await setURL("http://127.0.0.1:\(developer.port)/\(target)", of: store)
            let answer = try await store.post(page).json
            #expect(answer["shown"] == "default")
            #expect(answer["realtimeRefusal"]["code"].stringValue == refusal)
            #expect(answer["request"]["result"].stringValue == result)
            // On a busy machine even a refused connection takes longer than a short deadline.
            _ = try await store.put("/_store/settings", ["realtimeDeadlineMilliseconds": .integer(Self.timeouts)])
            try await setURL("http://127.0.0.1:1/nobody", of: store)
            #expect(try await store.post(page).json["realtimeRefusal"]["code"] == "realtime_unreachable")
        }
    }

    @Test func `the developer's server is called with TLS 1.2 at least`() async throws {
        let listener = try await ClientHelloListener.start()
        try await withVisitor { store, _, page in
            try await setURL("https://127.0.0.1:\(listener.port)/retention", of: store)
            #expect(try await store.post(page).json["realtimeRefusal"]["code"] == "realtime_unreachable")
        }
        let hello = try #require(try await listener.finish())
        #expect(hello.versions.sorted() == [ClientHello.tls12, ClientHello.tls13])
    }

    @Test func `without a URL and a default the customer sees the plain page`() async throws {
        try await withVisitor { store, _, page in
            #expect(try await store.apple(.DELETE, "\(Self.path)/realtime/url").status == 200)
            let answer = try await store.post(page, ["locale": "fr-FR"]).json
            #expect(answer["shown"] == "nothing" && answer["message"] == .null && answer["request"] == .null)
            #expect(answer["realtimeRefusal"]["code"] == "realtime_url_not_set")
            #expect(answer["defaultRefusal"]["code"] == "default_not_set")
        }
    }

    @Test func `a performance test calls the URL as the clock moves, and then has a result`() async throws {
        try await withVisitor { store, developer, page in
            let plan: JSONValue = [
                "realtime": [["fault": "status", "status": 500, "purpose": "performance_test", "count": 3]]
            ]
            _ = try await store.put("/_store/faults", plan)
            let id = String(page.split(separator: "/")[2])
            let begun = try await store.apple(
                .POST,
                "\(Self.path)/performanceTest",
                ["originalTransactionId": .string(id)]
            )
            let requestId = try #require(begun.json["requestId"].stringValue)
            let total = try #require(begun.json["config"]["totalRequests"].integerValue)
            let target = "\(Self.path)/performanceTest/result/\(requestId)"
            let pending = try await store.apple(.GET, target).json
            #expect(pending["result"] == "PENDING" && pending["numPending"].integerValue == total)
            _ = try await store.advance(by: "PT30S")
            #expect(try await store.apple(.GET, target).json["numPending"].integerValue == total / 2)
            #expect(await developer.log.realtimeRequests.count == Int(total / 2))
            _ = try await store.advance(by: "PT30S")
            let over = try await store.apple(.GET, target).json
            #expect(over["result"] == "PASS" && over["successRate"] == 97 && over["numPending"] == 0)
            #expect(over["failures"] == ["UNSUCCESSFUL_HTTP_RESPONSE_CODE": 3])
            #expect(over["target"].stringValue == developer.retentionURL)
            #expect(try #require(over["responseTimes"]["p99"].integerValue) < Self.timeouts)
            let asked = await developer.log.realtimeRequests
            #expect(Set(asked).count == Int(total))
            for signed in asked {
                #expect(try store.verifier.verifyRealtimeRequest(signed).get().originalTransactionId == id)
            }
            #expect(try await store.get("/_store/retention").json["performanceTestPassed"] == true)
        }
    }

    /// A store with a subscriber, the default message 1, and a developer's server that offers another product with the
    /// message 2.
    private func withVisitor(
        _ body: (_ store: RunningStore, _ developer: DeveloperServer, _ page: String) async throws -> Void
    ) async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                let id = try #require(try await store.buy("pro.monthly")["originalTransactionId"].stringValue)
                for (number, header) in [(1, "Default"), (2, "Real")] {
                    let message: JSONValue = ["header": .string(header), "body": "We would miss you."]
                    #expect(try await store.apple(.PUT, "\(Self.path)/message/\(uuid(number))", message).status == 200)
                }
                let defaults: JSONValue = ["messageIdentifier": .string(uuid(1))]
                #expect(try await store.apple(.PUT, "\(Self.path)/default/pro.monthly/en-US", defaults).status == 200)
                let deadline: JSONValue = ["realtimeDeadlineMilliseconds": .integer(Self.timeouts)]
                #expect(try await store.put("/_store/settings", deadline).status == 200)
                await developer.log.answerRealtime([
                    "alternateProduct": ["messageIdentifier": .string(uuid(2)), "productId": "pro.yearly"]
                ])
                try await setURL(developer.retentionURL, of: store)
                try await body(store, developer, "/_store/subscriptions/\(id)/cancel-page")
            }
        }
    }

    private func setURL(_ url: String, of store: RunningStore) async throws {
        let answer = try await store.apple(.PUT, "\(Self.path)/realtime/url", ["realtimeURL": .string(url)])
        #expect(answer.status == 200)
    }
}
