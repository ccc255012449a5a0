import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let aliasChecks = [
        ConformanceCheck("an alias is returned by its identifier, only its app's, and can be replaced and removed") {
            database in
            let first = alias("caf\u{E9}", of: "u_1")
            let moved = alias("caf\u{E9}", of: "u_2")
            try await database.write { storage throws(StorageError) in try storage.save(first, of: Samples.app) }
            try await expectAliases(first, nil, database)
            try await database.write { storage throws(StorageError) in try storage.save(moved, of: Samples.app) }
            try await expectAliases(moved, nil, database)
            try await database.write { storage throws(StorageError) in
                try storage.removeAlias(first.id, of: Samples.otherApp)
                try storage.removeAlias(CustomerID("cafe\u{301}"), of: Samples.app)
            }
            try await expectAliases(moved, nil, database)
            try await database.write { storage throws(StorageError) in
                try storage.removeAlias(first.id, of: Samples.app)
            }
            try await expectAliases(nil, nil, database)
        },
        ConformanceCheck("the profile of a customer is returned with it, alone and in a page") { database in
            let attribute = CustomerProfile.Attribute(value: "é'\u{1F600}\"", setAt: Samples.time(3))
            var full = customer("u_1")
            full.profile = CustomerProfile(
                aliases: [CustomerID("a\""), CustomerID("b")],
                attributes: ["plan": attribute, "z": .init(value: "", setAt: Samples.time(4))]
            )
            let withProfile = full
            let plain = customer("u_2")
            for records in [[withProfile, plain], [customer("u_1"), plain]] {
                try await database.write { storage throws(StorageError) in
                    for record in records { try storage.save(record, of: Samples.app) }
                }
                let stored = try await database.read { storage throws(StorageError) in
                    try storage.customers(of: Samples.app, after: nil, limit: 10)
                        + [try storage.customer(CustomerID("u_1"), of: Samples.app)].compactMap(\.self)
                }
                try expectEqual(stored, records + records.prefix(1), "the customers")
            }
        },
        ConformanceCheck("a customer and a customer's grants are removed, and no others") { database in
            let grants = ["u_1", "u_2"].map { name in
                let grant = Grant(
                    id: GrantID("gr_1"),
                    entitlementID: EntitlementID("pro"),
                    reason: nil,
                    grantedAt: Samples.time(1),
                    expiresAt: Samples.time(9)
                )
                return GrantRecord(customerID: CustomerID(name), state: GrantState(grant: grant, isActive: true))
            }
            try await database.write { storage throws(StorageError) in
                for app in [Samples.app, Samples.otherApp] {
                    for grant in grants {
                        try storage.save(grant, of: app)
                        try storage.save(customer(grant.customerID.rawValue), of: app)
                    }
                }
                try storage.removeGrants(of: CustomerID("u_1"), app: Samples.app)
                try storage.removeCustomer(CustomerID("u_1"), of: Samples.app)
            }
            let left = try await database.read { storage throws(StorageError) in
                var left: [String] = []
                for app in [Samples.app, Samples.otherApp] {
                    left += try storage.customers(of: app, after: nil, limit: 10).map(\.id.rawValue)
                    for name in ["u_1", "u_2"] {
                        left += try storage.grants(of: CustomerID(name), app: app).map { "grant of \($0.customerID)" }
                    }
                }
                return left
            }
            let own = ["u_2", "grant of u_2"]
            let foreign = ["u_1", "u_2", "grant of u_1", "grant of u_2"]
            try expectEqual(left, own + foreign, "what is left")
            let due = try await database.read { storage throws(StorageError) in
                try storage.dueGrants(until: Samples.time(9), limit: 10).count
            }
            try expectEqual(due, 3, "what is due")
        },
    ]

    private static func alias(_ id: String, of customer: String) -> AliasRecord {
        AliasRecord(id: CustomerID(id), customerID: CustomerID(customer), createdAt: Samples.time(1))
    }

    private static func customer(_ id: String) -> CustomerRecord {
        CustomerRecord(id: CustomerID(id), firstSeenAt: Samples.time(0), stateVersion: 3)
    }

    private static func expectAliases(
        _ own: AliasRecord?,
        _ foreign: AliasRecord?,
        _ database: any SubscriptionDatabase
    ) async throws {
        let stored = try await database.read { storage throws(StorageError) in
            [
                try storage.alias(CustomerID("caf\u{E9}"), of: Samples.app),
                try storage.alias(CustomerID("caf\u{E9}"), of: Samples.otherApp),
            ]
        }
        try expectEqual(stored, [own, foreign], "the alias, and another app's")
    }
}
