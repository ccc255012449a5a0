import AppStoreModel
import LocalAppStore
import PerennialPrimitives
import SubscriptionCore
import SubscriptionOperations

extension ServerUnderTest {
    /// Performs a random action of a random customer. Actions that the store refuses are ignored.
    func perform(
        in store: inout SimulatedStore,
        accounts: Int,
        random: inout SplitMix64
    ) async throws {
        let account = "a\(Int.random(in: 0..<accounts, using: &random))"
        let report = try store.store.account(account)
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3:
            let products = ["pro.monthly", "pro.weekly", "pro.yearly", "plus.monthly", "lifetime", "coins.100"]
            let product = products.randomElement(using: &random) ?? "pro.monthly"
            let request = PurchaseRequest(productId: product)
            guard let bought = try? store.act({ try $0.purchase(accountId: account, request: request) }) else { return }
            try await ingestion.submit(
                signedTransaction: Array(bought.signedTransactionInfo.utf8),
                claimant: Claimant(CustomerID(account)),
                app: app
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

    /// Moves the clock to the store's and processes what is due.
    func settle(_ store: SimulatedStore) async throws {
        time.advance(to: Timestamp(milliseconds: store.store.now))
        _ = try await duePurchases.settle(until: time.now())
    }

    /// Lets customers act for some days, each of which ends with everything delivered and processed.
    func live(days: Int64, in store: inout SimulatedStore, accounts: Int, random: inout SplitMix64) async throws {
        let start = store.store.now
        for day in 1...days {
            try await perform(in: &store, accounts: accounts, random: &random)
            try await take(store.advance(to: start + day * SimulatedStore.day))
            try await settle(store)
        }
    }
}
