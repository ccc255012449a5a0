import SubscriptionCore
import SubscriptionStorage

extension InMemoryTransaction {
    func claims(by customer: CustomerID, app: AppID) -> [ClaimRecord] {
        contents(of: app).claims.filter { $0.customerID == customer }.sorted { left, right in
            (left.claimedAt, left.purchaseID, left.evidenceID) < (right.claimedAt, right.purchaseID, right.evidenceID)
        }
    }

    func append(_ claim: ClaimRecord, of app: AppID) {
        change(app) { $0.claims.append(claim) }
    }

    func share(_ purchase: OriginalTransactionID, with customer: CustomerID, app: AppID) {
        change(app) { _ = $0.shares[customer, default: []].insert(purchase) }
    }

    func sharers(of purchase: OriginalTransactionID, app: AppID) -> [CustomerID] {
        contents(of: app).shares.filter { $0.value.contains(purchase) }.keys.sorted()
    }

    func unshare(_ purchase: OriginalTransactionID, with customer: CustomerID, app: AppID) {
        change(app) { _ = $0.shares[customer]?.remove(purchase) }
    }
}
