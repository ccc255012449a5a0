import AppStoreModel
import LocalAppStore
import PerennialPrimitives
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
            let expected = report.subscriptions.map(ComparedSubscription.init).sorted { $0.id < $1.id }
            #expect(view.subscriptions.map(ComparedSubscription.init) == expected, "\(context)")
            let purchases = report.transactions.filter { $0.type != .autoRenewableSubscription }
                .map { "\($0.transactionId) \($0.revocationDate == nil)" }.sorted()
            #expect(view.purchases.map { "\($0.id) \($0.givesAccess)" } == purchases, "\(context)")
            compared += expected.count
        }
        return compared
    }
}

/// The properties of a subscription that both sides must agree on.
private struct ComparedSubscription: Hashable {
    let id: String
    let status: Int32
    let access: Bool
    let product: String
    let starts: Int64
    let ends: Int64
    let renews: Bool
    let price: Int64

    init(_ report: SubscriptionReport) {
        id = report.originalTransactionId
        status = report.status.rawValue
        access = report.status == .active || report.status == .billingGracePeriod
        product = report.productId
        starts = report.purchaseDate
        ends = report.expiresDate
        renews = report.autoRenewStatus == .on && [1, 3, 4].contains(report.status.rawValue)
        price = report.price
    }

    init(_ state: SubscriptionState) {
        id = state.id.rawValue
        status =
            switch state.status {
            case .active: 1
            case .expired: 2
            case .inBillingRetry: 3
            case .inGracePeriod: 4
            case .revoked: 5
            }
        access = state.givesAccess
        product = state.productID.rawValue
        starts = state.periodStartsAt.milliseconds
        ends = state.periodEndsAt.milliseconds
        renews = state.autoRenew
        price = state.price?.milliunits ?? -1
    }
}
