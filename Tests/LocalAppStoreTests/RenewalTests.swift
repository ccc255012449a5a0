import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Renewals of subscriptions` {
    @Test func `a monthly subscription of the 31st renews on the last day of each month`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2027-12-31"), catalog: try plainCatalog())
        try transcript.buy("monthly")
        try transcript.advance(to: try at("2028-06-01"))
        #expect(
            try transcript.newDatedNotifications() == [
                "2027-12-31 SUBSCRIBED/INITIAL_BUY", "2028-01-31 DID_RENEW", "2028-02-29 DID_RENEW",
                "2028-03-31 DID_RENEW", "2028-04-30 DID_RENEW", "2028-05-31 DID_RENEW",
            ]
        )
    }

    @Test func `periods follow each other without gap or overlap, each with identifiers of its own`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-31"))
        try transcript.buy("pro.weekly")
        try transcript.advance(to: try at("2027-03-01"))
        let transactions = try transcript.account.transactions
        #expect(transactions.count == 57)
        for (earlier, later) in zip(transactions, transactions.dropFirst()) {
            #expect(later.purchaseDate == earlier.expiresDate)
            #expect(later.originalTransactionId == earlier.originalTransactionId)
            #expect(later.transactionReason == .renewal)
        }
        #expect(Set(transactions.map(\.transactionId)).count == 57)
        let lines = try transcript.allRecords().map { try NotificationContent($0).transaction?.webOrderLineItemId }
        #expect(Set(lines).count == 57)
    }

    @Test func `a yearly subscription of 29 February renews on 28 February`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2028-02-29"), catalog: try plainCatalog())
        try transcript.buy("yearly")
        try transcript.advance(to: try at("2032-03-01"))
        #expect(
            try transcript.newDatedNotifications() == [
                "2028-02-29 SUBSCRIBED/INITIAL_BUY", "2029-02-28 DID_RENEW", "2030-02-28 DID_RENEW",
                "2031-02-28 DID_RENEW", "2032-02-29 DID_RENEW",
            ]
        )
    }

    @Test func `a free trial is one free period, and the paid ones count from its end`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-24"))
        try transcript.buy("pro.monthly")
        let trial = try transcript.newestContent().transaction
        #expect(trial?.price == 0)
        #expect(trial?.offerType == .introductory)
        #expect(trial?.offerDiscountType == .freeTrial)
        #expect(trial?.offerPeriod == "P1W")
        #expect(trial?.offerIdentifier == nil)
        #expect(try transcript.newestContent().renewalInfo?.renewalPrice == 9_990)
        try transcript.advance(to: try at("2026-03-31"))
        #expect(
            try transcript.newDatedNotifications() == [
                "2026-01-24 SUBSCRIBED/INITIAL_BUY", "2026-01-31 DID_RENEW", "2026-02-28 DID_RENEW",
                "2026-03-31 DID_RENEW",
            ]
        )
        let paid = try transcript.account.transactions[1]
        #expect(paid.price == 9_990)
        #expect(paid.offerType == nil)
    }

    @Test func `an offer paid as you go is that many periods at its price, then the full price`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-31"))
        try transcript.buy("plus.monthly")
        try transcript.advance(to: try at("2026-05-31"))
        let transactions = try transcript.account.transactions
        #expect(transactions.map(\.price) == [1_990, 1_990, 1_990, 4_990, 4_990])
        #expect(transactions.map(\.offerDiscountType) == [.payAsYouGo, .payAsYouGo, .payAsYouGo, nil, nil])
        #expect(transactions.map { day($0.expiresDate ?? 0) }.prefix(3) == ["2026-02-28", "2026-03-31", "2026-04-30"])
        let renewals = try transcript.allRecords().map { try NotificationContent($0).renewalInfo }
        #expect(renewals.map { $0?.renewalPrice } == [1_990, 1_990, 4_990, 4_990, 4_990])
        #expect(renewals.map { $0?.offerType } == [.introductory, .introductory, nil, nil, nil])
    }

    @Test func `an offer paid up front is one period of its own length at its price`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-31"))
        try transcript.buy("pro.yearly")
        try transcript.advance(to: try at("2027-08-01"))
        let transactions = try transcript.account.transactions
        #expect(transactions.map(\.price) == [29_990, 79_990, 79_990])
        #expect(transactions.map(\.offerDiscountType) == [.payUpFront, nil, nil])
        #expect(transactions.map { day($0.expiresDate ?? 0) } == ["2026-07-31", "2027-07-31", "2028-07-31"])
    }

    @Test func `an account has one introductory offer in a group, regardless of what followed`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let reduced = try transcript.buy("pro.yearly")
        #expect(try transcript.subscription.offerType == .introductory)
        try transcript.store.refund(transactionId: reduced.transactionId)
        try transcript.buy("pro.monthly")
        #expect(try transcript.subscription.price == 9_990)
        #expect(try transcript.subscription.offerType == nil)
        try transcript.buy("plus.monthly")
        #expect(try transcript.account.subscriptions[1].offerType == .introductory)
    }

    @Test func `a product that was removed from the catalogue is not renewed`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("pro.weekly")
        transcript.store.replaceCatalog(try Catalog(storekit: Array(#"{"version": {"major": 4}}"#.utf8)))
        try transcript.advance(to: try at("2026-03-15"))
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "EXPIRED/PRODUCT_NOT_FOR_SALE 2"])
        #expect(try transcript.subscription.expirationIntent == .productUnavailable)
    }

    @Test func `one long step equals many short ones`() throws {
        var long = try StoreTranscript.withAccount(at: try at("2026-01-31"))
        var short = long
        try long.buy("pro.monthly")
        try short.buy("pro.monthly")
        let end = try at("2026-12-31")
        try long.store.step(to: end)
        while short.store.now < end { try short.advance(to: min(end, short.store.now + 5 * dayLength)) }
        #expect(try long.account == short.account)
        #expect(try long.newDatedNotifications() == short.newDatedNotifications())
    }

    @Test func `the clock does not move back`() throws {
        var transcript = try StoreTranscript(at: 1_000)
        expectRefusal(.clockBackwards, .conflict) { try transcript.store.step(to: 999) }
        try transcript.store.step(to: 1_000)
        #expect(transcript.store.now == 1_000)
    }
}
