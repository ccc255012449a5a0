import AppStoreModel
import LocalAppStore
import PerennialPrimitives
import Synchronization

/// The customers: they buy, cancel, lose their card and ask for refunds.
final class SimulatedShoppers: Sendable {
    private static let products = ["pro.weekly", "pro.monthly", "plus.monthly", "pro.yearly", "lifetime", "coins.100"]

    private let world: SimulatedWorld
    private let store: SimulatedAppStore
    private let cluster: SimulatedCluster
    /// Their own chance: faults do not change what they want.
    private let state: Mutex<(random: SplitMix64, actions: Int)>

    init(in world: SimulatedWorld, store: SimulatedAppStore, cluster: SimulatedCluster) {
        self.world = world
        self.store = store
        self.cluster = cluster
        state = Mutex((SplitMix64(seed: world.options.seed ^ 0x5150_5150), 0))
    }

    var actions: Int { state.withLock { $0.actions } }

    /// Lets each customer act until a time.
    func start(until end: Int64) {
        for number in 0..<world.options.customers {
            world.spawn {
                while true {
                    await self.world.time.pause(milliseconds: self.random(in: .minute...36 * .hour))
                    guard self.world.time.now < end, !self.world.isOver, self.mayAct() else { return }
                    self.act("a\(number)")
                }
            }
        }
    }

    /// Lets each app submit every transaction, as after its start.
    func launchApps() throws {
        for number in 0..<world.options.customers {
            let account = "a\(number)"
            for transaction in try store.act({ try $0.account(account) }).transactions {
                let signed = try store.act { try $0.transactionInfo(transactionId: transaction.transactionId) }
                world.spawn {
                    await self.cluster.submit(
                        signed.signedTransactionInfo,
                        of: transaction.originalTransactionId,
                        for: account
                    )
                }
            }
        }
    }

    private func mayAct() -> Bool {
        state.withLock { state in
            guard state.actions < world.options.actionsMax ?? .max else { return false }
            state.actions += 1
            return true
        }
    }

    private func random(in range: ClosedRange<Int64>) -> Int64 {
        state.withLock { Int64.random(in: range, using: &$0.random) }
    }

    private func pick<Element: Sendable>(_ elements: [Element]) -> Element? {
        state.withLock { $0.random.pick(elements) }
    }

    /// Actions that the store refuses have no effect.
    private func act(_ account: String) {
        do {
            let report = try store.act { try $0.account(account) }
            switch random(in: 0...11) {
            case 0...4: try buy(for: report)
            case 5...7:
                guard let subscription = pick(report.subscriptions) else { return }
                let enabled = random(in: 0...1) == 1
                world.note("\(account) turns renewal of \(subscription.productId) \(enabled ? "on" : "off")")
                try store.act {
                    try $0.setAutoRenew(originalTransactionId: subscription.originalTransactionId, enabled: enabled)
                }
            case 8, 9:
                let payment: PaymentState = report.payment == .ok && random(in: 0...1) == 0 ? .declined : .ok
                world.note("\(account)'s card: \(payment.rawValue)")
                try store.act { try $0.setPayment(accountId: account, state: payment) }
            default:
                // A period that was charged early has not begun.
                let begun = report.transactions.filter { $0.purchaseDate <= world.time.now }
                guard let transaction = pick(begun), transaction.revocationDate == nil else { return }
                world.note("\(account) gets \(transaction.productId) refunded")
                _ = try store.act { try $0.refund(transactionId: transaction.transactionId) }
            }
        } catch is StoreError {
            return
        } catch {
            world.fail(.unexpectedError, "\(error)")
        }
    }

    private func buy(for report: AccountReport) throws {
        let account = report.accountId
        guard let product = pick(Self.products) else { return }
        // A change of plan has tests of its own: here a group is bought once at a time.
        let group = product.split(separator: ".")[0]
        let isLive = report.subscriptions.contains { subscription in
            subscription.productId.hasPrefix(group) && subscription.status != .expired
                && subscription.status != .revoked
        }
        guard !isLive else { return }
        let bought = try store.act {
            try $0.purchase(accountId: account, request: PurchaseRequest(productId: product))
        }
        world.note("\(account) buys \(product)")
        world.spawn {
            await self.cluster.submit(
                bought.signedTransactionInfo,
                of: bought.originalTransactionId,
                for: account
            )
        }
    }
}
