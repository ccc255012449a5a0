import SubscriptionCore
import SubscriptionStorage

/// Something that the clock makes due: how it is found, and what is done about it.
struct DueWork<Item: Sendable>: Sendable {
    /// What it is about.
    let kind: DueItem.Kind
    /// One as it is recognised again.
    let name: @Sendable (Item) -> DueItem
    /// What is due at or before an instant, so many at most.
    let read: @Sendable (any StorageReading, Timestamp, Int) throws(StorageError) -> [Item]
    /// Evaluates one, which is no longer due then.
    let evaluate: @Sendable (Item, any StorageWriting, Timestamp) throws(StorageError) -> Void
}

extension DueWork<DuePurchase> {
    /// Purchases whose state changes by the clock.
    static func purchases(under policy: AccessPolicy) -> DueWork {
        DueWork(
            kind: .purchase,
            name: DueItem.purchase,
            read: { storage, now, limit throws(StorageError) in try storage.duePurchases(until: now, limit: limit) },
            evaluate: { due, storage, now throws(StorageError) in
                let time = StandingTimeSource(now)
                try PurchaseUpdate(app: due.appID, time: time, policy: policy, storage: storage).reevaluate(due.id)
            }
        )
    }
}

extension DueWork<DueGrant> {
    /// Grants that end.
    static var grants: DueWork {
        DueWork(
            kind: .grant,
            name: DueItem.grant,
            read: { storage, now, limit throws(StorageError) in try storage.dueGrants(until: now, limit: limit) },
            evaluate: { due, storage, now throws(StorageError) in
                let held = try storage.grants(of: due.customerID, app: due.appID)
                guard let record = held.first(where: { $0.state.grant.id == due.id }) else { return }
                try storage.update(record.state.grant, of: due.customerID, app: due.appID, now: now)
            }
        )
    }
}
