import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Offer codes` {
    @Test func `a code that replaces the introductory offer begins at once and does not use it up`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        try transcript.redeem("offer_code", "silver.replace", for: "silver")
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1"])
        let content = try transcript.newestContent()
        #expect(content.transaction?.offerType == .offerCode)
        #expect(content.transaction?.offerIdentifier == "silver.replace")
        #expect(content.transaction?.price == 0)
        #expect(content.transaction?.expiresDate == (try at("2026-02-15")))
        try transcript.leave(by: "2026-03-01")
        try transcript.buy("silver")
        #expect(try transcript.subscription.offerType == .introductory)
    }

    @Test func `a code that stacks follows the introductory offer`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        try transcript.redeem("offer_code", "silver.stack", for: "silver")
        let content = try transcript.newestContent()
        #expect(content.transaction?.offerType == .introductory)
        #expect(content.renewalInfo?.offerType == .offerCode)
        #expect(content.renewalInfo?.offerIdentifier == "silver.stack")
        #expect(content.renewalInfo?.renewalPrice == 1_990)
        try transcript.advance(to: try at("2026-03-22"))
        #expect(try transcript.store.offersOfTransactions() == [.introductory, .offerCode, .offerCode, nil])
        #expect(try transcript.account.transactions.map(\.price) == [0, 1_990, 1_990, 9_990])
        #expect(
            try transcript.account.transactions.map { day($0.purchaseDate) } == [
                "2026-01-15", "2026-01-22", "2026-02-22", "2026-03-22",
            ]
        )
    }

    @Test func `an active subscriber's code starts at the next renewal, or immediately for an upgrade`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        try transcript.buy("silver")
        _ = try transcript.newNotifications()
        try transcript.redeem("offer_code", "silver.stack", for: "silver")
        #expect(try transcript.newNotifications() == ["OFFER_REDEEMED 1"])
        #expect(try transcript.newestContent().renewalInfo?.offerType == .offerCode)
        try transcript.redeem("offer_code", "gold.code", for: "gold")
        #expect(try transcript.newNotifications() == ["OFFER_REDEEMED/UPGRADE 1"])
        #expect(try transcript.newestContent().transaction?.offerIdentifier == "gold.code")
        #expect(try transcript.subscription.expiresDate == (try at("2026-01-29")))
    }

    @Test func `a former subscriber redeems a code and is subscribed again`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        try transcript.buy("bronze")
        try transcript.leave(by: "2026-03-01")
        try transcript.redeem("offer_code", "silver.replace", for: "silver")
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/RESUBSCRIBE 1"])
        #expect(try transcript.subscription.offerType == .offerCode)
    }

    @Test(arguments: [("bronze", "bronze.code"), ("silver.yearly", "year.code")])
    func `a code that would lower the plan is refused`(productId: String, code: String) throws {
        var transcript = try offerStore(at: "2026-01-15")
        try transcript.buy("silver")
        _ = try transcript.newNotifications()
        expectRefusal(.offerWouldDowngrade, .conflict) { try transcript.redeem("offer_code", code, for: productId) }
        #expect(try transcript.newNotifications().isEmpty)
    }

    @Test func `a code is for the customers that the developer chose`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        expectRefusal(.offerNotEligible, .unprocessable) {
            try transcript.redeem("offer_code", "gold.code", for: "gold")
        }
        try transcript.buy("silver")
        expectRefusal(.offerNotEligible, .unprocessable) {
            try transcript.redeem("offer_code", "silver.replace", for: "silver")
        }
        try transcript.leave(by: "2026-03-01")
        expectRefusal(.offerNotEligible, .unprocessable) {
            try transcript.redeem("offer_code", "silver.stack", for: "silver")
        }
    }

    @Test func `a code makes another product cheaper, once`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        try transcript.redeem("offer_code", "half", for: "lifetime")
        let content = try transcript.newestContent()
        #expect(content.transaction?.price == 99_990)
        #expect(content.transaction?.offerType == .offerCode)
        #expect(content.transaction?.offerDiscountType == .oneTime)
        #expect(content.transaction?.offerIdentifier == "half")
        #expect(content.transaction?.offerPeriod == nil)
        try transcript.redeem("offer_code", "gift", for: "coins")
        #expect(try transcript.newestContent().transaction?.price == 0)
        #expect(try transcript.newNotifications() == ["ONE_TIME_CHARGE", "ONE_TIME_CHARGE"])
        expectRefusal(.offerNotEligible, .unprocessable) { try transcript.redeem("win_back", "half", for: "coins") }
    }
}
