import AppStoreModel
import LocalAppStore
import Testing

/// Apple requires a UUID.
private let orderID = uuid(1)

@Suite struct `Mass extension` {
    @Test func `an extension takes hours, announces each eligible subscription, and ends with a summary`() throws {
        var transcript = try subscribers()
        for _ in 0..<2 { try transcript.extend("b") }
        _ = try transcript.newNotifications()
        try transcript.order()
        let waiting = MassExtendRenewalDateStatusResponse(requestIdentifier: orderID, complete: false)
        #expect(try transcript.status() == waiting)
        let start = transcript.store.now
        try transcript.advance(to: start + hourLength - 1)
        #expect(try transcript.newNotifications() == [])
        // Three subscriptions, forty minutes apart; the one whose card fails is not eligible and not attempted.
        try transcript.advance(to: start + hourLength)
        #expect(try transcript.newNotifications() == ["RENEWAL_EXTENDED 1"])
        try transcript.advance(to: start + hourLength + 40 * 60_000)
        #expect(try transcript.newNotifications() == ["RENEWAL_EXTENSION/FAILURE 1"])
        #expect(try !transcript.status().complete)
        try transcript.advance(to: start + hourLength + 80 * 60_000)
        #expect(try transcript.newNotifications() == ["RENEWAL_EXTENSION/SUMMARY"])
        let status = try transcript.status()
        #expect(status.complete && status.completeDate == start + hourLength + 80 * 60_000)
        #expect(status.succeededCount == 1 && status.failedCount == 1)
        let content = try transcript.newestContent()
        #expect(content.payload.data == nil)
        let summary = try #require(content.payload.summary)
        #expect(summary.requestIdentifier == orderID && summary.productId == "monthly")
        #expect(summary.succeededCount == 1 && summary.failedCount == 1)
        #expect(summary.storefrontCountryCodes == nil)
        #expect(summary.appAppleId == transcript.store.configuration.appAppleId)
    }

