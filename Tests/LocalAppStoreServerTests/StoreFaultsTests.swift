import AppStoreModel
import LocalAppStore
import NIOHTTP1
import Testing

/// Injected faults, as seen by a developer's server and a client library.
@Suite struct `Faults over HTTP` {
    @Test(arguments: [
        ("drop", "TIMED_OUT", 0), ("duplicate", "SUCCESS", 2), ("status", "UNSUCCESSFUL_HTTP_RESPONSE_CODE", 1),
        ("truncate", "UNSUCCESSFUL_HTTP_RESPONSE_CODE", 0), ("slow", "SUCCESS", 1), ("reset", "SOCKET_ISSUE", 0),
    ])
    func `a fault is visible at the developer's server and in the attempts`(
        fault: String,
        result: String,
        arrivals: Int
    ) async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                var rule: JSONObject = ["fault": .string(fault), "count": 1]
                if fault == "slow" { rule["milliseconds"] = 1 }
                let plan: JSONValue = ["deliveries": [.object(rule)]]
                #expect(try await store.put("/_store/faults", plan).status == 200)
                _ = try await store.buy("coins.100")
                let sent = try await store.get("/_store/notifications").json["notifications"][0]
                #expect(sent["attempts"][0]["sendAttemptResult"].stringValue == result)
                #expect(await developer.log.payloads.count == arrivals)
                let left = try await store.get("/_store/faults").json["deliveries"][0]
                #expect(left["count"] == 0 && left["happened"] == 1)
            }
        }
    }

    @Test func `a null member of another fault is ignored`() async throws {
        try await withStore { store in
            let plan: JSONValue = ["deliveries": [["fault": "drop", "by": .null, "status": .null, "count": 1]]]
            let answer = try await store.put("/_store/faults", plan)
            #expect(answer.status == 200)
        }
    }

    @Test func `a delayed notification arrives at its time`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                let plan: JSONValue = ["deliveries": [["fault": "delay", "by": "PT2H"]]]
                #expect(try await store.put("/_store/faults", plan).status == 200)
                _ = try await store.buy("coins.100")
                #expect(await developer.log.payloads.isEmpty)
                _ = try await store.advance(by: "PT2H")
                #expect(await developer.log.payloads.count == 1)
            }
        }
    }

    @Test func `calls of Apple's API fail as configured`() async throws {
        try await withStore { store in
            let id = try #require(try await store.buy("coins.100")["transactionId"].stringValue)
            let path = "/inApps/v1/transactions/\(id)"
            let plan: JSONValue = [
                "api": [
                    ["fault": "rate_limit", "by": "PT5M", "count": 1], ["fault": "server_error", "count": 1],
                    ["fault": "timeout", "milliseconds": 1, "count": 1],
                    ["fault": "malformed_body", "endpoint": "getTransactionInfo", "count": 1],
                ]
            ]
            #expect(try await store.put("/_store/faults", plan).status == 200)
            let limited = try await store.apple(.GET, path)
            #expect(limited.status == 429)
            #expect(limited.headers.first(name: "Retry-After") == "\(RunningStore.start + 300_000)")
            let failed = try await store.apple(.GET, path)
            #expect(failed.status == 500 && failed.json["errorCode"] == 5_000_001)
            let silent = try await store.apple(.GET, path)
            #expect(silent.status == 504 && silent.bytes.isEmpty)
            let broken = try await store.apple(.GET, path)
            #expect(broken.status == 200 && broken.json == .null)
            #expect(try await store.apple(.GET, path).json["signedTransactionInfo"].stringValue != nil)
        }
    }

    @Test(arguments: [
        (#"{"delivery": []}"#, 400, "unknown_field", "delivery"),
        (#"{"deliveries": {}}"#, 400, "wrong_type", "deliveries"),
        (#"{"deliveries": [1]}"#, 400, "wrong_type", "deliveries[0]"),
        (#"{"deliveries": [{}]}"#, 400, "missing_field", "deliveries[0].fault"),
        (#"{"deliveries": [{"fault": "rate_limit"}]}"#, 400, "unknown_value", "deliveries[0].fault"),
        (
            #"{"deliveries": [{"fault": "drop", "probability": 2}]}"#, 400, "out_of_range",
            "deliveries[0].probability"
        ),
        (
            #"{"deliveries": [{"fault": "drop", "probability": 1, "count": 1}]}"#, 400, "ambiguous_frequency",
            "deliveries[0].probability"
        ),
        (
            #"{"deliveries": [{"fault": "drop", "notificationType": "SOUP"}]}"#, 400, "unknown_value",
            "deliveries[0].notificationType"
        ),
        (#"{"deliveries": [{"fault": "delay", "by": "soon"}]}"#, 422, "duration_invalid", "deliveries[0].by"),
        (#"{"api": [{"fault": "timeout", "milliseconds": 0}]}"#, 400, "out_of_range", "api[0].milliseconds"),
        (#"{"api": [{"fault": "timeout", "endpoint": "getSoup"}]}"#, 400, "unknown_value", "api[0].endpoint"),
        (#"{"deliveries": [{"fault": "drop", "by": "PT2H"}]}"#, 400, "field_not_applicable", "deliveries[0].by"),
        (
            #"{"deliveries": [{"fault": "status", "milliseconds": 5}]}"#, 400, "field_not_applicable",
            "deliveries[0].milliseconds"
        ),
        (#"{"api": [{"fault": "timeout", "retryable": true}]}"#, 400, "field_not_applicable", "api[0].retryable"),
        (#"{"realtime": [{"fault": "slow", "status": 500}]}"#, 400, "field_not_applicable", "realtime[0].status"),
    ])
    func `an invalid fault plan is refused with the path of its field`(
        body: String,
        status: Int,
        code: String,
        path: String
    ) async throws {
        try await withStore { store in
            let answer = try await store.send(.PUT, "/_store/faults", body: Array(body.utf8))
            #expect(answer.status == status)
            #expect(answer.errorCode == code)
            #expect(answer.json["error"]["path"].stringValue == path)
        }
    }
}
