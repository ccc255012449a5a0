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

    func refusedClaims(on purchases: [OriginalTransactionID], app: AppID) -> [RefusedClaim] {
        let held = contents(of: app).refusedClaims
        return purchases.flatMap { held[$0, default: [:]].values }.inOrderOfTime
    }

    func refusedClaims(by customers: [CustomerID], app: AppID) -> [RefusedClaim] {
        contents(of: app).refusedClaims.values.flatMap { claims in customers.compactMap { claims[$0] } }.inOrderOfTime
    }

    func save(_ refused: RefusedClaim, of app: AppID) {
        change(app) { $0.refusedClaims[refused.purchaseID, default: [:]][refused.customerID] = refused }
    }

    func removeRefusedClaim(on purchase: OriginalTransactionID, by customer: CustomerID, app: AppID) {
        change(app) { $0.refusedClaims[purchase]?[customer] = nil }
    }

    func settings(of app: AppID) -> AppSettings {
        contents(of: app).settings
    }

    func save(_ settings: AppSettings, of app: AppID) {
        change(app) { $0.settings = settings }
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

    func transfers(of customer: CustomerID, app: AppID) -> [TransferRecord] {
        contents(of: app).transfers.values.filter { $0.from == customer || $0.to == customer }
            .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
}
