import AppStoreModel
import AppStoreSigning
import LocalAppStore
import NIOHTTP1
import Testing

/// The store's own calls under `/_store`.
@Suite struct `Calls of the store` {
    @Test func `the store lists its calls, and errors for unknown objects list the existing ones`() async throws {
        try await withStore { store in
            let calls = try await store.get("/_store").json["calls"].arrayValue?.compactMap(\.stringValue) ?? []
            #expect(calls.contains("POST /_store/clock/advance"))
            #expect(calls.contains("GET /inApps/v1/transactions/{id}"))
            #expect(
                try await store.get("/_store/nothing").json["error"]["message"].stringValue?.contains("GET /_store")
                    == true
            )
            _ = try await store.post("/_store/accounts", ["accountId": "anna"])
            let wrong = try await store.post("/_store/accounts/anna/purchases", ["productId": "pro.montly"])
            #expect(wrong.errorCode == "product_not_found")
            #expect(wrong.json["error"]["message"].stringValue?.contains("pro.monthly") == true)
        }
    }

    @Test func `the status has the configuration and the size of the store`() async throws {
        try await withStore(environment: .production) { store in
            _ = try await store.buy("pro.yearly")
            let status = try await store.get("/_store/status")
            #expect(status.contentType == "application/json")
            #expect(status.json["seed"].serialize() == Array("7".utf8))
            var others = status.json.objectValue
            others?["seed"] = nil
            #expect(
                others == [
                    "now": .integer(RunningStore.start), "environment": "Production", "profile": .null,
                    "accounts": 1, "subscriptions": 1, "transactions": 1, "notifications": 1,
                ]
            )
        }
    }

    @Test func `the credentials work with Apple's API and verify the store's signatures`() async throws {
        try await withStore { store in
            let credentials = try await store.get("/_store/credentials").json
            let key = try InAppPurchaseKey(
                pem: try #require(credentials["privateKey"].stringValue),
                keyId: try #require(credentials["keyId"].stringValue),
                issuerId: try #require(credentials["issuerId"].stringValue)
            )
            let bundleId = try #require(credentials["bundleId"].stringValue)
            let token = try BearerToken.make(key: key, bundleId: bundleId, issuedAt: RunningStore.start / 1000)
            let jws = try #require(try await store.buy("lifetime")["signedTransactionInfo"].stringValue)
            let answer = try await store.send(.GET, "/inApps/v1/transactions/2000000000000001", token: token)
            #expect(answer.status == 200)
            let root = try TrustedRoot(pem: try #require(credentials["rootCertificate"].stringValue))
            let app = AppIdentity(bundleId: bundleId, environment: .sandbox)
            #expect(SignedDataVerifier(roots: [root], apps: [app]).verifyTransaction(jws).payload != nil)
            #expect(credentials["appAppleId"].integerValue == 6_400_000_001)
        }
    }

    @Test func `a purchase answers with identifiers and signatures`() async throws {
        try await withStore { store in
            _ = try await store.post("/_store/accounts", ["accountId": "anna", "storefront": "FRA"])
            let token = "7e3fb204-2a5c-4b5b-9c36-3a5a9a9c1c11"
            let answer = try await store.post(
                "/_store/accounts/anna/purchases",
                ["productId": "pro.monthly", "appAccountToken": .string(token), "offer": ["type": "introductory"]]
            )
            #expect(
                answer.json.objectValue?.keys == [
                    "transactionId", "originalTransactionId", "signedTransactionInfo", "signedRenewalInfo", "receipt",
                ]
            )
            let jws = try #require(answer.json["signedTransactionInfo"].stringValue)
            let transaction = try store.verifier.verifyTransaction(jws).get()
            #expect(transaction.appAccountToken == token)
            #expect(transaction.offerType == .introductory)
            #expect(transaction.storefront == "FRA")
            let oneTime = try await store.buy("coins.100")
            #expect(oneTime["signedRenewalInfo"] == .null)
        }
    }

    @Test func `an account shows its subscriptions and transactions`() async throws {
        try await withStore { store in
            _ = try await store.buy("pro.weekly")
            _ = try await store.advance(by: "P7D")
            let account = try await store.get("/_store/accounts/anna").json
            #expect(account["payment"] == ["state": "ok"])
            let subscription = account["subscriptions"][0]
            #expect(subscription["status"].integerValue == 1)
            #expect(subscription["autoRenewStatus"].integerValue == 1)
            #expect(subscription["productId"].stringValue == "pro.weekly")
            let reasons = account["transactions"].arrayValue?.map { $0["transactionReason"].stringValue }
            #expect(reasons == ["PURCHASE", "RENEWAL"])
        }
    }

    @Test func `accounts are listed page by page, in the order in which they were opened`() async throws {
        try await withStore { store in
            for id in ["carl", "anna", "bert"] {
                _ = try await store.post("/_store/accounts", ["accountId": .string(id)])
            }
            let first = try await store.get("/_store/accounts?limit=2").json
            #expect(first["accounts"].arrayValue?.map { $0["accountId"].stringValue } == ["carl", "anna"])
            let cursor = try #require(first["nextCursor"].stringValue)
            let second = try await store.get("/_store/accounts?limit=2&cursor=\(cursor)").json
            #expect(second["accounts"].arrayValue?.map { $0["accountId"].stringValue } == ["bert"])
            #expect(second["nextCursor"] == .null)
            #expect(second["accounts"][0] == (try await store.get("/_store/accounts/bert").json))
        }
    }

    @Test func `a declined card leads to billing retry, a good one recovers at once`() async throws {
        try await withStore { store in
            _ = try await store.buy("pro.weekly")
            _ = try await store.put("/_store/accounts/anna/payment", ["state": "declined"])
            _ = try await store.advance(by: "P8D")
            let retrying = try await store.get("/_store/accounts/anna").json["subscriptions"][0]
            #expect(retrying["status"].integerValue == 3)
            #expect(retrying["isInBillingRetryPeriod"].boolValue == true)
            let fixed = try await store.put("/_store/accounts/anna/payment", ["state": "ok"])
            #expect(fixed.json["subscriptions"][0]["status"].integerValue == 1)
        }
    }

    @Test func `a declined card recovers at an attempt and stays declined`() async throws {
        try await withStore { store in
            _ = try await store.buy("pro.weekly")
            let path = "/_store/accounts/anna/payment"
            let set = try await store.put(path, ["state": "declined", "recoversAfter": 2])
            #expect(set.json["payment"] == ["state": "declined", "recoversAfter": 2])
            _ = try await store.advance(by: "P7D")
            let failed = try await store.get("/_store/accounts/anna").json
            #expect(failed["subscriptions"][0]["status"].integerValue == 3)
            _ = try await store.advance(by: "P1D")
            let recovered = try await store.get("/_store/accounts/anna").json
            #expect(recovered["subscriptions"][0]["status"].integerValue == 1)
            #expect(recovered["payment"] == ["state": "declined", "recoversAfter": 2])
            let fixed = try await store.put(path, ["state": "ok", "recoversAfter": .null])
            #expect(fixed.json["payment"] == ["state": "ok"])
            let refused = try await store.put(path, ["state": "ok", "recoversAfter": 1])
            #expect(refused.status == 400 && refused.errorCode == "recovers_after_invalid")
            #expect(refused.json["error"]["path"].stringValue == "recoversAfter")
        }
    }

    @Test(arguments: [(nil, 0), (.production, 86_400_000)] as [(StoreProfile?, Int64)])
    func `renewals have the lead of the profile or of the setting`(profile: StoreProfile?, lead: Int64) async throws {
        try await withStore(environment: .production, profile: profile) { store in
            let path = "/_store/settings"
            #expect(try await store.get(path).json["renewalLeadMilliseconds"].integerValue == lead)
            for explicit: Int64 in [3_600_000, 0] {
                let set = try await store.put(path, ["renewalLeadMilliseconds": .integer(explicit)])
                #expect(set.json["renewalLeadMilliseconds"].integerValue == explicit)
                _ = try await store.put(path, ["gracePeriod": "none"])
                #expect(try await store.get(path).json["renewalLeadMilliseconds"].integerValue == explicit)
            }
            let reset = try await store.put(path, ["renewalLeadMilliseconds": .null])
            #expect(reset.json["renewalLeadMilliseconds"].integerValue == lead)
        }
    }

    @Test func `omitted settings keep their values`() async throws {
        try await withStore { store in
            let changed = try await store.put("/_store/settings", ["gracePeriod": "sixteen_days"])
            #expect(changed.status == 200)
            let settings = try await store.get("/_store/settings").json
            #expect(settings["gracePeriod"].stringValue == "sixteen_days")
            #expect(settings["gracePeriodScope"].stringValue == "all_renewals")
            let wrong = try await store.put("/_store/settings", ["gracePeriod": "a_week"])
            #expect(wrong.status == 400)
            #expect(wrong.errorCode == "unknown_value")
            #expect(wrong.json["error"]["path"].stringValue == "gracePeriod")
        }
    }

    @Test func `auto-renew off ends the subscription at its period, a refund at once`() async throws {
        try await withStore { store in
            let weekly = try #require(try await store.buy("pro.weekly")["originalTransactionId"].stringValue)
            let off = try await store.post("/_store/subscriptions/\(weekly)/auto-renew", ["enabled": false])
            #expect(off.json == ["originalTransactionId": .string(weekly), "enabled": false])
            let other = try #require(try await store.buy("plus.monthly")["transactionId"].stringValue)
            let refund = try await store.post("/_store/transactions/\(other)/refund", ["reason": 1])
            #expect(refund.json["revocationDate"].integerValue == RunningStore.start)
            #expect(refund.json["revocationPercentage"].integerValue == 100_000)
            _ = try await store.advance(by: "P7D")
            let subscriptions = try await store.get("/_store/accounts/anna").json["subscriptions"].arrayValue ?? []
            #expect(subscriptions.map { $0["status"].integerValue } == [2, 5])
            #expect(try await store.post("/_store/transactions/\(other)/refund").errorCode == "already_refunded")
        }
    }

    @Test func `a downloaded catalogue can be uploaded again`() async throws {
        try await withStore { store in
            let catalog = try await store.get("/_store/catalog")
            #expect(catalog.contentType == "application/json")
            let put = try await store.send(.PUT, "/_store/catalog", body: catalog.bytes)
            #expect(put.status == 200, "\(put.text)")
            #expect(put.json["productIds"].arrayValue?.contains("pro.monthly") == true)
            var changed = try #require(catalog.json.objectValue)
            changed["version"] = ["major": 99, "minor": 0]
            let refused = try await store.put("/_store/catalog", .object(changed))
            #expect(refused.status == 400)
            #expect(refused.errorCode == "catalog_version_unknown")
        }
    }

    @Test func `the clock advances by a duration or to a time`() async throws {
        try await withStore { store in
            let february = try await store.advance(by: "P1M")["now"].integerValue
            let to = RunningStore.start + 100 * 86_400_000
            let later = try await store.post("/_store/clock/advance", ["to": .integer(to)])
            #expect(february == RunningStore.start + 30 * 86_400_000)
            #expect(later.json["now"].integerValue == to)
            for text in ["2027-06-01", "2027-06-01T02:00:00+02:00", "2027-06-01T00:00:00.000Z", "1811808000000"] {
                let typed = try await store.post("/_store/clock/advance", ["to": .string(text)])
                #expect(typed.json["now"].integerValue == 1_811_808_000_000, "\(text)")
            }
            #expect(try await store.get("/_store/clock").json == ["now": 1_811_808_000_000, "speed": 0])
        }
    }

    @Test(arguments: [
        ("{\"to\":5}", 422, "clock_backwards"),
        ("{\"by\":\"P101Y\"}", 422, "advance_too_far"),
        ("{\"to\":9223372036854775807}", 422, "advance_too_far"),
        ("{\"by\":\"a month\"}", 422, "duration_invalid"),
        ("{}", 400, "missing_field"),
        ("{\"by\":\"P1D\",\"to\":1800000000000}", 400, "ambiguous_target"),
        ("{\"by\":5}", 400, "wrong_type"),
        ("{\"to\":\"tomorrow\"}", 400, "wrong_type"),
        ("{\"days\":5}", 400, "unknown_field"),
    ])
    func `an invalid advance is refused`(body: String, status: Int, code: String) async throws {
        try await withStore { store in
            let answer = try await store.send(.POST, "/_store/clock/advance", body: Array(body.utf8))
            #expect(answer.status == status)
            #expect(answer.errorCode == code)
            #expect(try await store.get("/_store/clock").json["now"].integerValue == RunningStore.start)
        }
    }

    @Test(arguments: [
        ("{\"by\":\"PT10000M\"}", "with whole numbers up to 9999"),
        ("{\"by\":\"P200Y\"}", "one advance goes 100 years at most: advance in parts"),
        ("{\"to\":9223372036854775807}", "check the unit (milliseconds)"),
    ])
    func `the message about an advance that is too long has the limit`(body: String, part: String) async throws {
        try await withStore { store in
            let answer = try await store.send(.POST, "/_store/clock/advance", body: Array(body.utf8))
            #expect(answer.json["error"]["message"].stringValue?.contains(part) == true)
        }
    }

    @Test func `a reset returns the removed endpoint`() async throws {
        try await withStore { store in
            let url: JSONValue = "http://127.0.0.1:9/n"
            _ = try await store.put("/_store/notification-endpoint", ["url": url])
            let forgotten = try await store.post("/_store/reset").json["forgotten"]
            #expect(forgotten == ["notificationUrl": url, "followers": []])
            #expect(try await store.get("/_store/notification-endpoint").json["url"] == .null)
        }
    }

    @Test func `a reset restores the start time without purchases`() async throws {
        try await withStore { store in
            _ = try await store.buy("pro.weekly")
            _ = try await store.advance(by: "P30D")
            let status = try await store.post("/_store/reset").json
            #expect(status["now"].integerValue == RunningStore.start)
            #expect(status["accounts"].integerValue == 0)
            #expect(status["forgotten"] == ["notificationUrl": .null, "followers": []])
            #expect(try await store.get("/_store/accounts/anna").errorCode == "account_not_found")
        }
    }
}
