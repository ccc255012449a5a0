import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Billing trouble` {
    /// The expected values of a product's renewal in its grace period.
    struct Grace: Sendable, CustomTestStringConvertible {
        let productId: String
        let setting: StoreSettings.GracePeriod
        let days: Int64?

        var testDescription: String { "\(productId), \(setting.rawValue)" }
    }

    private static let graces = [
        Grace(productId: "pro.weekly", setting: .none, days: nil),
        Grace(productId: "pro.weekly", setting: .threeDays, days: 3),
        Grace(productId: "pro.weekly", setting: .sixteenDays, days: 6),
        Grace(productId: "pro.weekly", setting: .twentyEightDays, days: 6),
        Grace(productId: "pro.monthly", setting: .none, days: nil),
        Grace(productId: "pro.monthly", setting: .threeDays, days: 3),
        Grace(productId: "pro.monthly", setting: .sixteenDays, days: 16),
        Grace(productId: "pro.monthly", setting: .twentyEightDays, days: 28),
    ]

    @Test(arguments: graces)
    func `the grace period has the length of the setting, six days at most for weekly products`(grace: Grace) throws {
        let settings = StoreSettings(gracePeriod: grace.setting)
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), settings: settings)
        try transcript.buy(grace.productId)
        try transcript.store.setPayment(accountId: "a", state: .declined)
        let expiry = try transcript.subscription.expiresDate
        try transcript.advance(to: expiry)
        let subscription = try transcript.subscription
        #expect(subscription.isInBillingRetryPeriod)
        #expect(subscription.expirationIntent == .billingError)
        #expect(subscription.autoRenewStatus == .on)
        #expect(subscription.gracePeriodExpiresDate == grace.days.map { expiry + $0 * dayLength })
        #expect(subscription.status == (grace.days == nil ? .billingRetry : .billingGracePeriod))
        let failure = grace.days == nil ? "DID_FAIL_TO_RENEW 3" : "DID_FAIL_TO_RENEW/GRACE_PERIOD 4"
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", failure])
        let content = try transcript.newestContent()
        #expect(content.renewalInfo?.isInBillingRetryPeriod == true)
        #expect(content.renewalInfo?.expirationIntent == .billingError)
        #expect(content.renewalInfo?.gracePeriodExpiresDate == subscription.gracePeriodExpiresDate)
        #expect(content.renewalInfo?.renewalDate == expiry)
        #expect(content.transaction?.transactionId == content.transaction?.originalTransactionId)
    }

    @Test func `grace ends, retries continue, and the subscription ends sixty days after the period`() throws {
        var transcript = try graced(.sixteenDays, product: "pro.weekly", from: "2026-01-15")
        try transcript.advance(to: try at("2026-06-01"))
        #expect(
            try transcript.newDatedNotifications() == [
                "2026-01-15 SUBSCRIBED/INITIAL_BUY", "2026-01-22 DID_FAIL_TO_RENEW/GRACE_PERIOD",
                "2026-01-28 GRACE_PERIOD_EXPIRED", "2026-03-23 EXPIRED/BILLING_RETRY",
            ]
        )
        let content = try transcript.newestContent()
        #expect(content.payload.data?.status == .expired)
        #expect(content.renewalInfo?.autoRenewStatus == .off)
        #expect(content.renewalInfo?.isInBillingRetryPeriod == false)
        #expect(content.renewalInfo?.expirationIntent == .billingError)
        #expect(content.renewalInfo?.gracePeriodExpiresDate == nil)
        #expect(content.renewalInfo?.renewalPrice == nil)
    }

    @Test func `without grace the retry lasts exactly sixty days`() throws {
        var transcript = try graced(.none, product: "pro.weekly", from: "2026-01-15")
        let end = try at("2026-03-23")
        try transcript.advance(to: end - 1)
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "DID_FAIL_TO_RENEW 3"])
        try transcript.advance(to: end)
        #expect(try transcript.newNotifications() == ["EXPIRED/BILLING_RETRY 2"])
    }

    @Test func `a card fixed within grace keeps the billing date and loses no paid day`() throws {
        var transcript = try graced(.sixteenDays, product: "monthly", from: "2026-01-31", catalog: try plainCatalog())
        try transcript.advance(to: try at("2026-03-10"))
        try transcript.store.setPayment(accountId: "a", state: .ok)
        #expect(
            try transcript.newDatedNotifications() == [
                "2026-01-31 SUBSCRIBED/INITIAL_BUY", "2026-02-28 DID_FAIL_TO_RENEW/GRACE_PERIOD",
                "2026-03-10 DID_RENEW/BILLING_RECOVERY",
            ]
        )
        let recovered = try transcript.newestContent().transaction
        #expect(recovered?.purchaseDate == (try at("2026-02-28")))
        #expect(recovered?.expiresDate == (try at("2026-03-31")))
        #expect(recovered?.transactionReason == .renewal)
        let renewal = try transcript.newestContent().renewalInfo
        #expect(renewal?.isInBillingRetryPeriod == nil)
        #expect(renewal?.expirationIntent == nil)
        #expect(renewal?.gracePeriodExpiresDate == nil)
        try transcript.advance(to: try at("2026-05-31"))
        #expect(
            try transcript.newDatedNotifications() == [
                "2026-03-31 DID_RENEW", "2026-04-30 DID_RENEW", "2026-05-31 DID_RENEW",
            ]
        )
    }

    @Test func `a card fixed after grace starts a new billing date`() throws {
        var transcript = try graced(.threeDays, product: "monthly", from: "2026-01-31", catalog: try plainCatalog())
        try transcript.advance(to: try at("2026-03-10"))
        #expect(try transcript.subscription.gracePeriodExpiresDate == (try at("2026-03-03")))
        try transcript.store.setPayment(accountId: "a", state: .ok)
        try transcript.advance(to: try at("2026-05-01"))
        #expect(
            try transcript.newDatedNotifications() == [
                "2026-01-31 SUBSCRIBED/INITIAL_BUY", "2026-02-28 DID_FAIL_TO_RENEW/GRACE_PERIOD",
                "2026-03-03 GRACE_PERIOD_EXPIRED", "2026-03-10 DID_RENEW/BILLING_RECOVERY", "2026-04-10 DID_RENEW",
            ]
        )
        let recovered = try transcript.account.transactions[1]
        #expect(recovered.purchaseDate == (try at("2026-03-10")))
        #expect(recovered.expiresDate == (try at("2026-04-10")))
    }

    @Test func `a card fixed at the end of the retry comes too late`() throws {
        var transcript = try graced(.none, product: "pro.weekly", from: "2026-01-15")
        try transcript.advance(to: try at("2026-03-23"))
        try transcript.store.setPayment(accountId: "a", state: .ok)
        #expect(
            try transcript.newNotifications() == [
                "SUBSCRIBED/INITIAL_BUY 1", "DID_FAIL_TO_RENEW 3", "EXPIRED/BILLING_RETRY 2",
            ]
        )
    }

    @Test(arguments: [StoreSettings.GracePeriod.none, .sixteenDays])
    func `turning renewal off while it is being retried ends the subscription at once`(
        setting: StoreSettings.GracePeriod
    ) throws {
        var transcript = try graced(setting, product: "pro.weekly", from: "2026-01-15")
        try transcript.advance(to: try at("2026-01-24"))
        _ = try transcript.newNotifications()
        let original = try transcript.subscription.originalTransactionId
        try transcript.store.setAutoRenew(originalTransactionId: original, enabled: false)
        try transcript.advance(to: try at("2026-06-01"))
        #expect(
            try transcript.newNotifications() == [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 2", "EXPIRED/VOLUNTARY 2",
            ]
        )
        #expect(try transcript.subscription.expirationIntent == .customerCancelled)
        let dates = try transcript.allRecords().suffix(2).map(\.signedDate)
        #expect(dates == [try at("2026-01-24"), try at("2026-01-24") + 1])
    }

    @Test(arguments: [
        (StoreSettings.GracePeriodScope.allRenewals, SubscriptionStatus.billingGracePeriod),
        (.paidToPaidOnly, .billingRetry),
    ])
    func `the scope decides whether the renewal after a free trial has grace`(
        scope: StoreSettings.GracePeriodScope,
        status: SubscriptionStatus
    ) throws {
        let settings = StoreSettings(gracePeriod: .sixteenDays, gracePeriodScope: scope)
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), settings: settings)
        try transcript.buy("pro.monthly")
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-01-22"))
        #expect(try transcript.subscription.status == status)
    }

    @Test func `the renewal after a paid period has grace in both scopes`() throws {
        let settings = StoreSettings(gracePeriod: .sixteenDays, gracePeriodScope: .paidToPaidOnly)
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), settings: settings)
        try transcript.buy("pro.weekly")
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-01-22"))
        #expect(try transcript.subscription.status == .billingGracePeriod)
    }

    @Test func `a new setting leaves a grace period that runs as it is`() throws {
        var transcript = try graced(.threeDays, product: "pro.weekly", from: "2026-01-15")
        try transcript.advance(to: try at("2026-01-22"))
        try transcript.store.replaceSettings(StoreSettings(gracePeriod: .none))
        #expect(try transcript.subscription.gracePeriodExpiresDate == (try at("2026-01-25")))
    }

    @Test func `a fixed card pays for every subscription that is being retried`() throws {
        var transcript = try graced(.none, product: "pro.weekly", from: "2026-01-15")
        try transcript.store.setPayment(accountId: "a", state: .ok)
        try transcript.buy("plus.monthly")
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-02-20"))
        _ = try transcript.newNotifications()
        try transcript.store.setPayment(accountId: "a", state: .ok)
        #expect(try transcript.newNotifications() == ["DID_RENEW/BILLING_RECOVERY 1", "DID_RENEW/BILLING_RECOVERY 1"])
    }

    /// A subscription whose first renewal will fail.
    private func graced(
        _ setting: StoreSettings.GracePeriod,
        product: String,
        from start: String,
        catalog: Catalog? = nil
    ) throws -> StoreTranscript {
        let settings = StoreSettings(gracePeriod: setting)
        var transcript = try StoreTranscript.withAccount(at: try at(start), settings: settings, catalog: catalog)
        try transcript.buy(product)
        try transcript.store.setPayment(accountId: "a", state: .declined)
        return transcript
    }
}
