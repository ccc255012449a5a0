public import SubscriptionCore
public import SubscriptionStorage

/// Destroys the link between a person and what was bought: the evidence stays, and the sums over all events.
public struct Erasure: Sendable {
    /// How many places of the feed are looked at in one transaction.
    private static let eventsPerStep: Int64 = 20_000

    private let database: any SubscriptionDatabase
    private let policy: AccessPolicy

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, policy: AccessPolicy) {
        self.database = database
        self.policy = policy
    }

    /// Erases a customer, under any of their identifiers. One who is not known, or not any more, is erased already.
    ///
    /// The feed is cleaned first, in steps; the link itself goes in one transaction at the end. What is interrupted is
    /// finished by asking again.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func erase(_ name: CustomerID, app: AppID) async throws(OperationError) {
        do {
            var place: Int64 = 0
            while let next = try await cleanStep(name, app: app, after: place) { place = next }
            try await database.write { [policy, place] storage throws(StorageError) in
                guard let customer = try storage.customer(named: name, of: app) else { return }
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
        for purchase in try purchases(of: customer.id, app: app) {
            try letGo(of: purchase.id, from: customer.id, app: app, policy: policy)
        }
        try forgetClaims(of: customer.id, names: names, app: app, policy: policy)
        for name in names {
            for transfer in try transfers(of: name, app: app) {
                var record = transfer
                if record.from == name { record.from = nil }
                if record.to == name { record.to = nil }
                // Nothing can be moved back to or from somebody who is forgotten.
                record.items = []
                record.reason = nil
                try save(record, of: app)
            }
            if name != customer.id { try removeAlias(name, of: app) }
        }
        try removeGrants(of: customer.id, app: app)
        try removeCustomer(customer.id, of: app)
    }

    /// A purchase that others share becomes the first one's of them; else it is nobody's, until somebody submits it.
    private func letGo(
        of id: OriginalTransactionID,
        from customer: CustomerID,
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) {
        try unshare(id, with: customer, app: app)
        guard var purchase = try purchase(id, of: app), purchase.customerID == customer else { return }
        let ownership = try ownership(by: try claims(on: id, app: app), of: id, app: app, policy: policy)
        if let heir = ownership.sharers.first(where: { $0 != customer }) {
            purchase.customerID = heir
            purchase.claim = ownership.sharers.count > 1 ? .shared : .submitted
            try unshare(id, with: heir, app: app)
        } else {
            purchase.customerID = nil
            purchase.claim = .erased
            // What was refused because of somebody who is forgotten may be asked again, as if for the first time.
            try removeClaims(on: id, app: app)
        }
        try save(purchase, of: app)
    }

    /// Forgets a customer's claims. Where another's claim followed from one of them, the others' are kept as what they led
    /// to: nobody gets a purchase because somebody else is forgotten.
    private func forgetClaims(
        of customer: CustomerID,
        names: [CustomerID],
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) {
        var claimed: Set<OriginalTransactionID> = []
        for name in names { claimed.formUnion(try claims(by: name, app: app).map(\.purchaseID)) }
        for purchase in claimed.sorted() {
            let all = try claims(on: purchase, app: app)
            let others = all.filter { !names.contains($0.customerID) }
            let held = try ownership(by: all, of: purchase, app: app, policy: policy)
            let left = try ownership(by: others, of: purchase, app: app, policy: policy)
            let holders = held.holders.filter { $0 != customer }
            guard !holders.isEmpty, left.holders != holders else { continue }
            try removeClaims(on: purchase, app: app)
            for holder in holders {
                for var claim in others.reversed() where try customerID(for: claim.customerID, app: app) == holder {
                    claim.policy = .share
                    try append(claim, of: app)
                    break
                }
            }
        }
        for name in names { try removeClaims(by: name, app: app) }
    }
}

extension ClaimedOwnership {
    /// The owner, and then those who share it.
    fileprivate var holders: [CustomerID] { [owner].compactMap(\.self) + sharers }
}
