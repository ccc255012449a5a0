import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Cancel and come back` {
    @Test func `a cancelled subscription runs to the end of its period and expires`() throws {
        var transcript = try subscribed()
        try transcript.advance(to: try at("2026-01-17"))
        try setAutoRenew(false, &transcript)
        #expect(try transcript.newNotifications() == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1"])
        let content = try transcript.newestContent()
        #expect(content.renewalInfo?.autoRenewStatus == .off)
        #expect(content.renewalInfo?.expirationIntent == nil)
        #expect(content.renewalInfo?.renewalPrice == nil)
        try transcript.advance(to: try at("2026-01-22") - 1)
        #expect(try transcript.subscription.status == .active)
        try transcript.advance(to: try at("2026-06-01"))
        #expect(try transcript.newNotifications() == ["EXPIRED/VOLUNTARY 2"])
        let expired = try transcript.newestContent()
        #expect(expired.payload.signedDate == (try at("2026-01-22")))
        #expect(expired.renewalInfo?.expirationIntent == .customerCancelled)
        #expect(expired.renewalInfo?.isInBillingRetryPeriod == false)
    }

    @Test func `a revoked cancellation changes nothing at the end of the period`() throws {
        var transcript = try subscribed()
        try setAutoRenew(false, &transcript)
        try setAutoRenew(true, &transcript)
        try transcript.advance(to: try at("2026-01-22"))
        #expect(
            try transcript.newNotifications() == [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED 1",
                "DID_RENEW 1",
            ]
        )
    }

    @Test func `setting the same value announces nothing`() throws {
        var transcript = try subscribed()
        try setAutoRenew(true, &transcript)
        #expect(try transcript.newNotifications().isEmpty)
    }

    @Test func `a cancelled trial ends without a charge`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("pro.monthly")
        try setAutoRenew(false, &transcript)
        try transcript.advance(to: try at("2026-03-01"))
        #expect(
            try transcript.newDatedNotifications() == [
                "2026-01-15 SUBSCRIBED/INITIAL_BUY", "2026-01-15 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                "2026-01-22 EXPIRED/VOLUNTARY",
            ]
        )
        #expect(try transcript.account.transactions.map(\.price) == [0])
    }

    @Test func `an ended subscription cannot be switched, and an unknown one neither`() throws {
        var transcript = try subscribed()
        let original = try transcript.subscription.originalTransactionId
        try setAutoRenew(false, &transcript)
        try transcript.advance(to: try at("2026-02-01"))
        expectRefusal(.subscriptionNotActive, .conflict) {
            try transcript.store.setAutoRenew(originalTransactionId: original, enabled: true)
        }
        expectRefusal(.subscriptionNotFound, .notFound) {
            try transcript.store.setAutoRenew(originalTransactionId: "1", enabled: true)
        }
    }

    @Test func `a returning customer keeps the subscription's identity and gets no second introductory offer`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let first = try transcript.buy("pro.monthly")
        try setAutoRenew(false, &transcript)
        try transcript.advance(to: try at("2026-02-20"))
        _ = try transcript.newNotifications()
        let second = try transcript.buy("pro.yearly")
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/RESUBSCRIBE 1"])
        #expect(second.originalTransactionId == first.transactionId)
        #expect(second.transactionId != first.transactionId)
        let content = try transcript.newestContent()
        #expect(content.transaction?.transactionReason == .purchase)
        #expect(content.transaction?.originalPurchaseDate == (try at("2026-01-15") + 1_000))
        #expect(content.transaction?.expiresDate == (try at("2027-02-20")))
        #expect(content.transaction?.price == 79_990)
        #expect(content.renewalInfo?.autoRenewProductId == "pro.yearly")
        #expect(content.renewalInfo?.autoRenewStatus == .on)
        #expect(content.renewalInfo?.expirationIntent == nil)
        try transcript.advance(to: try at("2027-02-20"))
        #expect(try transcript.newNotifications() == ["DID_RENEW 1"])
    }

    @Test(arguments: [
        (AppStoreEnvironment.production, 60 * dayLength, false), (.production, 60 * dayLength + 1_000, true),
        (.sandbox, 10 * 60_000, false), (.sandbox, 10 * 60_000 + 1_000, true),
    ])
    func `a new run starts after a gap of more than sixty days, in the sandbox ten minutes`(
        environment: AppStoreEnvironment,
        gap: Int64,
        beginsAnew: Bool
    ) throws {
        var transcript = try subscribed(environment: environment)
        try setAutoRenew(false, &transcript)
        let back = try at("2026-01-22") + gap
        try transcript.advance(to: back)
        try transcript.buy("pro.weekly")
        let start = try transcript.newestContent().renewalInfo?.recentSubscriptionStartDate
        #expect(start == (beginsAnew ? back : try at("2026-01-15")))
    }

    /// A weekly subscription from 15 January on, whose purchase notification was already read.
    private func subscribed(environment: AppStoreEnvironment = .production) throws -> StoreTranscript {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), environment: environment)
        try transcript.buy("pro.weekly")
        _ = try transcript.newNotifications()
        return transcript
    }

    private func setAutoRenew(_ enabled: Bool, _ transcript: inout StoreTranscript) throws {
        let original = try transcript.subscription.originalTransactionId
        try transcript.store.setAutoRenew(originalTransactionId: original, enabled: enabled)
    }
}
