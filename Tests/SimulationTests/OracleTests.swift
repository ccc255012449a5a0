import AppStoreModel
import LocalAppStore
import PerennialPrimitives
import PerennialSimulation
import SubscriptionCore
import SubscriptionOperations
import Testing

/// Promise 10 and the oracle: the store's ledger predicts every response. It shares no logic with the server.
@Suite struct `The server agrees with the store's ledger at any time` {
    private static let accounts = 12
    private static let days: Int64 = 400

    @Test(arguments: OracleSeeds.all)
    func `in a random year of purchases, cancellations, failed charges and refunds`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let grace = StoreSettings.GracePeriod.allCases.randomElement(using: &random) ?? .none
        var store = try SimulatedStore(seed: seed, gracePeriod: grace)
        let server = try await ServerUnderTest(.reference, trusting: store, at: SimulatedStore.start)
        for index in 0..<Self.accounts { try store.act { _ = try $0.createAccount(accountId: "a\(index)") } }
        var compared = 0
        for day in 1...Self.days {
            try await server.perform(in: &store, accounts: Self.accounts, random: &random)
            try await server.take(store.deliver())
            try await server.settle(store)
            let end = SimulatedStore.start + day * SimulatedStore.day
            while try store.step(until: end) {
                try await server.take(store.deliver())
                try await server.settle(store)
            }
            try await server.settle(store)
            if day.isMultiple(of: 5) { compared += try await compare(store, server, seed: seed, day: day) }
        }
        #expect(compared > 500)
        try await server.close()
    }

    /// Compares every customer, and returns the number of compared subscriptions.
    private func compare(
        _ store: SimulatedStore,
        _ server: ServerUnderTest,
        seed: UInt64,
        day: Int64
    ) async throws -> Int {
        var compared = 0
        for index in 0..<Self.accounts {
            let report = try store.store.account("a\(index)")
            guard !report.transactions.isEmpty else { continue }
            let view = try await server.reading.customer(CustomerID("a\(index)"), of: server.app)
            let context = "seed \(seed), day \(day), a\(index)"
            let expected = report.subscriptions.map(SubscriptionComparison.init).sorted { $0.id < $1.id }
            #expect(view.subscriptions.map(SubscriptionComparison.init) == expected, "\(context)")
            let purchases = report.transactions.filter { $0.type != .autoRenewableSubscription }
                .map { "\($0.transactionId) \($0.revocationDate == nil)" }.sorted()
            #expect(view.purchases.map { "\($0.id) \($0.givesAccess)" } == purchases, "\(context)")
            compared += expected.count
        }
        return compared
    }
}
