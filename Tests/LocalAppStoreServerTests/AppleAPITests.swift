import AppStoreModel
import AppStoreSigning
import NIOHTTP1
import Testing

/// Apple's server API at Apple's paths, as client libraries call it.
@Suite struct `Apple's API over HTTP` {
    @Test func `a transaction is found by its identifier and signed again`() async throws {
        try await withStore { store in
            let bought = try await store.buy("lifetime")
            let id = try #require(bought["transactionId"].stringValue)
            let answer = try await store.apple(.GET, "/inApps/v1/transactions/\(id)")
            #expect(answer.status == 200)
            #expect(answer.contentType == "application/json")
            let jws = try #require(answer.json["signedTransactionInfo"].stringValue)
            let transaction = try store.verifier.verifyTransaction(jws).get()
            #expect(transaction.transactionId == id)
            #expect(transaction.productId == "lifetime")
            #expect(transaction.environment == .sandbox)
        }
    }

    @Test func `statuses name every subscription of the customer and filter by status`() async throws {
        try await withStore { store in
            let bought = try await store.buy("pro.monthly")
            let id = try #require(bought["transactionId"].stringValue)
            let all = try await store.apple(.GET, "/inApps/v1/subscriptions/\(id)")
            #expect(all.status == 200)
            #expect(all.contentType == "application/json")
            let item = all.json["data"][0]["lastTransactions"][0]
            #expect(item["status"].integerValue == 1)
            #expect(item["originalTransactionId"].stringValue == id)
            let renewal = try store.verifier.verifyRenewalInfo(try #require(item["signedRenewalInfo"].stringValue))
                .get()
            #expect(renewal.autoRenewStatus == .on)
            let expired = try await store.apple(.GET, "/inApps/v1/subscriptions/\(id)?status=2&status=5")
            #expect(expired.status == 200)
            #expect(expired.json["data"][0]["lastTransactions"][0] == .null)
            let wrong = try await store.apple(.GET, "/inApps/v1/subscriptions/\(id)?status=9")
            #expect(wrong.json["errorCode"].integerValue == 4_000_031)
        }
    }

    @Test func `history comes in pages of twenty and a revision leads to the next`() async throws {
        try await withStore { store in
            var last: JSONValue = .null
            for _ in 0..<23 { last = try await store.buy("coins.100") }
            let path = "/inApps/v2/history/\(try #require(last["transactionId"].stringValue))"
            let first = try await store.apple(.GET, "\(path)?productType=CONSUMABLE")
            #expect(first.json["signedTransactions"].arrayValue?.count == 20)
            #expect(first.json["hasMore"].boolValue == true)
            let revision = try #require(first.json["revision"].stringValue)
            let second = try await store.apple(.GET, "\(path)?productType=CONSUMABLE&revision=\(revision)")
            #expect(second.json["signedTransactions"].arrayValue?.count == 3)
            #expect(second.json["hasMore"].boolValue == false)
            let none = try await store.apple(.GET, "\(path)?productType=AUTO_RENEWABLE&sort=DESCENDING")
            #expect(none.json["signedTransactions"].arrayValue?.isEmpty == true)
        }
    }

    @Test(arguments: [
        ("/inApps/v1/transactions/abc", 400, 4_000_006),
        ("/inApps/v1/transactions/2000000000009999", 404, 4_040_010),
        ("/inApps/v1/subscriptions/2000000000009999", 404, 4_040_010),
        ("/inApps/v2/history/2000000000009999", 404, 4_040_010),
        ("/inApps/v2/history/2000000000009999?sort=SIDEWAYS", 400, 4_000_021),
        ("/inApps/v2/history/2000000000009999?startDate=yesterday", 400, 4_000_015),
        ("/inApps/v2/history/2000000000009999?productType=SOUP", 400, 4_000_022),
        ("/inApps/v2/history/2000000000009999?revoked=maybe", 400, 4_000_030),
    ])
    func `an error has Apple's status, code and content type`(path: String, status: Int, code: Int64) async throws {
        try await withStore { store in
            let answer = try await store.apple(.GET, path)
            #expect(answer.status == status)
            #expect(answer.contentType == "application/json")
            #expect(answer.json["errorCode"].integerValue == code)
            #expect(answer.json["errorMessage"].stringValue?.isEmpty == false)
        }
    }

    @Test func `an appTransactionId finds statuses and is refused for one transaction`() async throws {
        try await withStore { store in
            _ = try await store.buy("pro.weekly")
            let account = try await store.get("/_store/accounts/anna").json
            let id = try #require(account["appTransactionId"].stringValue)
            #expect(try await store.apple(.GET, "/inApps/v1/subscriptions/\(id)").status == 200)
            let refused = try await store.apple(.GET, "/inApps/v1/transactions/\(id)")
            #expect(refused.json["errorCode"].integerValue == 4_000_048)
        }
    }

    @Test func `a call without a valid token gets Apple's plain 401 before anything else`() async throws {
        try await withStore { store in
            let foreign = InAppPurchaseKey.generate()
            let now = RunningStore.start / 1000
            let tokens: [String?] = [
                nil,
                "nonsense",
                try BearerToken.make(key: foreign, bundleId: RunningStore.bundleId, issuedAt: now),
                try BearerToken.make(key: store.key, bundleId: "com.example.other", issuedAt: now),
                try store.token(issuedAt: now - 7_200),
                try store.token(issuedAt: now, lifetime: 7_200),
                String(try store.token().dropLast(4)) + "AAAA",
            ]
            for token in tokens {
                let answer = try await store.send(.GET, "/inApps/v1/transactions/abc", token: token)
                #expect(answer.status == 401)
                #expect(answer.contentType == "text/plain")
                #expect(answer.text.hasPrefix("Unauthenticated\n\nRequest ID: "))
                #expect(answer.text.hasSuffix("\n"))
            }
        }
    }

    @Test func `a token is valid by real time and by the store's virtual time`() async throws {
        try await withStore { store in
            _ = try await store.buy("lifetime")
            _ = try await store.advance(by: "P1Y")
            let path = "/inApps/v1/transactions/2000000000000001"
            #expect(try await store.send(.GET, path, token: try store.token()).status == 200)
            let virtual = try #require(try await store.get("/_store/clock").json["now"].integerValue)
            #expect(try await store.send(.GET, path, token: try store.token(issuedAt: virtual / 1000)).status == 200)
        }
    }

    @Test func `a test notification without a URL is refused with Apple's error`() async throws {
        try await withStore { store in
            let answer = try await store.apple(.POST, "/inApps/v1/notifications/test")
            #expect(answer.status == 404)
            #expect(answer.json["errorCode"].integerValue == 4_040_007)
            let unknown = try await store.apple(.GET, "/inApps/v1/notifications/test/nothing")
            #expect(unknown.json["errorCode"].integerValue == 4_000_020)
        }
    }

    @Test func `a test notification is sent, and its token returns its status`() async throws {
        try await withStore { store in
            try await withDeveloperServer { developer in
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                let requested = try await store.apple(.POST, "/inApps/v1/notifications/test")
                #expect(requested.status == 200)
                let token = try #require(requested.json["testNotificationToken"].stringValue)
                let status = try await store.apple(.GET, "/inApps/v1/notifications/test/\(token)")
                #expect(status.json["sendAttempts"][0]["sendAttemptResult"].stringValue == "SUCCESS")
                #expect(status.json["sendAttempts"][0]["attemptDate"].integerValue == RunningStore.start)
                let sent = try #require(await developer.log.payloads.first)
                #expect(status.json["signedPayload"].stringValue == sent)
                #expect(try store.verifier.verifyNotification(sent).get().payload.notificationType == .test)
            }
        }
    }
}
