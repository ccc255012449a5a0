import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `The reversed refund of an earlier purchase` {
    /// Buys a week on 17 January, after a purchase was refunded, and returns its transaction.
    private static func buyWeek(insteadOf refunded: String, in transcript: inout StoreTranscript) throws -> String {
        try transcript.store.refund(transactionId: refunded)
        try transcript.advance(to: try at("2026-01-17"))
        return try transcript.buy("pro.weekly").transactionId
    }

    /// Turns the renewal of the only subscription on, and returns its first renewal.
    private static func renew(_ transcript: inout StoreTranscript) throws -> JWSTransactionDecodedPayload {
        let subscription = try transcript.subscription
        try transcript.store.setAutoRenew(originalTransactionId: subscription.originalTransactionId, enabled: true)
        try transcript.advance(to: subscription.expiresDate)
        let content = try transcript.newestContent()
        #expect(content.payload.notificationType == .didRenew)
        return try #require(content.transaction)
    }

    // MARK: - Periods

    @Test func `a period that ends later takes the place of the running one`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let yearly = try transcript.buy("pro.yearly").transactionId
        let end = try transcript.subscription.expiresDate
        _ = try Self.buyWeek(insteadOf: yearly, in: &transcript)
        try transcript.store.reverseRefund(transactionId: yearly)
        let content = try transcript.newestContent()
        #expect(content.payload.data?.status == .active)
        #expect(content.renewalInfo?.productId == "pro.yearly")
        #expect(content.renewalInfo?.autoRenewProductId == "pro.weekly")
        #expect(content.renewalInfo?.renewalDate == end)
        try transcript.advance(to: try at("2026-02-20"))
        #expect(try transcript.account.transactions.count == 2)
        let counted = try transcript.store.report(.subscription, "2026-02-18")
        #expect(counted.map { $0["Subscription Name"] } == ["Pro, yearly"])
        try transcript.advance(to: end)
        #expect(try transcript.subscription.productId == "pro.weekly")
        #expect(try transcript.newNotifications().suffix(2) == ["REFUND_REVERSED 1", "DID_RENEW 1"])
    }

    @Test func `a period that has not ended is active again after a later one has expired`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let yearly = try transcript.buy("pro.yearly").transactionId
        let end = try transcript.subscription.expiresDate
        _ = try Self.buyWeek(insteadOf: yearly, in: &transcript)
        try transcript.store.setAutoRenew(originalTransactionId: yearly, enabled: false)
        try transcript.advance(to: try at("2026-01-25"))
        #expect(try transcript.subscription.status == .expired)
        try transcript.store.reverseRefund(transactionId: yearly)
        #expect(try transcript.subscription.status == .active)
        #expect(try transcript.subscription.expiresDate == end)
        #expect(try transcript.subscription.autoRenewStatus == .off)
        #expect(try Self.renew(&transcript).productId == "pro.yearly")
    }

    @Test func `a running subscription of another kind stays`() throws {
        var shop = try AdvancedCommerceShop()
        let yearly = try shop.transcript.buy("pro.yearly").transactionId
        try shop.transcript.store.refund(transactionId: yearly)
        try shop.transcript.advance(to: try at("2026-01-17"))
        try shop.subscribe()
        let before = try shop.transcript.subscription
        try shop.transcript.store.reverseRefund(transactionId: yearly)
        #expect(try shop.transcript.subscription == before)
        #expect(try shop.renewalInfo().advancedCommerceInfo?.items?.map(\.sku) == ["news", "sport"])
    }

    // MARK: - Plans

    @Test func `items renew again`() throws {
        var shop = try AdvancedCommerceShop()
        let items = try shop.subscribe().transactionId
        let token = try shop.renewalInfo().advancedCommerceInfo?.consistencyToken
        let week = try Self.buyWeek(insteadOf: items, in: &shop.transcript)
        try shop.transcript.store.refund(transactionId: week)
        try shop.transcript.store.reverseRefund(transactionId: items)
        let renewal = try shop.renewalInfo()
        #expect(renewal.autoRenewProductId == "pro.monthly")
        #expect(renewal.advancedCommerceInfo?.items?.map(\.sku) == ["news", "sport"])
        #expect(renewal.advancedCommerceInfo?.consistencyToken != token)
        let renewed = try Self.renew(&shop.transcript)
        #expect(renewed.price == 10_000)
        #expect(renewed.advancedCommerceInfo?.items?.map(\.price) == [6_000, 4_000])
    }

    @Test func `items renew at their full price although a modification sold them for the rest of the period`() throws {
        var shop = try AdvancedCommerceShop()
        let first = try shop.subscribe().transactionId
        try shop.transcript.advance(to: try at("2026-01-16"))
        let change: JSONObject = [
            "operation": "MODIFY_SUBSCRIPTION", "version": "1", "requestInfo": shop.requestInfo(),
            "transactionId": .string(first), "retainBillingCycle": true,
            "addItems": [AdvancedCommerceShop.item("films", 3_000)],
        ]
        let modified = try shop.buy(change).transactionId
        let week = try Self.buyWeek(insteadOf: modified, in: &shop.transcript)
        try shop.transcript.store.refund(transactionId: week)
        try shop.transcript.store.reverseRefund(transactionId: modified)
        let renewed = try Self.renew(&shop.transcript)
        #expect(renewed.advancedCommerceInfo?.items?.map(\.price) == [6_000, 4_000, 3_000])
    }

    @Test func `seats renew again, with the same invitations`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let seats = try transcript.store.purchaseSeats(
            accountId: "a",
            productId: "pro.monthly",
            seats: 3,
            invitationManagement: .apple
        ).transactionId
        let week = try Self.buyWeek(insteadOf: seats, in: &transcript)
        try transcript.store.refund(transactionId: week)
        try transcript.store.reverseRefund(transactionId: seats)
        let report = try transcript.store.seats(originalTransactionId: seats)
        #expect(report.seats == 3 && report.renewalSeats == 3)
        #expect(report.invitationManagement == .apple)
        #expect(report.memberAccountIds == [])
        let renewed = try Self.renew(&transcript)
        #expect(renewed.productId == "pro.monthly" && renewed.quantity == 3 && renewed.price == 9_990)
    }

    @Test(arguments: [false, true])
    func `an ordinary period renews as one after items or seats were refunded`(withSeats: Bool) throws {
        var shop = try AdvancedCommerceShop()
        let week = try shop.transcript.buy("pro.weekly").transactionId
        try shop.transcript.store.refund(transactionId: week)
        try shop.transcript.advance(to: try at("2026-01-17"))
        let other =
            withSeats
            ? try shop.transcript.store.purchaseSeats(accountId: "a", productId: "pro.monthly", seats: 3)
            : try shop.subscribe()
        try shop.transcript.store.refund(transactionId: other.transactionId)
        try shop.transcript.store.reverseRefund(transactionId: week)
        let renewal = try shop.renewalInfo()
        #expect(renewal.autoRenewProductId == "pro.weekly")
        #expect(renewal.advancedCommerceInfo == nil && renewal.renewalQuantity == nil)
        let renewed = try Self.renew(&shop.transcript)
        #expect(renewed.productId == "pro.weekly" && renewed.price == 2_990 && renewed.quantity == 1)
        #expect(renewed.advancedCommerceInfo == nil && renewed.multiSeatInfo == nil)
    }

    @Test func `a commitment continues with its next month`() throws {
        var transcript = try StoreTranscript(at: try at("2026-01-15"))
        _ = try transcript.store.createAccount(storefront: "FRA", accountId: "a")
        let request = PurchaseRequest(productId: "pro.yearly", billingPlan: .monthly)
        let month = try transcript.store.purchase(accountId: "a", request: request).transactionId
        let week = try Self.buyWeek(insteadOf: month, in: &transcript)
        try transcript.store.refund(transactionId: week)
        try transcript.store.reverseRefund(transactionId: month)
        #expect(try transcript.newestContent().renewalInfo?.renewalBillingPlanType == .monthly)
        #expect(try Self.renew(&transcript).commitmentInfo?.billingPeriodNumber == 2)
    }
}
