import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `A refund` {
    @Test func `a refund of the current period ends the subscription, and nothing renews any more`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let bought = try transcript.buy("pro.weekly")
        try transcript.advance(to: try at("2026-01-17"))
        try transcript.store.refund(transactionId: bought.transactionId, reason: 1)
        try transcript.advance(to: try at("2026-06-01"))
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "REFUND 5"])
        let content = try transcript.newestContent()
        #expect(content.transaction?.revocationDate == (try at("2026-01-17")))
        #expect(content.transaction?.revocationReason == .appIssue)
        #expect(content.transaction?.revocationType == .fullRefund)
        #expect(content.transaction?.revocationPercentage == 100_000)
        #expect(content.renewalInfo?.autoRenewStatus == .off)
        #expect(content.renewalInfo?.expirationIntent == .customerCancelled)
        #expect(content.renewalInfo?.isInBillingRetryPeriod == nil)
        #expect(try transcript.subscription.status == .revoked)
        #expect(try transcript.subscription.revocationDate == (try at("2026-01-17")))
    }

    @Test func `a refund of an older period leaves the subscription as it is`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let bought = try transcript.buy("pro.weekly")
        try transcript.advance(to: try at("2026-01-24"))
        try transcript.store.refund(transactionId: bought.transactionId)
        let content = try transcript.newestContent()
        #expect(content.transaction?.transactionId == bought.transactionId)
        #expect(content.transaction?.revocationReason == .other)
        #expect(content.payload.data?.status == .active)
        #expect(content.renewalInfo?.autoRenewStatus == .on)
        try transcript.advance(to: try at("2026-01-29"))
        #expect(
            try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "DID_RENEW 1", "REFUND 1", "DID_RENEW 1"]
        )
    }

    @Test(arguments: [(100_000, 2_990), (50_000, 1_708 + 641)] as [(Int, Int64)])
    func `a refund of a period that an upgrade ended pays back a part of the rest`(
        percentage: Int,
        total: Int64
    ) throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let old = try transcript.buy("pro.weekly").transactionId
        try transcript.advance(to: try at("2026-01-18"))
        let change = try transcript.store.changePlan(originalTransactionId: old, productId: "pro.monthly")
        #expect(change.proratedRefund == 1_708)
        try transcript.advance(to: try at("2026-01-20"))
        try transcript.store.refund(transactionId: old, percentage: percentage)
        #expect(try transcript.subscription.status == .active)
        try transcript.advance(to: try at("2026-01-25"))
        #expect(try refunds(in: transcript.store) == total)
        try transcript.store.reverseRefund(transactionId: old)
        try transcript.advance(to: try at("2026-01-27"))
        let reversals = try transcript.store.finishedDays(12).flatMap { try transcript.store.report(.subscriber, $0) }
            .filter { $0["Units"] == "1" }
        #expect(try amount(reversals.last?["Customer Price"]) == total - 1_708)
    }

    /// The sum of the refunds in the reports of the last ten days.
    private func refunds(in store: LocalAppStore) throws -> Int64 {
        try store.finishedDays(10).flatMap { try store.report(.subscriber, $0) }
            .filter { $0["Refund"] == "Yes" }
            .reduce(0) { $0 + (try amount($1["Customer Price"])) }
    }

    @Test func `a refund after the subscription has ended leaves it expired`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let bought = try transcript.buy("pro.weekly")
        try transcript.store.setAutoRenew(originalTransactionId: bought.originalTransactionId, enabled: false)
        try transcript.advance(to: try at("2026-02-01"))
        try transcript.store.refund(transactionId: bought.transactionId)
        #expect(try transcript.newNotifications().last == "REFUND 2")
        #expect(try transcript.subscription.expirationIntent == .customerCancelled)
    }

    @Test func `a refund during billing retry ends the retries`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let bought = try transcript.buy("pro.weekly")
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-01-24"))
        try transcript.store.refund(transactionId: bought.transactionId)
        try transcript.store.setPayment(accountId: "a", state: .ok)
        try transcript.advance(to: try at("2026-06-01"))
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "DID_FAIL_TO_RENEW 3", "REFUND 5"])
    }

    @Test(arguments: [(102, RevocationType.proratedRefund), (33_333, .proratedRefund), (100_000, .fullRefund)])
    func `a partial refund has its percentage`(percentage: Int, type: RevocationType) throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let bought = try transcript.buy("coins.100")
        try transcript.store.refund(transactionId: bought.transactionId, percentage: percentage)
        let content = try transcript.newestContent()
        #expect(content.payload.data?.status == nil)
        #expect(content.transaction?.revocationType == type)
        #expect(content.transaction?.revocationPercentage == Int32(percentage))
    }

    @Test func `after a refund the account may subscribe again`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let bought = try transcript.buy("pro.weekly")
        try transcript.store.refund(transactionId: bought.transactionId)
        let again = try transcript.buy("pro.weekly")
        #expect(again.originalTransactionId == bought.transactionId)
        try transcript.advance(to: try at("2026-01-22"))
        #expect(
            try transcript.newNotifications() == [
                "SUBSCRIBED/INITIAL_BUY 1", "REFUND 5", "SUBSCRIBED/RESUBSCRIBE 1", "DID_RENEW 1",
            ]
        )
    }

    @Test func `a refund of nothing is refused`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let trial = try transcript.buy("pro.monthly").transactionId
        expectRefusal(.nothingToRefund, .conflict) { try transcript.store.refund(transactionId: trial) }
        let coins = try transcript.buy("coins.100").transactionId
        expectRefusal(.percentageInvalid, .invalid) {
            try transcript.store.refund(transactionId: coins, percentage: 1)
        }
        #expect(try transcript.account.transactions.allSatisfy { $0.revocationDate == nil })
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "ONE_TIME_CHARGE"])
    }

    @Test func `nothing is left of a period that an upgrade paid back in full`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let old = try transcript.buy("pro.weekly").transactionId
        _ = try transcript.store.changePlan(originalTransactionId: old, productId: "pro.monthly")
        expectRefusal(.nothingToRefund, .conflict) { try transcript.store.refund(transactionId: old) }
    }

    @Test func `refunds of seats are in the reports, and pay back at most the price`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), catalog: try plainCatalog())
        let id = try transcript.store.purchaseSeats(accountId: "a", productId: "monthly", seats: 3).transactionId
        try transcript.store.refundSeats(transactionId: id, seats: 1)
        try transcript.advance(to: try at("2026-01-17"))
        try transcript.store.refundSeats(transactionId: id, seats: 1)
        try transcript.advance(to: try at("2026-01-19"))
        #expect(try paid(in: transcript) == 9_990)
        let events = try transcript.store.finishedDays(5).flatMap {
            try transcript.store.report(.subscriptionEvent, $0)
        }
        #expect(events.map { $0["Event"] } == ["Refund", "Subscribe", "Refund"])
        try transcript.store.refund(transactionId: id)
        try transcript.advance(to: try at("2026-01-21"))
        #expect(try paid(in: transcript) == 0)
        try transcript.store.reverseRefund(transactionId: id)
        try transcript.advance(to: try at("2026-01-23"))
        #expect(try paid(in: transcript) == 9_990)
    }

    @Test func `an invalid refund is refused without effect`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let id = try transcript.buy("coins.100").transactionId
        expectRefusal(.transactionNotFound, .notFound) { try transcript.store.refund(transactionId: "1") }
        expectRefusal(.reasonInvalid, .invalid) { try transcript.store.refund(transactionId: id, reason: 2) }
        for percentage in [0, -1, 100_001] {
            expectRefusal(.percentageInvalid, .invalid) {
                try transcript.store.refund(transactionId: id, percentage: percentage)
            }
        }
        try transcript.store.refund(transactionId: id)
        expectRefusal(.alreadyRefunded, .conflict) { try transcript.store.refund(transactionId: id) }
        #expect(try transcript.newNotifications() == ["ONE_TIME_CHARGE", "REFUND"])
    }
}
