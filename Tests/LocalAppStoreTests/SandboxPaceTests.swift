import AppStoreModel
import LocalAppStore
import Testing

/// The profile `sandbox`: Apple's accelerated periods.
@Suite struct `Sandbox acceleration` {
    private static let minute: Int64 = 60_000

    /// A row of Apple's table, in minutes.
    struct Row: Sendable, CustomTestStringConvertible {
        let rate: SandboxRenewalRate
        let week, month, sixMonths, year: Int64
        /// In seconds.
        let graceOfWeek, graceOfMonth: Int64

        var testDescription: String { rate.rawValue }
    }

    static let table = [
        Row(rate: .threeMinutes, week: 2, month: 3, sixMonths: 18, year: 36, graceOfWeek: 102, graceOfMonth: 90),
        Row(rate: .fiveMinutes, week: 3, month: 5, sixMonths: 30, year: 60, graceOfWeek: 154, graceOfMonth: 150),
        Row(rate: .fifteenMinutes, week: 5, month: 15, sixMonths: 90, year: 180, graceOfWeek: 257, graceOfMonth: 450),
        Row(rate: .thirtyMinutes, week: 10, month: 30, sixMonths: 180, year: 360, graceOfWeek: 514, graceOfMonth: 900),
        Row(rate: .oneHour, week: 15, month: 60, sixMonths: 360, year: 720, graceOfWeek: 771, graceOfMonth: 1_800),
    ]

    @Test(arguments: table) func `periods have the lengths of Apple's table`(row: Row) throws {
        for (period, minutes) in [("P1W", row.week), ("P1M", row.month), ("P6M", row.sixMonths), ("P1Y", row.year)] {
            var transcript = try sandbox(row.rate, period: period)
            try transcript.buy("p")
            let subscription = try transcript.subscription
            #expect(subscription.expiresDate - subscription.purchaseDate == minutes * Self.minute, "\(period)")
        }
    }

    @Test(arguments: table) func `grace and retry have the lengths of Apple's table`(row: Row) throws {
        for (period, grace) in [("P1W", row.graceOfWeek), ("P1M", row.graceOfMonth), ("P1Y", row.graceOfMonth)] {
            var transcript = try sandbox(row.rate, period: period, settings: .sixteenDays)
            try transcript.buy("p")
            try transcript.store.setPayment(accountId: "a", state: .declined)
            let end = try transcript.subscription.expiresDate
            try transcript.advance(to: end)
            #expect(try transcript.subscription.gracePeriodExpiresDate == end + grace * 1_000, "\(period)")
            let retryEnd = end + 2 * row.month * Self.minute
            try transcript.advance(to: retryEnd - 1)
            #expect(try transcript.subscription.status == .billingRetry)
            try transcript.advance(to: retryEnd)
            #expect(try transcript.subscription.status == .expired)
        }
    }

