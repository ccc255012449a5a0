import SubscriptionCore
import SubscriptionStorage

extension InMemoryTransaction {
    func grants(of customer: CustomerID, app: AppID) -> [GrantRecord] {
        (contents(of: app).grants[customer] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    }

    func dueGrants(until time: Timestamp, limit: Int) -> [DueGrant] {
        let due = snapshot.contents.flatMap { app, contents in
            contents.grants.values.flatMap(\.values).compactMap { record -> DueGrant? in
                guard let dueAt = record.state.nextChangeAt, dueAt <= time else { return nil }
                return DueGrant(appID: app, customerID: record.customerID, id: record.state.grant.id, dueAt: dueAt)
            }
        }
        let ordered = due.sorted {
            ($0.dueAt, $0.appID, $0.customerID, $0.id) < ($1.dueAt, $1.appID, $1.customerID, $1.id)
        }
        return Array(ordered.prefix(max(0, limit)))
    }

    func save(_ grant: GrantRecord, of app: AppID) {
        change(app) { $0.grants[grant.customerID, default: [:]][grant.state.grant.id] = grant }
    }
}
