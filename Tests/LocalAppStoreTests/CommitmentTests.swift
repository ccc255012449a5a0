import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Monthly plan with a 12-month commitment` {
    private static let request = PurchaseRequest(productId: "yearly", billingPlan: .monthly)

    /// A group with a yearly product between a higher and a lower monthly one.
    private static func catalog() throws -> Catalog {
        let products = [("gold", "P1M"), ("yearly", "P1Y"), ("monthly", "P1M")].map { id, period in
            """
            {"productID": "\(id)", "displayPrice": "9.99", "recurringSubscriptionPeriod": "\(period)",
             "familyShareable": true}
            """
        }
        let groups = #"[{"id": "1", "subscriptions": [\#(products.joined(separator: ","))]}]"#
        return try Catalog(storekit: Array(#"{"version": {"major": 4}, "subscriptionGroups": \#(groups)}"#.utf8))
    }

    /// A store in which the account `a` in France committed to a year of 119.88 on 31 January.
    private static func committed(settings: StoreSettings? = nil) throws -> (transcript: StoreTranscript, id: String) {
        var transcript = try StoreTranscript(at: try at("2026-01-31"), settings: settings, catalog: try catalog())
        _ = try transcript.store.createAccount(storefront: "FRA", accountId: "a")
        _ = try transcript.store.changePrice(PriceChangeRequest(productId: "yearly", price: 119_880))
        let id = try transcript.store.purchase(accountId: "a", request: request).originalTransactionId
        return (transcript, id)
    }

    @Test func `a year has twelve numbered months, and another year follows`() throws {
        var (transcript, _) = try Self.committed()
        try transcript.advance(to: try at("2027-01-31"))
        let contents = try transcript.allRecords().map { try NotificationContent($0) }
        #expect(contents.count == 13)
        let months = contents.map(\.transaction)
        #expect(months.map { $0?.commitmentInfo?.billingPeriodNumber } == (1...12).map { Int32($0) } + [1])
        #expect(months.allSatisfy { $0?.price == 9_990 && $0?.billingPlanType == .monthly })
        #expect(months.first??.commitmentInfo?.totalBillingPeriods == 12)
        #expect(months.first??.commitmentInfo?.commitmentPrice == 119_880)
        #expect(months.first??.commitmentInfo?.commitmentExpiresDate == (try at("2027-01-31")))
        #expect(months.last??.commitmentInfo?.commitmentExpiresDate == (try at("2028-01-31")))
        #expect(day(months.first??.expiresDate ?? 0) == "2026-02-28")
        #expect(Set(try transcript.newNotifications()) == ["SUBSCRIBED/INITIAL_BUY 1", "DID_RENEW 1"])
        let info = try #require(contents.first?.renewalInfo)
        #expect(info.renewalBillingPlanType == .monthly)
        #expect(info.renewalPrice == 9_990)
        #expect(info.commitmentInfo?.commitmentAutoRenewStatus == .on)
        #expect(info.commitmentInfo?.commitmentRenewalDate == (try at("2027-01-31")))
        #expect(info.commitmentInfo?.commitmentRenewalPrice == 119_880)
    }

    @Test func `a customer who cancels in the fourth month pays until the twelfth`() throws {
        var (transcript, id) = try Self.committed()
        try transcript.advance(to: try at("2026-05-05"))
        _ = try transcript.newNotifications()
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: false)
        let cancelled = try transcript.newestContent().renewalInfo
        #expect(cancelled?.autoRenewStatus == .on)
        #expect(cancelled?.commitmentInfo?.commitmentAutoRenewStatus == .off)
        try transcript.advance(to: try at("2027-01-30"))
        #expect(try transcript.newestContent().renewalInfo?.autoRenewStatus == .off)
        try transcript.advance(to: try at("2027-06-01"))
        let expected =
            ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1"] + Array(repeating: "DID_RENEW 1", count: 8)
            + ["EXPIRED/VOLUNTARY 2"]
        #expect(try transcript.newNotifications() == expected)
        #expect(try transcript.account.transactions.count == 12)
    }

    @Test func `a failed month has no grace and 90 days of retries`() throws {
        var (transcript, _) = try Self.committed(settings: StoreSettings(gracePeriod: .sixteenDays))
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2027-01-01"))
        #expect(
            try transcript.newDatedNotifications() == [
                "2026-01-31 SUBSCRIBED/INITIAL_BUY", "2026-02-28 DID_FAIL_TO_RENEW", "2026-05-29 EXPIRED/BILLING_RETRY",
            ]
        )
    }

    @Test func `a recovered month moves the end of the year`() throws {
        var (transcript, _) = try Self.committed()
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-03-10"))
        try transcript.store.setPayment(accountId: "a", state: .ok)
        let recovered = try transcript.newestContent().transaction
        #expect(recovered?.commitmentInfo?.billingPeriodNumber == 2)
        #expect(recovered?.purchaseDate == (try at("2026-03-10")))
        #expect(recovered?.commitmentInfo?.commitmentExpiresDate == (try at("2027-02-10")))
        try transcript.advance(to: try at("2027-02-09"))
        #expect(try transcript.newestContent().transaction?.commitmentInfo?.billingPeriodNumber == 12)
        #expect(try transcript.subscription.expiresDate == (try at("2027-02-10")))
    }

    @Test func `the refund of an earlier month changes nothing, that of the running one ends the commitment`() throws {
        var (transcript, id) = try Self.committed()
        try transcript.advance(to: try at("2026-03-05"))
        try transcript.store.refund(transactionId: id)
        let current = try #require(try transcript.account.transactions.last?.transactionId)
        try transcript.store.refund(transactionId: current)
        try transcript.advance(to: try at("2026-12-01"))
        #expect(
            try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "DID_RENEW 1", "REFUND 1", "REFUND 5"]
        )
    }

    @Test func `another price applies from the next year on`() throws {
        var (transcript, _) = try Self.committed()
        _ = try transcript.store.changePrice(
            PriceChangeRequest(productId: "yearly", price: 239_880, needsConsent: false)
        )
        try transcript.advance(to: try at("2027-01-31"))
        let notifications = try transcript.newDatedNotifications().filter { $0.hasSuffix("PRICE_INCREASE/ACCEPTED") }
        #expect(notifications == ["2027-01-01 PRICE_INCREASE/ACCEPTED"])
        #expect(try transcript.account.transactions.map(\.price) == Array(repeating: 9_990, count: 12) + [19_990])
    }

    @Test func `an upgrade ends the commitment at once`() throws {
        var (transcript, id) = try Self.committed()
        _ = try transcript.store.changePlan(originalTransactionId: id, productId: "gold")
        let content = try transcript.newestContent()
        #expect(content.transaction?.productId == "gold")
        #expect(content.transaction?.commitmentInfo == nil)
        #expect(content.renewalInfo?.commitmentInfo == nil)
        #expect(content.renewalInfo?.renewalBillingPlanType == nil)
    }

    @Test func `a change to a lower plan waits for the end of the year`() throws {
        var (transcript, id) = try Self.committed()
        let change = try transcript.store.changePlan(originalTransactionId: id, productId: "monthly")
        #expect(change.effectiveDate == (try at("2027-01-31")))
        let pending = try transcript.newestContent().renewalInfo
        #expect(pending?.autoRenewProductId == "yearly")
        #expect(pending?.commitmentInfo?.commitmentAutoRenewProductId == "monthly")
        #expect(pending?.commitmentInfo?.commitmentRenewalBillingPlanType == .billedUpfront)
        try transcript.advance(to: try at("2027-01-31"))
        #expect(try transcript.account.transactions.map(\.productId).suffix(2) == ["yearly", "monthly"])
        #expect(try transcript.newestContent().transaction?.commitmentInfo == nil)
        #expect(try transcript.account.transactions.count == 13)
    }

    @Test func `a family member has the purchaser's next product while a change waits`() throws {
        var (transcript, id) = try Self.committed()
        _ = try transcript.store.createAccount(storefront: "FRA", accountId: "b")
        try transcript.store.addFamilyMember(accountId: "a", member: "b")
        _ = try transcript.store.changePlan(originalTransactionId: id, productId: "monthly")
        #expect(try Self.nextProducts(of: ["a", "b"], in: transcript) == ["yearly", "yearly"])
        try transcript.advance(to: try at("2027-01-05"))
        #expect(try Self.nextProducts(of: ["a", "b"], in: transcript) == ["monthly", "monthly"])
    }

    /// `autoRenewProductId` of each account's only subscription.
    private static func nextProducts(of accounts: [String], in transcript: StoreTranscript) throws -> [String] {
        var store = transcript.store
        return try accounts.map { account in
            let id = try store.account(account).appTransactionId
            let item = try store.subscriptionStatuses(anyTransactionId: id).data.first?.lastTransactions.first
            let renewal: JWSRenewalInfoDecodedPayload = try decoded(try #require(item).signedRenewalInfo)
            return renewal.autoRenewProductId
        }
    }

    @Test func `turning the renewal off ends a commitment whose next year is not paid`() throws {
        var (transcript, id) = try Self.committed()
        try transcript.advance(to: try at("2027-01-05"))
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2027-02-05"))
        _ = try transcript.newNotifications()
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: false)
        try transcript.store.setPayment(accountId: "a", state: .ok)
        try transcript.advance(to: try at("2027-06-01"))
        #expect(
            try transcript.newNotifications()
                == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 2", "EXPIRED/VOLUNTARY 2"]
        )
        #expect(try transcript.account.transactions.count == 12)
    }

    @Test(arguments: ["2026-05-05", "2027-01-05"])
    func `a change to a lower plan turns the renewal of a commitment on again`(day: String) throws {
        var (transcript, id) = try Self.committed()
        try transcript.advance(to: try at(day))
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: false)
        _ = try transcript.store.changePlan(originalTransactionId: id, productId: "monthly")
        let renewal = try transcript.newestContent().renewalInfo
        #expect(renewal?.autoRenewStatus == .on && renewal?.commitmentInfo?.commitmentAutoRenewStatus == .on)
        try transcript.advance(to: try at("2027-02-05"))
        #expect(try transcript.account.transactions.map(\.productId).suffix(2) == ["yearly", "monthly"])
    }

    @Test func `after a reversed refund of the twelfth month the renewal can be turned on`() throws {
        var (transcript, id) = try Self.committed()
        try transcript.advance(to: try at("2027-01-05"))
        let month = try #require(try transcript.account.transactions.last?.transactionId)
        try transcript.store.refund(transactionId: month)
        try transcript.store.reverseRefund(transactionId: month)
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: true)
        #expect(try transcript.newestContent().renewalInfo?.autoRenewStatus == .on)
        try transcript.advance(to: try at("2027-02-05"))
        #expect(try transcript.account.transactions.count == 13)
    }

    @Test func `an extension moves the end of the commitment`() throws {
        var (transcript, id) = try Self.committed()
        try transcript.advance(to: try at("2027-01-05"))
        let request = ExtendRenewalDateRequest(
            extendByDays: 10,
            extendReasonCode: .serviceIssueOrOutage,
            requestIdentifier: "1"
        )
        let end = try transcript.store.extendRenewalDate(originalTransactionId: id, request: request).effectiveDate
        let content = try transcript.newestContent()
        #expect(end == (try at("2027-02-10")))
        #expect(content.renewalInfo?.commitmentInfo?.commitmentRenewalDate == end)
        #expect(content.transaction?.commitmentInfo?.commitmentExpiresDate == end)
    }

    @Test func `an invalid commitment is refused`() throws {
        var (transcript, _) = try Self.committed()
        _ = try transcript.store.createAccount(storefront: "USA", accountId: "us")
        _ = try transcript.store.createAccount(storefront: "DEU", accountId: "de")
        let monthly = PurchaseRequest(productId: "monthly", billingPlan: .monthly)
        let unknown = PurchaseRequest(productId: "yearly", billingPlan: BillingPlanType(rawValue: "WEEKLY"))
        expectRefusal(.billingPlanUnavailable, .unprocessable) {
            try transcript.store.purchase(accountId: "us", request: Self.request)
        }
        expectRefusal(.billingPlanUnavailable, .unprocessable) {
            try transcript.store.purchase(accountId: "de", request: monthly)
        }
        expectRefusal(.billingPlanUnknown, .invalid) {
            try transcript.store.purchase(accountId: "de", request: unknown)
        }
        expectRefusal(.alreadySubscribed, .conflict) {
            try transcript.store.purchase(accountId: "a", request: Self.request)
        }
    }
}