    @Test func `a subscription renews twelve times and is turned off`() throws {
        var transcript = try sandbox(.fiveMinutes, period: "P1M")
        try transcript.buy("p")
        try transcript.advance(to: transcript.store.now + 24 * 60 * Self.minute)
        #expect(
            try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1"]
                + Array(repeating: "DID_RENEW 1", count: 12)
                + ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1", "EXPIRED/VOLUNTARY 2"]
        )
    }

    @Test func `a subscription turned on after the twelfth renewal renews twelve times more`() throws {
        var transcript = try sandbox(.fiveMinutes, period: "P1M")
        try transcript.buy("p")
        try transcript.advance(to: transcript.store.now + 61 * Self.minute)
        let subscription = try transcript.subscription
        #expect(subscription.autoRenewStatus == .off)
        let original = subscription.originalTransactionId
        try transcript.store.setAutoRenew(originalTransactionId: original, enabled: true)
        try transcript.advance(to: transcript.store.now + 24 * 60 * Self.minute)
        #expect(try transcript.account.transactions.count == 1 + 12 + 12)
    }

    @Test(
        arguments: [
            ("P3D", 1, 2), ("P1W", 1, 3), ("P2W", 1, 5), ("P1M", 1, 5), ("P2M", 1, 10), ("P3M", 1, 15), ("P6M", 1, 30),
            ("P1Y", 1, 60),
        ] as [(String, Int, Int64)]
    )
    func `trials have Apple's accelerated durations`(period: String, count: Int, minutes: Int64) throws {
        let offer = #"""
            , "introductoryOffer": {
                "paymentMode": "free", "subscriptionPeriod": "\#(period)", "numberOfPeriods": \#(count)}
            """#
        var transcript = try sandbox(.fiveMinutes, period: "P1M", offer: offer)
        let outcome = try transcript.buy("p")
        let transaction: JWSTransactionDecodedPayload = try decoded(outcome.signedTransactionInfo)
        #expect(try #require(transaction.expiresDate) - transaction.purchaseDate == minutes * Self.minute)
        #expect(transaction.offerPeriod == period)
    }

    @Test func `another rate applies from the next period on`() throws {
        var transcript = try sandbox(.fiveMinutes, period: "P1M")
        try transcript.buy("p")
        var settings = transcript.store.settings
        settings.sandboxRenewalRate = .oneHour
        try transcript.store.replaceSettings(settings)
        let first = try transcript.subscription
        #expect(first.expiresDate - first.purchaseDate == 5 * Self.minute)
        try transcript.advance(to: first.expiresDate)
        let second = try transcript.subscription
        #expect(second.expiresDate - second.purchaseDate == 60 * Self.minute)
    }

    @Test(arguments: table) func `thirty days more are a month of the table`(row: Row) throws {
        var transcript = try sandbox(row.rate, period: "P1M")
        try transcript.buy("p")
        let before = try transcript.subscription
        let request = ExtendRenewalDateRequest(extendByDays: 30, extendReasonCode: .other, requestIdentifier: "r")
        let id = before.originalTransactionId
        let answer = try transcript.store.extendRenewalDate(originalTransactionId: id, request: request)
        #expect(answer.effectiveDate == before.expiresDate + row.month * Self.minute)
        try transcript.advance(to: before.expiresDate + row.month * Self.minute)
        #expect(try transcript.account.transactions.count == 2)
    }

    @Test(arguments: table) func `a commitment is a year of the table, paid in its months`(row: Row) throws {
        var transcript = try sandbox(row.rate, period: "P1Y")
        let start = transcript.store.now
        try transcript.commit()
        for month in 1...12 {
            let content = try transcript.newestContent()
            let sold = try #require(content.transaction)
            #expect(sold.expiresDate == start + Int64(month) * row.month * Self.minute)
            #expect(sold.commitmentInfo?.billingPeriodNumber == Int32(month))
            #expect(sold.commitmentInfo?.commitmentExpiresDate == start + row.year * Self.minute)
            #expect(content.renewalInfo?.commitmentInfo?.commitmentRenewalDate == start + row.year * Self.minute)
            try transcript.advance(to: start + Int64(month) * row.month * Self.minute)
        }
    }

    @Test func `a commitment ends after the twelfth renewal, within its second year`() throws {
        var transcript = try sandbox(.fiveMinutes, period: "P1Y")
        try transcript.commit()
        try transcript.advance(to: transcript.store.now + 24 * 60 * Self.minute)
        #expect(
            try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1"]
                + Array(repeating: "DID_RENEW 1", count: 12)
                + ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1", "EXPIRED/VOLUNTARY 2"]
        )
        let last = try transcript.newestContent()
        #expect(last.transaction?.commitmentInfo?.billingPeriodNumber == 1)
    }

    @Test(arguments: table) func `a failed month is retried for three months, and recovery moves the year`(row: Row)
        throws
    {
        var transcript = try sandbox(row.rate, period: "P1Y", settings: .sixteenDays)
        let start = transcript.store.now
        try transcript.commit()
        try transcript.store.setPayment(accountId: "a", state: .declined)
        let month = row.month * Self.minute
        try transcript.advance(to: start + 4 * month - 1)
        #expect(try transcript.subscription.status == .billingRetry)
        var recovered = transcript
        try recovered.store.setPayment(accountId: "a", state: .ok)
        let sold = try #require(try recovered.newestContent().transaction)
        #expect(sold.commitmentInfo?.billingPeriodNumber == 2)
        #expect(sold.commitmentInfo?.commitmentExpiresDate == sold.purchaseDate + 11 * month)
        try transcript.advance(to: start + 4 * month)
        #expect(try transcript.subscription.status == .expired)
    }

    @Test func `without the profile, the sandbox has periods of their real length and renews without end`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), environment: .sandbox)
        try transcript.buy("pro.weekly")
        try transcript.advance(to: try at("2026-06-15"))
        #expect(try transcript.account.transactions.count == 22)
    }

    /// A store with the profile and one product, `p`.
    private func sandbox(
        _ rate: SandboxRenewalRate,
        period: String,
        settings grace: StoreSettings.GracePeriod = .none,
        offer: String = ""
    ) throws -> StoreTranscript {
        let product =
            #"{"productID": "p", "displayPrice": "9.99", "recurringSubscriptionPeriod": "\#(period)"\#(offer)}"#
        let file = #"{"version": {"major": 4}, "subscriptionGroups": [{"id": "1", "subscriptions": [\#(product)]}]}"#
        var settings = StoreSettings(gracePeriod: grace)
        settings.sandboxRenewalRate = rate
        var transcript = try StoreTranscript(
            at: try at("2026-01-15"),
            environment: .sandbox,
            settings: settings,
            catalog: Catalog(storekit: Array(file.utf8)),
            profile: .sandbox
        )
        // Monthly commitments are not available in the USA.
        _ = try transcript.store.createAccount(storefront: "FRA", accountId: "a")
        return transcript
    }
}

extension StoreTranscript {
    /// Buys the product `p` for a year with monthly payments.
    fileprivate mutating func commit() throws {
        _ = try store.purchase(accountId: "a", request: PurchaseRequest(productId: "p", billingPlan: .monthly))
    }
}
