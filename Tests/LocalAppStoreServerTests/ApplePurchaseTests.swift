import AppStoreModel
import AppStoreSigning
import NIOHTTP1
import Testing

/// Apple's other calls for purchases, at Apple's paths.
@Suite struct `Purchases in Apple's API` {
    @Test func `purchase updates are accepted without a body in the answer`() async throws {
        try await withStore { store in
            let id = try #require(try await store.buy("coins.100")["transactionId"].stringValue)
            let consumption: JSONValue = [
                "customerConsented": true, "deliveryStatus": "DELIVERED", "sampleContentProvided": true,
            ]
            let token: JSONValue = ["appAccountToken": "6e0e2a4c-aaaa-4bbb-8ccc-0123456789ab"]
            let calls: [(HTTPMethod, String, JSONValue?, Int)] = [
                (.PUT, "/inApps/v1/transactions/\(id)/appAccountToken", token, 200),
                (.POST, "/inApps/v1/transactions/\(id)/finish", nil, 200),
                (.PUT, "/inApps/v2/transactions/consumption/\(id)", consumption, 202),
            ]
            for (method, path, body, status) in calls {
                let answer = try await store.apple(method, path, body)
                #expect(answer.status == status, "\(path)")
                #expect(answer.bytes.isEmpty)
            }
            let kept = try await store.get("/_store/transactions/\(id)/consumption").json
            #expect(kept["content"] == consumption && kept["version"] == "V2")
        }
    }

    @Test func `an app transaction verifies, and the histories answer under both versions`() async throws {
        try await withStore(environment: .production) { store in
            let id = try #require(try await store.buy("coins.100")["transactionId"].stringValue)
            let info = try await store.apple(.GET, "/inApps/v1/transactions/appTransactions/\(id)")
            let jws = try #require(info.json["signedAppTransactionInfo"].stringValue)
            #expect(try store.verifier.verifyAppTransaction(jws).get().receiptType == .production)
            #expect(try await store.post("/_store/transactions/\(id)/refund").status == 200)
            for path in [
                "/inApps/v1/history/\(id)", "/inApps/v2/refund/lookup/\(id)", "/inApps/v1/refund/lookup/\(id)",
            ] {
                let answer = try await store.apple(.GET, path)
                #expect(answer.json["signedTransactions"].arrayValue?.count == 1, "\(path)")
            }
            let report = try await store.get("/_store/accounts/anna").json["transactions"][0]
            let order = try await store.apple(.GET, "/inApps/v1/lookup/\(try #require(report["orderId"].stringValue))")
            #expect(order.json["status"].integerValue == 0)
            let unknown = try await store.apple(.GET, "/inApps/v1/lookup/MVXXXXXXXX")
            #expect(unknown.status == 200 && unknown.json == ["status": 1])
        }
    }

    @Test(
        arguments: [
            (HTTPMethod.PUT, "/inApps/v1/transactions/2000000000000001/appAccountToken", "{}", 400, nil),
            (
                .PUT, "/inApps/v1/transactions/2000000000000001/appAccountToken",
                #"{"appAccountToken":"6e0e2a4c-aaaa-4bbb-8ccc-0123456789ab"}"#, 404, 4_040_005
            ),
            (.POST, "/inApps/v1/transactions/2000000000000001/finish", "", 404, 4_040_010),
            (.PUT, "/inApps/v2/transactions/consumption/2000000000000001", "{}", 400, 4_000_035),
            (.PUT, "/inApps/v1/transactions/consumption/2000000000000001", "{}", 400, 4_000_035),
            (.GET, "/inApps/v1/transactions/appTransactions/2000000000000001", "", 404, 4_040_010),
            (.GET, "/inApps/v1/lookup/MVXXXXXXXX", "", 404, nil),
            (.GET, "/inApps/v2/refund/lookup/abc", "", 400, 4_000_006),
            (.GET, "/inApps/v2/refund/lookup/2000000000000001?revision=x", "", 400, 4_000_005),
            (.GET, "/inApps/v1/refund/lookup/abc", "", 400, 4_000_008),
            (.GET, "/inApps/v1/history/2000000000000001?sort=x", "", 400, 4_000_021),
        ] as [(HTTPMethod, String, String, Int, Int64?)]
    )
    func `an error has Apple's status and code`(
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
        }
    }
}
