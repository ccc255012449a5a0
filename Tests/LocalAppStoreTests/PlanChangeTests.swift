import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Plan changes` {
    @Test func `an upgrade starts a new period immediately and refunds the rest of the old one`() throws {
        var transcript = try subscribed(to: "silver")
        try transcript.advance(to: try at("2026-01-25"))
        let change = try changePlan(&transcript, to: "gold")
        #expect(try transcript.newNotifications() == ["DID_CHANGE_RENEWAL_PREF/UPGRADE 1"])
        #expect(change.kind == .upgrade)
        #expect(change.effectiveDate == (try at("2026-01-25")))
        // 21 of January's 31 days from the 15th on: 9.99 × 21/31, rounded down.
        #expect(change.proratedRefund == 6_767)
        let transactions = try transcript.account.transactions
        #expect(transactions.map(\.productId) == ["silver", "gold"])
        #expect(transactions.map(\.isUpgraded) == [true, false])
        #expect(transactions.map(\.proratedRefund) == [6_767, nil])
        #expect(transactions.map(\.transactionReason) == [.purchase, .purchase])
        #expect(Set(transactions.map(\.originalTransactionId)).count == 1)
        let content = try transcript.newestContent()
        #expect(content.transaction?.productId == "gold")
        #expect(content.transaction?.price == 19_990)
        #expect(content.transaction?.expiresDate == (try at("2026-02-25")))
        #expect(content.transaction?.isUpgraded == nil)
        #expect(content.renewalInfo?.autoRenewProductId == "gold")
    }

    @Test func `after an upgrade the day of the upgrade is the renewal day`() throws {
        var transcript = try subscribed(to: "silver")
        try transcript.advance(to: try at("2026-01-25"))
        try changePlan(&transcript, to: "gold")
        try transcript.advance(to: try at("2026-04-01"))
        #expect(
            try transcript.newDatedNotifications() == [
                "2026-01-25 DID_CHANGE_RENEWAL_PREF/UPGRADE", "2026-02-25 DID_RENEW", "2026-03-25 DID_RENEW",
            ]
        )
    }

    @Test func `a shortened transaction is marked as upgraded`() throws {
        var transcript = try subscribed(to: "silver")
        let old = try transcript.subscription.originalTransactionId
        try changePlan(&transcript, to: "gold")
        let jws = try transcript.store.transactionInfo(transactionId: old).signedTransactionInfo
        let transaction: JWSTransactionDecodedPayload = try decoded(jws)
        #expect(transaction.isUpgraded == true)
        #expect(transaction.revocationDate == nil)
        #expect(transaction.expiresDate == (try at("2026-02-15")))
    }

    @Test func `a crossgrade of the same period happens at once, as an upgrade does`() throws {
        var transcript = try subscribed(to: "silver")
        let change = try changePlan(&transcript, to: "silver.plus")
        #expect(change.kind == .crossgrade)
        #expect(try transcript.newNotifications() == ["DID_CHANGE_RENEWAL_PREF/UPGRADE 1"])
        #expect(change.proratedRefund == 9_990)
    }

    @Test(arguments: [("gold", "silver", PlanChange.Kind.downgrade), ("gold", "gold.yearly", .crossgradeAtRenewal)])
    func `a downgrade and a change of period wait for the next renewal`(
        from: String,
        to productId: String,
        kind: PlanChange.Kind
    ) throws {
        var transcript = try subscribed(to: from)
        try transcript.advance(to: try at("2026-01-20"))
        let change = try changePlan(&transcript, to: productId)
        #expect(change.kind == kind)
        #expect(change.effectiveDate == (try at("2026-02-15")))
        #expect(change.proratedRefund == nil)
        let content = try transcript.newestContent()
        #expect(content.transaction?.productId == from)
        #expect(content.renewalInfo?.productId == from)
        #expect(content.renewalInfo?.autoRenewProductId == productId)
        let price = try #require(transcript.store.catalog.products[productId]).price
        #expect(content.renewalInfo?.renewalPrice == price)
        try transcript.advance(to: try at("2026-02-15"))
        #expect(try transcript.newNotifications() == ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1", "DID_RENEW 1"])
        let renewed = try transcript.newestContent()
        #expect(renewed.transaction?.productId == productId)
        #expect(renewed.transaction?.transactionReason == .renewal)
        #expect(renewed.transaction?.purchaseDate == (try at("2026-02-15")))
        #expect(renewed.transaction?.price == price)
        #expect(renewed.renewalInfo?.productId == productId)
    }

    @Test func `a pending change is cancelled by choosing the current product`() throws {
        var transcript = try subscribed(to: "gold")
        try changePlan(&transcript, to: "silver")
        #expect(try changePlan(&transcript, to: "gold").kind == .undo)
        try transcript.advance(to: try at("2026-02-15"))
        #expect(
            try transcript.newNotifications() == [
                "DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1", "DID_CHANGE_RENEWAL_PREF 1", "DID_RENEW 1",
            ]
        )
        #expect(try transcript.subscription.productId == "gold")
    }

    @Test func `a pending change is replaced by another one, including an immediate one`() throws {
        var transcript = try subscribed(to: "silver")
        try changePlan(&transcript, to: "bronze")
        try changePlan(&transcript, to: "silver.yearly")
        #expect(try transcript.subscription.autoRenewProductId == "silver.yearly")
        try changePlan(&transcript, to: "gold")
        #expect(try transcript.subscription.autoRenewProductId == "gold")
        try transcript.advance(to: try at("2026-02-15"))
        #expect(
            try transcript.newNotifications() == [
                "DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1",
                "DID_CHANGE_RENEWAL_PREF/UPGRADE 1", "DID_RENEW 1",
            ]
        )
        #expect(try transcript.subscription.productId == "gold")
    }

    @Test func `an upgrade ends a free trial at once, at the full price and with nothing to give back`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), catalog: try levels())
        try transcript.buy("trial")
        try transcript.advance(to: try at("2026-01-17"))
        let change = try changePlan(&transcript, to: "gold")
        #expect(change.proratedRefund == 0)
        #expect(try transcript.subscription.price == 19_990)
        #expect(try transcript.subscription.offerType == nil)
        #expect(try transcript.subscription.expiresDate == (try at("2026-02-17")))
    }

    @Test func `a downgrade in a free trial waits for its end`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), catalog: try levels())
        try transcript.buy("trial")
        #expect(try changePlan(&transcript, to: "bronze").effectiveDate == (try at("2026-01-22")))
        try transcript.advance(to: try at("2026-01-22"))
        #expect(try transcript.account.transactions.map(\.productId) == ["trial", "bronze"])
        #expect(try transcript.account.transactions.map(\.price) == [0, 990])
    }

    @Test func `a change of plan turns a cancelled renewal on again`() throws {
        var transcript = try subscribed(to: "silver")
        let original = try transcript.subscription.originalTransactionId
        try transcript.store.setAutoRenew(originalTransactionId: original, enabled: false)
        try changePlan(&transcript, to: "bronze")
        #expect(
            try transcript.newNotifications() == [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1",
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED 1",
            ]
        )
        try transcript.store.setAutoRenew(originalTransactionId: original, enabled: false)
        try changePlan(&transcript, to: "gold")
        #expect(try transcript.subscription.autoRenewStatus == .on)
        #expect(
            try transcript.newNotifications() == [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1", "DID_CHANGE_RENEWAL_PREF/UPGRADE 1",
            ]
        )
    }

    @Test(arguments: ["bronze", "silver", "gold"], [StoreSettings.GracePeriod.none, .sixteenDays])
    func `a manual purchase during billing retry starts a new period immediately`(
        productId: String,
        grace: StoreSettings.GracePeriod
    ) throws {
        var transcript = try subscribed(to: "silver", settings: StoreSettings(gracePeriod: grace))
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-02-20"))
        _ = try transcript.newNotifications()
        expectRefusal(.paymentDeclined, .unprocessable) { try changePlan(&transcript, to: productId) }
        let change = try changePlan(&transcript, to: productId, fixesPayment: true)
        #expect(change.kind == .recovery)
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/RESUBSCRIBE 1"])
        #expect(try transcript.account.payment == .ok)
        #expect(try transcript.account.transactions.map(\.productId) == ["silver", productId])
        #expect(try transcript.account.transactions.map(\.isUpgraded) == [false, false])
        #expect(try transcript.subscription.expiresDate == (try at("2026-03-20")))
        #expect(try transcript.subscription.gracePeriodExpiresDate == nil)
    }

    @Test func `a declined card can plan a downgrade, but not pay for an upgrade`() throws {
        var transcript = try subscribed(to: "silver")
        try transcript.store.setPayment(accountId: "a", state: .declined)
        expectRefusal(.paymentDeclined, .unprocessable) { try changePlan(&transcript, to: "gold") }
        try changePlan(&transcript, to: "bronze")
        #expect(try transcript.newNotifications() == ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1"])
    }

    @Test func `buying another product of the group does what a change of plan does`() throws {
        var bought = try subscribed(to: "silver")
        var changed = bought
        for productId in ["bronze", "silver", "silver.plus", "gold", "silver"] {
            try bought.buy(productId)
            try changePlan(&changed, to: productId)
        }
        #expect(try bought.account == changed.account)
        #expect(try bought.newNotifications() == changed.newNotifications())
        expectRefusal(.planUnchanged, .conflict) { try bought.buy("silver") }
        expectRefusal(.offerNotEligible, .unprocessable) {
            let offer = PurchaseRequest.Offer(type: "introductory")
            let request = PurchaseRequest(productId: "trial", offer: offer)
            return try bought.store.purchase(accountId: "a", request: request)
        }
    }

    @Test func `an invalid change is refused without effect`() throws {
        var transcript = try subscribed(to: "silver")
        let before = try transcript.account
        expectRefusal(.planUnchanged, .conflict) { try changePlan(&transcript, to: "silver") }
        expectRefusal(.productNotFound, .notFound) { try changePlan(&transcript, to: "nothing") }
        expectRefusal(.planNotInGroup, .unprocessable) { try changePlan(&transcript, to: "other") }
        expectRefusal(.subscriptionNotFound, .notFound) {
            try transcript.store.changePlan(originalTransactionId: "1", productId: "gold")
        }
        #expect(try transcript.account == before)
        try transcript.store.refund(transactionId: before.transactions[0].transactionId)
        expectRefusal(.subscriptionNotActive, .conflict) { try changePlan(&transcript, to: "gold") }
        #expect(try transcript.newNotifications() == ["REFUND 5"])
    }

    @Test func `another group is another subscription`() throws {
        var transcript = try subscribed(to: "silver")
        try transcript.buy("other")
        #expect(try transcript.account.subscriptions.map(\.productId) == ["silver", "other"])
    }

    /// A subscription from 15 January on, whose purchase notification was already read.
    private func subscribed(to productId: String, settings: StoreSettings? = nil) throws -> StoreTranscript {
        var transcript = try StoreTranscript.withAccount(
            at: try at("2026-01-15"),
            settings: settings,
            catalog: try levels()
        )
        try transcript.buy(productId)
        _ = try transcript.newNotifications()
        return transcript
    }

    @discardableResult
    private func changePlan(
        _ transcript: inout StoreTranscript,
        to productId: String,
        fixesPayment: Bool = false
    ) throws -> PlanChange {
        try transcript.store.changePlan(
            originalTransactionId: try transcript.subscription.originalTransactionId,
            productId: productId,
            fixesPayment: fixesPayment
        )
    }
}

/// A group of three levels, and another group.
private func levels() throws -> Catalog {
    let trial = #", "introductoryOffer": {"paymentMode": "free", "subscriptionPeriod": "P1W"}"#
    let products = [
        ("gold", 1, "P1M", "19.99", ""), ("gold.yearly", 1, "P1Y", "199.99", ""), ("silver", 2, "P1M", "9.99", ""),
        ("silver.plus", 2, "P1M", "10.99", ""), ("silver.yearly", 2, "P1Y", "99.99", ""),
        ("trial", 2, "P1M", "9.99", trial), ("bronze", 3, "P1M", "0.99", ""),
    ].map { id, level, period, price, more in
        #"{"productID": "\#(id)", "groupNumber": \#(level), "displayPrice": "\#(price)", "#
            + #""recurringSubscriptionPeriod": "\#(period)"\#(more)}"#
    }
    let other = #"{"productID": "other", "displayPrice": "1.99", "recurringSubscriptionPeriod": "P1W"}"#
    let groups =
        #"[{"id": "1", "subscriptions": [\#(products.joined(separator: ","))]}"#
        + #", {"id": "2", "subscriptions": [\#(other)]}]"#
    return try Catalog(storekit: Array(#"{"version": {"major": 4}, "subscriptionGroups": \#(groups)}"#.utf8))
}
