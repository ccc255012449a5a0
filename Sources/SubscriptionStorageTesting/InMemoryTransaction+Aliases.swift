import SubscriptionCore
import SubscriptionStorage

extension InMemoryTransaction {
    func alias(_ id: CustomerID, of app: AppID) -> AliasRecord? {
        contents(of: app).aliases[id]
    }

    func aliases(_ ids: Set<CustomerID>, of app: AppID) -> [AliasRecord] {
        let aliases = contents(of: app).aliases
        return ids.sorted().compactMap { aliases[$0] }
    }

    func save(_ alias: AliasRecord, of app: AppID) {
        change(app) { $0.aliases[alias.id] = alias }
    }

    func removeAlias(_ id: CustomerID, of app: AppID) {
        change(app) { $0.aliases[id] = nil }
    }

    func removeCustomer(_ id: CustomerID, of app: AppID) {
        change(app) { $0.customers[id] = nil }
    }

    func removeGrants(of customer: CustomerID, app: AppID) {
        change(app) { $0.grants[customer] = nil }
    }
}
