import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Advanced Commerce: cancel, metadata, price` {
    @Test func `a cancelled subscription ends with its period`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        let before = try shop.renewalInfo().advancedCommerceInfo
        let answer = try shop.cancel(id)
        let renewal: JWSRenewalInfoDecodedPayload = try decoded(try #require(answer.signedRenewalInfo))
        #expect(renewal.autoRenewStatus == .off && renewal.renewalPrice == nil)
        #expect(renewal.advancedCommerceInfo?.consistencyToken != before?.consistencyToken)
        try shop.transcript.advance(to: try at("2026-03-01"))
        #expect(
            try shop.transcript.newNotifications() == [
                "SUBSCRIBED/INITIAL_BUY 1", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1", "EXPIRED/VOLUNTARY 2",
            ]
        )
        expectError(4_030_015) { try shop.cancel(id) }
    }

    @Test func `a request needs an Advanced Commerce subscription, its newest state, and a new identifier`() throws {
        var shop = try AdvancedCommerceShop()
        let coins = try shop.buy(shop.charge(), as: "coins.100").transactionId
        let id = try shop.subscribe().transactionId
        let plain = try shop.transcript.buy("plus.monthly").transactionId
        let app = try shop.transcript.account.appTransactionId
        for (id, code) in [
            ("x", 4_000_006), (app, 4_000_048), ("2000000000009999", 4_040_010), (coins, 4_030_008),
            (plain, 4_030_010),
        ] as [(String, Int64)] {
            expectError(code) { try shop.cancel(id) }
        }
        expectError(4_000_133) { try shop.cancel(id, ["storefront": "DEU"]) }
        let token = try #require(try shop.renewalInfo().advancedCommerceInfo?.consistencyToken)
        var info = shop.requestInfo().objectValue ?? JSONObject()
        info["consistencyToken"] = "old"
        expectError(4_000_082) { try shop.cancel(id, ["requestInfo": .object(info)]) }
        info["consistencyToken"] = .string(token)
        _ = try shop.cancel(id, ["requestInfo": .object(info)])
        expectError(4_000_097) { try shop.cancel(id, ["requestInfo": .object(info)]) }
    }

    @Test func `the fields of other requests are ignored`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        _ = try shop.cancel(id, ["items": [], "taxCode": "", "currency": "EUR"])
        #expect(try shop.renewalInfo().autoRenewStatus == .off)
    }

    @Test func `an absent field is reported before a value that breaks a rule`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        expectError(4_000_109) { try shop.changePrice(id, ["items": [["SKU": ""]]]) }
        expectError(4_000_122) { try shop.changePrice(id, ["items": [["SKU": "", "price": -1]]]) }
    }

    @Test func `new names apply immediately or from the next period on`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        let answer = try shop.changeMetadata(
            id,
            [
                "descriptors": ["effective": "IMMEDIATELY", "displayName": "Duo"], "taxCode": "C003-00-9",
                "items": [
                    ["currentSKU": "news", "SKU": "papers", "effective": "NEXT_BILL_CYCLE"],
                    ["currentSKU": "sport", "displayName": "games", "effective": "IMMEDIATELY"],
                ],
            ]
        )
        let now: JWSTransactionDecodedPayload = try decoded(try #require(answer.signedTransactionInfo))
        #expect(now.advancedCommerceInfo?.descriptors?.displayName == "Duo")
        #expect(now.advancedCommerceInfo?.items?.map(\.sku) == ["news", "sport"])
        #expect(now.advancedCommerceInfo?.items?.map(\.displayName) == ["news", "games"])
        #expect(try shop.transcript.newNotifications().last == "METADATA_UPDATE 1")
        try shop.transcript.advance(to: try at("2026-02-20"))
        let next = try #require(try shop.transactions().last?.advancedCommerceInfo)
        #expect(next.items?.map(\.sku) == ["papers", "sport"] && next.taxCode == "C003-00-9")
        #expect(try shop.transactions().last?.price == 10_000)
    }

    @Test(
        arguments: [
            ([:], 4_000_115), (["items": []], 4_000_160), (["items": [.null]], 4_000_102),
            (["items": [["SKU": "x", "effective": "IMMEDIATELY"]]], 4_000_169),
            (["items": [["currentSKU": "news", "effective": "IMMEDIATELY"]]], 4_000_165),
            (["items": [["currentSKU": "news", "SKU": "x"]]], 4_000_111),
            (["items": [["currentSKU": "news", "SKU": "x", "effective": "SOON"]]], 4_000_173),
            (["items": [["currentSKU": "news", "SKU": "sport", "effective": "IMMEDIATELY"]]], 4_000_114),
            (["items": [["currentSKU": "music", "SKU": "x", "effective": "IMMEDIATELY"]]], 4_000_220),
            (
                [
                    "items": [
                        ["currentSKU": "news", "SKU": "x", "effective": "IMMEDIATELY"],
                        ["currentSKU": "news", "SKU": "y", "effective": "IMMEDIATELY"],
                    ]
                ], 4_000_194
            ),
            (["descriptors": ["effective": "IMMEDIATELY"]], 4_000_165), (["taxCode": ""], 4_000_127),
        ] as [([String: JSONValue?], Int64)]
    )
    func `a change of names that breaks a rule is refused`(changes: [String: JSONValue?], code: Int64) throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        expectError(code) { try shop.changeMetadata(id, changes) }
        #expect(try shop.transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1"])
    }

    @Test func `a decrease applies from the next period on`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        _ = try shop.changePrice(id, ["items": [["SKU": "news", "price": 5_000]]])
        #expect(try shop.renewalInfo().renewalPrice == 9_000)
        try shop.transcript.advance(to: try at("2026-02-20"))
        #expect(try shop.transactions().map(\.price) == [10_000, 9_000])
        #expect(
            try shop.transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "PRICE_CHANGE 1", "DID_RENEW 1"]
        )
    }

    @Test func `a small increase is announced to the customer, and then applies`() throws {
        var shop = try AdvancedCommerceShop(at: "2026-01-01", environment: .production)
        let id = try shop.subscribe().transactionId
        _ = try shop.changePrice(id, ["items": [["SKU": "news", "price": 7_000, "dependentSKUs": ["sport"]]]])
        let scheduled = try shop.renewalInfo()
        #expect(scheduled.renewalPrice == 10_000 && scheduled.priceIncreaseStatus == nil)
        let info = try #require(scheduled.advancedCommerceInfo?.items?.first?.priceIncreaseInfo)
        #expect(info.price == 7_000 && info.status == .scheduled && info.dependentSKUs == ["sport"])
        try shop.transcript.advance(to: try at("2026-01-20"))
        let reported = try shop.renewalInfo()
        #expect(reported.renewalPrice == 11_000 && reported.priceIncreaseStatus == .accepted)
        #expect(reported.advancedCommerceInfo?.items?.first?.priceIncreaseInfo?.status == .accepted)
        #expect(scheduled.advancedCommerceInfo?.items?.map(\.price) == [6_000, 4_000])
        #expect(reported.advancedCommerceInfo?.items?.map(\.price) == [7_000, 4_000])
        try shop.transcript.advance(to: try at("2026-03-10"))
        #expect(try shop.transactions().map(\.price) == [10_000, 11_000, 11_000])
        #expect(try shop.renewalInfo().advancedCommerceInfo?.items?.first?.priceIncreaseInfo == nil)
        #expect(
            try shop.transcript.newNotifications() == [
                "SUBSCRIBED/INITIAL_BUY 1", "PRICE_CHANGE 1", "PRICE_INCREASE/ACCEPTED 1", "DID_RENEW 1", "DID_RENEW 1",
            ]
        )
    }

    @Test(arguments: [true, false])
    func `a much higher price needs the customer's consent, and without it only that item ends`(agrees: Bool) throws {
        var shop = try AdvancedCommerceShop(at: "2026-01-01", environment: .production)
        let id = try shop.subscribe().transactionId
        _ = try shop.changePrice(id, ["items": [["SKU": "news", "price": 20_000]]])
        try shop.transcript.advance(to: try at("2026-01-20"))
        #expect(try shop.renewalInfo().advancedCommerceInfo?.items?.first?.priceIncreaseInfo?.status == .pending)
        expectError(4_000_205) { try shop.changePrice(id, ["items": [["SKU": "news", "price": 7_000]]]) }
        try shop.transcript.store.answerPriceIncrease(originalTransactionId: id, accept: agrees)
        try shop.transcript.advance(to: try at("2026-02-10"))
        #expect(try shop.transactions().map(\.price) == (agrees ? [10_000, 24_000] : [10_000, 4_000]))
        #expect(
            try shop.transactions().last?.advancedCommerceInfo?.items?.map(\.sku)
                == (agrees ? ["news", "sport"] : ["sport"])
        )
        #expect(try shop.transcript.newNotifications().last == "DID_RENEW 1")
        let renewal = try shop.renewalInfo()
        #expect(renewal.priceIncreaseStatus == nil && renewal.renewalPrice == (agrees ? 24_000 : 4_000))
    }

    @Test(arguments: [PaymentState.ok, .declined])
    func `an increase that nobody agreed to is forgotten at the renewal, also if its item is gone`(
        payment: PaymentState
    ) throws {
        var shop = try AdvancedCommerceShop(at: "2026-01-01", environment: .production)
        let id = try shop.subscribe().transactionId
        _ = try shop.changePrice(id, ["items": [["SKU": "news", "price": 20_000]]])
        try shop.transcript.advance(to: try at("2026-01-20"))
        _ = try shop.requestRefund(id, [AdvancedCommerceShop.refund("news")])
        try shop.transcript.store.setPayment(accountId: "a", state: payment)
        try shop.transcript.advance(to: try at("2026-02-10"))
        try shop.transcript.store.setPayment(accountId: "a", state: .ok)
        #expect(try shop.transactions().map(\.price) == [10_000, 4_000])
        #expect(try shop.renewalInfo().priceIncreaseStatus == nil)
        _ = try shop.changePrice(id, ["items": [["SKU": "sport", "price": 3_000]]])
    }

    @Test func `dependents of a refused item end with it, and the subscription ends when no item is left`() throws {
        var shop = try AdvancedCommerceShop(at: "2026-01-01", environment: .production)
        let id = try shop.subscribe().transactionId
        _ = try shop.changePrice(id, ["items": [["SKU": "news", "price": 20_000, "dependentSKUs": ["sport"]]]])
        try shop.transcript.advance(to: try at("2026-02-10"))
        #expect(try shop.transactions().map(\.price) == [10_000])
        #expect(try shop.transcript.newNotifications().last == "EXPIRED/PRICE_INCREASE 2")
    }

    @Test(arguments: [true, false])
    func `in the sandbox the first renewal keeps the old price`(needsConsent: Bool) throws {
        var shop = try AdvancedCommerceShop(at: "2026-01-01")
        let id = try shop.subscribe().transactionId
        let price: Int64 = needsConsent ? 20_000 : 7_000
        _ = try shop.changePrice(id, ["items": [["SKU": "news", "price": .integer(price)]]])
        try shop.transcript.advance(to: try at("2026-02-10"))
        #expect(try shop.transactions().map(\.price) == [10_000, 10_000])
        if needsConsent { try shop.transcript.store.answerPriceIncrease(originalTransactionId: id, accept: true) }
        try shop.transcript.advance(to: try at("2026-04-10"))
        #expect(try shop.transactions().map(\.price) == [10_000, 10_000, price + 4_000, price + 4_000])
    }

    @Test func `a higher price waits for the end of the item's offer`() throws {
        var shop = try AdvancedCommerceShop(at: "2026-01-01", environment: .production)
        let offer = AdvancedCommerceShop.offer(1_000, "P1M", count: 3)
        let items: JSONValue = [
            AdvancedCommerceShop.item("news", 6_000, offer: offer), AdvancedCommerceShop.item("sport", 4_000),
        ]
        let id = try shop.subscribe(["items": items]).transactionId
        _ = try shop.changePrice(id, ["items": [["SKU": "news", "price": 7_000]]])
        try shop.transcript.advance(to: try at("2026-05-10"))
        #expect(try shop.transactions().map(\.price) == [5_000, 5_000, 5_000, 11_000, 11_000])
    }

    @Test(arguments: [("P1W", 7), ("P1M", 27), ("P3M", 27), ("P1Y", 27)])
    func `a price that needs no consent is announced 27 days before, or a week`(period: String, days: Int64) throws {
        var shop = try AdvancedCommerceShop(at: "2026-01-01", environment: .production)
        let id = try shop.subscribe(["period": .string(period)]).transactionId
        _ = try shop.changePrice(id, ["items": [["SKU": "news", "price": 6_500]]])
        let renewal = try shop.transcript.subscription.expiresDate
        let notice = max(shop.transcript.store.now, renewal - days * dayLength)
        if notice > shop.transcript.store.now { try shop.transcript.advance(to: notice - 1) }
        if notice > shop.transcript.store.now {
            #expect(try shop.renewalInfo().priceIncreaseStatus == nil)
        }
        try shop.transcript.advance(to: notice)
        #expect(try shop.renewalInfo().priceIncreaseStatus == .accepted)
    }

    @Test(
        arguments: [
            ([:], 4_000_101), (["items": []], 4_000_160), (["items": [["price": 1]]], 4_000_105),
            (["items": [["SKU": "news"]]], 4_000_109), (["items": [["SKU": "news", "price": -1]]], 4_000_086),
            (["items": [["SKU": "music", "price": 1]]], 4_000_220),
            (["currency": "EUR", "items": [["SKU": "news", "price": 1]]], 4_000_053),
            (["items": [["SKU": "news", "price": 1], ["SKU": "news", "price": 2]]], 4_000_194),
            (["items": [["SKU": "news", "price": 7_000, "dependentSKUs": ["music"]]]], 4_000_220),
            (["items": [["SKU": "news", "price": 7_000, "dependentSKUs": [1]]]], 4_000_173),
            (["items": [["SKU": "news", "price": 7_000, "dependentSKUs": [.null]]]], 4_000_173),
            (["items": [["SKU": "news", "price": .decimal("5000.5")]]], 4_000_173),
            (
                [
                    "items": [
                        ["SKU": "news", "price": 7_000, "dependentSKUs": ["music"]],
                        ["SKU": "sport", "price": 7_000, "dependentSKUs": ["music"]],
                    ]
                ], 4_000_192
            ),
            (
                [
                    "items": [
                        ["SKU": "news", "price": 7_000, "dependentSKUs": ["sport"]],
                        ["SKU": "sport", "price": 7_000, "dependentSKUs": ["music"]],
                    ]
                ], 4_000_193
            ),
        ] as [([String: JSONValue?], Int64)]
    )
    func `a change of prices that breaks a rule is refused`(changes: [String: JSONValue?], code: Int64) throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        expectError(code) { try shop.changePrice(id, changes) }
        #expect(try shop.renewalInfo().renewalPrice == 10_000)
    }

    @Test func `prices change in time, and not during billing retry or after a move`() throws {
        let lower: [String: JSONValue?] = ["items": [["SKU": "news", "price": 1_000]]]
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        var late = shop
        try late.transcript.advance(to: try at("2026-02-15") - 23 * hourLength)
        expectError(4_030_010) { try late.changePrice(id, lower) }
        try late.transcript.store.setPayment(accountId: "a", state: .declined)
        try late.transcript.advance(to: try at("2026-02-20"))
        expectError(4_030_010) { try late.changePrice(id, lower) }
        try shop.transcript.store.setStorefront(accountId: "a", storefront: "DEU")
        expectError(4_030_022) { try shop.changePrice(id, lower) }
        var indian = try AdvancedCommerceShop()
        try indian.transcript.store.setStorefront(accountId: "a", storefront: "IND")
        let other = try indian.subscribe(["storefront": "IND", "currency": "INR"]).transactionId
        expectError(4_000_221) { try indian.changePrice(other, ["items": [["SKU": "news", "price": 7_000]]]) }
        _ = try indian.changePrice(other, lower)
    }
}

