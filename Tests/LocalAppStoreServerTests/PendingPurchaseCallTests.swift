import AppStoreModel
import NIOHTTP1
import Testing

/// Pending purchases, and accounts that move, over HTTP.
@Suite struct `Pending purchases over HTTP` {
    @Test func `a purchase that needs approval answers 202 and is made when it is approved`() async throws {
        try await withStore { store in
            _ = try await store.post("/_store/accounts", ["accountId": "anna"])
            let path = "/_store/accounts/anna"
            let set = try await store.put(path + "/purchase-behaviour", ["behaviour": "ask_to_buy"])
            #expect(set.json == ["accountId": "anna", "behaviour": "ask_to_buy"])
            let asked = try await store.post(path + "/purchases", ["productId": "pro.weekly"])
            #expect(asked.status == 202)
            #expect(asked.json["state"].stringValue == "pending")
            let id = try #require(asked.json["pendingPurchaseId"].stringValue)
            #expect(try await store.get("/_store/status").json["notifications"].integerValue == 0)
            let wrong = try await store.post("/_store/pending-purchases/\(id)/resolve")
            #expect(wrong.status == 409)
            #expect(wrong.errorCode == "purchase_waits_otherwise")
            let approved = try await store.post("/_store/pending-purchases/\(id)/approve")
            #expect(approved.status == 200)
            #expect(approved.json["signedTransactionInfo"].stringValue != nil)
            let listed = try await store.get(path + "/pending-purchases").json["pendingPurchases"][0]
            #expect(listed["state"].stringValue == "completed")
            #expect(listed["transactionId"] == approved.json["transactionId"])
            let late = try await store.post("/_store/pending-purchases/\(id)/decline")
            #expect(late.errorCode == "purchase_not_pending")
            let unknown = try await store.put(path + "/purchase-behaviour", ["behaviour": "later"])
            #expect(unknown.errorCode == "unknown_value")
        }
    }

    @Test func `an interrupted purchase is resolved or cancelled`() async throws {
        try await withStore { store in
            _ = try await store.post("/_store/accounts", ["accountId": "anna"])
            _ = try await store.put("/_store/accounts/anna/purchase-behaviour", ["behaviour": "interrupted"])
            for (product, step) in [("pro.weekly", "resolve"), ("coins.100", "decline")] {
                let asked = try await store.post("/_store/accounts/anna/purchases", ["productId": .string(product)])
                let id = try #require(asked.json["pendingPurchaseId"].stringValue)
                #expect(try await store.post("/_store/pending-purchases/\(id)/\(step)").status == 200)
            }
            let account = try await store.get("/_store/accounts/anna").json
            #expect(account["transactions"].arrayValue?.count == 1)
            #expect(account["purchaseBehaviour"].stringValue == "interrupted")
        }
    }

    @Test func `an account moves to another storefront`() async throws {
        try await withStore { store in
            _ = try await store.buy("coins.100")
            let moved = try await store.put("/_store/accounts/anna/storefront", ["storefront": "FRA"])
            #expect(moved.json["storefront"].stringValue == "FRA")
            _ = try await store.buy("coins.100")
            let account = try await store.get("/_store/accounts/anna").json
            #expect(account["transactions"].arrayValue?.map { $0["currency"].stringValue } == ["USD", "EUR"])
            let unknown = try await store.put("/_store/accounts/anna/storefront", ["storefront": "Atlantis"])
            #expect(unknown.status == 400)
            #expect(unknown.errorCode == "storefront_unknown")
        }
    }
}
