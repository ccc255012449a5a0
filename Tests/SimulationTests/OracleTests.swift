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
            try await perform(in: &store, server: server, random: &random)
            try await server.take(store.deliver())
            try await settle(server, store)
            let end = SimulatedStore.start + day * SimulatedStore.day
            while try store.step(until: end) {
                try await server.take(store.deliver())
                try await settle(server, store)
            }
            try await settle(server, store)
            if day.isMultiple(of: 5) { compared += try await compare(store, server, seed: seed, day: day) }
        }
        #expect(compared > 500)
        try await server.close()
    }

    private func settle(_ server: ServerUnderTest, _ store: SimulatedStore) async throws {
        server.time.advance(to: Timestamp(milliseconds: store.store.now))
        _ = try await server.duePurchases.settle(until: server.time.now())
    }

    /// Performs a random action of a random customer. Actions that the store refuses are ignored.
    private func perform(
        in store: inout SimulatedStore,
        server: ServerUnderTest,
        random: inout SplitMix64
    ) async throws {
        let account = "a\(Int.random(in: 0..<Self.accounts, using: &random))"
        let report = try store.store.account(account)
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3:
            let products = ["pro.monthly", "pro.weekly", "pro.yearly", "plus.monthly", "lifetime", "coins.100"]
            let product = products.randomElement(using: &random) ?? "pro.monthly"
            let request = PurchaseRequest(productId: product)
            guard let bought = try? store.act({ try $0.purchase(accountId: account, request: request) }) else { return }
            try await server.ingestion.submit(
                signedTransaction: Array(bought.signedTransactionInfo.utf8),
                claimant: Claimant(CustomerID(account)),
                app: server.app
            )
        case 4, 5:
            guard let subscription = report.subscriptions.randomElement(using: &random) else { return }
            let enabled = Bool.random(using: &random)
            _ = try? store.act {
                try $0.setAutoRenew(originalTransactionId: subscription.originalTransactionId, enabled: enabled)
            }
        case 6, 7:
            let state: PaymentState = Int.random(in: 0..<3, using: &random) == 0 ? .declined : .ok
            try store.act { try $0.setPayment(accountId: account, state: state) }
        case 8:
            guard let transaction = report.transactions.randomElement(using: &random) else { return }
            _ = try? store.act { try $0.refund(transactionId: transaction.transactionId) }
        default:
            return
        }
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