/// Expects that a call is refused with Apple's error of this number.
func expectError<Answer>(
    _ code: Int64,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () throws -> Answer
) {
    let error = #expect(throws: AppStoreServerAPIError.self, sourceLocation: sourceLocation) { _ = try call() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
}

extension AdvancedCommerceShop {
    /// A body with only its identification, plus changes.
    mutating func body(_ changes: [String: JSONValue?]) -> JSONObject {
        var body: JSONObject = ["requestInfo": requestInfo()]
        for (key, value) in changes { body[key] = value }
        return body
    }

    mutating func cancel(
        _ id: String,
        _ changes: [String: JSONValue?] = [:]
    ) throws -> AdvancedCommerceSubscriptionCancelResponse {
        try transcript.store.cancelAdvancedCommerceSubscription(transactionId: id, body: body(changes))
    }

    mutating func changeMetadata(
        _ id: String,
        _ changes: [String: JSONValue?]
    ) throws -> AdvancedCommerceSubscriptionChangeMetadataResponse {
        try transcript.store.changeAdvancedCommerceMetadata(transactionId: id, body: body(changes))
    }

    mutating func changePrice(
        _ id: String,
        _ changes: [String: JSONValue?]
    ) throws -> AdvancedCommerceSubscriptionPriceChangeResponse {
        try transcript.store.changeAdvancedCommercePrice(transactionId: id, body: body(changes))
    }

