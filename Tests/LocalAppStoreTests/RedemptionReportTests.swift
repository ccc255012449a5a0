import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Report of redeemed offer codes` {
    private static let columns =
        "Date\tApp Name\tApp Apple ID\tSubscription Name\tSubscription Apple ID\tOffer Reference Name\tOffer Code\t"
        + "Territory\tRedemptions"

    private func redeem(_ code: String, by accountId: String, _ transcript: inout StoreTranscript) throws {
        let offer = PurchaseRequest.Offer(type: "offer_code", identifier: nil, code: code)
        _ = try transcript.store.purchase(
            accountId: accountId,
            request: PurchaseRequest(productId: "silver", offer: offer)
        )
    }

    @Test func `a day's redemptions are counted by code and by territory`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        for (name, storefront) in [("b", "USA"), ("c", "USA"), ("d", "DEU"), ("e", "DEU")] {
            _ = try transcript.store.createAccount(storefront: storefront, accountId: name)
        }
        _ = try transcript.store.makeCustomCode(
            productId: "silver",
            offer: "silver.replace",
            code: "SPRING",
            redemptionLimit: 10
        )
        for name in ["b", "c", "d"] { try redeem("spring", by: name, &transcript) }
        // Without a code, by the name of the offer.
        try transcript.redeem("offer_code", "silver.replace", for: "silver")
        let first = transcript.store.now
        try transcript.advance(to: first + 3 * dayLength)
        try redeem("SPRING", by: "e", &transcript)
        let second = transcript.store.now
        try transcript.advance(to: second + 2 * dayLength)

        let store = transcript.store
        let text = try #require(try store.reportText(.offerCodeRedemption, pacificDay(first)))
        #expect(text.hasPrefix(Self.columns + "\n"))
        let lines = SalesReportLines(text).lines
        #expect(lines.map { $0["Offer Code"] } == ["", "SPRING", "SPRING"])
        #expect(lines.map { $0["Territory"] } == ["US", "DE", "US"])
        #expect(lines.map { $0["Redemptions"] } == ["1", "1", "2"])
        for line in lines {
            #expect(line["Date"] == pacificDay(first))
            #expect(line["Offer Reference Name"] == "silver.replace")
            #expect(line["App Name"] == store.configuration.bundleId)
        }
        let later = try store.report(.offerCodeRedemption, pacificDay(second))
        #expect(later.map { $0["Territory"] } == ["DE"])
        #expect(try store.reportText(.offerCodeRedemption, pacificDay(first + dayLength)) == nil)
    }

    @Test func `the redemptions of all days are those of the codes`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        let batch = try transcript.store.makeSingleCodes(productId: "silver", offer: "silver.replace", count: 12)
        let codes = transcript.store.codes(of: batch)
        for (number, code) in codes.enumerated() {
            _ = try transcript.store.createAccount(accountId: "customer-\(number)")
            try redeem(code, by: "customer-\(number)", &transcript)
            // Some days have several redemptions, some have none.
            try transcript.advance(to: transcript.store.now + Int64(number % 4) * dayLength / 2)
        }
        try transcript.advance(to: transcript.store.now + 2 * dayLength)
        let lines = try transcript.store.finishedDays(40).flatMap {
            try transcript.store.report(.offerCodeRedemption, $0)
        }
        let redeemed = try transcript.store.offerCodes(batch.offerCodesId).redemptions
        #expect(lines.compactMap { $0["Offer Code"] }.sorted() == redeemed.map(\.code).sorted())
        #expect(lines.allSatisfy { $0["Redemptions"] == "1" })
        for redemption in redeemed {
            #expect(lines.contains { $0["Offer Code"] == redemption.code && $0["Date"] == pacificDay(redemption.date) })
        }
    }

    @Test func `a move to another country does not change past reports`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        try transcript.redeem("offer_code", "silver.replace", for: "silver")
        let day = pacificDay(transcript.store.now)
        try transcript.advance(to: transcript.store.now + 2 * dayLength)
        let before = try #require(try transcript.store.reportText(.offerCodeRedemption, day))
        try transcript.store.setStorefront(accountId: "a", storefront: "JPN")
        #expect(try transcript.store.reportText(.offerCodeRedemption, day) == before)
    }
}
