import AppStoreModel
import NIOHTTP1
import Testing

/// Refunds over HTTP, from the request on.
@Suite struct `Refunds over HTTP` {
    @Test func `a refund is requested, declined, requested again, granted and reversed`() async throws {
        try await withStore { store in
            let id = try #require(try await store.buy("pro.weekly")["transactionId"].stringValue)
            let path = "/_store/transactions/\(id)"
            let asked = try await store.post(path + "/refund-request", ["consumptionRequestReason": "LEGAL"])
            #expect(
                asked.json == [
                    "transactionId": .string(id), "requestedDate": .integer(RunningStore.start),
                    "consumptionRequestReason": "LEGAL", "consumptionRequested": true,
                ]
            )
            #expect(try await store.post(path + "/refund-decline").json == ["transactionId": .string(id)])
            _ = try await store.post(path + "/refund-request", ["consumptionRequestReason": "OTHER"])
            let half = try await store.post(path + "/refund", ["percentage": 50_000])
            #expect(half.json["revocationPercentage"].integerValue == 50_000)
            #expect(try await store.post(path + "/refund-reverse").status == 200)
            let notifications = try await store.get("/_store/notifications").json["notifications"].arrayValue ?? []
            #expect(
                notifications.map { $0["notificationType"].stringValue } == [
                    "SUBSCRIBED", "DID_CHANGE_RENEWAL_STATUS", "CONSUMPTION_REQUEST", "REFUND_DECLINED",
                    "CONSUMPTION_REQUEST", "REFUND", "REFUND_REVERSED",
                ]
            )
            let account = try await store.get("/_store/accounts/anna").json
            #expect(account["subscriptions"][0]["status"].integerValue == 1)
            #expect(account["transactions"][0]["revocationDate"] == .null)
        }
    }

    @Test(arguments: [
        ("refund-request", "{}", 400, "missing_field"),
        ("refund-request", "{\"consumptionRequestReason\":\"BORED\"}", 400, "refund_reason_unknown"),
        ("refund-request", "{\"reason\":\"LEGAL\"}", 400, "unknown_field"),
        ("refund-decline", "{}", 409, "refund_not_requested"),
        ("refund-decline", "{\"reason\":1}", 400, "unknown_field"),
        ("refund-reverse", "{}", 409, "not_refunded"),
    ])
    func `a step that is not possible is refused`(step: String, body: String, status: Int, code: String) async throws {
        try await withStore { store in
            let id = try #require(try await store.buy("pro.weekly")["transactionId"].stringValue)
            let answer = try await store.send(.POST, "/_store/transactions/\(id)/\(step)", body: Array(body.utf8))
            #expect(answer.status == status)
            #expect(answer.errorCode == code)
            let unknown = try await store.send(.POST, "/_store/transactions/1/\(step)", body: Array(body.utf8))
            #expect(unknown.status == (code == "missing_field" || code == "unknown_field" ? 400 : 404))
        }
    }
}
