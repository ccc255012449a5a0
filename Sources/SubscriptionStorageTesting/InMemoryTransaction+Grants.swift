import SubscriptionCore
import SubscriptionStorage

extension InMemoryTransaction {
    func grants(of customer: CustomerID, app: AppID) -> [GrantRecord] {
        (contents(of: app).grants[customer] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    }

    func dueGrants(until instant: Timestamp, limit: Int) -> [DueGrant] {
        let due = snapshot.contents.flatMap { app, contents in
            contents.grants.values.flatMap(\.values).compactMap { record -> DueGrant? in
                guard let dueAt = record.state.nextChangeAt, dueAt <= instant else { return nil }
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

    func transfer(_ id: TransferID, of app: AppID) -> TransferRecord? {
        contents(of: app).transfers[id]
    }

    func save(_ transfer: TransferRecord, of app: AppID) {
        change(app) { $0.transfers[transfer.id] = transfer }
    }

    func idempotencyRecord(_ key: String, of app: AppID) -> IdempotencyRecord? {
        contents(of: app).requests[key]
    }

    func save(_ record: IdempotencyRecord, of app: AppID) {
        change(app) { $0.requests[record.key] = record }
    }

    func removeIdempotencyRecord(_ key: String, of app: AppID) {
        change(app) { $0.requests[key] = nil }
    }

    func removeIdempotencyRecords(about customer: CustomerID, of app: AppID) {
        change(app) { $0.requests = $0.requests.filter { !$0.value.customers.contains(customer) } }
    }

    func removeIdempotencyRecords(before instant: Timestamp, limit: Int, of app: AppID) {
        let old = contents(of: app).requests.values.filter { $0.startedAt < instant }
        let ordered = old.sorted { ($0.startedAt, $0.key) < ($1.startedAt, $1.key) }
        for record in ordered.prefix(max(0, limit)) { removeIdempotencyRecord(record.key, of: app) }
    }
}
