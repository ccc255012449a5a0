import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Dates of purchases and periods` {
    /// Half past the second at which most tests begin.
    private static let fraction: Int64 = 567

    @Test func `dates of purchases and periods are whole seconds, and only signing dates are not`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15") + Self.fraction)
        _ = try transcript.store.createAccount(accountId: "b")
        try transcript.store.addFamilyMember(accountId: "a", member: "b")
        try transcript.buy("pro.monthly")
        try transcript.buy("coins.100")
        try transcript.buy("lifetime")
        try transcript.advance(to: try at("2026-02-01") + Self.fraction)
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-03-01") + Self.fraction)
        try transcript.store.setPayment(accountId: "a", state: .ok)
        let id = try transcript.subscription.originalTransactionId
        _ = try transcript.store.changePlan(originalTransactionId: id, productId: "pro.yearly")
        let contents = try transcript.allRecords().map { try NotificationContent($0) }
        let transactions = contents.compactMap(\.transaction)
        let renewals = contents.compactMap(\.renewalInfo)
        #expect(transactions.count > 8 && renewals.count > 6)
        var dates: [Int64?] = []
        for transaction in transactions {
            dates += [transaction.purchaseDate, transaction.originalPurchaseDate, transaction.expiresDate]
        }
        for renewal in renewals { dates += [renewal.renewalDate, renewal.recentSubscriptionStartDate] }
        #expect(dates.compactMap(\.self).allSatisfy { $0.isMultiple(of: 1_000) })
        #expect(transactions.contains { $0.signedDate % 1_000 == Self.fraction })
    }

    @Test func `a first transaction was originally bought a second or two after its purchase date`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        var delays: Set<Int64> = []
        for _ in 0..<4 {
            let bought: JWSTransactionDecodedPayload = try decoded(transcript.buy("coins.100").signedTransactionInfo)
            delays.insert(bought.originalPurchaseDate - bought.purchaseDate)
        }
        #expect(delays == [1_000, 2_000])
        let first: JWSTransactionDecodedPayload = try decoded(transcript.buy("pro.monthly").signedTransactionInfo)
        try transcript.advance(to: try at("2026-03-01"))
        let later = try #require(transcript.newestContent().transaction)
        #expect(later.transactionId != first.transactionId)
        #expect(later.originalPurchaseDate == first.originalPurchaseDate)
        #expect(first.originalPurchaseDate > first.purchaseDate)
    }

    @Test func `the delay is a setting`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        var settings = transcript.store.settings
        settings.delaysOriginalPurchaseDate = false
        try transcript.store.replaceSettings(settings)
        for product in ["coins.100", "pro.monthly", "lifetime"] {
            let bought: JWSTransactionDecodedPayload = try decoded(transcript.buy(product).signedTransactionInfo)
            #expect(bought.originalPurchaseDate == bought.purchaseDate)
        }
    }
}
