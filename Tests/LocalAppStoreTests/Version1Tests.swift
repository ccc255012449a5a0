import AppStoreModel
import AppStoreSigning
import LocalAppStore
import Testing

/// The version 1 notifications of each event.
@Suite struct `Version 1 notifications` {
    private func subscriber(
        environment: AppStoreEnvironment = .production,
        grace: StoreSettings.GracePeriod = .none
    ) throws -> StoreTranscript {
        var transcript = try StoreTranscript.withAccount(
            at: try at("2026-01-15"),
            environment: environment,
            settings: StoreSettings(gracePeriod: grace, notificationVersion: .v1),
            catalog: try plainCatalog()
        )
        try transcript.buy("monthly")
        return transcript
    }

    @Test func `a renewing subscription causes version 1 notifications, and nothing else does`() throws {
        var transcript = try subscriber()
        #expect(try transcript.newNotifications() == ["INITIAL_BUY"])
        try transcript.advance(to: try at("2026-02-16"))
        #expect(try transcript.newNotifications() == ["DID_RENEW"])
        let original = try transcript.subscription.originalTransactionId
        try transcript.store.setAutoRenew(originalTransactionId: original, enabled: false)
        #expect(try transcript.newNotifications() == ["DID_CHANGE_RENEWAL_STATUS"])
        // Version 1 has no type for the end of a cancelled subscription.
        try transcript.advance(to: try at("2026-04-01"))
        #expect(try transcript.newNotifications() == [])
    }

    @Test func `a failed renewal and its recovery are announced, and the end of the retries by the renewal status`()
        throws
    {
        var transcript = try subscriber(grace: .threeDays)
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-02-25"))
        #expect(try transcript.newNotifications() == ["INITIAL_BUY", "DID_FAIL_TO_RENEW"])
        try transcript.store.setPayment(accountId: "a", state: .ok)
        #expect(try transcript.newNotifications() == ["DID_RECOVER"])
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-07-01"))
        #expect(try transcript.newNotifications() == ["DID_FAIL_TO_RENEW", "DID_CHANGE_RENEWAL_STATUS"])
    }

    @Test(arguments: [
        ("monthly", ["DID_CHANGE_RENEWAL_STATUS"]),
        ("yearly", ["INTERACTIVE_RENEWAL", "DID_CHANGE_RENEWAL_STATUS"]),
    ])
    func `a returning subscription is announced by whether the product is the same`(
        productId: String,
        notifications: [String]
    ) throws {
        var transcript = try subscriber()
        let original = try transcript.subscription.originalTransactionId
        try transcript.store.setAutoRenew(originalTransactionId: original, enabled: false)
        try transcript.advance(to: try at("2026-04-01"))
        _ = try transcript.newNotifications()
        try transcript.buy(productId)
        #expect(try transcript.newNotifications() == notifications)
    }

    @Test func `the refund of a subscription is a cancellation, that of another product a refund`() throws {
        var transcript = try StoreTranscript.withAccount(
            at: try at("2026-01-15"),
            settings: StoreSettings(notificationVersion: .v1)
        )
        let lifetime = try transcript.buy("lifetime")
        let weekly = try transcript.buy("pro.weekly")
        try transcript.advance(to: try at("2026-01-23"))
        #expect(try transcript.newNotifications() == ["INITIAL_BUY", "DID_RENEW"])
        try transcript.store.refund(transactionId: lifetime.transactionId)
        #expect(try transcript.newNotifications() == ["REFUND"])
        // Of a past period: the subscription continues.
        try transcript.store.refund(transactionId: weekly.transactionId)
        #expect(try transcript.newNotifications() == ["CANCEL"])
        let newest = try #require(try transcript.account.transactions.last)
        try transcript.store.refund(transactionId: newest.transactionId)
        #expect(try transcript.newNotifications() == ["CANCEL", "DID_CHANGE_RENEWAL_STATUS"])
    }

