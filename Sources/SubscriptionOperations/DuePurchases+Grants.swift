import SubscriptionCore
import SubscriptionStorage

extension DuePurchases {
    /// Ends what operators granted until an instant, batch by batch, and says how many grants ended.
    func settleGrants(until now: Timestamp) async throws(OperationError) -> Int {
        var total = 0
        while true {
            let count: Int
            do {
                count = try await database.write { storage throws(StorageError) in
                    let due = try storage.dueGrants(until: now, limit: Self.batchSize)
                    for grant in due { try storage.reevaluate(grant, at: now) }
                    return due.count
                }
            } catch {
                throw OperationError(error)
            }
            total += count
            // Each evaluation ends what was due, so a short batch is the last.
            if count < Self.batchSize { return total }
        }
    }
}

extension StorageWriting {
    fileprivate func reevaluate(_ due: DueGrant, at now: Timestamp) throws(StorageError) {
        let customer = due.customerID
        guard let record = try grants(of: customer, app: due.appID).first(where: { $0.state.grant.id == due.id }) else {
            return
        }
        try update(record.state.grant, of: customer, app: due.appID, now: now)
    }

    /// Records a grant as it is now, and what that does to its customer.
    func update(_ grant: Grant, of customer: CustomerID, app: AppID, now: Timestamp) throws(StorageError) {
        let changes = try CustomerChanges(of: [customer], app: app, now: now, storage: self)
        try save(GrantRecord(customerID: customer, state: grant.state(at: now)), of: app)
        try changes.record(events: [], owner: customer, changed: true)
    }
}
