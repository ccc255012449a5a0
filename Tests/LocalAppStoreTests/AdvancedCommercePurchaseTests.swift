import AppStoreModel
import AppStoreSigning
import LocalAppStore
import Testing

@Suite struct `Advanced Commerce: purchases and renewals` {
    @Test func `a one-time charge is sold at the price of the request and announced`() throws {
        var shop = try AdvancedCommerceShop()
        let outcome = try shop.buy(shop.charge(), as: "coins.100")
        let sold: JWSTransactionDecodedPayload = try decoded(outcome.signedTransactionInfo)
        #expect(sold.price == 49_990 && sold.productId == "coins.100" && sold.currency == "USD")
        let info = try #require(sold.advancedCommerceInfo)
        #expect(info.items?.map(\.sku) == ["course"])
        #expect(info.taxCode == "C003-00-2" && info.taxExclusivePrice == 49_990 && info.period == nil)
        #expect(outcome.signedRenewalInfo == nil)
        #expect(try shop.transcript.newNotifications() == ["ONE_TIME_CHARGE"])
        #expect(try shop.transcript.newestContent().transaction?.advancedCommerceInfo == info)
    }

    @Test func `a subscription is sold with its items, and renews with the same items`() throws {
        var shop = try AdvancedCommerceShop(at: "2026-01-31")
        let outcome = try shop.subscribe()
        let renewal: JWSRenewalInfoDecodedPayload = try decoded(try #require(outcome.signedRenewalInfo))
        #expect(renewal.renewalPrice == 10_000)
        #expect(renewal.advancedCommerceInfo?.items?.map(\.sku) == ["news", "sport"])
        #expect(renewal.advancedCommerceInfo?.descriptors?.displayName == "Bundle")
        #expect(renewal.advancedCommerceInfo?.consistencyToken != nil)
        try shop.transcript.advance(to: try at("2026-04-01"))
        let sold = try shop.transactions()
        #expect(sold.map { day($0.purchaseDate) } == ["2026-01-31", "2026-02-28", "2026-03-31"])
        #expect(sold.map(\.price) == [10_000, 10_000, 10_000])
        #expect(sold.allSatisfy { $0.advancedCommerceInfo?.items?.map(\.price) == [6_000, 4_000] })
        #expect(sold.allSatisfy { $0.advancedCommerceInfo?.period == .oneMonth })
        #expect(try shop.transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "DID_RENEW 1", "DID_RENEW 1"])
    }

    @Test func `an offer of one item lowers the price for its periods`() throws {
        var shop = try AdvancedCommerceShop()
        let offer = AdvancedCommerceShop.offer(1_000, "P1M", count: 2)
        try shop.subscribe([
            "items": [
                AdvancedCommerceShop.item("news", 6_000, offer: offer), AdvancedCommerceShop.item("sport", 4_000),
            ]
        ])
        #expect(try shop.renewalInfo().renewalPrice == 5_000)
        try shop.transcript.advance(to: try at("2026-03-20"))
        #expect(try shop.transactions().map(\.price) == [5_000, 5_000, 10_000])
        #expect(
            try shop.transactions().map { $0.advancedCommerceInfo?.items?.map { $0.offer != nil } }
                == [[true, false], [true, false], [false, false]]
        )
    }

    @Test func `an item has its own price beside the offer's, and the periods that remain of the offer`() throws {
        var shop = try AdvancedCommerceShop()
        let offer = AdvancedCommerceShop.offer(1_000, "P1M", count: 3)
        try shop.subscribe(["items": [AdvancedCommerceShop.item("news", 6_000, offer: offer)]])
        var remaining: [[Int32?]] = []
        for day in ["2026-01-20", "2026-02-20", "2026-03-20"] {
            try shop.transcript.advance(to: try at(day))
            let sold = try #require(try shop.transactions().last)
            let item = try #require(sold.advancedCommerceInfo?.items?.first)
            #expect(sold.price == 1_000 && item.price == 6_000 && item.offer?.price == 1_000)
            let next = try #require(try shop.renewalInfo().advancedCommerceInfo?.items?.first)
            #expect(next.price == 6_000)
            remaining.append([item.offer?.periodCount, next.offer?.periodCount])
        }
        #expect(remaining == [[3, 2], [2, 1], [1, nil]])
    }

    @Test func `a free trial of the whole has its own length, and the months count from its end`() throws {
        var shop = try AdvancedCommerceShop()
        let offer = AdvancedCommerceShop.offer(0, "P1W")
        try shop.subscribe(["items": [AdvancedCommerceShop.item("news", 6_000, offer: offer)]])
        try shop.transcript.advance(to: try at("2026-02-23"))
        let sold = try shop.transactions()
        #expect(sold.map { day($0.purchaseDate) } == ["2026-01-15", "2026-01-22", "2026-02-22"])
        #expect(sold.map(\.price) == [0, 6_000, 6_000])
    }

