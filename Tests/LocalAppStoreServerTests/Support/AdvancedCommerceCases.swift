import AppStoreModel

/// Advanced Commerce requests that violate one rule each, with Apple's error.
enum AdvancedCommerceCases {
    typealias Developer = AdvancedCommerceDeveloper
    typealias Case = (Int64, Developer.Changes)
    typealias Call = (Int64, String, Developer.Changes)

    private static func long(_ count: Int) -> JSONValue { .string(String(repeating: "x", count: count)) }

    static let badRequests: [Case] = [
        (4_000_172, ["operation": "CREATE"]), (4_000_083, ["version": nil]), (4_000_084, ["version": "2"]),
        (4_000_173, ["version": 1]), (4_000_079, ["requestInfo": nil]), (4_000_080, ["requestInfo": [:]]),
        (4_000_081, ["requestInfo": ["requestReferenceId": "x"]]), (4_000_133, ["storefront": "DEU"]),
        (4_000_098, ["currency": nil]), (4_000_053, ["currency": "EUR"]), (4_000_099, ["taxCode": nil]),
        (4_000_127, ["taxCode": ""]), (4_000_103, ["descriptors": nil]),
        (4_000_107, ["descriptors": ["displayName": "x"]]), (4_000_106, ["descriptors": ["description": "x"]]),
        (4_000_101, ["items": nil]), (4_000_160, ["items": []]), (4_000_102, ["items": [.null]]),
        (4_000_104, ["period": nil]), (4_000_130, ["period": "P5M"]), (4_000_096, ["previousTransactionId": "x"]),
        (4_000_194, ["items": [Developer.item("news", 1), Developer.item("news", 2)]]),
        (
            4_000_147,
            [
                "items": [
                    Developer.item("news", 6_000, ["offer": Developer.offer(0, ["period": "P1W"])]),
                    Developer.item("sport", 4_000),
                ]
            ]
        ),
    ]

    static let badItems: [Case] = badFields.map { item($0, $1) } + badOffers.map { item($0, ["offer": $1]) }

    private static let badFields: [Case] = [
        (4_000_105, ["SKU": nil]), (4_000_122, ["SKU": ""]), (4_000_087, ["SKU": long(129)]),
        (4_000_088, ["description": long(46)]), (4_000_089, ["displayName": long(31)]),
        (4_000_119, ["description": ""]), (4_000_118, ["displayName": ""]), (4_000_109, ["price": nil]),
        (4_000_086, ["price": -1]),
    ]

    private static let badOffers: [(Int64, JSONValue)] = [
        (4_000_092, Developer.offer(1_000, ["period": nil])), (4_000_128, Developer.offer(1_000, ["period": "P5D"])),
        (4_000_093, Developer.offer(1_000, ["periodCount": nil])),
        (4_000_094, Developer.offer(1_000, ["periodCount": 0])),
        (4_000_129, Developer.offer(1_000, ["periodCount": 13])), (4_000_152, Developer.offer(6_001)),
        (4_000_095, Developer.offer(1_000, ["reason": nil])), (4_000_126, Developer.offer(1_000, ["reason": "LOVE"])),
        (4_000_223, Developer.offer(0, ["periodCount": 2])),
    ]

    private static func item(_ code: Int64, _ changes: Developer.Changes) -> Case {
        (code, ["items": [Developer.item("news", 6_000, changes)]])
    }

    private static func adding(_ code: Int64, _ changes: Developer.Changes) -> Case {
        (code, ["addItems": [Developer.item("music", 3_000, changes)]])
    }

    static func changing(
        _ code: Int64,
        _ changes: Developer.Changes = [:],
        _ others: Developer.Changes = [:]
    ) -> Case {
        (code, ["changeItems": [Developer.change(changes)]].merging(others) { $1 })
    }

    private static let year: JSONValue = ["period": "P1Y", "effective": "IMMEDIATELY"]

