import AppStoreModel
import LocalAppStore
import Testing

/// The content of `pending_renewal_info` in each state of a subscription.
@Suite struct `Pending renewals` {
    /// The members that depend on the state, of the only entry.
    private func pending(_ transcript: inout StoreTranscript) throws -> [String] {
        let entries = try transcript.verifiedReceipt()["pending_renewal_info"].arrayValue ?? []
        return entries.flatMap { entry in
            let members = [
                "auto_renew_status", "expiration_intent", "is_in_billing_retry_period", "grace_period_expires_date",
            ]
            return members.compactMap { name in entry[name].stringValue.map { "\(name) \($0)" } }
        }
    }

    private func subscriber(_ grace: StoreSettings.GracePeriod = .none) throws -> StoreTranscript {
        var transcript = try StoreTranscript.withAccount(
            at: try at("2026-01-15"),
            settings: StoreSettings(gracePeriod: grace),
            catalog: try plainCatalog()
        )
        try transcript.buy("monthly")
        return transcript
    }

    @Test func `an active subscription shows whether and to what it renews`() throws {
        var transcript = try subscriber()
        let entry = try transcript.verifiedReceipt()["pending_renewal_info"][0]
        #expect(
            entry.objectValue?.keys == [
                "auto_renew_product_id", "product_id", "original_transaction_id", "auto_renew_status",
            ]
        )
        let original = try transcript.subscription.originalTransactionId
        try transcript.store.setAutoRenew(originalTransactionId: original, enabled: false)
        #expect(try pending(&transcript) == ["auto_renew_status 0"])
    }

    @Test func `a cancelled subscription shows the reason after its end`() throws {
        var transcript = try subscriber()
        let original = try transcript.subscription.originalTransactionId
        try transcript.store.setAutoRenew(originalTransactionId: original, enabled: false)
        try transcript.advance(to: try at("2026-03-01"))
        let reported = try pending(&transcript)
        #expect(reported == ["auto_renew_status 0", "expiration_intent 1", "is_in_billing_retry_period 0"])
    }

    @Test func `a failed renewal is in billing retry, with the end of the grace period if there is one`() throws {
        var transcript = try subscriber(.threeDays)
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-02-16"))
        let reported = [
            "auto_renew_status 1", "expiration_intent 2", "is_in_billing_retry_period 1",
            "grace_period_expires_date 2026-02-18 09:30:00 Etc/GMT",
        ]
        #expect(try pending(&transcript) == reported)
        try transcript.advance(to: try at("2026-03-01"))
        #expect(try pending(&transcript) == reported)
        try transcript.advance(to: try at("2026-05-01"))
        #expect(
            try pending(&transcript) == ["auto_renew_status 0", "expiration_intent 2", "is_in_billing_retry_period 0"]
        )
    }

    @Test func `a price increase is asked about, and agreed to`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), catalog: try plainCatalog())
        let bought = try transcript.buy("yearly")
        let request = PriceChangeRequest(productId: "yearly", price: 19_990, needsConsent: true)
        _ = try transcript.store.changePrice(request)
        let status = { (transcript: inout StoreTranscript) in
            let entry = try transcript.verifiedReceipt()["pending_renewal_info"][0]
            return [entry["price_consent_status"].stringValue, entry["price_increase_status"].stringValue]
        }
        #expect(try status(&transcript) == [nil, nil])
        try transcript.advance(to: try at("2027-01-01"))
        #expect(try status(&transcript) == ["0", "0"])
        try transcript.store.answerPriceIncrease(originalTransactionId: bought.transactionId, accept: true)
        #expect(try status(&transcript) == ["1", "1"])
    }

    @Test func `a subscription cancelled in grace has no entry until the next purchase`() throws {
        var transcript = try subscriber(.sixteenDays)
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-02-16"))
        let original = try transcript.subscription.originalTransactionId
        try transcript.store.setAutoRenew(originalTransactionId: original, enabled: false)
        #expect(try transcript.verifiedReceipt()["pending_renewal_info"] == [])
        try transcript.store.setPayment(accountId: "a", state: .ok)
        try transcript.buy("monthly")
        #expect(try pending(&transcript) == ["auto_renew_status 1"])
    }
}
