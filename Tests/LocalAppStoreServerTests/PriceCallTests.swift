import AppStoreModel
import NIOHTTP1
import Testing

/// Price changes over HTTP.
@Suite struct `Prices over HTTP` {
    @Test func `a subscriber is asked for consent, gives it, and pays the new price`() async throws {
        try await withStore { store in
            let id = try #require(try await store.buy("pro.weekly")["originalTransactionId"].stringValue)
            let change = try await store.post(
                "/_store/products/pro.weekly/price",
                ["price": 8_990, "needsConsent": true, "effectiveDate": .integer(RunningStore.start)]
            )
            #expect(
                change.json == [
                    "productId": "pro.weekly", "price": 8_990, "storefront": .null,
                    "effectiveDate": .integer(RunningStore.start),
                ]
            )
            let account = try await store.get("/_store/accounts/anna").json
            #expect(account["subscriptions"][0]["priceIncreaseStatus"].integerValue == 0)
            #expect(account["subscriptions"][0]["renewalPrice"].integerValue == 8_990)
            let consent = try await store.post("/_store/subscriptions/\(id)/price-consent", ["accept": true])
            #expect(consent.json == ["originalTransactionId": .string(id), "accept": true])
            _ = try await store.advance(by: "P7D")
            let renewed = try await store.get("/_store/accounts/anna").json["subscriptions"][0]
            #expect(renewed["price"].integerValue == 8_990)
            #expect(renewed["priceIncreaseStatus"] == .null)
        }
    }

    @Test(arguments: [
        ("pro.weekly", "{}", 400, "missing_field", "price"),
        ("pro.weekly", "{\"price\":\"9.99\"}", 400, "wrong_type", "price"),
        ("pro.weekly", "{\"price\":1,\"consent\":true}", 400, "unknown_field", "consent"),
        ("pro.weekly", "{\"price\":0}", 400, "price_invalid", "price"),
        ("pro.weekly", "{\"price\":1,\"storefront\":\"XXX\"}", 400, "storefront_unknown", "storefront"),
        ("pro.weekly", "{\"price\":1,\"effectiveDate\":1}", 422, "effective_date_past", "effectiveDate"),
        ("lifetime", "{\"price\":1,\"needsConsent\":true}", 422, "not_a_subscription", "needsConsent"),
        ("nothing", "{\"price\":1}", 404, "product_not_found", nil),
    ])
    func `an invalid price is refused`(
        product: String,
        body: String,
        status: Int,
        code: String,
        path: String?
    ) async throws {
        try await withStore { store in
            let answer = try await store.send(.POST, "/_store/products/\(product)/price", body: Array(body.utf8))
            #expect(answer.status == status)
            #expect(answer.errorCode == code)
            #expect(answer.json["error"]["path"].stringValue == path)
        }
    }
}
