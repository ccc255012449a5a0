import SubscriptionCore
import SubscriptionStorage

extension InMemoryTransaction {
    func receipts(of customer: CustomerID, app: AppID) -> [ReceiptRecord] {
        (contents(of: app).receipts[customer] ?? [:]).values.sorted { ($0.receivedAt, $0.id) < ($1.receivedAt, $1.id) }
    }

    func insert(_ receipt: ReceiptRecord, of app: AppID) {
        guard contents(of: app).receipts[receipt.customerID]?[receipt.id] == nil else { return }
        change(app) { $0.receipts[receipt.customerID, default: [:]][receipt.id] = receipt }
    }

    func removeReceipts(of customer: CustomerID, app: AppID) {
        change(app) { $0.receipts[customer] = nil }
    }
}