    @Test func `an upgrade is an interactive renewal, a downgrade a change of preference`() throws {
        var transcript = try StoreTranscript.withAccount(
            at: try at("2026-01-15"),
            settings: StoreSettings(notificationVersion: .v1)
        )
        let original = try transcript.buy("pro.weekly").transactionId
        _ = try transcript.store.changePlan(originalTransactionId: original, productId: "pro.yearly")
        #expect(
            try transcript.newNotifications() == ["INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL"]
        )
        _ = try transcript.store.changePlan(originalTransactionId: original, productId: "pro.weekly")
        #expect(try transcript.newNotifications() == ["DID_CHANGE_RENEWAL_PREF"])
    }

    @Test func `a family member gets renewals and the revocation, the purchaser the purchase`() throws {
        var transcript = try StoreTranscript.withAccount(
            at: try at("2026-01-15"),
            settings: StoreSettings(notificationVersion: .v1)
        )
        _ = try transcript.store.createAccount(accountId: "b")
        try transcript.store.addFamilyMember(accountId: "a", member: "b")
        try transcript.buy("pro.monthly")
        #expect(try transcript.newNotifications() == ["INITIAL_BUY"])
        try transcript.advance(to: try at("2026-01-23"))
        #expect(try transcript.newNotifications() == ["DID_RENEW", "DID_RENEW"])
        try transcript.store.removeFamilyMember(accountId: "a", member: "b")
        #expect(try transcript.newNotifications() == ["REVOKE"])
    }

    @Test func `an increase that needs consent is announced and agreed to, another one is not announced`() throws {
        for needsConsent in [true, false] {
            var transcript = try subscriber()
            let original = try transcript.subscription.originalTransactionId
            let request = PriceChangeRequest(productId: "monthly", price: 19_990, needsConsent: needsConsent)
            _ = try transcript.store.changePrice(request)
            try transcript.advance(to: try at("2026-02-14"))
            if needsConsent {
                try transcript.store.answerPriceIncrease(originalTransactionId: original, accept: true)
            }
            let consents = try transcript.newNotifications().filter { $0 == "PRICE_INCREASE_CONSENT" }
            #expect(consents.count == (needsConsent ? 2 : 0))
        }
    }

    @Test func `consumption requests are sent for consumables only`() throws {
        var transcript = try StoreTranscript.withAccount(
            at: try at("2026-01-15"),
            settings: StoreSettings(notificationVersion: .v1)
        )
        let coins = try transcript.buy("coins.100")
        let lifetime = try transcript.buy("lifetime")
        for outcome in [coins, lifetime] {
            _ = try transcript.store.requestRefund(transactionId: outcome.transactionId, reason: .other)
        }
        #expect(try transcript.newNotifications() == ["CONSUMPTION_REQUEST"])
    }

    @Test func `the sandbox has no failed renewals and recoveries`() throws {
        var transcript = try subscriber(environment: .sandbox)
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-02-20"))
        try transcript.store.setPayment(accountId: "a", state: .ok)
        #expect(try transcript.newNotifications() == ["INITIAL_BUY"])
    }

    @Test func `a test is version 2 whatever the version`() throws {
        var transcript = try subscriber()
        _ = try transcript.store.requestTestNotification()
        #expect(try transcript.newNotifications() == ["INITIAL_BUY", "TEST"])
        let record = try #require(try transcript.allRecords().last)
        #expect(record.body.version == .v2)
        #expect(!record.signedPayload.isEmpty)
    }

    // MARK: - The body

    @Test func `the body has the secret, the receipt and the newest transactions`() throws {
        var transcript = try subscriber()
        let original = try transcript.subscription.originalTransactionId
        try transcript.advance(to: try at("2026-02-16"))
        let body = try transcript.newestBody()
        #expect(
            body.objectValue?.keys == [
                "notification_type", "environment", "password", "bid", "bvrs", "deprecation",
                "original_transaction_id", "auto_renew_adam_id", "auto_renew_product_id", "auto_renew_status",
                "unified_receipt",
            ]
        )
        #expect(body["environment"] == "PROD")
        #expect(body["password"].stringValue == transcript.store.sharedSecret)
        #expect(body["original_transaction_id"] == .integer(try #require(Int64(original))))
        #expect(body["auto_renew_status"] == "true")
        let unified = body["unified_receipt"]
        #expect(unified["environment"] == "Production")
        #expect(unified["status"] == 0)
        #expect(unified["pending_renewal_info"][0]["auto_renew_status"] == "1")
        #expect(unified["latest_receipt_info"].arrayValue?.count == 2)
        let receipt = try receiptVerifier().verify(unified["latest_receipt"].stringValue ?? "").payload
        #expect(receipt?.inAppPurchases.count == 2)
    }

    @Test func `the last change of the renewal status is in later bodies`() throws {
        var transcript = try subscriber()
        let original = try transcript.subscription.originalTransactionId
        try transcript.advance(to: try at("2026-01-20"))
        try transcript.store.setAutoRenew(originalTransactionId: original, enabled: false)
        #expect(try transcript.newestBody()["auto_renew_status"] == "false")
        try transcript.advance(to: try at("2026-01-21"))
        try transcript.store.setAutoRenew(originalTransactionId: original, enabled: true)
        try transcript.advance(to: try at("2026-02-16"))
        let body = try transcript.newestBody()
        #expect(body["notification_type"] == "DID_RENEW")
        #expect(body["auto_renew_status_change_date_ms"].stringValue == String(try at("2026-01-21")))
    }

    @Test func `the expiration intent is a number`() throws {
        var transcript = try subscriber()
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-02-16"))
        #expect(try transcript.newestBody()["expiration_intent"] == 2)
    }

    @Test func `a body has the newest hundred transactions, and always the one it is about`() throws {
        var transcript = try StoreTranscript.withAccount(
            at: try at("2026-01-15"),
            settings: StoreSettings(notificationVersion: .v1)
        )
        let first = try transcript.buy("coins.100")
        for _ in 1...104 { try transcript.buy("coins.100") }
        try transcript.store.refund(transactionId: first.transactionId)
        let reported = try transcript.newestBody()["unified_receipt"]["latest_receipt_info"].arrayValue ?? []
        #expect(reported.count == 100)
        #expect(reported.last?["transaction_id"].stringValue == first.transactionId)
        #expect(reported.last?["cancellation_reason"] == "0")
        #expect(
            reported.first?["transaction_id"].stringValue == (try transcript.account.transactions.last?.transactionId)
        )
    }

    // MARK: - Delivery

    @Test func `a version 1 notification is tried again after 6, 24 and 48 hours`() throws {
        var transcript = try subscriber()
        transcript.deliveryResult = .unsuccessfulHTTPResponseCode
        let start = transcript.store.now
        try transcript.advance(to: start + 10 * dayLength)
        let attempts = try #require(try transcript.allRecords().first).attempts
        #expect(attempts.map { ($0.attemptDate - start) / hourLength } == [0, 6, 30, 78])
    }

    @Test func `after the switch to version 2, pending retries continue in version 1`() throws {
        var transcript = try subscriber()
        transcript.deliveryResult = .unsuccessfulHTTPResponseCode
        try transcript.deliver()
        try transcript.store.setNotificationEndpoint(url: "http://127.0.0.1:9/v2", version: .v2)
        let original = try transcript.subscription.originalTransactionId
        try transcript.store.setAutoRenew(originalTransactionId: original, enabled: false)
        try transcript.store.step(to: transcript.store.now + 6 * hourLength)
        let due = transcript.store.dueDeliveries()
        #expect(due.map(\.body.version) == [.v2, .v1])
        #expect(due.map(\.url) == ["http://127.0.0.1:9/v2", "http://127.0.0.1:9/v2"])
        #expect(due.map(\.attempt) == [1, 2])
    }

    @Test func `payloads signed after a version 1 notification have new content with a new date`() throws {
        var transcript = try subscriber()
        let original = try transcript.subscription.originalTransactionId
        let before = try transcript.store.renewalInfo(of: original)
        try transcript.store.setAutoRenew(originalTransactionId: original, enabled: false)
        let after = try transcript.store.renewalInfo(of: original)
        #expect(after.signedDate > before.signedDate)
        #expect(before.autoRenewStatus == .on && after.autoRenewStatus == .off)
    }
}

extension StoreTranscript {
    /// The body of the newest notification, in version 1.
    fileprivate func newestBody() throws -> JSONValue {
        guard let record = try allRecords().last else { throw TranscriptError.noNotification }
        return try JSONParser.parse(record.body.json)
    }
}

extension LocalAppStore {
    fileprivate mutating func renewalInfo(of transactionId: String) throws -> JWSRenewalInfoDecodedPayload {
        let statuses = try subscriptionStatuses(anyTransactionId: transactionId)
        let jws = try #require(statuses.data.first?.lastTransactions.first?.signedRenewalInfo)
        return try decoded(jws)
    }
}
