import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Prices of products` {
    /// A store in which the account `a` bought `monthly` on 1 January for 9.99.
    private static func withMonthly(storefront: String = "USA") throws -> StoreTranscript {
        var transcript = try StoreTranscript(at: try at("2026-01-01"), catalog: try plainCatalog())
        _ = try transcript.store.createAccount(storefront: storefront, accountId: "a")
        try transcript.buy("monthly")
        return transcript
    }

    private static func changed(
        to price: Int64,
        on day: String? = nil,
        needsConsent: Bool? = nil,
        preserve: Bool = false
    ) throws -> PriceChangeRequest {
        PriceChangeRequest(
            productId: "monthly",
            price: price,
            needsConsent: needsConsent,
            effectiveDate: try day.map(at),
            preserve: preserve
        )
    }

    @Test func `new customers pay the new price from its date on`() throws {
        var transcript = try Self.withMonthly()
        _ = try transcript.store.changePrice(try Self.changed(to: 12_990, on: "2026-01-10", needsConsent: true))
        _ = try transcript.store.createAccount(accountId: "early")
        _ = try transcript.store.createAccount(accountId: "late")
        let request = PurchaseRequest(productId: "monthly")
        _ = try transcript.store.purchase(accountId: "early", request: request)
        try transcript.advance(to: try at("2026-01-10"))
        _ = try transcript.store.purchase(accountId: "late", request: request)
        #expect(try transcript.store.account("early").transactions.map(\.price) == [9_990])
        #expect(try transcript.store.account("late").transactions.map(\.price) == [12_990])
    }

    @Test func `a decrease applies from the next renewal on, without a notification`() throws {
        var transcript = try Self.withMonthly()
        try transcript.advance(to: try at("2026-01-30"))
        _ = try transcript.store.changePrice(try Self.changed(to: 7_990, needsConsent: false))
        try transcript.advance(to: try at("2026-03-01"))
        #expect(try transcript.account.transactions.map(\.price) == [9_990, 7_990, 7_990])
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "DID_RENEW 1", "DID_RENEW 1"])
    }

    @Test func `an increase without consent is announced 27 days before a monthly renewal`() throws {
        var transcript = try Self.withMonthly()
        _ = try transcript.store.changePrice(try Self.changed(to: 12_990, on: "2026-01-20", needsConsent: false))
        try transcript.advance(to: try at("2026-01-05"))
        let reported = try transcript.newestContent().renewalInfo
        #expect(reported?.priceIncreaseStatus == .accepted)
        #expect(reported?.renewalPrice == 12_990)
        try transcript.advance(to: try at("2026-03-01"))
        #expect(
            try transcript.newDatedNotifications() == [
                "2026-01-01 SUBSCRIBED/INITIAL_BUY", "2026-01-05 PRICE_INCREASE/ACCEPTED", "2026-02-01 DID_RENEW",
                "2026-03-01 DID_RENEW",
            ]
        )
        #expect(try transcript.account.transactions.map(\.price) == [9_990, 12_990, 12_990])
        #expect(try transcript.newestContent().renewalInfo?.priceIncreaseStatus == nil)
    }

    @Test func `a renewal inside the notice period is once more at the old price`() throws {
        var transcript = try Self.withMonthly()
        try transcript.advance(to: try at("2026-01-06"))
        _ = try transcript.store.changePrice(try Self.changed(to: 12_990, needsConsent: false))
        try transcript.advance(to: try at("2026-03-01"))
        #expect(
            try transcript.newDatedNotifications() == [
                "2026-01-01 SUBSCRIBED/INITIAL_BUY", "2026-02-01 DID_RENEW", "2026-02-02 PRICE_INCREASE/ACCEPTED",
                "2026-03-01 DID_RENEW",
            ]
        )
        #expect(try transcript.account.transactions.map(\.price) == [9_990, 9_990, 12_990])
    }

    @Test func `a price before its date applies to no renewal`() throws {
        var transcript = try Self.withMonthly()
        _ = try transcript.store.changePrice(try Self.changed(to: 12_990, on: "2026-02-02", needsConsent: false))
        try transcript.advance(to: try at("2026-03-01"))
        #expect(try transcript.account.transactions.map(\.price) == [9_990, 9_990, 12_990])
    }

    @Test func `a subscriber who agrees pays the higher price`() throws {
        var transcript = try Self.withMonthly()
        let id = try transcript.subscription.originalTransactionId
        _ = try transcript.store.changePrice(try Self.changed(to: 19_990, needsConsent: true))
        try transcript.advance(to: try at("2026-01-10"))
        let asked = try transcript.newestContent().renewalInfo
        #expect(asked?.priceIncreaseStatus == .pending)
        #expect(asked?.renewalPrice == 19_990)
        try transcript.store.answerPriceIncrease(originalTransactionId: id, accept: false)
        try transcript.store.answerPriceIncrease(originalTransactionId: id, accept: true)
        try transcript.store.answerPriceIncrease(originalTransactionId: id, accept: true)
        #expect(try transcript.newestContent().renewalInfo?.priceIncreaseStatus == .accepted)
        try transcript.advance(to: try at("2026-02-01"))
        #expect(
            try transcript.newNotifications() == [
                "SUBSCRIBED/INITIAL_BUY 1", "PRICE_INCREASE/PENDING 1", "PRICE_INCREASE/ACCEPTED 1", "DID_RENEW 1",
            ]
        )
        #expect(try transcript.account.transactions.map(\.price) == [9_990, 19_990])
    }

    @Test(arguments: [false, nil])
    func `a subscription ends with the period if the customer refuses or does not answer`(answer: Bool?) throws {
        var transcript = try Self.withMonthly()
        let id = try transcript.subscription.originalTransactionId
        _ = try transcript.store.changePrice(try Self.changed(to: 19_990, needsConsent: true))
        try transcript.advance(to: try at("2026-01-10"))
        if let answer { try transcript.store.answerPriceIncrease(originalTransactionId: id, accept: answer) }
        try transcript.advance(to: try at("2026-04-01"))
        #expect(
            try transcript.newNotifications() == [
                "SUBSCRIBED/INITIAL_BUY 1", "PRICE_INCREASE/PENDING 1", "EXPIRED/PRICE_INCREASE 2",
            ]
        )
        let content = try transcript.newestContent()
        #expect(content.renewalInfo?.expirationIntent == .priceIncreaseNotConsented)
        #expect(content.renewalInfo?.priceIncreaseStatus == .pending)
        try transcript.buy("monthly")
        #expect(try transcript.subscription.price == 19_990)
        #expect(try transcript.newestContent().renewalInfo?.priceIncreaseStatus == nil)
    }

    @Test func `a subscriber who turns renewal off because of it ends as any other`() throws {
        var transcript = try Self.withMonthly()
        let id = try transcript.subscription.originalTransactionId
        _ = try transcript.store.changePrice(try Self.changed(to: 19_990, needsConsent: true))
        try transcript.advance(to: try at("2026-01-10"))
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: false)
        try transcript.advance(to: try at("2026-02-01"))
        #expect(try transcript.newNotifications().last == "EXPIRED/VOLUNTARY 2")
    }

    @Test func `subscribers with renewal off are not asked`() throws {
        var transcript = try Self.withMonthly()
        let id = try transcript.subscription.originalTransactionId
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: false)
        _ = try transcript.store.changePrice(try Self.changed(to: 19_990, needsConsent: true))
        try transcript.advance(to: try at("2026-01-20"))
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: true)
        try transcript.advance(to: try at("2026-02-01"))
        #expect(try transcript.newNotifications().contains("PRICE_INCREASE/PENDING 1") == false)
        #expect(try transcript.account.transactions.map(\.price) == [9_990, 9_990])
    }

    @Test func `a preserved price stays through renewals and for 60 days after the end`() throws {
        var transcript = try Self.withMonthly()
        let id = try transcript.subscription.originalTransactionId
        _ = try transcript.store.changePrice(try Self.changed(to: 19_990, preserve: true))
        try transcript.advance(to: try at("2026-03-02"))
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: false)
        try transcript.advance(to: try at("2026-05-30"))
        try transcript.buy("monthly")
        try transcript.advance(to: try at("2026-06-30"))
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: false)
        try transcript.advance(to: try at("2026-10-01"))
        try transcript.buy("monthly")
        #expect(
            try transcript.account.transactions.map(\.price) == [9_990, 9_990, 9_990, 9_990, 9_990, 19_990]
        )
        #expect(try transcript.newNotifications().contains { $0.hasPrefix("PRICE_INCREASE") } == false)
    }

    @Test func `a lower price withdraws a higher one that nobody has paid yet`() throws {
        var transcript = try Self.withMonthly()
        _ = try transcript.store.changePrice(try Self.changed(to: 19_990, needsConsent: true))
        try transcript.advance(to: try at("2026-01-10"))
        _ = try transcript.store.changePrice(try Self.changed(to: 8_990, needsConsent: false))
        try transcript.advance(to: try at("2026-02-01"))
        #expect(try transcript.account.transactions.map(\.price) == [9_990, 8_990])
        #expect(try transcript.newestContent().renewalInfo?.priceIncreaseStatus == nil)
    }

    @Test func `a failed renewal is recovered at the price that was agreed to`() throws {
        var transcript = try Self.withMonthly()
        let id = try transcript.subscription.originalTransactionId
        _ = try transcript.store.changePrice(try Self.changed(to: 19_990, needsConsent: true))
        try transcript.advance(to: try at("2026-01-10"))
        try transcript.store.answerPriceIncrease(originalTransactionId: id, accept: true)
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-02-10"))
        try transcript.store.setPayment(accountId: "a", state: .ok)
        #expect(try transcript.account.transactions.map(\.price) == [9_990, 19_990])
    }

    @Test func `a price of one storefront does not apply in others`() throws {
        var transcript = try Self.withMonthly()
        _ = try transcript.store.changePrice(
            PriceChangeRequest(productId: "monthly", price: 1_490_000, storefront: "JPN")
        )
        for (id, storefront) in [("tokyo", "JPN"), ("paris", "FRA")] {
            _ = try transcript.store.createAccount(storefront: storefront, accountId: id)
            _ = try transcript.store.purchase(accountId: id, request: PurchaseRequest(productId: "monthly"))
        }
        try transcript.advance(to: try at("2026-02-01"))
        #expect(try transcript.store.account("tokyo").subscriptions.map(\.price) == [1_490_000])
        #expect(try transcript.store.account("paris").subscriptions.map(\.price) == [9_990])
        #expect(try transcript.account.subscriptions.map(\.price) == [9_990])
    }

    @Test(arguments: [
        ("USA", Int64(14_980), false), ("USA", 15_000, true), ("FRA", 14_985, false), ("FRA", 14_986, true),
        ("KOR", 10_000, true),
    ])
    func `consent follows Apple's rule unless the developer decides`(
        storefront: String,
        price: Int64,
        needsConsent: Bool
    ) throws {
        var transcript = try Self.withMonthly(storefront: storefront)
        _ = try transcript.store.changePrice(try Self.changed(to: price))
        try transcript.advance(to: try at("2026-01-10"))
        let expected = needsConsent ? "PRICE_INCREASE/PENDING 1" : "PRICE_INCREASE/ACCEPTED 1"
        #expect(try transcript.newNotifications().last == expected)
    }

    @Test func `a second rise within a year needs consent`() throws {
        var transcript = try Self.withMonthly()
        _ = try transcript.store.changePrice(try Self.changed(to: 10_990))
        try transcript.advance(to: try at("2026-06-02"))
        _ = try transcript.store.changePrice(try Self.changed(to: 11_990))
        try transcript.advance(to: try at("2026-07-10"))
        let rises = try transcript.newNotifications().filter { $0.hasPrefix("PRICE_INCREASE") }
        #expect(rises == ["PRICE_INCREASE/ACCEPTED 1", "PRICE_INCREASE/PENDING 1"])
    }

    @Test(arguments: [("yearly", true, 60), ("yearly", false, 30), ("pro.weekly", true, 7), ("pro.weekly", false, 7)])
    func `the notice is sent as long before the renewal as Apple documents`(
        product: String,
        needsConsent: Bool,
        days: Int64
    ) throws {
        let catalog = product == "yearly" ? try plainCatalog() : nil
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-01"), catalog: catalog)
        try transcript.buy(product)
        let request = PriceChangeRequest(productId: product, price: 99_990, needsConsent: needsConsent)
        _ = try transcript.store.changePrice(request)
        let renewal = try transcript.subscription.expiresDate
        try transcript.advance(to: renewal - days * dayLength)
        let notice = try #require(try transcript.allRecords().last)
        #expect(notice.notificationType == .priceIncrease)
        #expect(notice.signedDate - (renewal - days * dayLength) <= 2)
    }

    @Test func `a period that is shorter than the notice has it at its start`() throws {
        let product = #"{"productID": "p", "displayPrice": "9.99", "recurringSubscriptionPeriod": "P2M"}"#
        let groups = #"[{"id": "1", "subscriptions": [\#(product)]}]"#
        let source = #"{"version": {"major": 4}, "subscriptionGroups": \#(groups)}"#
        let catalog = try Catalog(storekit: Array(source.utf8))
        var transcript = try StoreTranscript.withAccount(at: try at("2026-11-01"), catalog: catalog)
        try transcript.buy("p")
        try transcript.advance(to: try at("2026-12-24"))
        _ = try transcript.store.changePrice(PriceChangeRequest(productId: "p", price: 12_990, needsConsent: true))
        try transcript.advance(to: try at("2027-03-01"))
        #expect(
            try transcript.newDatedNotifications() == [
                "2026-11-01 SUBSCRIBED/INITIAL_BUY", "2027-01-01 DID_RENEW", "2027-01-01 PRICE_INCREASE/PENDING",
                "2027-03-01 EXPIRED/PRICE_INCREASE",
            ]
        )
    }

    @Test func `a renewal that an extension moves past the date of a higher price still needs the notice`() throws {
        var transcript = try Self.withMonthly()
        let id = try transcript.subscription.originalTransactionId
        _ = try transcript.store.changePrice(try Self.changed(to: 12_990, on: "2026-02-03", needsConsent: false))
        try transcript.advance(to: try at("2026-01-20"))
        let request = ExtendRenewalDateRequest(extendByDays: 10, extendReasonCode: .other, requestIdentifier: "r")
        _ = try transcript.store.extendRenewalDate(originalTransactionId: id, request: request)
        try transcript.advance(to: try at("2026-03-11"))
        #expect(try transcript.account.transactions.map(\.price) == [9_990, 9_990, 12_990])
    }

    @Test func `an offer ends at the old price once more before the higher one`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-01"))
        try transcript.buy("plus.monthly")
        let request = PriceChangeRequest(productId: "plus.monthly", price: 5_990, needsConsent: false)
        _ = try transcript.store.changePrice(request)
        try transcript.advance(to: try at("2026-05-01"))
        #expect(try transcript.account.transactions.map(\.price) == [1_990, 1_990, 1_990, 4_990, 5_990])
    }

    @Test func `an invalid price is refused without effect`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-01"))
        let id = try transcript.buy("pro.weekly").originalTransactionId
        let now = transcript.store.now
        let refusals: [(PriceChangeRequest, StoreError.Code, StoreError.Kind)] = [
            (PriceChangeRequest(productId: "nothing", price: 1), .productNotFound, .notFound),
            (PriceChangeRequest(productId: "pro.weekly", price: 0), .priceInvalid, .invalid),
            (PriceChangeRequest(productId: "pro.weekly", price: -1), .priceInvalid, .invalid),
            (PriceChangeRequest(productId: "pro.weekly", price: 1, storefront: "us"), .storefrontUnknown, .invalid),
            (
                PriceChangeRequest(productId: "pro.weekly", price: 1, effectiveDate: now - 1), .effectiveDatePast,
                .unprocessable
            ),
            (
                PriceChangeRequest(productId: "lifetime", price: 1, needsConsent: true), .notASubscription,
                .unprocessable
            ),
            (PriceChangeRequest(productId: "coins.100", price: 1, preserve: true), .notASubscription, .unprocessable),
        ]
        for (request, code, kind) in refusals {
            expectRefusal(code, kind) { try transcript.store.changePrice(request) }
        }
        expectRefusal(.priceIncreaseNotAsked, .conflict) {
            try transcript.store.answerPriceIncrease(originalTransactionId: id, accept: true)
        }
        expectRefusal(.subscriptionNotFound, .notFound) {
            try transcript.store.answerPriceIncrease(originalTransactionId: "1", accept: true)
        }
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1"])
        _ = try transcript.store.changePrice(PriceChangeRequest(productId: "pro.weekly", price: 9_990))
        try transcript.store.answerPriceIncrease(originalTransactionId: id, accept: true)
        expectRefusal(.priceIncreaseAccepted, .conflict) {
            try transcript.store.answerPriceIncrease(originalTransactionId: id, accept: false)
        }
    }

    @Test func `one-time products cost the new price from its date on`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-01"))
        _ = try transcript.store.changePrice(PriceChangeRequest(productId: "coins.100", price: 1_990))
        try transcript.buy("coins.100", quantity: 3)
        #expect(try transcript.account.transactions.map(\.price) == [5_970])
    }
}
