import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Advanced Commerce: changes of what a subscription consists of` {
    @Test func `items added within the period cost their share of the rest, and renew in full`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        try shop.transcript.advance(to: try timestamp("2026-01-30T21:30:00Z"))
        let outcome = try shop.modify(id, ["addItems": [AdvancedCommerceShop.item("music", 3_000)]])
        let sold: JWSTransactionDecodedPayload = try decoded(outcome.signedTransactionInfo)
        #expect(sold.price == 1_500 && sold.transactionReason == .purchase)
        #expect(sold.advancedCommerceInfo?.items?.map(\.sku) == ["news", "sport", "music"])
        #expect(sold.advancedCommerceInfo?.items?.map(\.price) == [0, 0, 1_500])
        #expect(sold.expiresDate == (try at("2026-02-15")))
        #expect(try shop.transactions().map(\.isUpgraded) == [true, nil])
        try shop.transcript.advance(to: try at("2026-02-20"))
        #expect(try shop.transactions().map(\.price) == [10_000, 1_500, 13_000])
        #expect(
            try shop.transcript.newNotifications()
                == ["SUBSCRIBED/INITIAL_BUY 1", "DID_CHANGE_RENEWAL_PREF/UPGRADE 1", "DID_RENEW 1"]
        )
    }

    @Test func `a new cycle starts immediately, and refunds the unused part`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        try shop.transcript.advance(to: try timestamp("2026-01-30T21:30:00Z"))
        try shop.modify(
            id,
            ["addItems": [AdvancedCommerceShop.item("music", 3_000)], "retainBillingCycle": false]
        )
        let sold = try shop.transactions()
        #expect(sold.map(\.price) == [10_000, 13_000])
        #expect(sold[1].expiresDate == (try timestamp("2026-02-28T21:30:00Z")))
        let refunds = sold[0].advancedCommerceInfo?.items?.flatMap { $0.refunds ?? [] } ?? []
        #expect(refunds.map(\.refundAmount) == [3_000, 2_000])
        #expect(refunds.allSatisfy { $0.refundReason == .modifyItemsRefund && $0.refundType == .prorated })
        #expect(try shop.transcript.account.transactions.first?.proratedRefund == 5_000)
    }

    @Test func `a new cycle pays back the rest of each payment, and refunds never exceed what was paid`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        try shop.transcript.advance(to: try timestamp("2026-01-30T21:30:00Z"))
        let added = try shop.modify(id, ["addItems": [AdvancedCommerceShop.item("music", 3_000)]]).transactionId
        try shop.transcript.advance(to: try timestamp("2026-02-07T15:30:00Z"))
        try shop.modify(id, ["addItems": [AdvancedCommerceShop.item("film", 2_000)], "retainBillingCycle": false])
        #expect(try shop.transcript.account.transactions.map(\.proratedRefund) == [2_500, 750, nil])
        try shop.transcript.advance(to: try at("2026-02-10"))
        #expect(try paid(in: shop.transcript) == 7_500 + 750 + 15_000)
        for transaction in [id, added] { try shop.transcript.store.refund(transactionId: transaction) }
        try shop.transcript.advance(to: try at("2026-02-12"))
        #expect(try paid(in: shop.transcript) == 15_000)
        // A reversal does not take back what the modification paid.
        try shop.transcript.store.reverseRefund(transactionId: id)
        try shop.transcript.advance(to: try at("2026-02-14"))
        #expect(try paid(in: shop.transcript) == 7_500 + 15_000)
        try shop.transcript.store.refund(transactionId: id)
        try shop.transcript.advance(to: try at("2026-02-16"))
        #expect(try paid(in: shop.transcript) == 15_000)
    }

    @Test func `several new cycles in one second each pay back the one before, once`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        try shop.transcript.advance(to: try timestamp("2026-01-30T21:30:00Z"))
        for item in ["music", "film", "chess"] {
            try shop.modify(id, ["addItems": [AdvancedCommerceShop.item(item, 1_000)], "retainBillingCycle": false])
        }
        let sold = try shop.transcript.account.transactions
        #expect(sold.map(\.price) == [10_000, 11_000, 12_000, 13_000])
        #expect(sold.map(\.proratedRefund) == [5_000, 11_000, 12_000, nil])
        let items = try shop.transactions().map { $0.advancedCommerceInfo?.items ?? [] }
        #expect(items.map { $0.flatMap { $0.refunds ?? [] }.count } == [2, 3, 4, 0])
        try shop.transcript.advance(to: try at("2026-02-02"))
        #expect(try paid(in: shop.transcript) == 5_000 + 13_000)
        _ = try shop.revoke(id)
        #expect(try shop.transactions().map { $0.revocationDate != nil } == [false, false, false, true])
    }

    @Test func `a refund that was requested before a new cycle pays back what is left`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        let refund = AdvancedCommerceShop.refund("news")
        _ = try shop.requestRefund(id, [refund], ["refundRiskingPreference": true])
        try shop.transcript.advance(to: try timestamp("2026-01-30T21:30:00Z"))
        try shop.modify(id, ["addItems": [AdvancedCommerceShop.item("music", 3_000)], "retainBillingCycle": false])
        try shop.transcript.store.refund(transactionId: id)
        let news = try shop.transactions().first?.advancedCommerceInfo?.items?.first
        #expect(news?.refunds?.map(\.refundAmount) == [3_000, 3_000])
    }

    private static let increase: [String: JSONValue?] = ["items": [["SKU": "news", "price": 20_000]]]

    @Test(arguments: [true, false], [true, false])
    func `an announced price increase survives a modification`(retainsCycle: Bool, agrees: Bool) throws {
        var shop = try AdvancedCommerceShop(at: "2026-01-01", environment: .production)
        let id = try shop.subscribe().transactionId
        _ = try shop.changePrice(id, Self.increase)
        try shop.transcript.advance(to: try at("2026-01-20"))
        if agrees { try shop.transcript.store.answerPriceIncrease(originalTransactionId: id, accept: true) }
        try shop.modify(
            id,
            ["addItems": [AdvancedCommerceShop.item("music", 3_000)], "retainBillingCycle": .bool(retainsCycle)]
        )
        let renewal = try shop.renewalInfo()
        #expect(
            renewal.advancedCommerceInfo?.items?.first?.priceIncreaseInfo?.status == (agrees ? .accepted : .pending)
        )
        #expect(renewal.renewalPrice == 27_000)
        try shop.transcript.advance(to: try at("2026-02-25"))
        let sold = try shop.transactions()
        #expect(sold.map(\.price).suffix(2).first == (retainsCycle ? sold[1].price : 13_000))
        #expect(sold.last?.price == (agrees ? 27_000 : 7_000))
        let notices = try shop.transcript.newNotifications().filter { $0.hasPrefix("PRICE_INCREASE") }
        #expect(notices == ["PRICE_INCREASE/PENDING 1"] + (agrees ? ["PRICE_INCREASE/ACCEPTED 1"] : []))
    }

    @Test func `an item that stays at its price keeps its increase, and a planned one keeps its renewal`() throws {
        var shop = try AdvancedCommerceShop(at: "2026-01-01")
        let id = try shop.subscribe().transactionId
        _ = try shop.changePrice(id, Self.increase)
        try shop.transcript.advance(to: try at("2026-01-03"))
        let same = AdvancedCommerceShop.change("news", to: "news", 6_000, "NEXT_BILL_CYCLE", "UPGRADE")
        for item in ["music", "film"] {
            try shop.modify(id, ["changeItems": [same], "addItems": [AdvancedCommerceShop.item(item, 1_000)]])
        }
        try shop.transcript.advance(to: try at("2026-02-20"))
        #expect(try shop.transactions().last?.price == 12_000)
        try shop.transcript.store.answerPriceIncrease(originalTransactionId: id, accept: true)
        // In the sandbox the second renewal has the new price.
        try shop.transcript.advance(to: try at("2026-03-10"))
        #expect(try shop.transactions().last?.price == 26_000)
    }

    @Test func `an item is replaced at once for the difference, or with the next period`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        try shop.transcript.advance(to: try timestamp("2026-01-30T21:30:00Z"))
        let outcome = try shop.modify(
            id,
            [
                "changeItems": [
                    AdvancedCommerceShop.change("news", to: "papers", 8_000, "IMMEDIATELY", "UPGRADE"),
                    AdvancedCommerceShop.change("sport", to: "chess", 1_000, "NEXT_BILL_CYCLE", "DOWNGRADE"),
                ]
            ]
        )
        let sold: JWSTransactionDecodedPayload = try decoded(outcome.signedTransactionInfo)
        #expect(sold.price == 1_000)
        #expect(sold.advancedCommerceInfo?.items?.map(\.sku) == ["papers", "sport"])
        try shop.transcript.advance(to: try at("2026-02-20"))
        let renewed = try #require(try shop.transactions().last)
        #expect(renewed.price == 9_000 && renewed.advancedCommerceInfo?.items?.map(\.sku) == ["papers", "chess"])
    }

    @Test func `changes for the next period are not purchases`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        try shop.modify(
            id,
            [
                "periodChange": ["period": "P1Y", "effective": "NEXT_BILL_CYCLE"],
                "changeItems": [
                    AdvancedCommerceShop.change("news", to: "news", 60_000, "NEXT_BILL_CYCLE", "UPGRADE")
                ], "removeItems": [["SKU": "sport"]],
                "descriptors": ["displayName": "Year", "effective": "NEXT_BILL_CYCLE"],
            ]
        )
        #expect(try shop.transactions().count == 1)
        #expect(try shop.transcript.newNotifications().last == "DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1")
        try shop.transcript.advance(to: try at("2026-02-20"))
        let renewed = try #require(try shop.transactions().last)
        #expect(renewed.expiresDate == (try at("2027-02-15")) && renewed.price == 60_000)
        #expect(renewed.advancedCommerceInfo?.period == .oneYear)
        #expect(renewed.advancedCommerceInfo?.descriptors?.displayName == "Year")
    }

    private static let added: [String: JSONValue?] = ["addItems": [AdvancedCommerceShop.item("music", 3_000)]]

    private static func adding(_ changes: [String: JSONValue?]) -> [String: JSONValue?] {
        var item = AdvancedCommerceShop.item("music", 3_000).objectValue ?? JSONObject()
        for (key, value) in changes { item[key] = value }
        return ["addItems": [.object(item)]]
    }

    private static func changing(
        _ changes: [String: JSONValue?],
        _ others: [String: JSONValue?] = [:]
    ) -> [String: JSONValue?] {
        var item =
            AdvancedCommerceShop.change("news", to: "papers", 8_000, "IMMEDIATELY", "UPGRADE").objectValue
            ?? JSONObject()
        for (key, value) in changes { item[key] = value }
        return ["changeItems": [.object(item)]].merging(others) { $1 }
    }

    static let faults: [([String: JSONValue?], Int64)] = [
        ([:], 4_000_063), (["transactionId": nil], 4_000_085), (["retainBillingCycle": nil], 4_000_110),
        (["addItems": []], 4_000_139), (["changeItems": []], 4_000_139), (["removeItems": []], 4_000_160),
        (["addItems": [.null]], 4_000_102), (["changeItems": [.null]], 4_000_102),
        (["removeItems": [["SKU": "news"]]], 4_000_144),
        (adding(["proratedPrice": -1]), 4_000_091), (adding(["proratedPrice": 3_001]), 4_000_151),
        (adding(["proratedPrice": 1, "offer": AdvancedCommerceShop.offer(1, "P1M")]), 4_000_150),
        (adding(["SKU": "news"]), 4_000_114), (changing(["currentSKU": nil]), 4_000_169),
        (changing(["SKU": nil]), 4_000_112),
        (changing(["reason": nil]), 4_000_095), (changing(["reason": "WHIM"]), 4_000_125),
        (changing(["effective": nil]), 4_000_111), (changing(["currentSKU": "music"]), 4_000_146),
        (changing(["SKU": "sport"]), 4_000_114), (changing(["SKU": "news"]), 4_000_178),
        (changing(["effective": "NEXT_BILL_CYCLE", "proratedPrice": 1]), 4_000_222),
        (changing(["effective": "NEXT_BILL_CYCLE"], ["retainBillingCycle": false]), 4_000_148),
        (changing([:], ["removeItems": [["SKU": "news"]]]), 4_000_143),
        (changing([:], ["removeItems": [["SKU": "music"]]]), 4_000_145),
        (changing([:], ["periodChange": ["period": "P1Y", "effective": "NEXT_BILL_CYCLE"]]), 4_000_142),
        (changing([:], ["periodChange": ["period": "P1Y", "effective": "IMMEDIATELY"]]), 4_000_141),
        (
            changing(
                [:],
                ["periodChange": ["period": "P1Y", "effective": "IMMEDIATELY"], "retainBillingCycle": false]
            ), 4_000_140
        ),
        (
            changing(
                ["effective": "NEXT_BILL_CYCLE"],
                ["periodChange": ["period": "P1Y", "effective": "IMMEDIATELY"], "retainBillingCycle": false]
            ), 4_000_149
        ),
        (["periodChange": ["effective": "IMMEDIATELY"]], 4_000_104),
        (["periodChange": ["period": "P5M", "effective": "IMMEDIATELY"]], 4_000_130),
        (["descriptors": ["effective": "IMMEDIATELY"]], 4_000_165),
    ]

    @Test(arguments: faults) func `a change that breaks a rule is refused with Apple's error`(
        changes: [String: JSONValue?],
        code: Int64
    ) throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        let error = #expect(throws: StoreError.self) { try shop.modify(id, changes) }
        #expect(error?.message.hasPrefix("\(code) ") == true, "\(error?.message ?? "")")
        #expect(try shop.transactions().count == 1)
    }

    @Test func `an item in an offer is not replaced within the period, and an announced price stays`() throws {
        var shop = try AdvancedCommerceShop(at: "2026-01-01")
        let offer = AdvancedCommerceShop.offer(1_000, "P1M")
        let id = try shop.subscribe([
            "items": [
                AdvancedCommerceShop.item("news", 6_000, offer: offer), AdvancedCommerceShop.item("sport", 4_000),
            ]
        ]).transactionId
        try expect(4_000_177) { try shop.modify(id, Self.changing([:])) }
        _ = try shop.changePrice(id, ["items": [["SKU": "sport", "price": 4_500]]])
        let change = AdvancedCommerceShop.change("sport", to: "chess", 4_000, "NEXT_BILL_CYCLE", "APPLY_OFFER", offer)
        try expect(4_000_214) { try shop.modify(id, ["changeItems": [change]]) }
    }

    @Test func `only a subscription that runs and renews is changed`() throws {
        var shop = try AdvancedCommerceShop()
        let coins = try shop.buy(shop.charge(), as: "coins.100").transactionId
        let id = try shop.subscribe().transactionId
        try expect(4_040_010) { try shop.modify("2000000000009999", Self.added) }
        try expect(4_030_008) { try shop.modify(coins, Self.added) }
        try expect(4_030_023) { try shop.modify(id, Self.added, as: "pro.yearly") }
        _ = try shop.cancel(id)
        try expect(4_030_010) { try shop.modify(id, Self.added) }
        try shop.transcript.advance(to: try at("2026-03-01"))
        try expect(4_030_015) { try shop.modify(id, Self.added) }
    }

    private func expect(_ code: Int64, _ call: () throws -> PurchaseOutcome) throws {
        let error = #expect(throws: StoreError.self) { _ = try call() }
        #expect(error?.code == .advancedCommerceRefused)
        #expect(error?.message.hasPrefix("\(code) ") == true, "\(error?.message ?? "")")
    }
}

extension AdvancedCommerceShop {
    @discardableResult
    mutating func modify(
        _ id: String,
        _ changes: [String: JSONValue?],
        as productId: String = "pro.monthly"
    ) throws -> PurchaseOutcome {
        var request: JSONObject = [
            "operation": "MODIFY_SUBSCRIPTION", "version": "1", "requestInfo": requestInfo(),
            "transactionId": .string(id), "retainBillingCycle": true,
        ]
        for (key, value) in changes { request[key] = value }
        return try buy(request, as: productId)
    }

    static func change(
        _ current: String,
        to sku: String,
        _ price: Int64,
        _ effective: String,
        _ reason: String,
        _ offer: JSONValue? = nil
    ) -> JSONValue {
        var change = item(sku, price, offer: offer).objectValue ?? JSONObject()
        change["currentSKU"] = .string(current)
        change["effective"] = .string(effective)
        change["reason"] = .string(reason)
        return .object(change)
    }
}
