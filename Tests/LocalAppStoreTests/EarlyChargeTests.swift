import AppStoreModel
import LocalAppStore
import Testing

/// The profile `production` charges a day before the end of a period: here on 14 February, for the month to 15 March.
@Suite struct `Between an early charge and the end of the period` {
    static let hour: Int64 = 3_600_000

    /// A store in which `a` has bought a product.
    static func store(with productId: String, at day: String = "2026-01-15") throws -> StoreTranscript {
        var transcript = try store(at: day)
        try transcript.buy(productId)
        return transcript
    }

    static func store(at day: String = "2026-01-15") throws -> StoreTranscript {
        var transcript = try StoreTranscript.withAccount(
            at: try at(day),
            catalog: try Catalog(storekit: Array(catalogSource.utf8)),
            profile: .production
        )
        _ = try transcript.store.createAccount(accountId: "b")
        return transcript
    }

    /// Goes to an hour after the early charge.
    static func passCharge(_ transcript: inout StoreTranscript) throws {
        try transcript.advance(to: try end - 23 * hour)
        _ = try transcript.newNotifications()
    }

    /// The end of the first period.
    static var end: Int64 { get throws { try at("2026-02-15") } }
    static var nextEnd: Int64 { get throws { try at("2026-03-15") } }

    static func transactions(of account: String, in transcript: StoreTranscript) throws -> [TransactionReport] {
        try transcript.store.account(account).transactions
    }

    // MARK: - Changes that wait

    @Test func `another product is charged at the end, so a member keeps the paid day`() throws {
        var transcript = try Self.store(with: "shared")
        try transcript.store.addFamilyMember(accountId: "a", member: "b")
        let id = try transcript.subscription.originalTransactionId
        _ = try transcript.store.changePlan(originalTransactionId: id, productId: "own")
        _ = try transcript.newNotifications()
        try transcript.advance(to: try Self.end - 1)
        #expect(try transcript.newNotifications() == [])
        #expect(try transcript.store.account("b").subscriptions.map(\.status) == [.active])
        try transcript.advance(to: try Self.end)
        #expect(try transcript.newNotifications() == ["DID_RENEW 1", "REVOKE 5"])
    }

    @Test func `fewer seats than members are charged at the end, so members keep the paid day`() throws {
        var transcript = try Self.store()
        let id = try Self.buySeats(2, in: &transcript)
        _ = try transcript.store.createAccount(accountId: "c")
        for member in ["b", "c"] {
            _ = try transcript.store.assignSeat(originalTransactionId: id, accountId: member)
        }
        _ = try transcript.store.changeSeats(originalTransactionId: id, seats: 1)
        _ = try transcript.newNotifications()
        try transcript.advance(to: try Self.end - 1)
        #expect(try transcript.newNotifications() == [])
        try transcript.advance(to: try Self.end)
        #expect(try transcript.newNotifications() == ["REVOKE 5", "DID_RENEW 1", "DID_RENEW 1"])
    }

    @Test func `fewer seats that are enough for the members are charged early`() throws {
        var transcript = try Self.store()
        let id = try Self.buySeats(3, in: &transcript)
        _ = try transcript.store.assignSeat(originalTransactionId: id, accountId: "b")
        _ = try transcript.store.changeSeats(originalTransactionId: id, seats: 1)
        _ = try transcript.newNotifications()
        try transcript.advance(to: try Self.end - 24 * Self.hour)
        #expect(try transcript.newNotifications() == ["DID_RENEW 1", "DID_RENEW 1"])
    }

    // MARK: - New members

