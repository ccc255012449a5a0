import SubscriptionCore
import SubscriptionStorage

extension InMemoryTransaction {
    func purchases(
        derivedAfter time: Timestamp,
        of app: AppID,
        after id: OriginalTransactionID?,
        limit: Int
    ) -> [OriginalTransactionID] {
        let later = contents(of: app).purchases.values.filter { $0.evaluatedAt > time }.map(\.id).sorted()
        return Array(later.drop { purchase in id.map { purchase <= $0 } ?? false }.prefix(max(0, limit)))
    }

    func grants(endedBefore time: Timestamp, limit: Int) -> [DueGrant] {
        let ended = snapshot.contents.flatMap { app, contents in
            contents.grants.values.flatMap(\.values).compactMap { record -> DueGrant? in
                let grant = record.state.grant
                guard !record.state.isActive, grant.revokedAt == nil, let end = grant.expiresAt, end > time else {
                    return nil
                }
                return DueGrant(appID: app, customerID: record.customerID, id: grant.id, dueAt: end)
            }
        }
        let ordered = ended.sorted {
            ($0.dueAt, $0.appID, $0.customerID, $0.id) < ($1.dueAt, $1.appID, $1.customerID, $1.id)
        }
        return Array(ordered.prefix(max(0, limit)))
    }

    func databaseTime() -> Timestamp? { nil }

    func latestDerivation() -> Timestamp? { snapshot.latestDerivation }

    func purpose() -> DatabasePurpose? { snapshot.purpose }
}
