import SubscriptionCore
import SubscriptionStorage

/// A kind of due work: how it is found and evaluated.
struct DueWork<Item: Sendable>: Sendable {
    /// The kind of item.
    let kind: DueItem.Kind
    /// Identifies an item.
    let name: @Sendable (Item) -> DueItem
    /// Reads the items that are due at or before a time, up to a limit.
    let read: @Sendable (any StorageReading, Timestamp, Int) throws(StorageError) -> [Item]
    /// Evaluates an item, which is not due afterwards.
    let evaluate: @Sendable (Item, any StorageWriting, Timestamp) throws(StorageError) -> Void
}

extension DueWork<DuePurchase> {
    /// Purchases whose state changes by time.
    static func purchases(under policy: AccessPolicy) -> DueWork {
        DueWork(
            kind: .purchase,
            name: DueItem.purchase,
            read: { storage, now, limit throws(StorageError) in try storage.duePurchases(until: now, limit: limit) },
            evaluate: { due, storage, now throws(StorageError) in
                let time = FixedTimeSource(now)
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
                let grants = try storage.grants(of: due.customerID, app: due.appID)
                guard let record = grants.first(where: { $0.state.grant.id == due.id }) else { return }
                try storage.update(record.state.grant, of: due.customerID, app: due.appID, now: now)
            }
        )
    }
}
