import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import LocalAppStore
import Testing

@Suite struct `Determinism of the store` {
    @Test func `the same seed, catalogue and calls give the same payloads`() throws {
        #expect(try contents(seed: 7) == contents(seed: 7))
    }

    @Test func `with signatures derived from the seed, whole runs are the same byte for byte`() throws {
        let runs = try (1...2).map { _ in
            let authority = try TestAuthority(seed: 7)
            var transcript = try StoreTranscript(at: try at("2026-01-31"))
            transcript.store.setSigner(authority.deterministicSigner)
            _ = try transcript.store.createAccount(accountId: "a")
            let outcome = try transcript.buy("pro.monthly")
            try transcript.advance(to: try at("2026-04-15"))
            return (outcome, try transcript.allRecords())
        }
        #expect(runs[0].0 == runs[1].0)
        #expect(runs[0].1 == runs[1].1)
        #expect(runs[0].1.count == 4)
    }

    @Test func `another seed gives other notification UUIDs and the same events`() throws {
        let (left, right) = (try contents(seed: 7), try contents(seed: 8))
        #expect(left.map(\.payload.notificationType) == right.map(\.payload.notificationType))
        #expect(Set(left.map(\.payload.notificationUUID)).isDisjoint(with: right.map(\.payload.notificationUUID)))
    }

    @Test func `notification UUIDs are random UUIDs of version 4 and never the same twice`() throws {
        let identifiers = try contents(seed: 0).map(\.payload.notificationUUID)
        #expect(Set(identifiers).count == identifiers.count)
        for identifier in identifiers {
            #expect(
                identifier.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil
            )
        }
    }

    @Test func `a copy of a store is independent`() throws {
        var original = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try original.buy("pro.weekly")
        var copy = original
        try copy.advance(to: try at("2026-03-01"))
        #expect(try original.account.transactions.count == 1)
        #expect(try copy.account.transactions.count == 7)
    }

    @Test func `many accounts run over thirteen months, and all are accounted for`() throws {
        var transcript = try StoreTranscript(at: try at("2026-01-31"))
        for number in 0..<40 {
            let account = try transcript.store.createAccount(accountId: "customer-\(number)")
            let productId = number.isMultiple(of: 2) ? "pro.monthly" : "plus.monthly"
            let request = PurchaseRequest(productId: productId)
            _ = try transcript.store.purchase(accountId: account.accountId, request: request)
            try transcript.store.step(to: transcript.store.now + hourLength)
        }
        try transcript.advance(to: try at("2027-02-28"))
        let status = transcript.store.status
        #expect(status.accounts == 40)
        #expect(status.subscriptions == 40)
        #expect(status.transactions == status.notifications)
        let lengths = try (0..<40).map { try transcript.store.account("customer-\($0)").transactions.count }
        #expect(lengths.reduce(0, +) == status.transactions)
        #expect(Set(lengths).isSubset(of: [13, 14, 15]))
    }

    private func contents(seed: UInt64) throws -> [NotificationContent] {
        let settings = StoreSettings(gracePeriod: .threeDays)
        var transcript = try StoreTranscript(at: try at("2026-01-31"), seed: seed, settings: settings)
        _ = try transcript.store.createAccount(accountId: "a")
        try transcript.buy("pro.monthly")
        try transcript.buy("coins.100", quantity: 2)
        try transcript.advance(to: try at("2026-03-15"))
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: try at("2026-04-20"))
        try transcript.store.setPayment(accountId: "a", state: .ok)
        try transcript.advance(to: try at("2026-09-01"))
        return try transcript.allRecords().map { try NotificationContent($0).withoutSignatures }
    }
}
