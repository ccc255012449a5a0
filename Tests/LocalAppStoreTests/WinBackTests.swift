import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Win-back offers` {
    @Test func `a customer who paid and left sees the offers, best first, as time goes by`() throws {
        var transcript = try left(afterPaidMonths: 2)
        #expect(try eligible(&transcript) == ["back.normal"])
        try transcript.advance(to: try at("2026-04-22"))
        #expect(try eligible(&transcript) == ["back.high", "back.normal"])
        try transcript.advance(to: try timestamp("2026-07-01T00:00:00Z"))
        #expect(try eligible(&transcript) == ["back.high", "back.normal", "back.summer"])
        try transcript.advance(to: try timestamp("2026-08-01T00:00:00Z"))
        #expect(try eligible(&transcript) == ["back.high", "back.normal"])
        try transcript.advance(to: try at("2026-09-23"))
        #expect(try eligible(&transcript) == ["back.normal"])
    }

    @Test func `a short paid time leaves only the offers without a minimum`() throws {
        var transcript = try left(afterPaidMonths: 1)
        try transcript.advance(to: try at("2026-05-01"))
        #expect(try eligible(&transcript) == ["back.normal"])
    }

    @Test func `customers who never paid, or are subscribed, have no offers`() throws {
        var trial = try left(afterPaidMonths: 0)
        #expect(try eligible(&trial) == nil)
        expectRefusal(.offerNotEligible, .unprocessable) { try trial.redeem("win_back", "back.normal", for: "silver") }
        var active = try offerStore(at: "2026-01-15")
        try active.buy("silver")
        try active.advance(to: try at("2026-03-01"))
        #expect(try eligible(&active) == nil)
        expectRefusal(.offerNotEligible, .unprocessable) { try active.redeem("win_back", "back.normal", for: "silver") }
    }

    @Test func `customers in billing retry have no offers`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        try transcript.buy("bronze")
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-03-01"))
        #expect(try eligible(&transcript) == nil)
        try transcript.advance(to: try at("2026-05-01"))
        #expect(try eligible(&transcript) == ["back.normal"])
    }

    @Test func `a redeemed offer starts a subscription, and cannot be redeemed again for a time`() throws {
        var transcript = try left(afterPaidMonths: 2)
        try transcript.advance(to: try at("2026-05-01"))
        try transcript.redeem("win_back", "back.high", for: "silver")
        #expect(try transcript.newNotifications() == ["SUBSCRIBED/RESUBSCRIBE 1"])
        let content = try transcript.newestContent()
        #expect(content.transaction?.offerType == .winBack)
        #expect(content.transaction?.offerIdentifier == "back.high")
        #expect(content.transaction?.price == 2_990)
        #expect(content.renewalInfo?.eligibleWinBackOfferIds == nil)
        try transcript.advance(to: try at("2026-08-15"))
        #expect(try transcript.account.transactions.suffix(4).map(\.price) == [2_990, 2_990, 2_990, 9_990])
        try transcript.leave(by: "2026-11-01")
        #expect(try eligible(&transcript) == ["back.normal"])
    }

    /// A subscriber to `silver` from 15 January on, with a free week, who turns renewal off after a number of paid
    /// months.
    private func left(afterPaidMonths months: Int) throws -> StoreTranscript {
        var transcript = try offerStore(at: "2026-01-15")
        try transcript.buy("silver")
        let end = ["2026-01-22", "2026-02-22", "2026-03-22"][months]
        try transcript.advance(to: try at(end) - 1)
        try transcript.leave(by: end)
        return transcript
    }

    private func eligible(_ transcript: inout StoreTranscript) throws -> [String]? {
        let original = try transcript.subscription.originalTransactionId
        let answer = try transcript.store.subscriptionStatuses(anyTransactionId: original)
        let jws = try #require(answer.data.first?.lastTransactions.first?.signedRenewalInfo)
        let payload: JWSRenewalInfoDecodedPayload = try decoded(jws)
        return payload.eligibleWinBackOfferIds
    }
}
