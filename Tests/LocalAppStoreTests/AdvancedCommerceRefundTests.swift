import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Advanced Commerce: revocations and refunds` {
    @Test(arguments: ["FULL", "PRORATED"])
    func `a revoked subscription ends immediately, with a full or prorated refund`(type: String) throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        try shop.transcript.advance(to: try timestamp("2026-01-30T21:30:00Z"))
        let answer = try shop.revoke(id, ["refundType": .string(type)])
        let sold: JWSTransactionDecodedPayload = try decoded(try #require(answer.signedTransactionInfo))
        let isFull = type == "FULL"
        #expect(sold.revocationType == (isFull ? .fullRefund : .proratedRefund))
        #expect(sold.revocationPercentage == (isFull ? 100_000 : 50_000))
        let refunds = sold.advancedCommerceInfo?.items?.flatMap { $0.refunds ?? [] } ?? []
        #expect(refunds.map(\.refundAmount) == (isFull ? [6_000, 4_000] : [3_000, 2_000]))
        #expect(sold.advancedCommerceInfo?.items?.allSatisfy { $0.revocationDate == sold.revocationDate } == true)
        #expect(try shop.transcript.subscription.status == .revoked)
        #expect(try shop.transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "REFUND 5"])
        expectError(4_000_186) { try shop.revoke(id) }
    }

    @Test(arguments: ["FULL", "PRORATED"])
    func `a revocation after a modification refunds the payments for the whole period`(type: String) throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        try shop.transcript.advance(to: try timestamp("2026-01-30T21:30:00Z"))
        try shop.modify(id, ["addItems": [AdvancedCommerceShop.item("music", 3_000)]])
        _ = try shop.revoke(id, ["refundType": .string(type)])
        let refunds = try shop.transactions().map { sold in
            (sold.advancedCommerceInfo?.items ?? []).flatMap { $0.refunds ?? [] }.compactMap(\.refundAmount)
        }
        #expect(refunds == (type == "FULL" ? [[6_000, 4_000], [1_500]] : [[3_000, 2_000], [1_500]]))
        #expect(try shop.transactions().allSatisfy { $0.revocationDate != nil })
        #expect(try shop.transcript.subscription.status == .revoked)
        #expect(try shop.transcript.newNotifications().suffix(2) == ["REFUND 5", "REFUND 5"])
    }

    @Test func `an extension after a modification moves both payments, and a revocation refunds both`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        try shop.transcript.advance(to: try at("2026-01-18"))
        try shop.modify(id, ["addItems": [AdvancedCommerceShop.item("music", 3_000)]])
        let request = ExtendRenewalDateRequest(
            extendByDays: 10,
            extendReasonCode: .serviceIssueOrOutage,
            requestIdentifier: "1"
        )
        _ = try shop.transcript.store.extendRenewalDate(originalTransactionId: id, request: request)
        #expect(try shop.transactions().map(\.expiresDate) == [at("2026-02-25"), at("2026-02-25")])
        _ = try shop.revoke(id, ["refundType": "FULL"])
        #expect(try shop.transactions().allSatisfy { $0.revocationDate != nil })
        #expect(try shop.transcript.newNotifications().suffix(2) == ["REFUND 5", "REFUND 5"])
    }

    @Test(
        arguments: [(2_000, 66_667), (1_000, 33_333), (1, 33), (2_999, 99_967), (3_000, 100_000)] as [(Int64, Int32)]
    )
    func `the percentage of a refund is rounded to the nearest`(amount: Int64, percentage: Int32) throws {
        var shop = try AdvancedCommerceShop()
        let item = AdvancedCommerceShop.item("course", 3_000)
        let id = try shop.buy(shop.charge(["item": item]), as: "coins.100").transactionId
        let custom: [String: JSONValue?] = ["refundType": "CUSTOM", "refundAmount": .integer(amount)]
        _ = try shop.requestRefund(id, [AdvancedCommerceShop.refund("course", custom)])
        #expect(try shop.transactions().first?.revocationPercentage == percentage)
    }

    @Test func `consumption information is requested if the developer wants it`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        _ = try shop.revoke(id, ["refundRiskingPreference": true])
        #expect(
            try shop.transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "CONSUMPTION_REQUEST 1", "REFUND 5"]
        )
    }

    @Test func `a simulated refusal changes nothing`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        let reason: JSONValue = "SIMULATE_REFUND_DECLINE"
        _ = try shop.revoke(id, ["refundReason": reason])
        let item = AdvancedCommerceShop.refund("news", ["refundReason": reason])
        _ = try shop.requestRefund(id, [item])
        #expect(try shop.transcript.newNotifications().dropFirst() == ["REFUND_DECLINED 1", "REFUND_DECLINED 1"])
        #expect(try shop.transactions().first?.advancedCommerceInfo?.items?.allSatisfy { $0.refunds == nil } == true)
        expectError(4_000_184) { try shop.requestRefund(id, [item, AdvancedCommerceShop.refund("sport")]) }
        var real = try AdvancedCommerceShop(environment: .production)
        let other = try real.subscribe().transactionId
        expectError(4_000_158) { try real.revoke(other, ["refundReason": reason]) }
    }

    @Test(
        arguments: [
            (["refundReason": nil], 4_000_156), (["refundReason": "MOOD"], 4_000_124),
            (["refundReason": "MODIFY_ITEMS_REFUND"], 4_000_124), (["refundType": nil], 4_000_157),
            (["refundType": "HALF"], 4_000_123), (["refundType": "CUSTOM"], 4_000_123),
            (["refundRiskingPreference": nil], 4_000_159), (["refundRiskingPreference": 1], 4_000_173),
        ] as [([String: JSONValue?], Int64)]
    )
    func `a revocation that breaks a rule is refused`(changes: [String: JSONValue?], code: Int64) throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        expectError(code) { try shop.revoke(id, changes) }
        #expect(try shop.transcript.subscription.status == .active)
    }

    @Test func `one item of a subscription is revoked, and the others renew`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        let answer = try shop.requestRefund(id, [AdvancedCommerceShop.refund("news")])
        let sold: JWSTransactionDecodedPayload = try decoded(try #require(answer.signedTransactionInfo))
        #expect(sold.revocationDate == nil)
        #expect(sold.advancedCommerceInfo?.items?.map { $0.revocationDate != nil } == [true, false])
        #expect(try shop.transcript.newNotifications().last == "REFUND 1")
        expectError(4_030_021) { try shop.requestRefund(id, [AdvancedCommerceShop.refund("news")]) }
        try shop.transcript.advance(to: try at("2026-02-20"))
        #expect(try shop.transactions().map(\.price) == [10_000, 4_000])
    }

    @Test func `each refund of an item is in the reports`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        _ = try shop.requestRefund(id, [AdvancedCommerceShop.refund("news")])
        try shop.transcript.advance(to: try at("2026-01-17"))
        #expect(try paid(in: shop.transcript) == 4_000)
        _ = try shop.revoke(id)
        try shop.transcript.advance(to: try at("2026-01-19"))
        #expect(try paid(in: shop.transcript) == 0)
        try shop.transcript.store.reverseRefund(transactionId: id)
        try shop.transcript.advance(to: try at("2026-01-21"))
        #expect(try paid(in: shop.transcript) == 10_000)
    }

    @Test(arguments: [0, 3_600_000] as [Int64])
    func `a purchase after a refund does not replace the refunded period, also in the same second`(
        gap: Int64
    ) throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        try shop.transcript.store.refund(transactionId: id)
        try shop.transcript.advance(to: try at("2026-01-15") + gap)
        try shop.transcript.buy("pro.weekly")
        try shop.transcript.store.reverseRefund(transactionId: id)
        #expect(try shop.transcript.account.transactions.map(\.isUpgraded) == [false, false])
        #expect(try shop.transcript.account.transactions.map(\.proratedRefund) == [nil, nil])
        try shop.transcript.store.refund(transactionId: id)
        try shop.transcript.advance(to: try at("2026-01-17"))
        #expect(try paid(in: shop.transcript) == 2_990)
    }

    @Test(arguments: [(nil, 90_000), (50_000, 60_000)] as [(Int?, Int)])
    func `a refund of the rest states what was paid back in all`(percentage: Int?, total: Int) throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        let custom: [String: JSONValue?] = ["refundType": "CUSTOM", "refundAmount": 3_000]
        _ = try shop.requestRefund(id, [AdvancedCommerceShop.refund("sport", custom)])
        #expect(try shop.transcript.store.refund(transactionId: id, percentage: percentage) == total)
        let sold = try #require(try shop.transactions().first)
        #expect(sold.revocationType == .proratedRefund)
        #expect(sold.revocationPercentage == Int32(total))
        try shop.transcript.advance(to: try at("2026-01-17"))
        #expect(try paid(in: shop.transcript) == 10_000 - Int64(total) / 10)
    }

    @Test func `a prorated refund of a period that has ended pays nothing, and is refused`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        _ = try shop.cancel(id)
        try shop.transcript.advance(to: try at("2026-02-20"))
        expectError(4_030_024) {
            try shop.requestRefund(id, [AdvancedCommerceShop.refund("news", ["refundType": "PRORATED"])])
        }
    }

    @Test func `custom amounts add up, and optionally keep the item`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.buy(shop.charge(), as: "coins.100").transactionId
        func part(_ amount: Int64) -> JSONValue {
            AdvancedCommerceShop.refund(
                "course",
                ["refundType": "CUSTOM", "refundAmount": .integer(amount), "revoke": false]
            )
        }
        _ = try shop.requestRefund(id, [part(9_990)])
        expectError(4_000_132) { try shop.requestRefund(id, [part(40_001)]) }
        let answer = try shop.requestRefund(id, [part(40_000)])
        #expect(answer.signedRenewalInfo == nil)
        let sold = try #require(try shop.transactions().first)
        #expect(sold.revocationDate == nil)
        #expect(sold.advancedCommerceInfo?.items?.first?.refunds?.map(\.refundAmount) == [9_990, 40_000])
        expectError(4_030_021) { try shop.requestRefund(id, [part(1)]) }
    }

    @Test(arguments: [true, false])
    func `a refund with a consumption request waits for its decision`(isGranted: Bool) throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.buy(shop.charge(), as: "coins.100").transactionId
        let item = AdvancedCommerceShop.refund("course", ["refundReason": "LEGAL"])
        _ = try shop.requestRefund(id, [item], ["refundRiskingPreference": true])
        #expect(try shop.transcript.newestContent().payload.data?.consumptionRequestReason == .legal)
        #expect(try shop.transactions().first?.revocationDate == nil)
        expectError(4_000_181) { try shop.requestRefund(id, [item]) }
        if isGranted {
            try shop.transcript.store.refund(transactionId: id)
        } else {
            try shop.transcript.store.declineRefund(transactionId: id)
        }
        let refund = try shop.transactions().first?.advancedCommerceInfo?.items?.first?.refunds?.first
        #expect(refund?.refundReason == (isGranted ? .legal : nil))
        #expect(
            try shop.transcript.newNotifications()
                == ["ONE_TIME_CHARGE", "CONSUMPTION_REQUEST", isGranted ? "REFUND" : "REFUND_DECLINED"]
        )
        if !isGranted { _ = try shop.requestRefund(id, [item]) }
    }

    @Test func `a granted request has its own amounts, and revokes only what it says`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        let custom: [String: JSONValue?] = ["refundType": "CUSTOM", "refundAmount": 3_000, "revoke": false]
        let item = AdvancedCommerceShop.refund("sport", custom)
        _ = try shop.requestRefund(id, [item], ["refundRiskingPreference": true])
        expectRefusal(.percentageInvalid, .invalid) {
            try shop.transcript.store.refund(transactionId: id, percentage: 10_000)
        }
        #expect(try shop.transcript.store.refund(transactionId: id) == nil)
        let kept = try #require(try shop.transactions().first)
        #expect(kept.revocationDate == nil && kept.revocationPercentage == nil)
        #expect(kept.advancedCommerceInfo?.items?.map { $0.refunds?.map(\.refundAmount) } == [nil, [3_000]])
        let whole = ["news", "sport"].map { AdvancedCommerceShop.refund($0) }
        _ = try shop.requestRefund(id, whole, ["refundRiskingPreference": true])
        #expect(try shop.transcript.store.refund(transactionId: id, reason: 1) == 100_000)
        #expect(try shop.transactions().first?.revocationReason == .appIssue)
    }

    @Test func `a refund by Apple's support is a refund of every item, and can be reversed`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        try shop.transcript.store.refund(transactionId: id, percentage: 50_000)
        let items = try shop.transactions().first?.advancedCommerceInfo?.items
        #expect(items?.flatMap { $0.refunds ?? [] }.map(\.refundAmount) == [3_000, 2_000])
        try shop.transcript.store.reverseRefund(transactionId: id)
        let after = try shop.transactions().first?.advancedCommerceInfo?.items
        #expect(after?.allSatisfy { $0.refunds == nil && $0.revocationDate == nil } == true)
    }

    @Test(
        arguments: [
            ([], [:], 4_000_160), ([["refundType": "FULL"]], [:], 4_000_105),
            ([AdvancedCommerceShop.refund("music")], [:], 4_030_013),
            ([AdvancedCommerceShop.refund("news"), AdvancedCommerceShop.refund("news")], [:], 4_000_194),
            ([AdvancedCommerceShop.refund("news", ["refundType": "CUSTOM"])], [:], 4_000_153),
            ([AdvancedCommerceShop.refund("news", ["refundType": "CUSTOM", "refundAmount": 0])], [:], 4_000_154),
            ([AdvancedCommerceShop.refund("news", ["refundAmount": 1])], [:], 4_000_155),
            ([AdvancedCommerceShop.refund("news", ["revoke": nil])], [:], 4_000_173),
            ([AdvancedCommerceShop.refund("news")], ["refundRiskingPreference": nil], 4_000_159),
            ([AdvancedCommerceShop.refund("news")], ["currency": "EUR"], 4_000_053),
            ([AdvancedCommerceShop.refund("news")], ["items": nil], 4_000_101),
        ] as [([JSONValue], [String: JSONValue?], Int64)]
    )
    func `a request for a refund that breaks a rule is refused`(
        items: [JSONValue],
        changes: [String: JSONValue?],
        code: Int64
    ) throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        expectError(code) { try shop.requestRefund(id, items, changes) }
        #expect(try shop.transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1"])
    }

    @Test func `only Advanced Commerce payments are refunded, and prorated only in the current period`() throws {
        var shop = try AdvancedCommerceShop()
        let plain = try shop.transcript.buy("coins.100").transactionId
        expectError(4_030_024) { try shop.requestRefund(plain, [AdvancedCommerceShop.refund("news")]) }
        let charge = try shop.buy(shop.charge(), as: "coins.100").transactionId
        let prorated: [String: JSONValue?] = ["refundType": "PRORATED"]
        expectError(4_000_123) { try shop.requestRefund(charge, [AdvancedCommerceShop.refund("course", prorated)]) }
        let id = try shop.subscribe().transactionId
        try shop.transcript.advance(to: try at("2026-02-20"))
        expectError(4_000_182) { try shop.requestRefund(id, [AdvancedCommerceShop.refund("news", prorated)]) }
        _ = try shop.requestRefund(id, [AdvancedCommerceShop.refund("news"), AdvancedCommerceShop.refund("sport")])
        #expect(try shop.transcript.newNotifications().last == "REFUND 1")
        expectError(4_030_021) { try shop.requestRefund(id, [AdvancedCommerceShop.refund("news")]) }
        #expect(try shop.transcript.subscription.status == .active)
    }
}
