import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Sales reports` {
    /// A store with synthetic customers of eleven months, two days after the last decision.
    private func populated(seed: UInt64, accounts: Int = 60) throws -> StoreTranscript {
        var transcript = try StoreTranscript(at: try at("2027-03-01"))
        try transcript.store.setNotificationEndpoint(url: nil)
        _ = try transcript.store.populate(PopulationRequest(accounts: accounts, months: 11, seed: seed))
        try transcript.advance(to: try at("2027-03-03"))
        return transcript
    }

    private static let liveColumns = [
        "Active Standard Price Subscriptions", "Active Free Trial Introductory Offer Subscriptions",
        "Active Pay Up Front Introductory Offer Subscriptions",
        "Active Pay As You Go Introductory Offer Subscriptions", "Billing Retry", "Grace Period",
    ]

    /// The number of active subscriptions of each product at the end of a day.
    private func live(_ store: LocalAppStore, _ day: String) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for line in try store.report(.subscription, day) {
            let product = try #require(line["Subscription Apple ID"])
            for column in Self.liveColumns { counts[product, default: 0] += Int(line[column] ?? "") ?? 0 }
        }
        return counts
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `yesterday's subscriptions plus started minus ended ones are today's`(seed: UInt64) throws {
        let store = try populated(seed: seed).store
        var before: [String: Int] = [:]
        var moved = 0
        for day in store.finishedDays(345) {
            var expected = before
            for line in try store.report(.subscriptionEvent, day) {
                let event = try #require(line["Event"])
                let product = try #require(line["Subscription Apple ID"])
                let quantity = try #require(Int(line["Quantity"] ?? ""))
                moved += quantity
                if event == "Subscribe" || event.hasPrefix("Start ") || event.hasPrefix("Reactivate") {
                    expected[product, default: 0] += quantity
                } else if event.hasPrefix("Cancel") {
                    expected[product, default: 0] -= quantity
                } else if event.contains("grade"), let old = line["Previous Subscription Apple ID"] {
                    expected[product, default: 0] += quantity
                    expected[old, default: 0] -= quantity
                }
            }
            let today = try live(store, day)
            #expect(today == expected.filter { $0.value != 0 }, "\(day)")
            before = today
        }
        #expect(moved > 200)
        let ledger = try store.accounts(limit: 1_000).accounts.flatMap(\.subscriptions)
            .filter { [.active, .billingRetry, .billingGracePeriod].contains($0.status) }
        #expect(abs(before.values.reduce(0, +) - ledger.count) <= 5)
    }

    @Test(arguments: [4, 5] as [UInt64])
    func `payments and refunds match the ledger`(seed: UInt64) throws {
        let store = try populated(seed: seed).store
        let days = store.finishedDays(345)
        var paid: [String: Int64] = [:]
        for day in days {
            for line in try store.report(.subscriber, day) {
                let (price, proceeds) = (try amount(line["Customer Price"]), try amount(line["Developer Proceeds"]))
                let currency = try #require(line["Customer Currency"])
                paid[currency, default: 0] += price * (try #require(Int64(line["Units"] ?? "")))
                #expect(line["Event Date"] == day)
                #expect((line["Refund"] == "Yes") == (line["Units"] == "-1"))
                let rate = line["Proceeds Reason"] == "Rate After One Year" ? 85.0 : 70.0
                let unit = ["JPY", "KRW"].contains(currency) ? 1_000.0 : 10.0
                #expect(abs(Double(proceeds) - Double(price) * rate / 100) <= unit / 2)
            }
        }
        var expected: [String: Int64] = [:]
        let last = try #require(days.last)
        for transaction in try store.accounts(limit: 1_000).accounts.flatMap(\.transactions)
        where transaction.type == .autoRenewableSubscription {
            if pacificDay(transaction.purchaseDate) <= last {
                expected[transaction.currency, default: 0] += transaction.price
            }
            if let date = transaction.revocationDate, pacificDay(date) <= last {
                expected[transaction.currency, default: 0] -= transaction.price
            }
            expected[transaction.currency, default: 0] -= transaction.proratedRefund ?? 0
        }
        #expect(paid.filter { $0.value != 0 } == expected.filter { $0.value != 0 })
    }

    @Test func `a day's reports do not change later`() throws {
        var transcript = try StoreTranscript(
            at: try at("2026-02-20"),
            settings: StoreSettings(gracePeriod: .sixteenDays)
        )
        try transcript.store.setNotificationEndpoint(url: nil)
        _ = try transcript.store.populate(PopulationRequest(accounts: 40, months: 4, seed: 3, isDelivered: true))
        var first: [String: [String?]] = [:]
        while transcript.store.now < (try at("2026-07-01")) {
            try transcript.advance(to: transcript.store.now + dayLength)
            let day = transcript.store.finishedDays(1)[0]
            first[day] = try SalesReportQuery.Report.allCases.map { try transcript.store.reportText($0, day) }
        }
        #expect(first.values.flatMap { $0 }.compactMap(\.self).count > 150)
        for (day, texts) in first {
            #expect(try SalesReportQuery.Report.allCases.map { try transcript.store.reportText($0, day) } == texts)
        }
    }

    @Test func `the same seed and calls give the same reports`() throws {
        let texts = try (1...2).map { _ in
            let store = try populated(seed: 9, accounts: 30).store
            return try store.finishedDays(90).map { try store.reportText(.subscriber, $0) }
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0].contains { $0 != nil })
    }

    @Test func `days are in Pacific time, over both changes of the clock`() throws {
        // Midnight is at 08:00 UTC in winter and at 07:00 in summer.
        for (time, expected) in [
            ("2026-03-08T07:30:00Z", "2026-03-07"), ("2026-03-08T08:30:00Z", "2026-03-08"),
            ("2026-03-09T06:59:00Z", "2026-03-08"), ("2026-03-09T07:00:00Z", "2026-03-09"),
            ("2026-11-01T06:59:00Z", "2026-10-31"), ("2026-11-01T07:00:00Z", "2026-11-01"),
            ("2026-11-02T07:59:00Z", "2026-11-01"), ("2026-11-02T08:00:00Z", "2026-11-02"),
        ] {
            let date = try timestamp(time)
            #expect(pacificDay(date) == expected)
            var transcript = try StoreTranscript.withAccount(at: date)
            try transcript.buy("pro.weekly")
            try transcript.advance(to: date + 2 * dayLength)
            #expect(try transcript.store.report(.subscriptionEvent, expected).count == 1)
        }
    }

    @Test func `an unfinished day, a day without sales and a day too long ago have no report`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("pro.weekly")
        try transcript.turnOff()
        try transcript.advance(to: try at("2026-02-15"))
        let store = transcript.store
        for (day, text) in [
            ("2026-02-15", "Report is not available yet."), ("2026-03-01", "Report is not available yet."),
            ("2026-02-01", "There were no sales"), ("2025-01-01", "Daily reports are only available"),
        ] {
            let query = try SalesReportQuery(parameters: [
                ("filter[reportType]", "SUBSCRIPTION"), ("filter[reportSubType]", "SUMMARY"),
                ("filter[frequency]", "DAILY"), ("filter[vendorNumber]", "1"), ("filter[reportDate]", day),
            ])
            let error = try #require(throws: AppStoreConnectError.self) { try store.salesReport(query) }
            #expect(error.status == 404 && error.code == "NOT_FOUND")
            #expect(error.detail.hasPrefix(text), "\(day): \(error.detail)")
        }
    }

    @Test func `family members are counted if a line has more than three subscriptions`() throws {
        var transcript = try StoreTranscript(at: try at("2026-01-15"))
        for number in 1...4 {
            _ = try transcript.store.createAccount(accountId: "p\(number)")
            _ = try transcript.store.purchase(
                accountId: "p\(number)",
                request: PurchaseRequest(productId: "pro.yearly")
            )
        }
        for number in 1...2 {
            _ = try transcript.store.createAccount(accountId: "m\(number)")
            try transcript.store.addFamilyMember(accountId: "p1", member: "m\(number)")
        }
        try transcript.advance(to: try at("2026-01-20"))
        try transcript.store.removeFamilyMember(accountId: "p1", member: "m2")
        try transcript.advance(to: try at("2026-01-23"))
        let store = transcript.store
        #expect(try store.report(.subscription, "2026-01-16").map { $0["Subscribers"] } == ["6"])
        #expect(try store.report(.subscription, "2026-01-21").map { $0["Subscribers"] } == ["5"])
        let column = "Active Pay Up Front Introductory Offer Subscriptions"
        #expect(try store.report(.subscription, "2026-01-21").map { $0[column] } == ["4"])
        #expect(try store.report(.subscriber, "2026-01-15").count == 4)
    }

    @Test func `after a year of paid service the developer's share rises, and long absence changes the number`() throws
    {
        var transcript = try StoreTranscript.withAccount(at: try at("2025-01-15"), catalog: try plainCatalog())
        try transcript.buy("yearly")
        try transcript.advance(to: try at("2026-01-17"))
        let first = try #require(try transcript.store.report(.subscriber, "2026-01-15").first)
        #expect(first["Proceeds Reason"] == "Rate After One Year")
        #expect(first["Developer Proceeds"] == "8.49" && first["Customer Price"] == "9.99")
        try transcript.turnOff()
        try transcript.advance(to: try at("2027-08-01"))
        try transcript.buy("monthly")
        try transcript.advance(to: try at("2027-08-03"))
        let second = try #require(try transcript.store.report(.subscriber, "2027-08-01").first)
        #expect(second["Proceeds Reason"] == "" && second["Developer Proceeds"] == "6.99")
        #expect(second["Subscriber ID Reset"] == "Yes" && first["Subscriber ID Reset"] == "")
        #expect(second["Subscriber ID"] != first["Subscriber ID"])
    }

    @Test(
        arguments: [
            (["filter[reportType]": "SALES"], "PARAMETER_ERROR.INVALID", "filter[reportType]"),
            (["filter[reportSubType]": "DETAILED"], "PARAMETER_ERROR.INVALID", "filter[reportSubType]"),
            (["filter[frequency]": "WEEKLY"], "PARAMETER_ERROR.INVALID", "filter[frequency]"),
            (["filter[version]": "1_2"], "PARAMETER_ERROR.INVALID", "filter[version]"),
            (["filter[reportDate]": "2026-02-30"], "PARAMETER_ERROR.INVALID", "filter[reportDate]"),
            (["filter[vendorNumber]": "abc"], "PARAMETER_ERROR.INVALID", "filter[vendorNumber]"),
            (["filter[region]": "US"], "PARAMETER_ERROR.ILLEGAL", "filter[region]"),
        ] as [([String: String], String, String)]
    )
    func `a wrong parameter is refused by its name`(changed: [String: String], code: String, name: String) throws {
        var values = [
            "filter[reportType]": "SUBSCRIPTION", "filter[reportSubType]": "SUMMARY",
            "filter[frequency]": "DAILY", "filter[vendorNumber]": "80000001",
        ]
        values.merge(changed) { $1 }
        let error = try #require(throws: AppStoreConnectError.self) {
            try SalesReportQuery(parameters: values.map { ($0.key, $0.value) })
        }
        #expect(error.status == 400 && error.code == code && error.parameter == name)
    }
}
