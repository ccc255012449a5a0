import AppStoreModel
import LocalAppStore
import PerennialPrimitives
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// Compares the revenue in the event feed with the charges and refunds in the store's ledger.
@Suite struct `The events add up to the net revenue of the store's ledger` {
    private static let accounts = 8
    private static let days: Int64 = 300

    @Test(arguments: OracleSeeds.all)
    func `in a random year of purchases, plan changes, refunds and their reversals`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let grace = StoreSettings.GracePeriod.allCases.randomElement(using: &random) ?? .none
        var store = try SimulatedStore(seed: seed, gracePeriod: grace)
        let server = try await ServerUnderTest(.reference, trusting: store, at: SimulatedStore.start)
        for index in 0..<Self.accounts { try store.act { _ = try $0.createAccount(accountId: "a\(index)") } }
        var prorated = 0
        for day in 1...Self.days {
            try Self.perform(in: &store, random: &random)
            try await server.take(try store.advance(to: SimulatedStore.start + day * SimulatedStore.day))
            if day.isMultiple(of: 50) { prorated += try await Self.compare(store, server, seed: seed, day: day) }
        }
        #expect(prorated > 0, "some periods ended early")
        try await server.close()
    }

    /// Performs a random action of a random customer. Actions that the store refuses are ignored.
    private static func perform(in store: inout SimulatedStore, random: inout SplitMix64) throws {
        let account = "a\(Int.random(in: 0..<accounts, using: &random))"
        let report = try store.store.account(account)
        let products = ["pro.monthly", "pro.weekly", "pro.yearly", "plus.monthly", "lifetime", "coins.100"]
        let product = products.randomElement(using: &random) ?? "pro.monthly"
        let subscription = report.subscriptions.randomElement(using: &random)?.originalTransactionId ?? ""
        let transaction = report.transactions.randomElement(using: &random)?.transactionId ?? ""
        switch Int.random(in: 0..<12, using: &random) {
        case 0...3:
            _ = try? store.act { try $0.purchase(accountId: account, request: PurchaseRequest(productId: product)) }
        case 4...6: _ = try? store.act { try $0.changePlan(originalTransactionId: subscription, productId: product) }
        case 7:
            let enabled = Bool.random(using: &random)
            _ = try? store.act { try $0.setAutoRenew(originalTransactionId: subscription, enabled: enabled) }
        case 8:
            let state: PaymentState = Int.random(in: 0..<3, using: &random) == 0 ? .declined : .ok
            try store.act { try $0.setPayment(accountId: account, state: state) }
        case 9, 10: _ = try? store.act { try $0.refund(transactionId: transaction) }
        default: _ = try? store.act { try $0.reverseRefund(transactionId: transaction) }
        }
    }

    /// Compares the sums, and returns the number of periods that a plan change ended early.
    private static func compare(
        _ store: SimulatedStore,
        _ server: ServerUnderTest,
        seed: UInt64,
        day: Int64
    ) async throws -> Int {
        var (net, share, prorated): (Int64, Int64, Int) = (0, 0, 0)
        for index in 0..<accounts {
            for transaction in try store.store.account("a\(index)").transactions {
                let returned = transaction.proratedRefund ?? 0
                let kept = transaction.revocationDate == nil ? transaction.price - returned : 0
                net += kept
                share += kept * 70 / 100
                prorated += returned > 0 ? 1 : 0
            }
        }
        let feed = EventFeed(database: server.database)
        var cursor = EventCursor(sequence: 0, app: server.app)
        var events: [SubscriptionEvent] = []
        while true {
            let page = try await feed.page(after: cursor, limit: 100, wait: .zero)
            events += page.events.map(\.event)
            cursor = page.next
            if !page.hasMore { break }
        }
        let context = "seed \(seed), day \(day)"
        #expect(events.compactMap(\.price?.milliunits).reduce(0, +) == net, "\(context)")
        #expect(events.compactMap(\.proceeds?.milliunits).reduce(0, +) == share, "\(context)")
        return prorated
    }
}