    @Test func `a new family member gets the running period and the next one`() throws {
        var transcript = try Self.store(with: "shared")
        try Self.passCharge(&transcript)
        try transcript.store.addFamilyMember(accountId: "a", member: "b")
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "DID_RENEW 1"])
        let (own, shared) = (
            try Self.transactions(of: "a", in: transcript), try Self.transactions(of: "b", in: transcript)
        )
        #expect(shared.map(\.purchaseDate) == own.map(\.purchaseDate))
        #expect(shared.map(\.expiresDate) == own.map(\.expiresDate))
        #expect(shared.map(\.transactionReason) == [.purchase, .renewal])
        try transcript.store.removeFamilyMember(accountId: "a", member: "b")
        #expect(try transcript.newNotifications() == ["REVOKE 5", "REVOKE 5"])
        #expect(try Self.transactions(of: "b", in: transcript).allSatisfy { $0.revocationDate != nil })
        try transcript.store.addFamilyMember(accountId: "a", member: "b")
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/RESUBSCRIBE 1", "DID_RENEW 1"])
        let again = try Self.transactions(of: "b", in: transcript).suffix(2)
        #expect(again.map(\.purchaseDate) == own.map(\.purchaseDate))
        try transcript.advance(to: try at("2026-02-20"))
        #expect(try transcript.newNotifications() == [])
    }

    @Test func `a new member with a seat gets the running period and the next one`() throws {
        var transcript = try Self.store()
        let id = try Self.buySeats(2, in: &transcript)
        try Self.passCharge(&transcript)
        let outcome = try transcript.store.assignSeat(originalTransactionId: id, accountId: "b")
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/INITIAL_BUY 1", "DID_RENEW 1"])
        let given: JWSTransactionDecodedPayload = try decoded(outcome.signedTransactionInfo)
        #expect(given.purchaseDate == (try at("2026-01-15")))
        #expect(given.expiresDate == (try Self.end))
        #expect(try Self.transactions(of: "b", in: transcript).map(\.expiresDate) == [try Self.end, try Self.nextEnd])
    }

    // MARK: - Upgrades

    @Test func `an upgrade refunds the rest of the running period and all of the next one`() throws {
        var transcript = try Self.store(with: "shared")
        try transcript.store.addFamilyMember(accountId: "a", member: "b")
        try Self.passCharge(&transcript)
        let id = try transcript.subscription.originalTransactionId
        let change = try transcript.store.changePlan(originalTransactionId: id, productId: "high")
        let sold = try Self.transactions(of: "a", in: transcript)
        #expect(sold.map(\.isUpgraded) == [true, true, false])
        // 23 of the 744 hours of the period.
        let rest: Int64 = 9_990 * 23 / 744
        #expect(sold.map(\.proratedRefund) == [rest, 9_990, nil])
        #expect(change.proratedRefund == rest + 9_990)
        #expect(sold.last?.purchaseDate == transcript.store.now)
        let shared = try Self.transactions(of: "b", in: transcript)
        #expect(shared.map(\.isUpgraded) == [true, true, false])
        #expect(shared.map(\.purchaseDate) == sold.map(\.purchaseDate))
    }

    @Test func `the report of an upgrade pays back both periods on the day of the upgrade`() throws {
        var transcript = try Self.store(with: "shared")
        try Self.passCharge(&transcript)
        // The Pacific day of the charge has ended.
        try transcript.advance(to: try Self.end - Self.hour)
        let id = try transcript.subscription.originalTransactionId
        _ = try transcript.store.changePlan(originalTransactionId: id, productId: "high")
        try transcript.advance(to: try at("2026-02-20"))
        #expect(try Self.refunds(on: "2026-02-14", in: transcript) == 0)
        #expect(try Self.refunds(on: "2026-02-15", in: transcript) == 2)
    }

    // MARK: - Refunds

    @Test func `the refund of the next period leaves the running one, and nothing renews`() throws {
        var transcript = try Self.store(with: "shared")
        try transcript.store.addFamilyMember(accountId: "a", member: "b")
        try Self.passCharge(&transcript)
        let next = try #require(try Self.transactions(of: "a", in: transcript).last?.transactionId)
        try transcript.store.refund(transactionId: next)
        #expect(try transcript.newNotifications() == ["REFUND 1", "REVOKE 1"])
        for account in ["a", "b"] {
            let report = try transcript.store.account(account)
            #expect(report.subscriptions.map(\.expiresDate) == [try Self.end])
            #expect(report.subscriptions.map(\.autoRenewStatus) == [.off])
            #expect(report.transactions.map { $0.revocationDate != nil } == [false, true])
        }
        try transcript.advance(to: try Self.end - 1)
        #expect(try transcript.newNotifications() == [])
        try transcript.advance(to: try Self.end)
        #expect(try transcript.newNotifications() == ["EXPIRED/VOLUNTARY 2", "EXPIRED/VOLUNTARY 2"])
    }

    @Test func `a renewal that is turned on again is charged once more, at the end`() throws {
        var transcript = try Self.store(with: "own")
        try Self.passCharge(&transcript)
        let next = try #require(try Self.transactions(of: "a", in: transcript).last?.transactionId)
        try transcript.store.refund(transactionId: next)
        let id = try transcript.subscription.originalTransactionId
        try transcript.store.setAutoRenew(originalTransactionId: id, enabled: true)
        _ = try transcript.newNotifications()
        try transcript.advance(to: try Self.end - 1)
        #expect(try transcript.newNotifications() == [])
        try transcript.advance(to: try Self.end)
        #expect(try transcript.newNotifications() == ["DID_RENEW 1"])
        #expect(try transcript.subscription.purchaseDate == (try Self.end))
        #expect(try transcript.subscription.expiresDate == (try Self.nextEnd))
    }

    @Test func `a reversed refund of the next period gives it back`() throws {
        var transcript = try Self.store(with: "shared")
        try transcript.store.addFamilyMember(accountId: "a", member: "b")
        try Self.passCharge(&transcript)
        let next = try #require(try Self.transactions(of: "a", in: transcript).last?.transactionId)
        try transcript.store.refund(transactionId: next)
        _ = try transcript.newNotifications()
        try transcript.store.reverseRefund(transactionId: next)
        #expect(try transcript.newNotifications() == ["REFUND_REVERSED 1", "SUBSCRIBED/RESUBSCRIBE 1"])
        try transcript.advance(to: try Self.nextEnd - 1)
        #expect(try transcript.newNotifications() == [])
        for account in ["a", "b"] {
            let report = try transcript.store.account(account)
            #expect(report.subscriptions.map(\.status) == [.active])
            #expect(report.subscriptions.map(\.expiresDate) == [try Self.nextEnd])
        }
        try transcript.advance(to: try Self.nextEnd)
        #expect(try transcript.newNotifications() == ["EXPIRED/VOLUNTARY 2", "EXPIRED/VOLUNTARY 2"])
    }

    @Test func `the refund of the running period ends the subscription and refunds the next period`() throws {
        var transcript = try Self.store(with: "shared")
        try transcript.store.addFamilyMember(accountId: "a", member: "b")
        try Self.passCharge(&transcript)
        let running = try #require(try Self.transactions(of: "a", in: transcript).first?.transactionId)
        try transcript.store.refund(transactionId: running, percentage: 50_000)
        #expect(try transcript.newNotifications() == ["REFUND 5", "REFUND 5", "REVOKE 5", "REVOKE 5"])
        for account in ["a", "b"] {
            let report = try transcript.store.account(account)
            #expect(report.subscriptions.map(\.status) == [.revoked])
            #expect(report.transactions.allSatisfy { $0.revocationDate != nil })
        }
        try transcript.store.reverseRefund(transactionId: running)
        #expect(try transcript.newNotifications() == ["REFUND_REVERSED 1", "SUBSCRIBED/RESUBSCRIBE 1"])
        #expect(try transcript.subscription.expiresDate == (try Self.end))
        try transcript.advance(to: try Self.end)
        #expect(try transcript.newNotifications() == ["EXPIRED/VOLUNTARY 2", "EXPIRED/VOLUNTARY 2"])
    }

    @Test func `members with seats lose only the next period with its refund`() throws {
        var transcript = try Self.store()
        let id = try Self.buySeats(2, in: &transcript)
        _ = try transcript.store.assignSeat(originalTransactionId: id, accountId: "b")
        try Self.passCharge(&transcript)
        let next = try #require(try Self.transactions(of: "a", in: transcript).last?.transactionId)
        try transcript.store.refund(transactionId: next)
        #expect(try transcript.newNotifications() == ["REFUND 1", "REVOKE 1"])
        #expect(try transcript.store.seats(originalTransactionId: id).memberAccountIds == ["b"])
        try transcript.store.reverseRefund(transactionId: next)
        #expect(try transcript.newNotifications() == ["REFUND_REVERSED 1", "SUBSCRIBED/RESUBSCRIBE 1"])
        #expect(try transcript.store.account("b").subscriptions.map(\.expiresDate) == [try Self.nextEnd])
    }

    // MARK: - Extensions

    @Test func `a free trial is not extended, although the next period is paid`() throws {
        var transcript = try Self.store(with: "trial")
        let trialEnd = try transcript.subscription.expiresDate
        try transcript.advance(to: trialEnd - Self.hour)
        #expect(try transcript.subscription.purchaseDate == trialEnd)
        let id = try transcript.subscription.originalTransactionId
        let request = ExtendRenewalDateRequest(
            extendByDays: 5,
            extendReasonCode: .serviceIssueOrOutage,
            requestIdentifier: "1"
        )
        #expect(
            result { _ = try transcript.store.extendRenewalDate(originalTransactionId: id, request: request) }
                == .subscriptionExtensionIneligible
        )
        try transcript.advance(to: trialEnd)
        let answer = try transcript.store.extendRenewalDate(originalTransactionId: id, request: request)
        #expect(answer.success == true)
    }

    // MARK: - Seats

    @Test func `added seats cost their share of the running period, and the next period`() throws {
        var transcript = try Self.store()
        let id = try Self.buySeats(2, in: &transcript)
        try Self.passCharge(&transcript)
        _ = try transcript.store.changeSeats(originalTransactionId: id, seats: 3)
        #expect(
            try transcript.newNotifications() == [
                "DID_CHANGE_RENEWAL_PREF/INCREASE_QUANTITY 1", "DID_CHANGE_RENEWAL_PREF/INCREASE_QUANTITY 1",
            ]
        )
        let sold = try Self.transactions(of: "a", in: transcript)
        #expect(sold.map(\.quantity) == [2, 2, 1, 1])
        #expect(sold.map(\.price) == [19_980, 19_980, 9_990 * 23 / 744, 9_990])
        #expect(sold.map(\.purchaseDate).suffix(2) == [transcript.store.now, try Self.end])
        #expect(sold.map(\.expiresDate).suffix(2) == [try Self.end, try Self.nextEnd])
        #expect(try transcript.store.seats(originalTransactionId: id).seats == 3)
    }

    @Test func `seats that the running period has already are added to the next one only`() throws {
        var transcript = try Self.store()
        let id = try Self.buySeats(3, in: &transcript)
        _ = try transcript.store.changeSeats(originalTransactionId: id, seats: 2)
        try Self.passCharge(&transcript)
        _ = try transcript.store.changeSeats(originalTransactionId: id, seats: 3)
        #expect(try transcript.newNotifications() == ["DID_CHANGE_RENEWAL_PREF/INCREASE_QUANTITY 1"])
        let sold = try Self.transactions(of: "a", in: transcript)
        #expect(sold.map(\.quantity) == [3, 2, 1])
        #expect(sold.last?.purchaseDate == (try Self.end))
    }

    // MARK: - The store

    static func buySeats(_ seats: Int, in transcript: inout StoreTranscript) throws -> String {
        try transcript.store.purchaseSeats(
            accountId: "a",
            productId: "own",
            seats: seats,
            invitationManagement: .apple
        ).transactionId
    }

    /// The number of refunds in the report about subscribers of a day.
    private static func refunds(on day: String, in transcript: StoreTranscript) throws -> Int {
        try transcript.store.report(.subscriber, day).filter { $0["Refund"] == "Yes" }.count
    }

    private static let catalogSource = """
        {
          "version": {"major": 4},
          "subscriptionGroups": [{
            "id": "1",
            "subscriptions": [
              {"productID": "high", "groupNumber": 1, "displayPrice": "19.99", "recurringSubscriptionPeriod": "P1M",
               "familyShareable": true},
              {"productID": "shared", "groupNumber": 2, "displayPrice": "9.99", "recurringSubscriptionPeriod": "P1M",
               "familyShareable": true},
              {"productID": "own", "groupNumber": 3, "displayPrice": "9.99", "recurringSubscriptionPeriod": "P1M"},
              {"productID": "trial", "groupNumber": 4, "displayPrice": "9.99", "recurringSubscriptionPeriod": "P1M",
               "introductoryOffer": {"paymentMode": "free", "subscriptionPeriod": "P1W"}}
            ]
          }]
        }
        """
}
