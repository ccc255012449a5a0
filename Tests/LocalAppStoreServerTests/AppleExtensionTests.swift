import AppStoreModel
import AppStoreSigning
import NIOHTTP1
import Testing

/// Extensions and the notification history, as a client library calls them.
@Suite struct `Renewal extensions over HTTP` {
    @Test func `an extension moves the renewal date and is announced to the developer`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                let id = try await payingSubscriber(of: store)
                let answer = try await store.apple(.PUT, "/inApps/v1/subscriptions/extend/\(id)", extensionBody)
                #expect(answer.status == 200)
                #expect(answer.json["success"].boolValue == true)
                #expect(answer.json["originalTransactionId"].stringValue == id)
                let sent = try store.verifier.verifyNotification(try #require(await developer.log.payloads.last)).get()
                #expect(sent.payload.notificationType == .renewalExtended)
                #expect(sent.transaction?.expiresDate == answer.json["effectiveDate"].integerValue)
            }
        }
    }

    @Test func `a mass extension is accepted, waits, and ends with a summary`() async throws {
        try await withStore { store in
            _ = try await payingSubscriber(of: store)
            var body = extensionBody.objectValue ?? JSONObject()
            let id = "6e0e2a4c-aaaa-4bbb-8ccc-0123456789ab"
            body["productId"] = "pro.weekly"
            body["requestIdentifier"] = .string(id)
            let path = "/inApps/v1/subscriptions/extend/mass"
            let accepted = try await store.apple(.POST, path, .object(body))
            #expect(accepted.status == 200)
            #expect(accepted.json["requestIdentifier"].stringValue == id)
            let waiting = try await store.apple(.GET, "\(path)/pro.weekly/\(id)")
            #expect(waiting.json == ["requestIdentifier": .string(id), "complete": false])
            _ = try await store.advance(by: "PT1H")
            let complete = try await store.apple(.GET, "\(path)/pro.weekly/\(id)")
            #expect(complete.json["complete"].boolValue == true)
            #expect(complete.json["succeededCount"].integerValue == 1)
            #expect(complete.json["failedCount"].integerValue == 0)
        }
    }

    @Test func `the history is requested with a body and paged with a token`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                for _ in 0..<21 { _ = try await store.buy("coins.100") }
                let path = "/inApps/v1/notifications/history"
                let body: JSONValue = ["startDate": .integer(RunningStore.start - 1), "endDate": .integer(.max)]
                let first = try await store.apple(.POST, path, body)
                #expect(first.status == 200)
                #expect(first.json["hasMore"].boolValue == true)
                let token = try #require(first.json["paginationToken"].stringValue)
                let second = try await store.apple(.POST, "\(path)?paginationToken=\(token)", body)
                #expect(second.json["notificationHistory"].arrayValue?.count == 1)
                #expect(second.json["notificationHistory"][0]["sendAttempts"][0]["sendAttemptResult"] == "SUCCESS")
                let last = try #require(second.json["notificationHistory"][0]["signedPayload"].stringValue)
                #expect(last == (await developer.log.payloads.last))
            }
        }
    }

    @Test(
        arguments: [
            (HTTPMethod.PUT, "/inApps/v1/subscriptions/extend/2000000000000001", "{}", 400, 4_000_009),
            (.PUT, "/inApps/v1/subscriptions/extend/2000000000000001", "{", 400, nil),
            (.PUT, "/inApps/v1/subscriptions/extend/2000000000000001", "", 400, nil),
            (.PUT, "/inApps/v1/subscriptions/extend/2000000000000001", "[]", 400, nil),
            (.POST, "/inApps/v1/subscriptions/extend/mass", "{}", 400, 4_000_011),
            (.GET, "/inApps/v1/subscriptions/extend/mass/pro.weekly/x", "", 400, 4_000_011),
            (.GET, "/inApps/v1/subscriptions/extend/mass/pro.weekly/outage%201", "", 400, 4_000_011),
            (
                .GET, "/inApps/v1/subscriptions/extend/mass/pro.weekly/6e0e2a4c-aaaa-4bbb-8ccc-0123456789ab", "", 404,
                4_040_009
            ),
            (.POST, "/inApps/v1/notifications/history", "{}", 400, 4_000_015),
            (
                .POST, "/inApps/v1/notifications/history?paginationToken=x", #"{"startDate":1,"endDate":2}"#, 400,
                4_000_014
            ),
        ] as [(HTTPMethod, String, String, Int, Int64?)]
    )
    func `a bad request gets Apple's answer, and malformed JSON a 400 without a code`(
        method: HTTPMethod,
        path: String,
        body: String,
        status: Int,
        code: Int64?
    ) async throws {
        try await withStore { store in
            let token = try store.token()
            let answer = try await store.send(method, path, body: Array(body.utf8), token: token)
            #expect(answer.status == status)
            #expect(answer.json["errorCode"].integerValue == code)
            #expect(answer.bytes.isEmpty == (code == nil))
        }
    }

    private let extensionBody: JSONValue = [
        "extendByDays": 10, "extendReasonCode": 3, "requestIdentifier": "outage 1",
    ]

    private func payingSubscriber(of store: RunningStore) async throws -> String {
        try #require(try await store.buy("pro.weekly")["originalTransactionId"].stringValue)
    }
}
