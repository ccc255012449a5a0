import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import AppStoreTesting
import Testing

@Suite struct `Determinism of the test kit` {
    @Test func `two kits create the same payloads`() throws {
        func payloads() throws -> [JSONObject] {
            let kit = try AppStoreTestKit()
            let first = try kit.transaction()
            let second = try kit.renewal(of: first)
            return [
                first.payload.json, second.payload.json, try kit.renewalInfo(for: second).payload.json,
                try kit.appTransaction().payload.json, try kit.realtimeRequest().payload.json,
                try kit.notification(.test).payload.json,
            ]
        }

        #expect(try payloads() == payloads())
    }

    @Test func `saved keys preserve the authority across runs`() throws {
        let keys = TestAuthorityKeys()
        let kept = try TestAuthorityKeys(
            rootPEM: keys.rootPEM,
            intermediatePEM: keys.intermediatePEM,
            leafPEM: keys.leafPEM
        )
        let first = try AppStoreTestKit(keys: keys)
        let second = try AppStoreTestKit(keys: kept)

        #expect(first.verifier.verifyTransaction(try second.transaction().jws).payload != nil)
        #expect(second.verifier.verifyTransaction(try first.transaction().jws).payload != nil)
    }

    @Test func `time moves only on request`() throws {
        let kit = try AppStoreTestKit()
        #expect(kit.now == AppStoreTestKit.defaultTime)
        #expect(try kit.transaction().payload.signedDate == AppStoreTestKit.defaultTime)
        #expect(kit.advance(by: .milliseconds(1500)) == AppStoreTestKit.defaultTime + 1500)
        #expect(try kit.transaction().payload.purchaseDate == AppStoreTestKit.defaultTime + 1500)
        kit.advance(by: .seconds(-60))
        #expect(kit.now == AppStoreTestKit.defaultTime - 58_500)
    }

    @Test func `later signatures have later dates, even if the time is stopped`() throws {
        let kit = try AppStoreTestKit()
        let bought = try kit.transaction()
        let on = try kit.renewalInfo(for: bought)
        let off = try kit.renewalInfo(for: bought) { $0.autoRenewStatus = .off }
        let refunded = try kit.refund(of: bought)
        let reported = try kit.notification(.refund, about: bought)
        let dates = [
            bought.payload.signedDate, on.payload.signedDate, off.payload.signedDate, refunded.payload.signedDate,
            reported.payload.signedDate, try kit.appTransaction().payload.receiptCreationDate,
            try kit.realtimeRequest().payload.signedDate,
        ]

        #expect(dates == (0..<7).map { AppStoreTestKit.defaultTime + $0 })
        #expect(reported.transaction?.payload.signedDate == reported.payload.signedDate)
        #expect(reported.renewalInfo?.payload.signedDate == reported.payload.signedDate)
        #expect(reported.transaction?.payload.revocationDate == AppStoreTestKit.defaultTime)
    }

    @Test func `extreme times do not crash`() throws {
        let kit = try AppStoreTestKit(now: .max)
        kit.advance(by: .seconds(Int64.max))
        #expect(kit.now == .max)
        let late = try kit.transaction()
        _ = try kit.renewal(of: late)
        _ = try kit.notification(.expired, .voluntary, about: late)
        let early = try kit.transaction(at: .min) { $0.expiresDate = .max }
        _ = try kit.renewal(of: early)
    }

    @Test func `identifiers differ even in concurrent tests`() async throws {
        let kit = try AppStoreTestKit()
        let identifiers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 {
                group.addTask { try kit.transaction().payload.transactionId }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }

        #expect(identifiers.count == 100)
    }

    @Test func `the developer's signatures and tokens are checked with the kit's key`() throws {
        let kit = try AppStoreTestKit()
        let offer = PromotionalOfferV2(productId: "pro.monthly", offerIdentifier: "winter")
        let jws = try kit.developerSigner.sign(offer, nonce: .random(), at: kit.now)
        let check = StoreKitRequestVerifier(keys: [kit.developerKey])
            .check(jws, as: PromotionalOfferV2.self, bundleId: kit.app.bundleId, now: kit.now)
        #expect(check.accepted?.claims == offer)
        let token = BearerTokenVerifier(keys: [kit.developerKey])
            .check(try kit.bearerToken(), bundleIds: [kit.app.bundleId], now: kit.now / 1000)
        #expect(token.claims != nil)
    }
}
