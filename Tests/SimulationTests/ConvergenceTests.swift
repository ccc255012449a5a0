import AppStoreModel
import LocalAppStore
import PerennialPrimitives
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// Promise 2: the state does not depend on the order, the duplication or the source of facts.
@Suite struct `Convergence of the state` {
    private static let token = "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"

    /// A year of a monthly subscription: trial, renewals, a failed and a recovered charge, an expiration, another
    /// purchase, a refund that is reversed, and one that stands.
    private static func year() throws -> (store: SimulatedStore, signed: [[UInt8]], purchase: OriginalTransactionID) {
        var store = try SimulatedStore(seed: 7)
        try store.act { _ = try $0.createAccount(accountId: "a") }
        let request = PurchaseRequest(productId: "pro.monthly", appAccountToken: token)
        let bought = try store.act { try $0.purchase(accountId: "a", request: request) }
        let original = bought.originalTransactionId
        var day = SimulatedStore.start
        func advance(_ days: Int64) throws -> [[UInt8]] {
            day += days * SimulatedStore.day
            return try store.advance(to: day)
        }
        var signed = try advance(70)
        // The card fails, the grace period runs out, and the customer pays late.
        try store.act { try $0.setPayment(accountId: "a", state: .declined) }
        signed += try advance(50)
        try store.act { try $0.setPayment(accountId: "a", state: .ok) }
        signed += try advance(40)
        // The customer cancels, turns renewal on again, cancels again, and the subscription expires.
        try store.act { try $0.setAutoRenew(originalTransactionId: original, enabled: false) }
        try store.act { try $0.setAutoRenew(originalTransactionId: original, enabled: true) }
        try store.act { try $0.setAutoRenew(originalTransactionId: original, enabled: false) }
        signed += try advance(60)
        // The customer buys again. An old period is refunded, then the current one.
        try store.act { _ = try $0.purchase(accountId: "a", request: request) }
        signed += try advance(70)
        let transactions = try store.act { try $0.account("a").transactions }
        try store.act { _ = try $0.refund(transactionId: transactions[1].transactionId) }
        signed += try advance(20)
        try store.act { try $0.reverseRefund(transactionId: transactions[1].transactionId) }
        signed += try advance(20)
        try store.act { _ = try $0.refund(transactionId: try $0.account("a").transactions.last?.transactionId ?? "") }
        signed += try advance(35)
        return (store, signed, OriginalTransactionID(original))
    }

    @Test(arguments: Engine.allCases)
    func `is identical for 200 random orders with duplicates of a year's notifications`(engine: Engine) async throws {
        let (store, signed, purchase) = try Self.year()
        #expect(signed.count >= 15)
        let end = store.store.now
        let reference = try await ServerUnderTest(.reference, trusting: store, at: end)
        try await reference.take(signed)
        let expected = try await reference.state(of: purchase, customer: CustomerID(Self.token))
        #expect(expected.subscriptions.map(\.status) == [.revoked])
        #expect(expected.facts.timeline.count >= 8)
        #expect(expected.refunds.refunds.map { $0.reversedAt == nil }.sorted { !$0 && $1 } == [false, true])

        for seed in 1...200 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            let duplicates = (0..<5).compactMap { _ in signed.randomElement(using: &random) }
            let server = try await ServerUnderTest(engine, trusting: store, at: end)
            try await server.take((signed + duplicates).shuffled(using: &random))
            let state = try await server.state(of: purchase, customer: CustomerID(Self.token))
            #expect(state == expected, "seed \(seed)")
            try await server.close()
        }
    }

    @Test(arguments: Engine.allCases)
    func `is identical if the clock advances between deliveries`(engine: Engine) async throws {
        let (store, signed, purchase) = try Self.year()
        let end = store.store.now
        let reference = try await ServerUnderTest(.reference, trusting: store, at: end)
        try await reference.take(signed)
        let expected = try await reference.state(of: purchase, customer: CustomerID(Self.token))
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            let server = try await ServerUnderTest(engine, trusting: store, at: SimulatedStore.start)
            for notification in signed.shuffled(using: &random) {
                try await server.take([notification])
                let pause = Int64.random(
                    in: 0...(2 * (end - SimulatedStore.start) / Int64(signed.count)),
                    using: &random
                )
                let next = min(end, server.time.now().milliseconds + pause)
                server.time.advance(to: Timestamp(milliseconds: next))
                _ = try await server.duePurchases.settle(until: server.time.now())
            }
            server.time.advance(to: Timestamp(milliseconds: end))
            _ = try await server.duePurchases.settle(until: server.time.now())
            let state = try await server.state(of: purchase, customer: CustomerID(Self.token))
            #expect(state == expected, "seed \(seed)")
            try await server.close()
        }
    }

    @Test(arguments: Engine.allCases)
    func `is not changed by repeated notifications, which are reported as duplicates`(engine: Engine) async throws {
        let (store, signed, purchase) = try Self.year()
        let server = try await ServerUnderTest(engine, trusting: store, at: store.store.now)
        try await server.take(signed)
        let before = try await server.state(of: purchase, customer: CustomerID(Self.token))
        let version = try await server.reading.customer(CustomerID(Self.token), of: server.app).customer.stateVersion
        for notification in signed {
            guard case .duplicate(_) = try await server.ingestion.takeNotification(notification) else {
                Issue.record("a duplicate was treated as new")
                continue
            }
        }
        #expect(try await server.state(of: purchase, customer: CustomerID(Self.token)) == before)
        let after = try await server.reading.customer(CustomerID(Self.token), of: server.app).customer.stateVersion
        #expect(after == version)
        try await server.close()
    }

    @Test func `includes events whose prices add up to the net revenue`() async throws {
        let (store, signed, _) = try Self.year()
        let server = try await ServerUnderTest(.sqlite, trusting: store, at: store.store.now)
        var random = SplitMix64(seed: 3)
        try await server.take(signed.shuffled(using: &random))
        let app = server.app
        let events = try await server.database.read { storage throws(StorageError) in
            try storage.events(of: app, after: 0, limit: 10_000)
        }
        let revenue = events.compactMap(\.event.price?.milliunits).reduce(0, +)
        let ledger = try store.store.account("a").transactions
        let expected = ledger.filter { $0.revocationDate == nil }.map(\.price).reduce(0, +)
        #expect(revenue == expected)
        #expect(expected > 0)
        try await server.close()
    }
}
