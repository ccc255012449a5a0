import AppStoreModel
import AppStoreSigning
import LocalAppStore
import Testing

@Suite struct `Advanced Commerce: signed requests that break a rule` {
    private static func long(_ count: Int) -> JSONValue { .string(String(repeating: "x", count: count)) }

    private static func items(_ changes: [String: JSONValue?]) -> [String: JSONValue?] {
        var item = AdvancedCommerceShop.item("news", 6_000).objectValue ?? JSONObject()
        for (key, value) in changes { item[key] = value }
        return ["items": [.object(item)]]
    }

    private static func offer(_ changes: [String: JSONValue?]) -> [String: JSONValue?] {
        var offer = AdvancedCommerceShop.offer(1_000, "P1M").objectValue ?? JSONObject()
        for (key, value) in changes { offer[key] = value }
        return items(["offer": .object(offer)])
    }

    static let faults: [([String: JSONValue?], Int64)] = [
        (["operation": "CREATE"], 4_000_172), (["operation": nil], 4_000_172),
        (["version": nil], 4_000_083), (["version": "2"], 4_000_084), (["version": 1], 4_000_173),
        (["requestInfo": nil], 4_000_079), (["requestInfo": [:]], 4_000_080),
        (["requestInfo": ["requestReferenceId": "x"]], 4_000_081),
        (
            [
                "requestInfo": [
                    "requestReferenceId": "7d5a0a2e-0000-4000-8000-000000000001", "appAccountToken": "x",
                ]
            ], 4_000_033
        ),
        (["storefront": "XXX"], 4_000_028), (["storefront": "DEU"], 4_000_133), (["currency": nil], 4_000_098),
        (["currency": "EUR"], 4_000_053), (["taxCode": nil], 4_000_099), (["taxCode": ""], 4_000_127),
        (["descriptors": nil], 4_000_103), (["descriptors": ["displayName": "x"]], 4_000_107),
        (["descriptors": ["description": "x"]], 4_000_106), (["items": nil], 4_000_101), (["items": []], 4_000_160),
        (["items": [.null]], 4_000_102), (["period": nil], 4_000_104), (["period": "P5M"], 4_000_130),
        (["previousTransactionId": "x"], 4_000_096), (items(["SKU": nil]), 4_000_105), (items(["SKU": ""]), 4_000_122),
        (items(["SKU": long(129)]), 4_000_087), (items(["description": long(46)]), 4_000_088),
        (items(["displayName": long(31)]), 4_000_089), (items(["description": ""]), 4_000_119),
        (items(["displayName": ""]), 4_000_118), (items(["price": nil]), 4_000_109), (items(["price": -1]), 4_000_086),
        (items(["price": "1"]), 4_000_173), (offer(["period": nil]), 4_000_092), (offer(["period": "P5D"]), 4_000_128),
        (offer(["periodCount": nil]), 4_000_093), (offer(["periodCount": 0]), 4_000_094),
        (offer(["periodCount": 13]), 4_000_129), (offer(["periodCount": 5_000_000_000]), 4_000_129),
        (offer(["price": 6_001]), 4_000_152), (offer(["price": nil]), 4_000_109), (offer(["price": -1]), 4_000_086),
        (offer(["reason": nil]), 4_000_095),
        (offer(["reason": "LOVE"]), 4_000_126), (offer(["price": 0, "periodCount": 2]), 4_000_223),
        (
            [
                "items": [
                    AdvancedCommerceShop.item("news", 6_000, offer: AdvancedCommerceShop.offer(0, "P1W")),
                    AdvancedCommerceShop.item("sport", 4_000),
                ]
            ], 4_000_147
        ),
        (
            ["items": [AdvancedCommerceShop.item("news", 1), AdvancedCommerceShop.item("news", 2)]], 4_000_194
        ),
    ]

    @Test(arguments: faults) func `a request that breaks a rule is refused with Apple's error`(
        changes: [String: JSONValue?],
        code: Int64
    ) throws {
        var shop = try AdvancedCommerceShop()
        try expect(code) { try shop.subscribe(changes) }
        #expect(try shop.transcript.account.transactions.isEmpty)
    }

    @Test func `a request identifier is valid once`() throws {
        var shop = try AdvancedCommerceShop()
        let request = shop.charge()
        try shop.buy(request, as: "coins.100")
        try expect(4_000_097) { try shop.buy(request, as: "coins.100") }
    }

    @Test func `the sale matches the kind of the product, and a second subscription is refused`() throws {
        var shop = try AdvancedCommerceShop()
        try expect(4_030_023) { try shop.buy(shop.charge()) }
        try expect(4_030_023) { try shop.buy(shop.subscription(), as: "coins.100") }
        let coins = try shop.buy(shop.charge(), as: "coins.100").transactionId
        try expect(4_000_113) { try shop.subscribe(["previousTransactionId": .string(coins)]) }
        try shop.subscribe()
        try expect(4_030_009) { try shop.subscribe() }
    }

    @Test func `only a cancelled subscription of Advanced Commerce is turned on again`() throws {
        var shop = try AdvancedCommerceShop()
        func request(_ id: String, _ items: JSONValue? = nil) -> JSONObject {
            var request: JSONObject = [
                "operation": "REACTIVATE_SUBSCRIPTION", "version": "1", "requestInfo": shop.requestInfo(),
                "transactionId": .string(id),
            ]
            request["items"] = items
            return request
        }
        let coins = try shop.buy(shop.charge(), as: "coins.100").transactionId
        let id = try shop.subscribe().transactionId
        try expect(4_040_010) { try shop.buy(request("2000000000009999")) }
        try expect(4_030_008) { try shop.buy(request(coins)) }
        try expect(4_030_011) { try shop.buy(request(id)) }
        try shop.transcript.store.setAutoRenew(originalTransactionId: id, enabled: false)
        try expect(4_000_220) { try shop.buy(request(id, [["SKU": "music"]])) }
        try shop.transcript.advance(to: try at("2026-03-01"))
        try expect(4_030_015) { try shop.buy(request(id)) }
        try shop.transcript.buy("pro.monthly")
        try expect(4_030_010) { try shop.buy(request(id)) }
    }

    private func expect(_ code: Int64, _ call: () throws -> PurchaseOutcome) throws {
        let error = #expect(throws: StoreError.self) { _ = try call() }
        #expect(error?.code == .advancedCommerceRefused)
        #expect(error?.message.hasPrefix("\(code) ") == true, "\(error?.message ?? "")")
    }
}
