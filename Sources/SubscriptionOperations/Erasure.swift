public import SubscriptionCore
public import SubscriptionStorage

/// Removes the link between a person and their purchases. The evidence and the sums over all events stay.
public struct Erasure: Sendable {
    /// The number of sequence numbers of the feed that one transaction cleans.
    private static let eventsPerStep: Int64 = 20_000

    private let database: any SubscriptionDatabase
    private let policy: AccessPolicy
    private let time: any TimeSource

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, policy: AccessPolicy, time: any TimeSource) {
        self.database = database
        self.policy = policy
        self.time = time
    }

    /// Erases the customer with an identifier or alias. Erasing an unknown customer succeeds.
    ///
    /// The feed is cleaned first, in steps; the last transaction removes the link. An interrupted erasure can be
    /// repeated.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func erase(_ name: CustomerID, app: AppID, by who: Operator) async throws(OperationError) {
        let now = time.now()
        do {
            var sequence: Int64 = 0
            while let next = try await cleanStep(name, app: app, after: sequence) { sequence = next }
            try await database.write { [policy, sequence] storage throws(StorageError) in
                // First, so that no result about the customer is stored from here on.
                try storage.noteErasureForWebhooks(of: app)
                // Stored responses about the customer must not be replayed.
                try storage.removeIdempotencyRecords(about: name, of: app)
                guard let customer = try storage.customer(named: name, of: app) else {
                    // A refused customer has only claims, and no event names them.
                    let claimant = CustomerRecord(id: name, firstSeenAt: Timestamp(milliseconds: 0), stateVersion: 0)
                    let emptied = try storage.erase(claimant, names: [name], app: app, policy: policy)
                    return try storage.auditErasure(emptying: emptied, by: who, app: app, at: now)
                }
                let names = [customer.id] + customer.profile.aliases
                let end = try storage.lastEvent(of: app)
                try storage.cleanEvents(about: names, app: app, after: sequence, through: end)
                let emptied = try storage.erase(customer, names: names, app: app, policy: policy)
                // Last, as in every write: customers are locked before the audit log.
                try storage.auditErasure(emptying: emptied, by: who, app: app, at: now)
            }
        } catch {
            throw OperationError(error)
        }
    }

    /// Cleans a part of the feed and returns its last sequence number; nil if the customer is unknown or the rest fits
    /// into the last transaction.
    private func cleanStep(_ name: CustomerID, app: AppID, after sequence: Int64) async throws(StorageError) -> Int64? {
        try await database.write { storage throws(StorageError) in
            guard let customer = try storage.customer(named: name, of: app) else { return nil }
            let end = sequence + Self.eventsPerStep
            guard try storage.lastEvent(of: app) > end else { return nil }
            let names = [customer.id] + customer.profile.aliases
            try storage.cleanEvents(about: names, app: app, after: sequence, through: end)
            return end
        }
    }
}

extension StorageWriting {
    /// - Parameter positions: The entries of the audit log that the erasure emptied.
    fileprivate func auditErasure(
        emptying positions: [Int64],
        by who: Operator,
        app: AppID,
        at now: Timestamp
    ) throws(StorageError) {
        let after = EmptiedEntries.value(positions)
        try audit(.customerErased, .erasedCustomer, by: who, app: app, at: now, after: after)
    }

    /// Removes names from a part of the feed. The events and their amounts stay.
    fileprivate func cleanEvents(
        about names: [CustomerID],
        app: AppID,
        after sequence: Int64,
        through end: Int64
    ) throws(StorageError) {
        for name in names {
            for var record in try events(about: name, of: app, after: sequence, through: end) {
                record.customerID = nil
                record.stateVersion = nil
                if record.event.kind == .aliased { record.event.details = nil }
                try save(record, of: app)
            }
        }
    }

    /// Removes everything that names a customer.
    ///
    /// - Returns: The positions in the audit log of the entries that it emptied.
    fileprivate func erase(
        _ customer: CustomerRecord,
        names: [CustomerID],
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) -> [Int64] {
        var concerned = Set(try purchases(of: customer.id, app: app).map(\.id))
        for name in names { concerned.formUnion(try claims(by: name, app: app).map(\.purchaseID)) }
        for purchase in concerned.sorted() {
            try removeClaims(of: purchase, from: customer.id, names: names, app: app, policy: policy)
        }
        for name in names {
            try removeClaims(by: name, app: app)
            try removeIdempotencyRecords(about: name, of: app)
        }
        try removeRefusedClaims(try refusedClaims(by: names, app: app), app: app)
        var transferIDs: [TransferID] = []
        for name in names {
            for transfer in try transfers(of: name, app: app) {
                var record = transfer
                if record.from == name { record.from = nil }
                if record.to == name { record.to = nil }
                // A transfer with an erased customer cannot be undone.
                record.items = []
                record.reason = nil
                try save(record, of: app)
                transferIDs.append(record.id)
            }
            try removeReceipts(of: name, app: app)
            try removeWebhookDeliveries(about: name, app: app)
            if name != customer.id { try removeAlias(name, of: app) }
        }
        let emptied = try forgetInAudit(names, transfers: transferIDs, purchases: concerned, app: app)
        try removeGrants(of: customer.id, app: app)
        try removeCustomer(customer.id, of: app)
        return emptied
    }

    private func removeRefusedClaims(_ claims: [RefusedClaim], app: AppID) throws(StorageError) {
        for claim in claims { try removeRefusedClaim(on: claim.purchaseID, by: claim.customerID, app: app) }
    }

    /// Removes a customer's claims on a purchase. If the customer owned it, the first sharer becomes the owner. Without
    /// sharers it has no owner until a customer submits it. Other customers keep what they have.
    private func removeClaims(
        of id: OriginalTransactionID,
        from customer: CustomerID,
        names: [CustomerID],
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) {
        let claims = try claims(on: id, app: app)
        guard let record = try purchase(id, of: app) else { return }
        let ownership = try evaluate(claims, on: id, app: app, policy: policy).ownership
            .ownership(ofPurchaseOwnedBy: record.customerID, on: record.claim)
        guard let rest = ownership.without(customer) else { return try removeOwner(record, app: app) }
        let others = claims.filter { !names.contains($0.customerID) }
        try settle(record, on: rest, claims: others, app: app, policy: policy)
    }

    /// Removes the owner of a purchase and its refused claims, so a refused customer may claim it again.
    private func removeOwner(_ purchase: PurchaseRecord, app: AppID) throws(StorageError) {
        var purchase = purchase
        purchase.customerID = nil
        purchase.claim = .erased
        try removeClaims(on: purchase.id, app: app)
        try removeRefusedClaims(try refusedClaims(on: [purchase.id], app: app), app: app)
        try forgetConsumption(on: purchase.id, app: app)
        try save(purchase, sharers: [], app: app)
    }
}
