import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Advanced Commerce: migration` {
    @Test(arguments: ["plus.monthly", "pro.weekly"])
    func `a subscription migrates into another group or its own, and renews at its price`(productId: String) throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.transcript.buy(productId).transactionId
        let period: Int64 = productId == "pro.weekly" ? 7 : 31
        try shop.transcript.advance(to: try at("2026-01-15") + 2 * period * dayLength + dayLength)
        _ = try shop.transcript.newNotifications()
        let price = try #require(try shop.renewalInfo().renewalPrice)
        let old = try #require(try shop.transactions().last)
        let answer = try shop.migrate(id)
        let moved: JWSTransactionDecodedPayload = try decoded(try #require(answer.signedTransactionInfo))
        #expect(moved.previousOriginalTransactionId == id && moved.originalTransactionId == moved.transactionId)
        #expect(moved.productId == "pro.monthly" && moved.price == 0 && moved.expiresDate == old.expiresDate)
        let renewal: JWSRenewalInfoDecodedPayload = try decoded(try #require(answer.signedRenewalInfo))
        #expect(renewal.renewalPrice == price)
        #expect(renewal.advancedCommerceInfo?.items?.compactMap(\.price).reduce(0, +) == price)
        #expect(renewal.advancedCommerceInfo?.period == (productId == "pro.weekly" ? .oneWeek : .oneMonth))
        #expect(try shop.transcript.newNotifications() == ["MIGRATION 1"])
        let statuses = try shop.transcript.account.subscriptions.map(\.status)
        #expect(statuses == [.expired, .active])
        try shop.transcript.advance(to: try #require(moved.expiresDate))
        #expect(try shop.transcript.newNotifications() == ["DID_RENEW 1"])
        let renewed = try #require(try shop.transactions().last)
        #expect(renewed.originalTransactionId == moved.originalTransactionId && renewed.price == price)
        #expect(renewed.advancedCommerceInfo?.items?.map(\.sku) == ["news", "sport"])
        expectError(4_000_176) { try shop.migrate(id) }
        expectError(4_000_176) { try shop.migrate(moved.transactionId) }
        _ = try shop.cancel(moved.transactionId)
    }

    @Test func `a pending plan change is in the items of the renewal`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.transcript.buy("pro.yearly").transactionId
        let items: JSONValue = [["SKU": "later", "description": "Later", "displayName": "Later"]]
        expectError(4_000_180) { try shop.migrate(id, ["renewalItems": items]) }
        _ = try shop.transcript.store.changePlan(originalTransactionId: id, productId: "pro.weekly")
        expectError(4_000_180) { try shop.migrate(id) }
        let answer = try shop.migrate(id, ["renewalItems": items])
        let renewal: JWSRenewalInfoDecodedPayload = try decoded(try #require(answer.signedRenewalInfo))
        #expect(renewal.advancedCommerceInfo?.items?.map(\.sku) == ["later"])
        #expect(renewal.advancedCommerceInfo?.period == .oneWeek)
        let moved: JWSTransactionDecodedPayload = try decoded(try #require(answer.signedTransactionInfo))
        let end = try #require(moved.expiresDate)
        try shop.transcript.advance(to: end)
        let renewed = try #require(try shop.transactions().last)
        #expect(renewed.advancedCommerceInfo?.items?.map(\.sku) == ["later"])
        #expect(renewed.purchaseDate == end && renewed.expiresDate == end + 7 * dayLength)
    }

    @Test(
        arguments: [
            (["targetProductId": nil], 4_000_166), (["targetProductId": "coins.100"], 4_000_167),
            (["targetProductId": "none"], 4_040_016), (["taxCode": nil], 4_000_099), (["descriptors": nil], 4_000_103),
            (["items": nil], 4_000_101), (["items": [["SKU": "x", "displayName": "x"]]], 4_000_107),
            (["items": [["SKU": "x", "description": "x"]]], 4_000_106), (["renewalItems": []], 4_000_160),
            (["requestInfo": nil], 4_000_079),
        ] as [([String: JSONValue?], Int64)]
    )
    func `a migration that breaks a rule is refused`(changes: [String: JSONValue?], code: Int64) throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.transcript.buy("plus.monthly").transactionId
        expectError(code) { try shop.migrate(id, changes) }
        #expect(try shop.transcript.account.subscriptions.count == 1)
    }

    @Test func `only an active subscription migrates, into a free group`() throws {
        var shop = try AdvancedCommerceShop()
        let coins = try shop.transcript.buy("coins.100").transactionId
        expectError(4_030_008) { try shop.migrate(coins) }
        let plus = try shop.transcript.buy("plus.monthly").transactionId
        let native = try shop.subscribe().transactionId
        expectError(4_000_176) { try shop.migrate(native) }
        expectError(4_030_009) { try shop.migrate(plus) }
        _ = try shop.revoke(native)
        try shop.transcript.store.setStorefront(accountId: "a", storefront: "DEU")
        expectError(4_030_022) { try shop.migrate(plus) }
        try shop.transcript.store.setStorefront(accountId: "a", storefront: "USA")
        try shop.transcript.store.setAutoRenew(originalTransactionId: plus, enabled: false)
        try shop.transcript.advance(to: try at("2026-06-01"))
        expectError(4_030_010) { try shop.migrate(plus) }
    }

    @Test func `a subscription with an announced increase does not migrate until it is in force`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.transcript.buy("pro.weekly").transactionId
        try shop.transcript.advance(to: try at("2026-01-16"))
        let request = PriceChangeRequest(productId: "pro.weekly", price: 3_490, needsConsent: false)
        _ = try shop.transcript.store.changePrice(request)
        try shop.transcript.advance(to: try at("2026-01-23"))
        #expect(try shop.transcript.newNotifications().contains("PRICE_INCREASE/ACCEPTED 1"))
        expectError(4_030_027) { try shop.migrate(id) }
        try shop.transcript.advance(to: try at("2026-01-30"))
        _ = try shop.migrate(id)
        #expect(try shop.transactions().last?.previousOriginalTransactionId == id)
    }
}
