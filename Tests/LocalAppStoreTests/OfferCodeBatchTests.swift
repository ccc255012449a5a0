import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Codes of offers` {
    @Test func `each single code is redeemed once, no matter by whom`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        let batch = try transcript.makeSingleCodes(2)
        let codes = transcript.store.codes(of: batch)
        #expect(Set(codes).count == 2 && batch.kind == .single)
        #expect(batch.expirationDate == (try at("2026-07-15")))
        let outcome = try transcript.redeem(codes[1], by: "a")
        #expect(try transcript.newestContent().transaction?.offerIdentifier == "silver.replace")
        expectRefusal(.offerCodeRedeemed, .conflict) { try transcript.redeem(codes[1], by: "b") }
        try transcript.redeem(codes[0].lowercased(), by: "b")
        let redemptions = try transcript.store.offerCodes(batch.offerCodesId).redemptions
        #expect(redemptions.map(\.code) == [codes[1], codes[0]])
        #expect(redemptions.map(\.accountId) == ["a", "b"])
        #expect(redemptions.first?.transactionId == outcome.transactionId)
    }

    @Test func `a custom code is redeemed as often as the developer allows`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        let batch = try transcript.makeCustomCode("Spring26", limit: 2)
        #expect(transcript.store.codes(of: batch) == ["SPRING26"] && batch.expirationDate == nil)
        try transcript.redeem("spring26", by: "a")
        try transcript.redeem("SPRING26", by: "b")
        expectRefusal(.offerCodeRedeemed, .conflict) { try transcript.redeem("SPRING26", by: "c") }
        #expect(try transcript.store.offerCodes(productId: "silver").map(\.redemptions.count) == [2])
        #expect(try transcript.store.offerCodes(productId: "gold").isEmpty)
    }

    @Test func `a customer redeems one code of an offer, however often it comes back`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        let codes = transcript.store.codes(of: try transcript.makeSingleCodes(3))
        try transcript.makeCustomCode("AGAIN", limit: 10)
        try transcript.redeem(codes[0], by: "a")
        try transcript.leave(by: "2026-03-01")
        for code in [codes[1], "AGAIN"] {
            expectRefusal(.offerAlreadyRedeemed, .conflict) { try transcript.redeem(code, by: "a") }
        }
        expectRefusal(.offerAlreadyRedeemed, .conflict) {
            try transcript.redeem("offer_code", "silver.replace", for: "silver")
        }
        // A refused redemption uses no code.
        try transcript.redeem(codes[1], by: "b")
        try transcript.redeem("AGAIN", by: "c")
    }

    @Test func `a refused purchase leaves the code valid`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        let code = try #require(transcript.store.codes(of: try transcript.makeSingleCodes(1)).first)
        try transcript.store.setPayment(accountId: "a", state: .declined)
        expectRefusal(.paymentDeclined, .unprocessable) { try transcript.redeem(code, by: "a") }
        try transcript.store.setPayment(accountId: "a", state: .ok)
        try transcript.buy("silver")
        // The offer is for new and expired customers.
        expectRefusal(.offerNotEligible, .unprocessable) { try transcript.redeem(code, by: "a") }
        try transcript.redeem(code, by: "b")
    }

    @Test func `codes end with their date, or when the developer deactivates them`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        let first = try transcript.makeSingleCodes(1, expirationDate: try at("2026-02-01"))
        let second = try transcript.makeCustomCode("OVER", limit: 5)
        #expect(try transcript.store.deactivateOfferCodes(second.offerCodesId).isActive == false)
        expectRefusal(.offerCodeInactive, .conflict) { try transcript.redeem("OVER", by: "a") }
        let code = try #require(transcript.store.codes(of: first).first)
        try transcript.advance(to: try at("2026-02-01") - 1)
        var early = transcript
        try early.redeem(code, by: "a")
        try transcript.advance(to: try at("2026-02-01"))
        expectRefusal(.offerCodeExpired, .conflict) { try transcript.redeem(code, by: "a") }
    }

    @Test func `a code belongs to one offer of one product`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        try transcript.makeCustomCode("MINE", limit: 5)
        expectRefusal(.offerCodeNotFound, .notFound) { try transcript.redeem("YOURS", by: "a") }
        expectRefusal(.offerCodeProductMismatch, .unprocessable) { try transcript.redeem("MINE", by: "a", for: "gold") }
        expectRefusal(.offerCodeOfferMismatch, .unprocessable) {
            try transcript.redeem("MINE", by: "a", named: "silver.stack")
        }
        let offer = PurchaseRequest.Offer(type: "promotional", identifier: "silver.half", code: "MINE")
        expectRefusal(.offerCodeInvalid, .invalid) {
            try transcript.store.purchase(accountId: "a", request: PurchaseRequest(productId: "silver", offer: offer))
        }
        try transcript.redeem("MINE", by: "a", named: "silver.replace")
    }

    @Test func `a product other than a subscription can have codes too`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        let batch = try transcript.store.makeSingleCodes(productId: "coins", offer: "gift", count: 1)
        try transcript.redeem(try #require(transcript.store.codes(of: batch).first), by: "a", for: "coins")
        let content = try transcript.newestContent()
        #expect(content.transaction?.price == 0 && content.transaction?.offerIdentifier == "gift")
    }

    @Test func `invalid codes are refused with the valid range`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        let past = try at("2026-01-15")
        let late = try at("2026-07-15") + 1
        for end in [past, late] {
            expectRefusal(.expirationDateInvalid, .unprocessable) {
                try transcript.makeSingleCodes(1, expirationDate: end)
            }
        }
        for count in [0, 25_001] {
            expectRefusal(.offerCodeLimitInvalid, .unprocessable) { try transcript.makeSingleCodes(count) }
        }
        for code in ["", "SPRING 26", "Frühling", String(repeating: "A", count: 65)] {
            expectRefusal(.offerCodeInvalid, .invalid) { try transcript.makeCustomCode(code, limit: 1) }
        }
        try transcript.makeCustomCode("ONCE", limit: 1)
        expectRefusal(.offerCodeExists, .conflict) { try transcript.makeCustomCode("once", limit: 1) }
        expectRefusal(.offerNotFound, .notFound) {
            try transcript.store.makeSingleCodes(productId: "silver", offer: "gold.code", count: 1)
        }
        expectRefusal(.offerCodesNotFound, .notFound) { try transcript.store.offerCodes("offer-codes-9") }
    }

    @Test func `an app has a limit of a million redemptions per quarter`() throws {
        var transcript = try offerStore(at: "2026-01-15")
        try transcript.makeCustomCode("MANY", limit: 999_999)
        expectRefusal(.offerCodeLimitInvalid, .unprocessable) { try transcript.makeSingleCodes(2) }
        try transcript.makeSingleCodes(1)
        try transcript.advance(to: try timestamp("2026-04-01T00:00:00Z") - 1)
        expectRefusal(.offerCodeLimitInvalid, .unprocessable) { try transcript.makeSingleCodes(1) }
        try transcript.advance(to: try timestamp("2026-04-01T00:00:00Z"))
        try transcript.makeSingleCodes(1)
    }

    @Test func `the same seed and calls give the same codes`() throws {
        var first = try offerStore(at: "2026-01-15")
        var second = try offerStore(at: "2026-01-15")
        let batch = try first.makeSingleCodes(5)
        #expect(first.store.codes(of: batch) == second.store.codes(of: try second.makeSingleCodes(5)))
        let next = first.store.codes(of: try first.makeSingleCodes(5))
        #expect(Set(next).isDisjoint(with: first.store.codes(of: batch)))
    }
}

extension StoreTranscript {
    @discardableResult
    fileprivate mutating func makeSingleCodes(
        _ count: Int,
        expirationDate: Int64? = nil
    ) throws(StoreError) -> OfferCodeBatch {
        try store.makeSingleCodes(
            productId: "silver",
            offer: "silver.replace",
            count: count,
            expirationDate: expirationDate
        )
    }

    @discardableResult
    fileprivate mutating func makeCustomCode(_ code: String, limit: Int) throws(StoreError) -> OfferCodeBatch {
        try store.makeCustomCode(
            productId: "silver",
            offer: "silver.replace",
            code: code,
            redemptionLimit: limit
        )
    }

    /// Redeems a code for an account, which is created if necessary.
    @discardableResult
    fileprivate mutating func redeem(
        _ code: String,
        by accountId: String,
        for productId: String = "silver",
        named name: String? = nil
    ) throws -> PurchaseOutcome {
        if accountId != "a", (try? store.account(accountId)) == nil {
            _ = try store.createAccount(accountId: accountId)
        }
        let offer = PurchaseRequest.Offer(type: "offer_code", identifier: name, code: code)
        return try store.purchase(accountId: accountId, request: PurchaseRequest(productId: productId, offer: offer))
    }
}
