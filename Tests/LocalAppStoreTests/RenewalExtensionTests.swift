import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Extension of a renewal date` {
    @Test func `the period grows by whole days, and the next one begins at its new end`() throws {
        var transcript = try subscriber()
        let answer = try transcript.extend(days: 10)
        #expect(answer.success)
        #expect(answer.effectiveDate == (try at("2026-02-25")))
        #expect(answer.webOrderLineItemId != nil)
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "RENEWAL_EXTENDED 1"])
        let content = try transcript.newestContent()
        #expect(content.transaction?.expiresDate == answer.effectiveDate)
        #expect(content.renewalInfo?.renewalDate == answer.effectiveDate)
        try transcript.advance(to: try at("2026-03-25"))
        #expect(try transcript.newDatedNotifications() == ["2026-02-25 DID_RENEW", "2026-03-25 DID_RENEW"])
    }

    @Test func `a subscription is extended twice in 365 days and no third time`() throws {
        var transcript = try subscriber()
        try transcript.extend(days: 1)
        try transcript.store.step(to: transcript.store.now + dayLength)
        try transcript.extend(days: 90)
        #expect(throws: AppStoreServerAPIError.subscriptionMaxExtension) { try transcript.extend(days: 1) }
        try transcript.advance(to: try at("2027-01-15"))
        try transcript.extend(days: 1)
        #expect(throws: AppStoreServerAPIError.subscriptionMaxExtension) { try transcript.extend(days: 1) }
    }

    @Test func `the limit counts the extensions of all the customer's subscriptions, or of each by a setting`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let first = try transcript.buy("pro.weekly").originalTransactionId
        let second = try transcript.buy("plus.monthly").originalTransactionId
        try transcript.extend(days: 1, of: first)
        try transcript.extend(days: 1, of: second)
        for id in [first, second] {
            #expect(throws: AppStoreServerAPIError.subscriptionMaxExtension) { try transcript.extend(days: 1, of: id) }
        }
        var settings = transcript.store.settings
        settings.extensionLimit = .subscription
        try transcript.store.replaceSettings(settings)
        for id in [first, second] {
            try transcript.extend(days: 1, of: id)
            #expect(throws: AppStoreServerAPIError.subscriptionMaxExtension) { try transcript.extend(days: 1, of: id) }
        }
    }

    @Test func `a free period is not extended, the paid one after it is`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let bought = try transcript.buy("pro.monthly")
        #expect(throws: AppStoreServerAPIError.subscriptionExtensionIneligible) {
            try transcript.extend(days: 1, of: bought.originalTransactionId)
        }
        try transcript.advance(to: try at("2026-02-01"))
        #expect(try transcript.extend(days: 1, of: bought.originalTransactionId).success)
    }

    @Test(arguments: [StoreSettings.GracePeriod.none, .sixteenDays])
    func `a renewal that is being retried is not extended`(grace: StoreSettings.GracePeriod) throws {
        let settings = StoreSettings(gracePeriod: grace)
        var transcript = try subscriber(settings: settings)
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-02-16"))
        #expect(throws: AppStoreServerAPIError.subscriptionExtensionIneligible) { try transcript.extend(days: 5) }
    }

    @Test func `an ended subscription is not extended; a cancelled one is`() throws {
        var transcript = try subscriber()
        let id = try transcript.subscription.originalTransactionId
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: false)
        try transcript.extend(days: 3)
        try transcript.advance(to: try at("2026-02-17"))
        #expect(try transcript.subscription.status == .active)
        try transcript.advance(to: try at("2026-02-18"))
        #expect(try transcript.subscription.status == .expired)
        #expect(throws: AppStoreServerAPIError.subscriptionExtensionIneligible) { try transcript.extend(days: 5) }
    }

    @Test func `the extended transaction is repeated in the history`() throws {
        var transcript = try subscriber()
        let id = try transcript.subscription.originalTransactionId
        let before = try transcript.store.transactionHistory(anyTransactionId: id)
        try transcript.extend(days: 3)
        let query = HistoryQuery(revision: before.revision)
        let after = try transcript.store.transactionHistory(anyTransactionId: id, query: query)
        #expect(after.signedTransactions.count == 1)
    }

    @Test func `a member follows the purchaser's extension, and has none of its own`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        _ = try transcript.store.createAccount(accountId: "b")
        try transcript.store.addFamilyMember(accountId: "a", member: "b")
        let id = try transcript.buy("pro.monthly").originalTransactionId
        try transcript.advance(to: try at("2026-01-23"))
        _ = try transcript.newNotifications()
        try transcript.extend(days: 10, of: id)
        #expect(try transcript.newNotifications() == ["RENEWAL_EXTENDED 1", "RENEWAL_EXTENDED 1"])
        let copy = try transcript.store.account("b").subscriptions[0]
        #expect(copy.expiresDate == (try at("2026-03-04")))
        #expect(copy.expiresDate == (try transcript.store.account("a").subscriptions[0].expiresDate))
        #expect(throws: AppStoreServerAPIError.familySharedSubscriptionExtensionIneligible) {
            try transcript.extend(days: 1, of: copy.originalTransactionId)
        }
        let token = "00000000-0000-4000-8000-000000000000"
        #expect(throws: AppStoreServerAPIError.familyTransactionNotSupported) {
            try transcript.store.setAppAccountToken(originalTransactionId: copy.originalTransactionId, token: token)
        }
    }

    @Test func `if accelerated days round to zero, an extension succeeds without effect`() throws {
        var transcript = try subscriber(environment: .sandbox, profile: .sandboxExtensionRoundsToZero)
        let answer = try transcript.extend(days: 10)
        #expect(answer.success)
        #expect(answer.effectiveDate == (try at("2026-02-15")))
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "RENEWAL_EXTENDED 1"])
    }

    @Test(
        arguments: [
            (["extendByDays": 0], AppStoreServerAPIError.invalidExtendByDays),
            (["extendByDays": 91], .invalidExtendByDays),
            (["extendByDays": "1"], .invalidExtendByDays), (["extendByDays": nil], .invalidExtendByDays),
            (["extendReasonCode": 4], .invalidExtendReasonCode), (["extendReasonCode": nil], .invalidExtendReasonCode),
            (["requestIdentifier": ""], .invalidRequestIdentifier),
            (["requestIdentifier": nil], .invalidRequestIdentifier),
            (["requestIdentifier": .string(String(repeating: "x", count: 129))], .invalidRequestIdentifier),
        ] as [([String: JSONValue?], AppStoreServerAPIError)]
    )
    func `a request that breaks a rule has the error of its field`(
        change: [String: JSONValue?],
        error: AppStoreServerAPIError
    ) throws {
        var body: JSONObject = ["extendByDays": 1, "extendReasonCode": 0, "requestIdentifier": "x"]
        for (key, value) in change { body[key] = value }
        var transcript = try subscriber()
        let id = try transcript.subscription.originalTransactionId
        #expect(throws: error) {
            let request = try ExtendRenewalDateRequest(appleBody: body)
            _ = try transcript.store.extendRenewalDate(originalTransactionId: id, request: request)
        }
    }

    @Test func `an identifier that is malformed, unknown, or not a subscription's first is refused`() throws {
        var transcript = try subscriber()
        try transcript.advance(to: try at("2026-02-20"))
        let renewal = try transcript.account.transactions[1].transactionId
        let table: [(String, AppStoreServerAPIError)] = [
            ("abc", .invalidOriginalTransactionId), ("2000000000009999", .originalTransactionIdNotFound),
            (renewal, .originalTransactionIdNotFound),
        ]
        for (id, error) in table {
            #expect(throws: error) { try transcript.extend(days: 1, of: id) }
        }
    }

    @Test func `renewals of the late profile come 66 minutes after the period's end`() throws {
        var transcript = try subscriber(profile: .late66Minutes)
        try transcript.advance(to: try at("2026-02-15") + 66 * 60_000 - 1)
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1"])
        #expect(try transcript.subscription.status == .active)
        try transcript.advance(to: try at("2026-02-15") + 66 * 60_000)
        #expect(try transcript.newNotifications() == ["DID_RENEW 1"])
        #expect(try transcript.subscription.purchaseDate == (try at("2026-02-15")))
        #expect(try transcript.subscription.expiresDate == (try at("2026-03-15")))
    }

    private func subscriber(
        environment: AppStoreEnvironment = .production,
        settings: StoreSettings? = nil,
        profile: StoreProfile? = nil
    ) throws -> StoreTranscript {
        var transcript = try StoreTranscript.withAccount(
            at: try at("2026-01-15"),
            environment: environment,
            settings: settings,
            catalog: try plainCatalog(),
            profile: profile
        )
        try transcript.buy("monthly")
        return transcript
    }
}

extension StoreTranscript {
    @discardableResult
    fileprivate mutating func extend(days: Int32, of id: String? = nil) throws -> ExtendRenewalDateResponse {
        try store.extendRenewalDate(
            originalTransactionId: try id ?? subscription.originalTransactionId,
            request: ExtendRenewalDateRequest(
                extendByDays: days,
                extendReasonCode: .serviceIssueOrOutage,
                requestIdentifier: "r"
            )
        )
    }
}
