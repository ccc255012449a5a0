import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Refund request` {
    private static func withWeekly() throws -> (transcript: StoreTranscript, id: String) {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let id = try transcript.buy("pro.weekly").transactionId
        return (transcript, id)
    }

    @Test func `a request turns renewal off and requests consumption information, and a refund follows`() throws {
        var (transcript, id) = try Self.withWeekly()
        try transcript.advance(to: try at("2026-01-17"))
        let receipt = try transcript.store.requestRefund(transactionId: id, reason: .unintendedPurchase)
        #expect(receipt.requestedDate == (try at("2026-01-17")))
        #expect(receipt.isConsumptionRequested)
        let asked = try transcript.newestContent()
        #expect(asked.payload.data?.consumptionRequestReason == .unintendedPurchase)
        #expect(asked.transaction?.transactionId == id)
        #expect(asked.renewalInfo?.autoRenewStatus == .off)
        try transcript.store.refund(transactionId: id)
        #expect(
            try transcript.newNotifications() == [
                "SUBSCRIBED/INITIAL_BUY 1", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1",
                "CONSUMPTION_REQUEST 1", "REFUND 5",
            ]
        )
        #expect(try transcript.newestContent().payload.data?.consumptionRequestReason == nil)
    }

    @Test func `a declined request leaves the subscription to end with its period`() throws {
        var (transcript, id) = try Self.withWeekly()
        _ = try transcript.store.requestRefund(transactionId: id, reason: .legal)
        try transcript.store.declineRefund(transactionId: id)
        #expect(try transcript.newestContent().transaction?.revocationDate == nil)
        try transcript.advance(to: try at("2026-03-01"))
        #expect(
            try transcript.newNotifications() == [
                "SUBSCRIBED/INITIAL_BUY 1", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1",
                "CONSUMPTION_REQUEST 1", "REFUND_DECLINED 1", "EXPIRED/VOLUNTARY 2",
            ]
        )
    }

    @Test(arguments: [("coins.100", 3, true), ("lifetime", 1, false), ("season.pass", 1, false)])
    func `the developer is asked about consumables only, beside subscriptions`(
        product: String,
        quantity: Int,
        isAsked: Bool
    ) throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let id = try transcript.buy(product, quantity: quantity).transactionId
        let receipt = try transcript.store.requestRefund(transactionId: id, reason: .other)
        #expect(receipt.isConsumptionRequested == isAsked)
        try transcript.store.refund(transactionId: id)
        #expect(
            try transcript.newNotifications()
                == ["ONE_TIME_CHARGE"] + (isAsked ? ["CONSUMPTION_REQUEST"] : []) + ["REFUND"]
        )
        let refunded = try #require(try transcript.newestContent().transaction)
        #expect(refunded.quantity == Int32(quantity))
        #expect(refunded.revocationPercentage == 100_000)
    }

    @Test func `a request during billing retry ends the subscription, as turning renewal off does`() throws {
        var (transcript, id) = try Self.withWeekly()
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-01-24"))
        _ = try transcript.store.requestRefund(transactionId: id, reason: .fulfillmentIssue)
        #expect(
            try transcript.newNotifications() == [
                "SUBSCRIBED/INITIAL_BUY 1", "DID_FAIL_TO_RENEW 3",
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 2", "EXPIRED/VOLUNTARY 2", "CONSUMPTION_REQUEST 2",
            ]
        )
    }

    @Test func `a reversed refund brings back the period with its old end, and nothing is renewed after it`() throws {
        var (transcript, id) = try Self.withWeekly()
        try transcript.store.refund(transactionId: id, reason: 1, percentage: 40_000)
        try transcript.advance(to: try at("2026-01-18"))
        try transcript.store.reverseRefund(transactionId: id)
        let content = try transcript.newestContent()
        #expect(content.transaction?.revocationDate == nil)
        #expect(content.transaction?.revocationReason == nil)
        #expect(content.transaction?.revocationType == nil)
        #expect(content.transaction?.revocationPercentage == nil)
        #expect(content.renewalInfo?.renewalDate == (try at("2026-01-22")))
        #expect(content.renewalInfo?.autoRenewStatus == .off)
        try transcript.advance(to: try at("2026-03-01"))
        #expect(
            try transcript.newNotifications() == [
                "SUBSCRIBED/INITIAL_BUY 1", "REFUND 5", "REFUND_REVERSED 1", "EXPIRED/VOLUNTARY 2",
            ]
        )
    }

    @Test func `after a reversed refund the customer may turn renewal on again`() throws {
        var (transcript, id) = try Self.withWeekly()
        try transcript.store.refund(transactionId: id)
        try transcript.store.reverseRefund(transactionId: id)
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: true)
        try transcript.advance(to: try at("2026-01-23"))
        #expect(
            try transcript.newNotifications() == [
                "SUBSCRIBED/INITIAL_BUY 1", "REFUND 5", "REFUND_REVERSED 1",
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED 1", "DID_RENEW 1",
            ]
        )
    }

    @Test func `a refund that is reversed after the period has ended leaves the subscription expired`() throws {
        var (transcript, id) = try Self.withWeekly()
        try transcript.store.refund(transactionId: id)
        try transcript.advance(to: try at("2026-01-22"))
        try transcript.store.reverseRefund(transactionId: id)
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "REFUND 5", "REFUND_REVERSED 2"])
        #expect(try transcript.subscription.status == .expired)
        #expect(try transcript.subscription.revocationDate == nil)
    }

    @Test func `reversing the refund of an older period, or of one bought again since, touches nothing else`() throws {
        var (transcript, id) = try Self.withWeekly()
        try transcript.advance(to: try at("2026-01-24"))
        try transcript.store.refund(transactionId: id)
        let before = try transcript.subscription
        try transcript.store.reverseRefund(transactionId: id)
        #expect(try transcript.subscription == before)
        let current = try #require(try transcript.account.transactions.last?.transactionId)
        try transcript.store.refund(transactionId: current)
        try transcript.buy("pro.weekly")
        try transcript.store.reverseRefund(transactionId: current)
        #expect(
            try transcript.newNotifications().suffix(5) == [
                "REFUND 1", "REFUND_REVERSED 1", "REFUND 5", "SUBSCRIBED/RESUBSCRIBE 1", "REFUND_REVERSED 1",
            ]
        )
    }

    @Test(arguments: [0, 3_600_000] as [Int64])
    func `another product bought after the refund, also in the same second, does not replace the period`(
        gap: Int64
    ) throws {
        var (transcript, id) = try Self.withWeekly()
        try transcript.store.refund(transactionId: id)
        try transcript.advance(to: try at("2026-01-15") + gap)
        try transcript.buy("pro.monthly")
        try transcript.store.reverseRefund(transactionId: id)
        #expect(try transcript.account.transactions.map(\.isUpgraded) == [false, false])
        #expect(try transcript.account.transactions.map(\.proratedRefund) == [nil, nil])
        #expect(try transcript.subscription.productId == "pro.monthly")
    }

    @Test func `a request for nothing can only be declined`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let trial = try transcript.buy("pro.monthly").transactionId
        _ = try transcript.store.requestRefund(transactionId: trial, reason: .other)
        let refusal = #expect(throws: StoreError.self) { try transcript.store.refund(transactionId: trial) }
        #expect(refusal?.code == .nothingToRefund)
        #expect(refusal?.message.contains("/_store/transactions/\(trial)/refund-decline") == true)
        try transcript.store.declineRefund(transactionId: trial)
        let again = #expect(throws: StoreError.self) { try transcript.store.refund(transactionId: trial) }
        #expect(again?.message.contains("refund-decline") == false)
    }

    @Test func `a transaction moves to the end of the history when its refund is reversed`() throws {
        var (transcript, id) = try Self.withWeekly()
        let coins = try transcript.buy("coins.100").transactionId
        try transcript.store.refund(transactionId: id)
        try transcript.store.reverseRefund(transactionId: id)
        let history = try transcript.store.transactionHistory(anyTransactionId: id)
        let order = try history.signedTransactions.map { jws -> String? in
            let transaction: JWSTransactionDecodedPayload = try decoded(jws)
            return transaction.transactionId
        }
        #expect(order == [coins, id])
    }

    @Test func `an invalid request, decline or reversal is refused without effect`() throws {
        var (transcript, id) = try Self.withWeekly()
        expectRefusal(.transactionNotFound, .notFound) {
            try transcript.store.requestRefund(transactionId: "1", reason: .other)
        }
        expectRefusal(.refundReasonUnknown, .invalid) {
            try transcript.store.requestRefund(transactionId: id, reason: ConsumptionRequestReason(rawValue: "BORED"))
        }
        expectRefusal(.refundNotRequested, .conflict) { try transcript.store.declineRefund(transactionId: id) }
        expectRefusal(.notRefunded, .conflict) { try transcript.store.reverseRefund(transactionId: id) }
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1"])
        _ = try transcript.store.requestRefund(transactionId: id, reason: .other)
        expectRefusal(.refundAlreadyRequested, .conflict) {
            try transcript.store.requestRefund(transactionId: id, reason: .other)
        }
        try transcript.store.refund(transactionId: id)
        expectRefusal(.refundNotRequested, .conflict) { try transcript.store.declineRefund(transactionId: id) }
        expectRefusal(.alreadyRefunded, .conflict) {
            try transcript.store.requestRefund(transactionId: id, reason: .other)
        }
        #expect(try transcript.newNotifications().last == "REFUND 5")
    }

    @Test func `a customer may request again after a decline`() throws {
        var (transcript, id) = try Self.withWeekly()
        for _ in 0..<2 {
            _ = try transcript.store.requestRefund(transactionId: id, reason: .unsatisfiedWithPurchase)
            try transcript.store.declineRefund(transactionId: id)
        }
        #expect(
            try transcript.newNotifications().suffix(4) == [
                "CONSUMPTION_REQUEST 1", "REFUND_DECLINED 1", "CONSUMPTION_REQUEST 1", "REFUND_DECLINED 1",
            ]
        )
    }
}
