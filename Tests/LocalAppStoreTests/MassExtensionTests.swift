import AppStoreModel
import LocalAppStore
import Testing

@Suite("Mass extension")
struct MassExtensionTests {
    @Test func `after its delay it extends who can be, tells of who cannot, and sums up`() throws {
        var transcript = try subscribers()
        _ = try transcript.news()
        try transcript.order()
        #expect(try transcript.status() == MassExtendRenewalDateStatusResponse(requestIdentifier: "r", complete: false))
        let start = transcript.store.now
        try transcript.advance(to: start + hourLength - 1)
        #expect(try transcript.news() == [])
        try transcript.advance(to: start + hourLength)
        #expect(
            try transcript.news() == [
                "RENEWAL_EXTENDED 1", "RENEWAL_EXTENDED 1", "RENEWAL_EXTENSION/FAILURE 3", "RENEWAL_EXTENSION/SUMMARY",
            ]
        )
        let status = try transcript.status()
        #expect(status.complete && status.completeDate == start + hourLength)
        #expect(status.succeededCount == 2 && status.failedCount == 1)
        let content = try transcript.newestContent()
        #expect(content.payload.data == nil)
        let summary = try #require(content.payload.summary)
        #expect(summary.requestIdentifier == "r" && summary.productId == "monthly")
        #expect(summary.succeededCount == 2 && summary.failedCount == 1)
        #expect(summary.storefrontCountryCodes == nil)
        #expect(summary.appAppleId == transcript.store.configuration.appAppleId)
    }

    @Test func `only the storefronts that are named are extended`() throws {
        var transcript = try subscribers()
        _ = try transcript.news()
        try transcript.order(storefronts: ["DEU", "FRA"])
        try transcript.advance(to: transcript.store.now + hourLength)
        #expect(try transcript.news() == ["RENEWAL_EXTENDED 1", "RENEWAL_EXTENSION/SUMMARY"])
        #expect(try transcript.store.account("b").subscriptions[0].expiresDate == (try at("2026-03-17")))
        #expect(try transcript.newestContent().payload.summary?.storefrontCountryCodes == ["DEU", "FRA"])
    }

    @Test func `an identifier is accepted again and carried out once`() throws {
        var transcript = try subscribers()
        try transcript.order()
        try transcript.order(days: 5)
        try transcript.advance(to: transcript.store.now + hourLength)
        _ = try transcript.news()
        try transcript.order()
        try transcript.advance(to: transcript.store.now + 2 * hourLength)
        #expect(try transcript.news() == [])
        #expect(try transcript.status().succeededCount == 2)
    }

    @Test func `the delay is a setting`() throws {
        var transcript = try subscribers()
        var settings = transcript.store.settings
        settings.massExtensionDelay = .hours(48)
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
            "extendByDays": 1, "extendReasonCode": 0, "requestIdentifier": "x", "productId": "monthly",
        ]
        for (key, value) in change { body[key] = value }
        var store = try subscribers().store
        #expect(throws: error) {
            _ = try store.extendRenewalDates(request: try MassExtendRenewalDateRequest(appleBody: body))
        }
    }

    @Test(arguments: [
        ("monthly", "other", AppStoreServerAPIError.statusRequestNotFound), ("yearly", "r", .statusRequestNotFound),
        ("soup", "r", .invalidProductId), ("monthly", "", .invalidRequestIdentifier),
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
    fileprivate mutating func order(days: Int32 = 1, storefronts: [String]? = nil) throws {
        let request = MassExtendRenewalDateRequest(
            requestIdentifier: "r",
            extendByDays: days,
            extendReasonCode: .other,
            productId: "monthly",
            storefrontCountryCodes: storefronts
        )
        #expect(try store.extendRenewalDates(request: request).requestIdentifier == "r")
    }

    fileprivate func status() throws -> MassExtendRenewalDateStatusResponse {
        try store.massExtensionStatus(productId: "monthly", requestIdentifier: "r")
    }
}
