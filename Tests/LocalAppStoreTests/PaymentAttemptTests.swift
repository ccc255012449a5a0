import AppStoreModel
import Foundation
import LocalAppStore
import Testing

/// The parameter `recoversAfter` of `setPayment`.
@Suite struct `A declined card that recovers at an attempt` {
    /// The hours from the end of the period to each attempt.
    private static let hours: [Int64] = [6, 24, 48, 96, 168, 240, 336, 504, 720, 1_080, 1_416]

    /// A monthly subscription from 31 January, whose renewals recover at an attempt.
    private static func declined(
        recoversAfter: Int?,
        grace: StoreSettings.GracePeriod = .none
    ) throws -> StoreTranscript {
        var transcript = try StoreTranscript.withAccount(
            at: try at("2026-01-31"),
            settings: StoreSettings(gracePeriod: grace),
            catalog: try plainCatalog()
        )
        try transcript.buy("monthly")
        try transcript.store.setPayment(accountId: "a", state: .declined, recoversAfter: recoversAfter)
        return transcript
    }

    @Test func `keeps the billing date within a grace period, and the next renewal fails again`() throws {
        var transcript = try Self.declined(recoversAfter: 3, grace: .sixteenDays)
        try transcript.advance(to: try at("2026-04-29"))
        #expect(
            try transcript.newDatedNotifications() == [
                "2026-01-31 SUBSCRIBED/INITIAL_BUY", "2026-02-28 DID_FAIL_TO_RENEW/GRACE_PERIOD",
                "2026-03-02 DID_RENEW/BILLING_RECOVERY", "2026-03-31 DID_FAIL_TO_RENEW/GRACE_PERIOD",
                "2026-04-02 DID_RENEW/BILLING_RECOVERY",
            ]
        )
        let account = try transcript.account
        #expect(account.payment == .declined && account.recoversAfter == 3)
        let dates = ["2026-01-31", "2026-02-28", "2026-03-31"]
        #expect(account.transactions.map(\.purchaseDate) == (try dates.map { try at($0) }))
        #expect(account.subscriptions.map(\.expiresDate) == [try at("2026-04-30")])
    }

    @Test func `starts a new billing date after a grace period, and the next renewal fails again`() throws {
        var transcript = try Self.declined(recoversAfter: 4, grace: .threeDays)
        try transcript.advance(to: try at("2026-04-30"))
        #expect(
            try transcript.newDatedNotifications() == [
                "2026-01-31 SUBSCRIBED/INITIAL_BUY", "2026-02-28 DID_FAIL_TO_RENEW/GRACE_PERIOD",
                "2026-03-03 GRACE_PERIOD_EXPIRED", "2026-03-04 DID_RENEW/BILLING_RECOVERY",
                "2026-04-04 DID_FAIL_TO_RENEW/GRACE_PERIOD", "2026-04-07 GRACE_PERIOD_EXPIRED",
                "2026-04-08 DID_RENEW/BILLING_RECOVERY",
            ]
        )
        #expect(try transcript.account.transactions[1].purchaseDate == (try at("2026-03-04")))
    }

    @Test(arguments: zip(1...11, hours))
    func `is charged at the time of the attempt`(number: Int, hours: Int64) throws {
        var transcript = try Self.declined(recoversAfter: number)
        let end = try transcript.subscription.expiresDate
        try transcript.advance(to: end + hours * hourLength - 1)
        #expect(try transcript.subscription.status == .billingRetry)
        try transcript.advance(to: end + hours * hourLength)
        #expect(try transcript.subscription.status == .active)
        #expect(try transcript.subscription.purchaseDate == end + hours * hourLength)
    }

    @Test func `counts its recoveries towards the twelve renewals of the sandbox`() throws {
        var transcript = try StoreTranscript.withAccount(
            at: try at("2026-01-15"),
            environment: .sandbox,
            profile: .sandbox
        )
        try transcript.buy("pro.weekly")
        try transcript.store.setPayment(accountId: "a", state: .declined, recoversAfter: 1)
        try transcript.advance(to: transcript.store.now + 3 * hourLength)
        #expect(try transcript.account.transactions.count == 1 + 12)
        let subscription = try transcript.subscription
        #expect(subscription.status == .expired && subscription.autoRenewStatus == .off)
    }

    @Test func `recovers at once if it works before the attempt`() throws {
        var transcript = try Self.declined(recoversAfter: 5, grace: .sixteenDays)
        try transcript.advance(to: try at("2026-03-01"))
        _ = try transcript.newNotifications()
        try transcript.store.setPayment(accountId: "a", state: .ok)
        #expect(try transcript.newDatedNotifications() == ["2026-03-01 DID_RENEW/BILLING_RECOVERY"])
        #expect(try transcript.account.recoversAfter == nil)
        try transcript.advance(to: try at("2026-04-30"))
        #expect(try transcript.newDatedNotifications() == ["2026-03-31 DID_RENEW", "2026-04-30 DID_RENEW"])
    }

    @Test func `recovers at the next attempt if its own has passed`() throws {
        var transcript = try Self.declined(recoversAfter: nil)
        try transcript.advance(to: try at("2026-03-05"))
        _ = try transcript.newNotifications()
        try transcript.store.setPayment(accountId: "a", state: .declined, recoversAfter: 2)
        try transcript.advance(to: try at("2026-03-08"))
        #expect(try transcript.newDatedNotifications() == ["2026-03-07 DID_RENEW/BILLING_RECOVERY"])
    }

    @Test func `does not recover any more if it is declined anew`() throws {
        var transcript = try Self.declined(recoversAfter: 4)
        try transcript.advance(to: try at("2026-03-01"))
        _ = try transcript.newNotifications()
        try transcript.store.setPayment(accountId: "a", state: .declined)
        #expect(try transcript.account.recoversAfter == nil)
        try transcript.advance(to: try at("2026-04-28"))
        #expect(try transcript.newNotifications() == [])
        try transcript.advance(to: try at("2026-04-29"))
        #expect(try transcript.newNotifications() == ["EXPIRED/BILLING_RETRY 2"])
    }

    @Test func `does not recover after the last attempt`() throws {
        var transcript = try Self.declined(recoversAfter: nil)
        let end = try transcript.subscription.expiresDate
        try transcript.advance(to: end + 59 * dayLength)
        _ = try transcript.newNotifications()
        try transcript.store.setPayment(accountId: "a", state: .declined, recoversAfter: 11)
        try transcript.advance(to: end + 60 * dayLength)
        #expect(try transcript.newNotifications() == ["EXPIRED/BILLING_RETRY 2"])
    }

    @Test(arguments: [(.ok, 1), (.declined, 0), (.declined, -1), (.declined, 12)] as [(PaymentState, Int)])
    func `needs a declined card and an attempt that exists`(state: PaymentState, number: Int) throws {
        var transcript = try Self.declined(recoversAfter: 2)
        expectRefusal(.recoversAfterInvalid, .invalid) {
            try transcript.store.setPayment(accountId: "a", state: state, recoversAfter: number)
        }
        let account = try transcript.account
        #expect(account.payment == .declined && account.recoversAfter == 2)
    }

    @Test func `pays for each month of a commitment`() throws {
        var transcript = try StoreTranscript(at: try at("2026-01-31"), catalog: try plainCatalog())
        _ = try transcript.store.createAccount(storefront: "FRA", accountId: "a")
        let request = PurchaseRequest(productId: "yearly", billingPlan: .monthly)
        _ = try transcript.store.purchase(accountId: "a", request: request)
        try transcript.store.setPayment(accountId: "a", state: .declined, recoversAfter: 5)
        try transcript.advance(to: try at("2026-03-08"))
        let month = try #require(try transcript.newestContent().transaction)
        #expect(month.commitmentInfo?.billingPeriodNumber == 2)
        #expect(month.purchaseDate == (try at("2026-03-07")))
        #expect(month.commitmentInfo?.commitmentExpiresDate == (try at("2027-02-07")))
        try transcript.advance(to: try at("2026-04-15"))
        #expect(
            try transcript.newDatedNotifications() == [
                "2026-01-31 SUBSCRIBED/INITIAL_BUY", "2026-02-28 DID_FAIL_TO_RENEW",
                "2026-03-07 DID_RENEW/BILLING_RECOVERY", "2026-04-07 DID_FAIL_TO_RENEW",
                "2026-04-14 DID_RENEW/BILLING_RECOVERY",
            ]
        )
    }

    @Test func `is charged earlier in the accelerated sandbox: thirty days take a month`() throws {
        var transcript = try StoreTranscript.withAccount(
            at: try at("2026-01-15"),
            environment: .sandbox,
            catalog: try plainCatalog(),
            profile: .sandbox
        )
        try transcript.buy("monthly")
        try transcript.store.setPayment(accountId: "a", state: .declined, recoversAfter: 3)
        let end = try transcript.subscription.expiresDate
        try transcript.advance(to: end + 19_999)
        #expect(try transcript.subscription.status == .billingRetry)
        try transcript.advance(to: end + 20_000)
        #expect(try transcript.subscription.status == .active)
    }

    @Test func `recovers after a restart of the store`() throws {
        var transcript = try Self.declined(recoversAfter: 7)
        try transcript.advance(to: try at("2026-03-01"))
        let saved = try JSONEncoder().encode(transcript.store)
        #expect(String(decoding: saved, as: UTF8.self).contains("recoversAfter"))
        let restored = try JSONDecoder().decode(LocalAppStore.self, from: saved)
        #expect(try restored.account("a").recoversAfter == 7)
        #expect(restored.nextDue(atOrBefore: .max) == (try at("2026-03-14")))
    }

    @Test func `is absent from files of stores without one`() throws {
        let saved = try JSONEncoder().encode(try Self.declined(recoversAfter: nil).store)
        #expect(!String(decoding: saved, as: UTF8.self).contains("recoversAfter"))
    }
}
