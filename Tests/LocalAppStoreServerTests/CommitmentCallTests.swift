import AppStoreModel
import AppStoreSigning
import Testing

/// The monthly plan with a 12-month commitment, over HTTP.
@Suite struct `Commitments over HTTP` {
    @Test func `a yearly product is bought with monthly payments where possible`() async throws {
        try await withStore { store in
            for (account, storefront) in [("anna", "FRA"), ("bert", "USA")] {
                _ = try await store.post(
                    "/_store/accounts",
                    ["accountId": .string(account), "storefront": .string(storefront)]
                )
            }
            let body: JSONValue = ["productId": "pro.yearly", "billingPlan": "MONTHLY"]
            let bought = try await store.post("/_store/accounts/anna/purchases", body)
            #expect(bought.status == 200, "\(bought.text)")
            let jws = try #require(bought.json["signedTransactionInfo"].stringValue)
            let transaction = try store.verifier.verifyTransaction(jws).get()
            #expect(transaction.billingPlanType == .monthly)
            #expect(transaction.commitmentInfo?.billingPeriodNumber == 1)
            #expect(transaction.price == 6_666)
            let refused = try await store.post("/_store/accounts/bert/purchases", body)
            #expect(refused.status == 422)
            #expect(refused.errorCode == "billing_plan_unavailable")
        }
    }
}