    mutating func migrate(
        _ id: String,
        _ changes: [String: JSONValue?] = [:]
    ) throws -> AdvancedCommerceSubscriptionMigrateResponse {
        var all: [String: JSONValue?] = [
            "targetProductId": "pro.monthly", "taxCode": "C003-00-2",
            "descriptors": ["description": "Two channels", "displayName": "Bundle"],
            "items": [
                ["SKU": "news", "description": "All the news", "displayName": "News"],
                ["SKU": "sport", "description": "All the sport", "displayName": "Sport"],
            ],
        ]
        all.merge(changes) { $1 }
        return try transcript.store.migrateToAdvancedCommerce(transactionId: id, body: body(all))
    }

    mutating func revoke(
        _ id: String,
        _ changes: [String: JSONValue?] = [:]
    ) throws -> AdvancedCommerceSubscriptionRevokeResponse {
        var all: [String: JSONValue?] = [
            "refundReason": "LEGAL", "refundType": "FULL", "refundRiskingPreference": false,
        ]
        all.merge(changes) { $1 }
        return try transcript.store.revokeAdvancedCommerceSubscription(transactionId: id, body: body(all))
    }

    mutating func requestRefund(
        _ id: String,
        _ items: [JSONValue],
        _ changes: [String: JSONValue?] = [:]
    ) throws -> AdvancedCommerceRequestRefundResponse {
        var all: [String: JSONValue?] = ["items": .array(items), "refundRiskingPreference": false]
        all.merge(changes) { $1 }
        return try transcript.store.requestAdvancedCommerceRefund(transactionId: id, body: body(all))
    }

    static func refund(_ sku: String, _ changes: [String: JSONValue?] = [:]) -> JSONValue {
        var item: JSONObject = [
            "SKU": .string(sku), "refundReason": "OTHER", "refundType": "FULL", "revoke": true,
        ]
        for (key, value) in changes { item[key] = value }
        return .object(item)
    }
}
