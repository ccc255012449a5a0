import AppStoreModel
import AppStoreSigning
import LocalAppStoreServer
import Testing

/// The delivery of notifications to the developer's server.
@Suite struct `Deliveries over HTTP` {
    private static let hour: Int64 = 3_600_000

    @Test func `a purchase is delivered before the answer, and a renewal when it is due`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                let bought = try await store.buy("pro.weekly")
                #expect(await developer.log.payloads.count == 1)
                let report = try await store.advance(by: "P7D")
                #expect(report["notifications"]["sent"].integerValue == 1)
                #expect(report["notifications"]["failed"].integerValue == 0)

                let notifications = try await developer.log.payloads.map {
                    try store.verifier.verifyNotification($0).get()
                }
                #expect(notifications.map(\.payload.notificationType) == [.subscribed, .didRenew])
                #expect(notifications.map(\.payload.subtype) == [.initialBuy, nil])
                let first = try #require(notifications.first?.transaction)
                #expect(first.transactionId == bought["transactionId"].stringValue)
                let renewal = try #require(notifications.last?.transaction)
                #expect(renewal.originalTransactionId == first.transactionId)
                #expect(renewal.purchaseDate == first.expiresDate)
                #expect(notifications.last?.renewalInfo?.renewalDate == renewal.expiresDate)
            }
        }
    }

    @Test(arguments: [1, 3, 5])
    func `production retries 1, 12, 24, 48 and 72 hours after the previous attempt`(failures: Int) async throws {
        try await withStore(environment: .production) { store in
            try await withDeveloperServer { developer in
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                await developer.log.answerNotifications(Array(repeating: 503, count: failures))
                _ = try await store.buy("lifetime")
                let report = try await store.advance(by: "P30D")
                #expect(report["notifications"]["sent"].integerValue == 1)
                #expect(report["notifications"]["failed"].integerValue == Int64(failures - 1))

                let attempts = try await store.get("/_store/notifications").json["notifications"][0]["attempts"]
                let times = attempts.arrayValue?.map { $0["attemptDate"].integerValue } ?? []
                let schedule = [0, 1, 13, 37, 85, 157].prefix(failures + 1).map { RunningStore.start + $0 * Self.hour }
                #expect(times == schedule)
                let results = attempts.arrayValue?.compactMap { $0["sendAttemptResult"].stringValue } ?? []
                let failed = Array(repeating: "UNSUCCESSFUL_HTTP_RESPONSE_CODE", count: failures)
                #expect(results == failed + ["SUCCESS"])
                #expect(Set(await developer.log.payloads).count == 1)
            }
        }
    }

    @Test func `production stops after the sixth attempt`() async throws {
        try await withStore(environment: .production) { store in
            try await withDeveloperServer { developer in
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                await developer.log.answerNotifications(Array(repeating: 500, count: 10))
                _ = try await store.buy("lifetime")
                let report = try await store.advance(by: "P60D")
                #expect(report["notifications"]["failed"].integerValue == 5)
                #expect(await developer.log.payloads.count == 6)
            }
        }
    }

    @Test func `the sandbox tries once`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                await developer.log.answerNotifications([503])
                _ = try await store.buy("lifetime")
                let report = try await store.advance(by: "P30D")
                #expect(report["notifications"]["sent"].integerValue == 0)
                #expect(await developer.log.payloads.count == 1)
            }
        }
    }

    @Test(arguments: [(200, "SUCCESS"), (206, "SUCCESS"), (207, "UNSUCCESSFUL_HTTP_RESPONSE_CODE")])
    func `200 to 206 is success, anything else is not`(status: Int, result: String) async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                await developer.log.answerNotifications([status])
                _ = try await store.buy("lifetime")
                #expect(try await lastResult(store) == result)
            }
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is not followed and not a success`(status: Int) async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                let url = "http://127.0.0.1:\(developer.port)/moved/\(status)"
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(url)])
                _ = try await store.buy("lifetime")
                #expect(try await lastResult(store) == "UNSUCCESSFUL_HTTP_RESPONSE_CODE")
            }
        }
    }

    @Test func `a scheme in capitals is accepted`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                let url = "HTTP://127.0.0.1:\(developer.port)/notifications"
                let answer = try await store.put("/_store/notification-endpoint", ["url": .string(url)])
                #expect(answer.json["url"].stringValue == developer.notificationURL)
                _ = try await store.buy("lifetime")
                #expect(try await lastResult(store) == "SUCCESS")
            }
        }
    }

    @Test func `an endpoint that is removed and replaced during a delivery does not stop an advance`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await store.buy("pro.weekly")
                let held = "http://127.0.0.1:\(developer.port)/held"
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(held)])
                async let advanced = store.advance(by: "P7D")
                await developer.log.heldNotifications.first { true }
                _ = try await store.put("/_store/notification-endpoint", ["url": .null])
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                await developer.log.releaseNotification()
                #expect(try await advanced["steps"].integerValue == 1)
                // The attempt belonged to a cancelled delivery.
                #expect(try await lastResult(store) == nil)
                _ = try await store.advance(by: "P7D")
                #expect(try await lastResult(store) == "SUCCESS")
            }
        }
    }

    @Test func `a server that does not answer in time times out`() async throws {
        let configuration = LocalAppStoreServer.Configuration(port: 0, deliveryDeadline: .milliseconds(200))
        try await withStore(configuration: configuration) { store in
            try await withDeveloperServer { developer in
                let url = "http://127.0.0.1:\(developer.port)/silence"
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(url)])
                _ = try await store.buy("coins.100")
                #expect(try await lastResult(store) == "TIMED_OUT")
            }
        }
    }

    @Test func `each kind of failure has Apple's name`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                let failures = [
                    ("http://127.0.0.1:\(developer.port)/circle", "UNSUCCESSFUL_HTTP_RESPONSE_CODE"),
                    ("http://127.0.0.1:1/", "SOCKET_ISSUE"),
                    ("https://127.0.0.1:\(developer.port)/notifications", "TLS_ISSUE"),
                    ("http://127.0.0.1:\(developer.port)/nothing", "UNSUCCESSFUL_HTTP_RESPONSE_CODE"),
                ]
                for (url, result) in failures {
                    _ = try await store.put("/_store/notification-endpoint", ["url": .string(url)])
                    _ = try await store.buy("coins.100")
                    #expect(try await lastResult(store) == result, "\(url)")
                }
            }
        }
    }

    @Test func `notifications are listed page by page, with every attempt`() async throws {
        try await withStore { store in
            for _ in 0..<5 { _ = try await store.buy("coins.100") }
            let first = try await store.get("/_store/notifications?limit=3").json
            #expect(first["notifications"].arrayValue?.count == 3)
            let cursor = try #require(first["nextCursor"].stringValue)
            let second = try await store.get("/_store/notifications?limit=3&cursor=\(cursor)").json
            #expect(second["notifications"].arrayValue?.count == 2)
            #expect(second["nextCursor"] == .null)
            let one = first["notifications"][0]
            #expect(one["notificationType"].stringValue == "ONE_TIME_CHARGE")
            #expect(one["attempts"].arrayValue?.isEmpty == true)
            let jws = try #require(one["signedPayload"].stringValue)
            let payload = try store.verifier.verifyNotification(jws).get().payload
            #expect(payload.notificationUUID == one["notificationUUID"].stringValue)
        }
    }

    /// The result of the newest notification's newest attempt.
    private func lastResult(_ store: RunningStore) async throws -> String? {
        let list = try await store.get("/_store/notifications").json["notifications"].arrayValue ?? []
        return list.last?["attempts"].arrayValue?.last?["sendAttemptResult"].stringValue
    }
}
