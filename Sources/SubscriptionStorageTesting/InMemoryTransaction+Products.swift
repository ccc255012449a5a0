import SubscriptionCore
import SubscriptionStorage

extension InMemoryTransaction {
    func purchases(with transaction: TransactionID, app: AppID) -> [OriginalTransactionID] {
        (contents(of: app).transactionIDs[transaction] ?? []).sorted()
    }

    func indexedTransactions(of app: AppID, after entry: IndexedTransaction?, limit: Int) -> [IndexedTransaction] {
        let all = contents(of: app).transactionIDs.flatMap { id, purchases in
            purchases.map { IndexedTransaction(id: id, purchaseID: $0) }
        }
        let ordered = all.sorted { ($0.id, $0.purchaseID) < ($1.id, $1.purchaseID) }
        let rest = ordered.drop { next in
            entry.map { (next.id, next.purchaseID) <= ($0.id, $0.purchaseID) } ?? false
        }
        return Array(rest.prefix(max(0, limit)))
    }

    func insert(_ entry: IndexedTransaction, of app: AppID) {
        change(app) { _ = $0.transactionIDs[entry.id, default: []].insert(entry.purchaseID) }
    }

    func remove(_ entry: IndexedTransaction, of app: AppID) {
        change(app) { contents in
            contents.transactionIDs[entry.id]?.remove(entry.purchaseID)
            if contents.transactionIDs[entry.id]?.isEmpty == true { contents.transactionIDs[entry.id] = nil }
        }
    }
}