    @Test func `a card that fails is retried, and the recovered period has the items' price`() throws {
        var shop = try AdvancedCommerceShop(settings: StoreSettings(gracePeriod: .sixteenDays))
        try shop.subscribe()
        try shop.transcript.store.setPayment(accountId: "a", state: .declined)
        try shop.transcript.advance(to: try at("2026-02-20"))
        try shop.transcript.store.setPayment(accountId: "a", state: .ok)
        try shop.transcript.advance(to: try at("2026-03-14"))
        try shop.transcript.store.setPayment(accountId: "a", state: .declined)
        try shop.transcript.advance(to: try at("2026-04-10"))
        try shop.transcript.store.setPayment(accountId: "a", state: .ok)
        let sold = try shop.transactions()
        #expect(sold.map { day($0.purchaseDate) } == ["2026-01-15", "2026-02-15", "2026-04-10"])
        #expect(sold.map(\.price) == [10_000, 10_000, 10_000])
        #expect(sold.last?.expiresDate == (try at("2026-05-10")))
    }

    @Test func `a returning customer has the same subscription with other items`() throws {
        var shop = try AdvancedCommerceShop()
        let first = try shop.subscribe()
        try shop.transcript.store.setAutoRenew(originalTransactionId: first.transactionId, enabled: false)
        try shop.transcript.advance(to: try at("2026-03-01"))
        let second = try shop.subscribe([
            "items": [AdvancedCommerceShop.item("music", 3_000)], "previousTransactionId": .string(first.transactionId),
        ])
        #expect(second.originalTransactionId == first.transactionId)
        #expect(try shop.transcript.newNotifications().last == "SUBSCRIBED/RESUBSCRIBE 1")
        #expect(try shop.renewalInfo().advancedCommerceInfo?.items?.map(\.sku) == ["music"])
        try shop.transcript.store.setAutoRenew(originalTransactionId: first.transactionId, enabled: false)
        try shop.transcript.advance(to: try at("2026-05-01"))
        // An ordinary purchase in the group is an ordinary subscription again.
        try shop.transcript.buy("pro.monthly")
        #expect(try shop.renewalInfo().advancedCommerceInfo == nil)
    }

    @Test func `a cancelled subscription is turned on again for the items that are named`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        try shop.transcript.store.setAutoRenew(originalTransactionId: id, enabled: false)
        let request: JSONObject = [
            "operation": "REACTIVATE_SUBSCRIPTION", "version": "1", "requestInfo": shop.requestInfo(),
            "transactionId": .string(id), "items": [["SKU": "sport"]],
        ]
        try shop.buy(request)
        #expect(try shop.renewalInfo().autoRenewStatus == .on)
        #expect(try shop.renewalInfo().renewalPrice == 4_000)
        try shop.transcript.advance(to: try at("2026-02-20"))
        #expect(try shop.transactions().map(\.price) == [10_000, 4_000])
    }

    @Test func `a plan of Advanced Commerce is not changed by an ordinary purchase`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.subscribe().transactionId
        expectRefusal(.advancedCommerceSubscription, .conflict) { try shop.transcript.buy("pro.yearly") }
        expectRefusal(.advancedCommerceSubscription, .conflict) {
            try shop.transcript.store.changePlan(originalTransactionId: id, productId: "pro.yearly")
        }
    }

    @Test func `a family member who joins later gets nothing of Advanced Commerce`() throws {
        var shop = try AdvancedCommerceShop()
        try shop.subscribe()
        let charge = shop.charge()
        try shop.buy(charge, as: "lifetime")
        _ = try shop.transcript.store.createAccount(accountId: "b")
        try shop.transcript.store.addFamilyMember(accountId: "a", member: "b")
        #expect(try shop.transcript.store.account("b").transactions.isEmpty)
    }

    @Test func `a request is executed once, for the app whose key signed it`() throws {
        var shop = try AdvancedCommerceShop()
        let request = shop.charge()
        let jws = try shop.sign(request)
        _ = try shop.transcript.store.purchaseWithAdvancedCommerce(
            accountId: "a",
            productId: "coins.100",
            request: jws
        )
        expectRefusal(.signatureNonceUsed, .conflict) {
            try shop.transcript.store.purchaseWithAdvancedCommerce(
                accountId: "a",
                productId: "coins.100",
                request: jws
            )
        }
        var stranger = try AdvancedCommerceShop()
        let foreign = try stranger.sign(stranger.charge())
        expectRefusal(.init(rawValue: "signature_key_unknown"), .unprocessable) {
            try shop.transcript.store.purchaseWithAdvancedCommerce(
                accountId: "a",
                productId: "coins.100",
                request: foreign
            )
        }
        expectRefusal(.productNotFound, .notFound) { try shop.buy(shop.charge(), as: "nothing") }
        try shop.transcript.store.setPayment(accountId: "a", state: .declined)
        expectRefusal(.paymentDeclined, .unprocessable) { try shop.buy(shop.charge(), as: "coins.100") }
    }

    @Test func `consumption information about a one-time charge is accepted in version 1 only`() throws {
        var shop = try AdvancedCommerceShop()
        let id = try shop.buy(shop.charge(), as: "coins.100").transactionId
        let request = ConsumptionRequest(
            customerConsented: true,
            deliveryStatus: .delivered,
            sampleContentProvided: false
        )
        let error = #expect(throws: AppStoreServerAPIError.self) {
            try shop.transcript.store.sendConsumptionInformation(transactionId: id, request: request)
        }
        #expect(error?.message.hasPrefix("AdvancedCommerceTransactionNotSupportedError") == true)
    }
}
