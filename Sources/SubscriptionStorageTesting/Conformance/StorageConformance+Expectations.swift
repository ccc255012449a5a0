import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let expectationChecks = [
        ConformanceCheck("expectations of a write change neither what it sees nor what others see") { database in
            try await fill(database)
            let plain = try await database.write { storage throws(StorageError) in try view(storage) }
            let expecting = try await database.write { storage throws(StorageError) in
                try storage.expect([work("known"), work("new"), work("new")])
                return try view(storage)
            }
            try expectEqual(expecting, plain, "what a write sees that expected it")
            let after = try await database.read { storage throws(StorageError) in try view(storage) }
            try expectEqual(after, plain, "what is stored after it")
        },
        ConformanceCheck("a write with expectations sees its own changes, and they are committed") { database in
            try await fill(database)
            let (inserted, seen) = try await database.write { storage throws(StorageError) in
                try storage.expect([work("known"), work("new")])
                let inserted = [
                    try storage.insert(Samples.evidence("known")), try storage.insert(Samples.evidence("new")),
                    try storage.insert(Samples.evidence("new")),
                ]
                try change(storage)
                return (inserted, try view(storage))
            }
            try expectEqual(inserted, [false, true, false], "which inputs were new")
            try expectEqual(seen.newest, Samples.time(9), "the newest statement of a transaction")
            try expectEqual(seen.purchases[named], [moved, unknown], "the purchases of the customer who got one")
            try expectEqual(seen.purchases[Samples.customerID], [], "the purchases of the customer who lost it")
            try expectEqual(seen.versions, [2, 1, nil], "the versions of the customers")
            try expectEqual(seen.grants, ["gr_1", "gr_2"], "the grants")
            try expectEqual(seen.alias, named, "the customer of the alias")
            let stored = try await database.read { storage throws(StorageError) in try view(storage) }
            try expectEqual(stored, seen, "what is stored")
            let inputs = try await database.read { storage throws(StorageError) in
                try storage.evidence(.notification, of: Samples.app, after: 0, limit: 10).map(\.summary?.id.rawValue)
            }
            try expectEqual(inputs, ["known", "new"], "the stored inputs")
        },
        ConformanceCheck("a shared purchase is seen by its sharers with its changes") { database in
            try await fill(database)
            let seen = try await database.write { storage throws(StorageError) in
                try storage.expect([work("new")])
                try storage.share(Samples.purchaseID, with: named, app: Samples.app)
                let shared = try storage.purchases(of: named, app: Samples.app)
                try storage.save(later, of: Samples.app)
                let changed = try storage.purchases(of: named, app: Samples.app)
                try storage.unshare(Samples.purchaseID, with: named, app: Samples.app)
                return [shared, changed, try storage.purchases(of: named, app: Samples.app)]
            }
            try expectEqual(seen, [[Samples.purchase(nextChangeAt: 100)], [later], []], "what is shared")
        },
    ]

    /// The customer of an input.
    private static let named = CustomerID("u_43")
    private static let alias = CustomerID("u_44")
    private static let later = Samples.purchase(nextChangeAt: 200)
    private static let moved = Samples.purchase(customer: named, nextChangeAt: 300)
    private static let unknown = Samples.purchase(OriginalTransactionID("2000000000000009"), customer: named)

    private static func work(_ evidence: String) -> ExpectedWork {
        ExpectedWork(
            evidence: Samples.evidence(evidence),
            purchases: [Samples.purchaseID, unknown.id, Samples.purchaseID],
            customers: [named, alias]
        )
    }

    private static func grant(_ id: String) -> GrantRecord {
        let grant = Grant(
            id: GrantID(id),
            entitlementID: EntitlementID("pro"),
            reason: nil,
            grantedAt: Samples.time(0),
            expiresAt: nil
        )
        return GrantRecord(customerID: Samples.customerID, state: GrantState(grant: grant, isActive: true))
    }

    private static func fill(_ database: any SubscriptionDatabase) async throws {
        try await database.write { storage throws(StorageError) in
            _ = try storage.insert(Samples.evidence("known"))
            try storage.save(.transaction(Samples.transaction()), of: Samples.app)
            try storage.save(.renewal(Samples.fullRenewal), of: Samples.app)
            try storage.save(Samples.purchase(nextChangeAt: 100), of: Samples.app)
            try storage.save(
                CustomerRecord(id: Samples.customerID, firstSeenAt: Samples.time(0), stateVersion: 1),
                of: Samples.app
            )
            try storage.save(grant("gr_1"), of: Samples.app)
        }
    }

    private static func change(_ storage: any StorageWriting) throws(StorageError) {
        let first = CustomerRecord(id: named, firstSeenAt: Samples.time(0), stateVersion: 1)
        try storage.save(.transaction(Samples.transaction(signedAt: 6)), of: Samples.app)
        try storage.save(.transaction(Samples.transaction(signedAt: 9)), of: Samples.app)
        try storage.save(later, of: Samples.app)
        try storage.save(moved, of: Samples.app)
        try storage.save(unknown, of: Samples.app)
        try storage.save(first, of: Samples.app)
        try storage.save(
            CustomerRecord(id: Samples.customerID, firstSeenAt: Samples.time(0), stateVersion: 2),
            of: Samples.app
        )
        try storage.save(grant("gr_2"), of: Samples.app)
        try storage.save(
            AliasRecord(id: alias, customerID: named, createdAt: Samples.time(1)),
            of: Samples.app
        )
    }

    /// The stored data of the expected work.
    private struct View: Equatable, Sendable {
        var newest: Timestamp?
        var renewal: RenewalFact?
        var purchase: PurchaseRecord?
        var purchases: [CustomerID: [PurchaseRecord]] = [:]
        var versions: [Int64?] = []
        var grants: [String] = []
        var alias: CustomerID?
    }

    private static func view(_ storage: any StorageReading) throws(StorageError) -> View {
        var view = View()
        let ledger = try storage.ledger(of: Samples.purchaseID, app: Samples.app)
        view.newest = ledger.timeline.last?.signedAt
        view.renewal = ledger.renewal
        view.purchase = try storage.purchase(Samples.purchaseID, of: Samples.app)
        for customer in [Samples.customerID, named, alias] {
            view.purchases[customer] = try storage.purchases(of: customer, app: Samples.app)
            view.versions.append(try storage.customer(customer, of: Samples.app)?.stateVersion)
        }
        view.grants = try storage.grants(of: Samples.customerID, app: Samples.app).map(\.state.grant.id.rawValue)
        view.alias = try storage.alias(alias, of: Samples.app)?.customerID
        return view
    }
}
