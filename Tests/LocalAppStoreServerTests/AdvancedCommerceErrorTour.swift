import AppStoreModel
import Testing

/// The errors of Advanced Commerce over HTTP. Those of signed requests are in the message of the purchase; the others
/// are Apple's answers.
extension `Coverage of Apple's API` {
    private typealias Developer = AdvancedCommerceDeveloper
    private typealias Cases = AdvancedCommerceCases

    static func advancedCommerceErrors(_ developer: inout AdvancedCommerceDeveloper) async throws {
        _ = try await developer.tour.store.post("/_store/accounts", ["accountId": "anna", "storefront": "USA"])
        for (code, changes) in Cases.badRequests + Cases.badItems {
            try await developer.refuses(code, developer.subscription(changes))
        }
        let id = try await sales(&developer)
        for (code, changes) in Cases.badModifications {
            try await developer.refuses(code, developer.modification(of: id, changes))
        }
        try await modificationsOfOffersAndIncreases(&developer)
        for (code, path, changes) in Cases.badCalls { try await developer.fails(code, path, id, changes) }
        try await refunds(&developer)
        try await migrations(&developer, native: id)
        try await reactivation(&developer, of: id)
        try await countries(&developer)
        try await inTime(&developer)
    }

    /// Products and customers; returns a subscription of anna's.
    private static func sales(_ developer: inout Developer) async throws -> String {
        try await developer.refuses(4_030_023, developer.charge())
        let charge = developer.charge()
        let coins = try await developer.sell(charge, as: "coins.100")
        try await developer.refuses(4_000_097, charge, as: "coins.100")
        let previous: Developer.Changes = ["previousTransactionId": .string(coins)]
        try await developer.refuses(4_000_113, developer.subscription(previous))
        let id = try await developer.sell(developer.subscription())
        try await developer.refuses(4_030_009, developer.subscription())
        try await developer.fails(4_030_008, "subscription/cancel", coins)
        let plain = try await developer.tour.store.buy("plus.monthly")["transactionId"].id
        try await developer.fails(4_030_010, "subscription/cancel", plain)
        return id
    }

    private static func modificationsOfOffersAndIncreases(_ developer: inout Developer) async throws {
        let items: JSONValue = [
            Developer.item("news", 6_000, ["offer": Developer.offer(1_000)]), Developer.item("sport", 4_000),
        ]
        let id = try await developer.sell(developer.subscription(["items": items]), to: "nora")
        let (code, change) = Cases.changing(4_000_177)
        try await developer.refuses(code, developer.modification(of: id, change), of: "nora")
        try await developer.call("subscription/changePrice", id, ["items": [["SKU": "sport", "price": 4_500]]])
        let (otherCode, other) = Cases.changing(
            4_000_214,
            [
                "currentSKU": "sport", "SKU": "chess", "price": 4_000, "effective": "NEXT_BILL_CYCLE",
                "reason": "APPLY_OFFER", "offer": Developer.offer(1_000),
            ]
        )
        try await developer.refuses(otherCode, developer.modification(of: id, other), of: "nora")
    }

    private static func refunds(_ developer: inout Developer) async throws {
        let path = "transaction/requestRefund"
        let coins = try await developer.tour.store.buy("coins.100")["transactionId"].id
        let (code, _, body) = Cases.refunding(4_030_024, [Developer.refund("news")])
        try await developer.fails(code, path, coins, body)
        let charge = try await developer.sell(developer.charge(), as: "coins.100")
        let tooMuch: Developer.Changes = ["refundType": "CUSTOM", "refundAmount": 49_991]
        try await developer.fails(4_000_132, path, charge, Cases.refunding(0, [Developer.refund("course", tooMuch)]).2)
        let whole = Cases.refunding(0, [Developer.refund("course")]).2
        try await developer.call(path, charge, whole.merging(["refundRiskingPreference": true]) { $1 })
        try await developer.fails(4_000_181, path, charge, whole)
        #expect(try await developer.tour.store.post("/_store/transactions/\(charge)/refund").status == 200)
        try await developer.fails(4_030_021, path, charge, whole)
    }

