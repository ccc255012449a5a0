import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let grantChecks = [
        ConformanceCheck("a customer's data from one read equals its parts") { database in
            let customer = CustomerRecord(id: Samples.customerID, firstSeenAt: Samples.time(3), stateVersion: 7)
            let products = ["b", "a"].map { ProductID($0) }
            let definition = EntitlementDefinition(id: EntitlementID("pro"), productIDs: products)
            let nothing = try await database.read { storage throws(StorageError) in
                try storage.holdings(of: Samples.customerID, app: Samples.app)
            }
            try expectEqual(nothing, nil, "what an unknown customer has")
            try await database.write { storage throws(StorageError) in
                try storage.save(customer, of: Samples.app)
                try storage.save(definition, of: Samples.app)
                try storage.save(Samples.purchase(OriginalTransactionID("2")), of: Samples.app)
                try storage.save(Samples.purchase(OriginalTransactionID("1")), of: Samples.app)
                try storage.save(grant("gr_1", expiresAt: 9), of: Samples.app)
            }
            let read = try await database.read { storage throws(StorageError) in
                (
                    whole: try storage.holdings(of: Samples.customerID, app: Samples.app),
                    other: try storage.holdings(of: Samples.customerID, app: Samples.otherApp)
                )
            }
            let parts = CustomerHoldings(
                customer: customer,
                purchases: ["1", "2"].map { Samples.purchase(OriginalTransactionID($0)) },
                grants: [grant("gr_1", expiresAt: 9)],
                definitions: [definition]
            )
            try expectEqual(read.whole, parts, "what the customer has")
            try expectEqual(read.other, nil, "what the customer has in another app")
            let inWrite = try await database.write { storage throws(StorageError) in
                try storage.holdings(of: Samples.customerID, app: Samples.app)
            }
            try expectEqual(inWrite, parts, "what a write reads")
        },
        ConformanceCheck("grants are returned by identifier, and only their customer's and app's") { database in
            let full = grant("gr_2", expiresAt: 90, revokedAt: 50, reason: "é'\u{1F600}", isActive: false)
            let plain = grant("gr_1")
            try await database.write { storage throws(StorageError) in
                try storage.save(full, of: Samples.app)
                try storage.save(plain, of: Samples.app)
                try storage.save(grant("gr_3", customer: CustomerID("other")), of: Samples.app)
                try storage.save(grant("gr_4"), of: Samples.otherApp)
            }
            let stored = try await grants(database)
            try expectEqual(stored, [plain, full], "the grants")
            let changed = grant("gr_1", expiresAt: 5)
            try await database.write { storage throws(StorageError) in try storage.save(changed, of: Samples.app) }
            let after = try await grants(database)
            try expectEqual(after, [changed, full], "the grants after a change")
        },
        ConformanceCheck("an app's first row in a table is found by the body that stored it, even after an empty read")
        {
            database in
            let purchase = Samples.purchase(OriginalTransactionID("1"))
            let friend = CustomerID("u_2")
            let (before, after) = try await database.write { storage throws(StorageError) in
                let before = (
                    grants: try storage.grants(of: Samples.customerID, app: Samples.app),
                    shared: try storage.purchases(of: friend, app: Samples.app)
                )
                try storage.save(grant("gr_1"), of: Samples.app)
                try storage.save(purchase, of: Samples.app)
                try storage.share(purchase.id, with: friend, app: Samples.app)
                let after = (
                    grants: try storage.grants(of: Samples.customerID, app: Samples.app),
                    shared: try storage.purchases(of: friend, app: Samples.app)
                )
                return (before, after)
            }
            try expect(before.grants.isEmpty && before.shared.isEmpty, "nothing is there before")
            try expectEqual(after.grants, [grant("gr_1")], "the grants")
            try expectEqual(after.shared.map(\.id), [purchase.id], "what is shared")
        },
        ConformanceCheck("due grants are those that were active and end by then, of all apps, earliest first") {
            database in
            try await database.write { storage throws(StorageError) in
                try storage.save(grant("gr_1", expiresAt: 30), of: Samples.app)
                try storage.save(grant("gr_2", expiresAt: 20), of: Samples.otherApp)
                try storage.save(grant("gr_3", expiresAt: 31), of: Samples.app)
                try storage.save(grant("gr_4", expiresAt: 10, isActive: false), of: Samples.app)
                try storage.save(grant("gr_5"), of: Samples.app)
                try storage.save(grant("gr_6", expiresAt: 90, revokedAt: 25), of: Samples.app)
            }
            let due = try await database.read { storage throws(StorageError) in
                [
                    try storage.dueGrants(until: Samples.time(30), limit: 10).map(\.id.rawValue),
                    try storage.dueGrants(until: Samples.time(30), limit: 1).map(\.id.rawValue),
                    try storage.dueGrants(until: Samples.time(19), limit: 10).map(\.id.rawValue),
                ]
            }
            try expectEqual(due, [["gr_2", "gr_6", "gr_1"], ["gr_2"], []], "what is due")
            let first = try await database.read { storage throws(StorageError) in
                try storage.dueGrants(until: Samples.time(30), limit: 1).first
            }
            let expected = DueGrant(
                appID: Samples.otherApp,
                customerID: Samples.customerID,
                id: GrantID("gr_2"),
                dueAt: Samples.time(20)
            )
            try expectEqual(first, expected, "an entry")
        },
        ConformanceCheck("a request is returned by its key, running or completed, and only its app's") { database in
            let begun = request("k")
            let leased = request("l", leasedAt: 5)
            let answered = request("k", answer: .init(status: 200, body: [0, 255, 10]))
            let empty = request("e", answer: .init(status: 204, body: []))
            try await database.write { storage throws(StorageError) in
                try storage.save(begun, of: Samples.app)
                try storage.save(empty, of: Samples.app)
                try storage.save(leased, of: Samples.app)
            }
            let first = try await request("k", in: Samples.app, database)
            try expectEqual(first, begun, "the request at work")
            try await database.write { storage throws(StorageError) in try storage.save(answered, of: Samples.app) }
            let second = try await request("k", in: Samples.app, database)
            try expectEqual(second, answered, "the answered request")
            let third = try await request("e", in: Samples.app, database)
            try expectEqual(third, empty, "the request answered with nothing")
            let fourth = try await request("l", in: Samples.app, database)
            try expectEqual(fourth, leased, "the running request")
            let foreign = try await request("k", in: Samples.otherApp, database)
            try expectEqual(foreign, nil, "another app's request")
        },
        ConformanceCheck("requests are removed by their key, or by their age, oldest first, and only their app's") {
            database in
            try await database.write { storage throws(StorageError) in
                for (number, key) in ["a", "b", "c", "d"].enumerated() {
                    try storage.save(request(key, startedAt: Int64(number)), of: Samples.app)
                }
                try storage.save(request("a", startedAt: 0), of: Samples.otherApp)
                try storage.removeIdempotencyRecord("a", of: Samples.app)
                try storage.removeIdempotencyRecords(before: Samples.time(3), limit: 1, of: Samples.app)
            }
            var left: [String] = []
            for key in ["a", "b", "c", "d"] {
                if try await request(key, in: Samples.app, database) != nil { left.append(key) }
            }
            try expectEqual(left, ["c", "d"], "what is left")
            let foreign = try await request("a", in: Samples.otherApp, database)
            try expect(foreign != nil, "another app's request is left")
        },
        ConformanceCheck("requests are removed by the customers in their responses, and only their app's") { database in
            let (one, other) = (CustomerID("u_1"), CustomerID("u_2"))
            let named = [("a", [one]), ("b", [other, one]), ("c", [other]), ("d", [])]
            try await database.write { storage throws(StorageError) in
                for (key, customers) in named {
                    try storage.save(request(key, customers: customers), of: Samples.app)
                }
                try storage.save(request("a", customers: [one]), of: Samples.otherApp)
            }
            let stored = try await request("b", in: Samples.app, database)
            try expectEqual(stored?.customers, [other, one], "the customers in the response")
            try await database.write { storage throws(StorageError) in
                try storage.removeIdempotencyRecords(about: one, of: Samples.app)
            }
            var left: [String] = []
            for (key, _) in named {
                if try await request(key, in: Samples.app, database) != nil { left.append(key) }
            }
            try expectEqual(left, ["c", "d"], "what is left")
            let foreign = try await request("a", in: Samples.otherApp, database)
            try expect(foreign != nil, "another app's request is left")
        },
    ]

    private static func grant(
        _ id: String,
        customer: CustomerID = Samples.customerID,
        expiresAt: Int64? = nil,
        revokedAt: Int64? = nil,
        reason: String? = nil,
        isActive: Bool = true
    ) -> GrantRecord {
        let grant = Grant(
            id: GrantID(id),
            entitlementID: EntitlementID("pro"),
            reason: reason,
            grantedAt: Samples.time(1),
            expiresAt: expiresAt.map(Samples.time),
            revokedAt: revokedAt.map(Samples.time)
        )
        return GrantRecord(customerID: customer, state: GrantState(grant: grant, isActive: isActive))
    }

    private static func request(
        _ key: String,
        startedAt: Int64 = 1,
        leasedAt: Int64? = nil,
        answer: IdempotencyRecord.Answer? = nil,
        customers: [CustomerID] = []
    ) -> IdempotencyRecord {
        IdempotencyRecord(
            key: key,
            requestDigest: [1, 0, 2],
            startedAt: Samples.time(startedAt),
            leasedAt: leasedAt.map(Samples.time),
            answer: answer,
            customers: customers
        )
    }

    private static func grants(_ database: any SubscriptionDatabase) async throws -> [GrantRecord] {
        try await database.read { storage throws(StorageError) in
            try storage.grants(of: Samples.customerID, app: Samples.app)
        }
    }

    private static func request(
        _ key: String,
        in app: AppID,
        _ database: any SubscriptionDatabase
    ) async throws -> IdempotencyRecord? {
        try await database.read { storage throws(StorageError) in try storage.idempotencyRecord(key, of: app) }
    }
}