    @Test func `a trial is skipped, and an order without subscribers ends at once`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("pro.monthly")
        try transcript.order(of: "pro.monthly")
        try transcript.advance(to: transcript.store.now + hourLength)
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "RENEWAL_EXTENSION/SUMMARY"])
        let status = try transcript.status(of: "pro.monthly")
        #expect(status.succeededCount == 0 && status.failedCount == 0)
        var empty = try StoreTranscript(at: try at("2026-01-15"))
        try empty.order(of: "pro.monthly")
        try empty.advance(to: empty.store.now + hourLength)
        #expect(try empty.newNotifications() == ["RENEWAL_EXTENSION/SUMMARY"])
    }

    @Test(arguments: [1, 11, 12, 13, 100])
    func `everybody is extended once, in twelve steps at most, within the time of the setting`(count: Int) throws {
        var transcript = try StoreTranscript(at: try at("2026-01-16"), catalog: try plainCatalog())
        for number in 0..<count {
            _ = try transcript.store.createAccount(accountId: "c\(number)")
            _ = try transcript.store.purchase(accountId: "c\(number)", request: PurchaseRequest(productId: "monthly"))
        }
        try transcript.deliver()
        _ = try transcript.newNotifications()
        try transcript.order()
        let start = transcript.store.now + hourLength
        var times: Set<Int64> = []
        while let time = transcript.store.nextDue(atOrBefore: start + 2 * hourLength) {
            try transcript.advance(to: time)
            times.insert(time)
        }
        #expect(times.count == min(count, 12))
        let notifications = try transcript.newNotifications()
        #expect(notifications.count { $0 == "RENEWAL_EXTENDED 1" } == count)
        #expect(notifications.last == "RENEWAL_EXTENSION/SUMMARY")
        #expect(try transcript.status().succeededCount == Int64(count))
    }

    @Test func `only the storefronts that are named are extended`() throws {
        var transcript = try subscribers()
        _ = try transcript.newNotifications()
        try transcript.order(storefronts: ["DEU", "FRA"])
        try transcript.advance(to: transcript.store.now + 3 * hourLength)
        #expect(try transcript.newNotifications() == ["RENEWAL_EXTENDED 1", "RENEWAL_EXTENSION/SUMMARY"])
        #expect(try transcript.store.account("b").subscriptions[0].expiresDate == (try at("2026-03-17")))
        #expect(try transcript.newestContent().payload.summary?.storefrontCountryCodes == ["DEU", "FRA"])
    }

    @Test func `a repeated identifier is accepted, but executed once`() throws {
        var transcript = try subscribers()
        try transcript.order()
        try transcript.order(days: 5)
        try transcript.advance(to: transcript.store.now + 3 * hourLength)
        _ = try transcript.newNotifications()
        try transcript.order()
        try transcript.advance(to: transcript.store.now + 2 * hourLength)
        #expect(try transcript.newNotifications() == [])
        #expect(try transcript.status().succeededCount == 2)
    }

    @Test func `the delay is a setting`() throws {
        var transcript = try subscribers()
        var settings = transcript.store.settings
        settings.massExtensionDelay = .hours(48)
        settings.massExtensionDuration = .hours(0)
        try transcript.store.replaceSettings(settings)
        try transcript.order()
        try transcript.advance(to: transcript.store.now + 47 * hourLength)
        #expect(try !transcript.status().complete)
        try transcript.advance(to: transcript.store.now + hourLength)
        #expect(try transcript.status().complete)
    }

    @Test(
        arguments: [
            (["extendByDays": 0], AppStoreServerAPIError.invalidExtendByDays), (["productId": ""], .invalidProductId),
            (["productId": "soup"], .invalidProductId), (["productId": nil], .invalidProductId),
            (["extendReasonCode": -1], .invalidExtendReasonCode),
            (["requestIdentifier": ""], .invalidRequestIdentifier),
            (["requestIdentifier": "outage-1"], .invalidRequestIdentifier),
            (["requestIdentifier": nil], .invalidRequestIdentifier),
            (["storefrontCountryCodes": []], .invalidEmptyStorefrontCountryCodeList),
            (["storefrontCountryCodes": ["USA", "de"]], .invalidStorefrontCountryCode),
            (["storefrontCountryCodes": ["XXX"]], .invalidStorefrontCountryCode),
            (["storefrontCountryCodes": "USA"], .invalidStorefrontCountryCode),
        ] as [([String: JSONValue?], AppStoreServerAPIError)]
    )
    func `a request that breaks a rule has the error of its field`(
        change: [String: JSONValue?],
        error: AppStoreServerAPIError
    ) throws {
        var body: JSONObject = [
            "extendByDays": 1, "extendReasonCode": 0, "requestIdentifier": .string(orderID), "productId": "monthly",
        ]
        for (key, value) in change { body[key] = value }
        var store = try subscribers().store
        #expect(throws: error) {
            _ = try store.extendRenewalDates(request: try MassExtendRenewalDateRequest(appleBody: body))
        }
    }

    @Test(arguments: [
        ("monthly", uuid(9), AppStoreServerAPIError.statusRequestNotFound), ("yearly", orderID, .statusRequestNotFound),
        ("soup", orderID, .invalidProductId), ("monthly", "", .invalidRequestIdentifier),
        ("monthly", "outage-1", .invalidRequestIdentifier), ("soup", "outage-1", .invalidRequestIdentifier),
    ])
    func `the status of what was never ordered is refused`(
        productId: String,
        identifier: String,
        error: AppStoreServerAPIError
    ) throws {
        var transcript = try subscribers()
        try transcript.order()
        #expect(throws: error) {
            try transcript.store.massExtensionStatus(productId: productId, requestIdentifier: identifier)
        }
    }

    /// On 17 February: two paying subscribers, one of them in Germany, one whose card fails, and one that cancelled.
    private func subscribers() throws -> StoreTranscript {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-16"), catalog: try plainCatalog())
        _ = try transcript.store.createAccount(storefront: "DEU", accountId: "b")
        _ = try transcript.store.createAccount(accountId: "c")
        _ = try transcript.store.createAccount(accountId: "d")
        for account in ["a", "b", "c", "d"] {
            _ = try transcript.store.purchase(accountId: account, request: PurchaseRequest(productId: "monthly"))
        }
        try transcript.store.setPayment(accountId: "c", state: .declined)
        let cancelled = try transcript.store.account("d").subscriptions[0].originalTransactionId
        try transcript.store.setAutoRenew(originalTransactionId: cancelled, enabled: false)
        try transcript.advance(to: try at("2026-02-17"))
        return transcript
    }
}

extension StoreTranscript {
    fileprivate mutating func order(
        of productId: String = "monthly",
        days: Int32 = 1,
        storefronts: [String]? = nil
    ) throws {
        let request = MassExtendRenewalDateRequest(
            requestIdentifier: orderID,
            extendByDays: days,
            extendReasonCode: .other,
            productId: productId,
            storefrontCountryCodes: storefronts
        )
        #expect(try store.extendRenewalDates(request: request).requestIdentifier == orderID)
    }

    fileprivate mutating func extend(_ accountId: String) throws {
        _ = try store.extendRenewalDate(
            originalTransactionId: try store.account(accountId).subscriptions[0].originalTransactionId,
            request: ExtendRenewalDateRequest(extendByDays: 1, extendReasonCode: .other, requestIdentifier: "s")
        )
    }

    fileprivate func status(of productId: String = "monthly") throws -> MassExtendRenewalDateStatusResponse {
        try store.massExtensionStatus(productId: productId, requestIdentifier: orderID)
    }
}