    private static func migrations(_ developer: inout Developer, native: String) async throws {
        let plain = try await developer.tour.store.buy("plus.monthly", account: "bert")["transactionId"].id
        let items: JSONValue = [["SKU": "later", "description": "Later", "displayName": "Later"]]
        for (code, changes) in [
            (4_000_166, ["targetProductId": nil]), (4_000_167, ["targetProductId": "coins.100"]),
            (4_040_016, ["targetProductId": "none"]), (4_000_180, ["renewalItems": items]),
        ] as [Cases.Case] {
            try await developer.fails(code, "subscription/migrate", plain, Cases.target.merging(changes) { $1 })
        }
        try await developer.fails(4_000_176, "subscription/migrate", native, Cases.target)
    }

    private static func reactivation(_ developer: inout Developer, of id: String) async throws {
        try await developer.refuses(4_030_011, developer.reactivation(of: id))
        try await developer.call("subscription/cancel", id)
        let unknown: Developer.Changes = ["items": [["SKU": "music"]]]
        try await developer.refuses(4_000_220, developer.reactivation(of: id, unknown))
        try await developer.call("subscription/revoke", id, Cases.revocation)
        try await developer.fails(4_000_186, "subscription/revoke", id, Cases.revocation)
    }

    private static func countries(_ developer: inout Developer) async throws {
        let indian: Developer.Changes = ["storefront": "IND", "currency": "INR"]
        let id = try await developer.sell(developer.subscription(indian), to: "indira", in: "IND")
        let higher: Developer.Changes = ["items": [["SKU": "news", "price": 7_000]]]
        try await developer.fails(4_000_221, "subscription/changePrice", id, higher)
        let move = try await developer.tour.store.put("/_store/accounts/indira/storefront", ["storefront": "DEU"])
        #expect(move.status == 200)
        try await developer.fails(4_030_022, "subscription/changePrice", id, higher)
    }

    /// The cases that need time to pass.
    private static func inTime(_ developer: inout Developer) async throws {
        let store = developer.tour.store
        let left = try await developer.sell(developer.subscription(), to: "olga")
        try await developer.call("subscription/cancel", left)
        let renewed = try await developer.sell(developer.subscription(), to: "rita")
        let dearer = try await developer.sell(developer.subscription(), to: "pete")
        try await developer.call("subscription/changePrice", dearer, ["items": [["SKU": "news", "price": 20_000]]])
        let week = try await store.buy("pro.weekly", account: "wilma")["transactionId"].id
        _ = try await store.advance(by: "P1D")
        let price: JSONValue = ["price": 3_490, "needsConsent": false]
        #expect(try await store.post("/_store/products/pro.weekly/price", price).status == 200)
        _ = try await store.advance(by: "P7D")
        try await developer.fails(4_030_027, "subscription/migrate", week, Cases.target)
        _ = try await store.advance(by: "P11D")
        _ = try await store.advance(by: "P20D")
        // In the sandbox the first renewal keeps the old price: the customer is notified before the second.
        let again: Developer.Changes = ["items": [["SKU": "news", "price": 7_000]]]
        try await developer.fails(4_000_205, "subscription/changePrice", dearer, again)
        try await developer.fails(4_030_015, "subscription/cancel", left)
        let prorated = Cases.refunding(0, [Developer.refund("news", ["refundType": "PRORATED"])]).2
        try await developer.fails(4_000_182, "transaction/requestRefund", renewed, prorated)
    }

    /// The errors that only production returns.
    static func advancedCommerceInProduction(_ tour: inout AppleTour) async throws {
        var developer = Developer(tour)
        let id = try await developer.sell(developer.subscription(), to: "paul")
        let simulated = Cases.revocation.merging(["refundReason": Cases.declined]) { $1 }
        try await developer.fails(4_000_158, "subscription/revoke", id, simulated)
        tour = developer.tour
    }
}
