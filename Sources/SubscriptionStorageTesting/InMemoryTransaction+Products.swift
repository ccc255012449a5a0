import SubscriptionCore
import SubscriptionStorage

extension InMemoryTransaction {
    func purchases(with transaction: TransactionID, app: AppID) -> [OriginalTransactionID] {
        contents(of: app).facts.filter { purchase, facts in
            transaction.rawValue != purchase.rawValue && facts.transactions[transaction] != nil
        }
        .keys.sorted()
    }
}
