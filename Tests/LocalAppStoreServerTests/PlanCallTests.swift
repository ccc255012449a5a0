import AppStoreModel
import AppStoreSigning
import NIOHTTP1
import Testing

/// Plan changes over HTTP.
@Suite struct `Plan changes over HTTP` {
    @Test func `an upgrade answers with the new transaction, a downgrade with its date`() async throws {
        try await withStore { store in
            let id = try #require(try await store.buy("pro.weekly")["originalTransactionId"].stringValue)
            let path = "/_store/subscriptions/\(id)/plan"
            let upgrade = try await store.post(path, ["productId": "pro.monthly"])
            #expect(upgrade.status == 200, "\(upgrade.text)")
            #expect(upgrade.json["change"].stringValue == "upgrade")
            #expect(upgrade.json["effectiveDate"].integerValue == RunningStore.start)
            #expect(upgrade.json["proratedRefund"].integerValue == 2_990)
            #expect(upgrade.json["transactionId"].stringValue != id)
            #expect(upgrade.json["originalTransactionId"].stringValue == id)
            let downgrade = try await store.post(path, ["productId": "pro.weekly"])
            #expect(downgrade.json["change"].stringValue == "downgrade")
            #expect(downgrade.json["transactionId"] == upgrade.json["transactionId"])
            #expect(downgrade.json["proratedRefund"] == .null)
            let jws = try #require(downgrade.json["signedRenewalInfo"].stringValue)
            let renewal = try store.verifier.verifyRenewalInfo(jws).get()
            #expect(renewal.autoRenewProductId == "pro.weekly")
            let transactions = try await store.get("/_store/accounts/anna").json["transactions"]
            #expect(transactions[0]["isUpgraded"].boolValue == true)
            #expect(transactions[0]["proratedRefund"].integerValue == 2_990)
        }
    }

    @Test(arguments: [
        ("{}", 400, "missing_field"), (#"{"productId": 7}"#, 400, "wrong_type"),
        (#"{"productId": "x", "when": "now"}"#, 400, "unknown_field"),
        (#"{"productId": "x"}"#, 404, "product_not_found"),
        (#"{"productId": "plus.monthly"}"#, 422, "plan_not_in_group"),
        (#"{"productId": "pro.weekly"}"#, 409, "plan_unchanged"),
    ])
    func `an invalid plan change is refused by name`(body: String, status: Int, code: String) async throws {
        try await withStore { store in
            let id = try #require(try await store.buy("pro.weekly")["originalTransactionId"].stringValue)
            let answer = try await store.send(.POST, "/_store/subscriptions/\(id)/plan", body: Array(body.utf8))
            #expect(answer.status == status)
            #expect(answer.errorCode == code, "\(answer.text)")
        }
    }

    @Test func `the error for an ended subscription explains how to restart it`() async throws {
        try await withStore { store in
            let id = try #require(try await store.buy("pro.weekly")["originalTransactionId"].stringValue)
            _ = try await store.post("/_store/transactions/\(id)/refund")
            let answer = try await store.post("/_store/subscriptions/\(id)/plan", ["productId": "pro.monthly"])
            #expect(answer.status == 409)
            #expect(answer.errorCode == "subscription_not_active")
            #expect(answer.json["error"]["message"].stringValue?.contains("/accounts/anna/purchases") == true)
        }
    }
}
