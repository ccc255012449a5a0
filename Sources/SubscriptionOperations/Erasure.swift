public import SubscriptionCore
public import SubscriptionStorage

/// Destroys the link between a person and what was bought: the evidence stays, and the sums over all events.
public struct Erasure: Sendable {
    /// How many places of the feed are looked at in one transaction.
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

    /// Erases a customer, under any of their identifiers. One who is not known, or not any more, is erased already.
    ///
    /// The feed is cleaned first, in steps; the link itself goes in one transaction at the end. What is interrupted is
    /// finished by asking again.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func erase(_ name: CustomerID, app: AppID, by who: Operator) async throws(OperationError) {
        let now = time.now()
        do {
            var place: Int64 = 0
            while let next = try await cleanStep(name, app: app, after: place) { place = next }
            try await database.write { [policy, place] storage throws(StorageError) in
                try storage.audit(.customerErased, .erasedCustomer, by: who, app: app, at: now)
                // What was only asked about somebody is answered again to nobody.
                try storage.removeIdempotencyRecords(about: name, of: app)
                guard let customer = try storage.customer(named: name, of: app) else {
                    // Nothing but claims is known of somebody who was refused: no event names them.
                    let claimant = CustomerRecord(id: name, firstSeenAt: Timestamp(milliseconds: 0), stateVersion: 0)
                    return try storage.erase(claimant, names: [name], app: app, policy: policy)
                }
                let names = [customer.id] + customer.profile.aliases
                try storage.cleanEvents(about: names, app: app, after: place, through: try storage.lastEvent(of: app))
                try storage.erase(customer, names: names, app: app, policy: policy)
            }
        } catch {
            throw OperationError(error)
        }
    }

    /// Cleans some places of the feed, and gives the last one; nil where the customer is not known or the end is near.
    private func cleanStep(_ name: CustomerID, app: AppID, after place: Int64) async throws(StorageError) -> Int64? {
        try await database.write { storage throws(StorageError) in
            guard let customer = try storage.customer(named: name, of: app) else { return nil }
            let end = place + Self.eventsPerStep
            guard try storage.lastEvent(of: app) > end else { return nil }
            let names = [customer.id] + customer.profile.aliases
            try storage.cleanEvents(about: names, app: app, after: place, through: end)
            return end
        }
    }
}

extension StorageWriting {
    /// Takes names out of a stretch of the feed. What happened, and the money of it, stays.
    fileprivate func cleanEvents(
        about names: [CustomerID],
        app: AppID,
        after place: Int64,
        through end: Int64
    ) throws(StorageError) {
        for name in names {
            for var record in try events(about: name, of: app, after: place, through: end) {
                record.customerID = nil
                record.stateVersion = nil
                if record.event.kind == .aliased { record.event.details = nil }
                try save(record, of: app)
            }
        }
    }

    /// Forgets everything that names a customer.
    fileprivate func erase(
        _ customer: CustomerRecord,
        names: [CustomerID],
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) {
        var concerned = Set(try purchases(of: customer.id, app: app).map(\.id))
        for name in names { concerned.formUnion(try claims(by: name, app: app).map(\.purchaseID)) }
        for purchase in concerned.sorted() {
            try letGo(of: purchase, from: customer.id, names: names, app: app, policy: policy)
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
                // Nothing can be moved back to or from somebody who is forgotten.
                record.items = []
                record.reason = nil
                try save(record, of: app)
                transferIDs.append(record.id)
            }
            try removeReceipts(of: name, app: app)
            if name != customer.id { try removeAlias(name, of: app) }
        }
        try forgetInAudit(names, transfers: transferIDs, app: app)
        try removeGrants(of: customer.id, app: app)
        try removeCustomer(customer.id, of: app)
    }

    private func removeRefusedClaims(_ claims: [RefusedClaim], app: AppID) throws(StorageError) {
        for claim in claims { try removeRefusedClaim(on: claim.purchaseID, by: claim.customerID, app: app) }
    }

    /// Forgets a customer's claims on a purchase. What was the customer's becomes the first one's of those who share
    /// it, and else nobody's, until somebody submits it. The others have what they had: nobody gets or loses a purchase
    /// because somebody else is forgotten.
    private func letGo(
        of id: OriginalTransactionID,
        from customer: CustomerID,
        names: [CustomerID],
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) {
        let claims = try claims(on: id, app: app)
        guard let record = try purchase(id, of: app) else { return }
        let ownership = try follow(claims, on: id, app: app, policy: policy).ownership
            .ownership(ofPurchaseOwnedBy: record.customerID, on: record.claim)
        guard let rest = ownership.without(customer) else { return try letLie(record, app: app) }
        let others = claims.filter { !names.contains($0.customerID) }
        try settle(record, on: rest, claims: others, app: app, policy: policy)
    }

    /// A purchase becomes nobody's. What was refused because of somebody who is forgotten may be asked again, as if for
    /// the first time.
    private func letLie(_ purchase: PurchaseRecord, app: AppID) throws(StorageError) {
        var purchase = purchase
        purchase.customerID = nil
        purchase.claim = .erased
        try removeClaims(on: purchase.id, app: app)
        try removeRefusedClaims(try refusedClaims(on: [purchase.id], app: app), app: app)
        try save(purchase, sharers: [], app: app)
    }
}