    static let badModifications: [Case] = [
        (4_000_063, [:]), (4_000_085, ["transactionId": nil]), (4_000_110, ["retainBillingCycle": nil]),
        (4_000_139, ["addItems": []]), (4_000_144, ["removeItems": [["SKU": "news"]]]),
        adding(4_000_091, ["proratedPrice": -1]), adding(4_000_151, ["proratedPrice": 3_001]),
        adding(4_000_150, ["proratedPrice": 1, "offer": Developer.offer(1)]), adding(4_000_114, ["SKU": "news"]),
        changing(4_000_169, ["currentSKU": nil]), changing(4_000_112, ["SKU": nil]),
        changing(4_000_125, ["reason": "WHIM"]), changing(4_000_111, ["effective": nil]),
        changing(4_000_146, ["currentSKU": "music"]), changing(4_000_178, ["SKU": "news"]),
        changing(4_000_222, ["effective": "NEXT_BILL_CYCLE", "proratedPrice": 1]),
        changing(4_000_148, ["effective": "NEXT_BILL_CYCLE"], ["retainBillingCycle": false]),
        changing(4_000_143, [:], ["removeItems": [["SKU": "news"]]]),
        changing(4_000_145, [:], ["removeItems": [["SKU": "music"]]]),
        changing(4_000_142, [:], ["periodChange": ["period": "P1Y", "effective": "NEXT_BILL_CYCLE"]]),
        changing(4_000_141, [:], ["periodChange": year]),
        changing(4_000_140, [:], ["periodChange": year, "retainBillingCycle": false]),
        changing(
            4_000_149,
            ["effective": "NEXT_BILL_CYCLE"],
            ["periodChange": year, "retainBillingCycle": false]
        ),
        (4_000_165, ["descriptors": ["effective": "IMMEDIATELY"]]),
    ]

    private static func dependent(_ first: String, _ second: String) -> Developer.Changes {
        [
            "items": [
                ["SKU": "news", "price": 7_000, "dependentSKUs": [.string(first)]],
                ["SKU": "sport", "price": 7_000, "dependentSKUs": [.string(second)]],
            ]
        ]
    }

    static let revocation: Developer.Changes = [
        "refundReason": "LEGAL", "refundType": "FULL", "refundRiskingPreference": false,
    ]

    private static func revoking(_ code: Int64, _ changes: Developer.Changes) -> Call {
        (code, "subscription/revoke", revocation.merging(changes) { $1 })
    }

    static func refunding(_ code: Int64, _ items: JSONValue) -> Call {
        (code, "transaction/requestRefund", ["items": items, "refundRiskingPreference": false])
    }

    static let declined: JSONValue = "SIMULATE_REFUND_DECLINE"

    static let badCalls: [Call] = [
        (
            4_000_082, "subscription/cancel",
            ["requestInfo": ["requestReferenceId": .string(uuid(1)), "consistencyToken": "old"]]
        ),
        (4_000_115, "subscription/changeMetadata", [:]),
        (4_000_192, "subscription/changePrice", dependent("music", "music")),
        (4_000_193, "subscription/changePrice", dependent("sport", "music")),
        (4_000_220, "subscription/changePrice", ["items": [["SKU": "music", "price": 1]]]),
        revoking(4_000_156, ["refundReason": nil]), revoking(4_000_124, ["refundReason": "MOOD"]),
        revoking(4_000_157, ["refundType": nil]), revoking(4_000_123, ["refundType": "HALF"]),
        revoking(4_000_159, ["refundRiskingPreference": nil]), refunding(4_030_013, [Developer.refund("music")]),
        refunding(4_000_153, [Developer.refund("news", ["refundType": "CUSTOM"])]),
        refunding(4_000_154, [Developer.refund("news", ["refundType": "CUSTOM", "refundAmount": 0])]),
        refunding(4_000_155, [Developer.refund("news", ["refundAmount": 1])]),
        refunding(
            4_000_184,
            [Developer.refund("news", ["refundReason": declined]), Developer.refund("sport")]
        ),
    ]

    static let target: Developer.Changes = [
        "targetProductId": "pro.monthly", "taxCode": "C003-00-2",
        "descriptors": ["description": "All the news", "displayName": "News"],
        "items": [["SKU": "news", "description": "All the news", "displayName": "News"]],
    ]
}
