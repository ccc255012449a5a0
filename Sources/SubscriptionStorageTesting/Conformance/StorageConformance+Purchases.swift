import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let purchaseChecks = [
        ConformanceCheck("a purchase is returned with owner, claim and state, or without any of them") { database in
            var claimed = Samples.purchase(nextChangeAt: 100)
            try await expectRoundTrip(claimed, database)
            claimed.claim = .accountToken
            claimed.appTransactionID = "704289572311513293"
            claimed.state = Samples.oneTimeState
            try await expectRoundTrip(claimed, database)
            try await expectRoundTrip(
                PurchaseRecord(id: Samples.purchaseID, evaluatedAt: Samples.time(8)),
                database
            )
            let unknown = try await database.read { storage throws(StorageError) in
                try storage.purchase(OriginalTransactionID("none"), of: Samples.app)
            }
            try expectEqual(unknown, nil, "a purchase that is not there")
        },
        ConformanceCheck("a customer's purchases are listed by identifier, and follow a new owner") { database in
            let first = Samples.purchase(OriginalTransactionID("1"))
            let second = Samples.purchase(OriginalTransactionID("2"))
            let foreign = Samples.purchase(OriginalTransactionID("3"), customer: CustomerID("u_43"))
            let nobody = Samples.purchase(OriginalTransactionID("4"), customer: nil)
            try await save([second, first, foreign, nobody], database)
            let before = try await purchases(of: Samples.customerID, database)
            try expectEqual(before, [first, second], "the purchases of the customer")
            var moved = second
            moved.customerID = CustomerID("u_43")
            try await save([moved], database)
            let after = try await purchases(of: Samples.customerID, database)
            try expectEqual(after, [first], "the purchases of the first customer after one moved")
            let others = try await purchases(of: CustomerID("u_43"), database)
            try expectEqual(others, [moved, foreign], "the purchases of the second customer after one moved")
        },
        ConformanceCheck("purchases are found by their app transaction, in one app") { database in
            let ids = ["3", "1", "2", "4"].map { OriginalTransactionID($0) }
            var bought = ids.map { Samples.purchase($0, customer: $0.rawValue == "2" ? nil : Samples.customerID) }
            for index in 0..<3 { bought[index].appTransactionID = "a" }
            try await save(bought, database)
            try await save([bought[0]], app: Samples.otherApp, database)
            let first = try await purchases(ofAppTransaction: "a", database)
            try expectEqual(first, [bought[1], bought[2], bought[0]], "the account's purchases")
            bought[0].appTransactionID = "b"
            let renamed = bought[0]
            // A transaction finds what it has saved.
            let found = try await database.write { storage throws(StorageError) in
                try storage.save(renamed, of: Samples.app)
                return try storage.purchases(ofAppTransaction: "b", app: Samples.app)
            }
            try expectEqual(found, [renamed], "the purchases of the other account")
            let left = try await purchases(ofAppTransaction: "a", database)
            try expectEqual(left, [bought[1], bought[2]], "what is left to the first account")
            let none = try await purchases(ofAppTransaction: "c", database)
            try expectEqual(none, [], "the purchases of an account that bought nothing")
        },
        ConformanceCheck("a customer is returned as saved, and under no other spelling of the identifier") { database in
            let composed = CustomerRecord(id: CustomerID("caf\u{E9}"), firstSeenAt: Samples.time(1), stateVersion: 1)
            let other = CustomerRecord(id: CustomerID("cafe\u{301}"), firstSeenAt: Samples.time(2), stateVersion: 9)
            try await database.write { storage throws(StorageError) in
                try storage.save(composed, of: Samples.app)
                try storage.save(other, of: Samples.app)
            }
            var newer = composed
            newer.stateVersion = 2
            try await database.write { [newer] storage throws(StorageError) in try storage.save(newer, of: Samples.app)
            }
            let stored = try await database.read { storage throws(StorageError) in
                [
                    try storage.customer(composed.id, of: Samples.app), try storage.customer(other.id, of: Samples.app),
                    try storage.customer(CustomerID("CAF\u{C9}"), of: Samples.app),
                    try storage.customer(composed.id, of: Samples.otherApp),
                ]
            }
            try expectEqual(stored, [newer, other, nil, nil], "the customers")
        },
        ConformanceCheck("due purchases of all apps are ordered by time, up to the time and the limit") { database in
            try await save([purchase("b", due: 20), purchase("a", due: 30), purchase("c", due: 31)], database)
            try await save([purchase("a", due: 20), purchase("0", due: 10)], app: Samples.otherApp, database)
            try await save([Samples.purchase(OriginalTransactionID("never"))], database)
            let all = try await due(until: 30, limit: 100, database)
            let expected = [
                entry("0", Samples.otherApp, 10), entry("b", Samples.app, 20), entry("a", Samples.otherApp, 20),
                entry("a", Samples.app, 30),
            ]
            try expectEqual(all, expected, "what is due")
            let two = try await due(until: 30, limit: 2, database)
            try expectEqual(two, Array(expected.prefix(2)), "what is due first")
            let none = try await due(until: 9, limit: 100, database)
            try expect(none.isEmpty, "nothing is due before the first time")
        },
        ConformanceCheck("a purchase that was evaluated again is due at its new time, or not at all") { database in
            try await save([purchase("a", due: 20), purchase("b", due: 20)], database)
            try await save([purchase("a", due: 40), Samples.purchase(OriginalTransactionID("b"))], database)
            let early = try await due(until: 39, limit: 100, database)
            try expect(early.isEmpty, "nothing is due at the old time")
            let late = try await due(until: 40, limit: 100, database)
            try expectEqual(late, [entry("a", Samples.app, 40)], "what is due at the new time")
        },
    ]

    private static func purchase(_ id: String, due offset: Int64) -> PurchaseRecord {
        Samples.purchase(OriginalTransactionID(id), nextChangeAt: offset)
    }

    private static func entry(_ id: String, _ app: AppID, _ offset: Int64) -> DuePurchase {
        DuePurchase(appID: app, id: OriginalTransactionID(id), dueAt: Samples.time(offset))
    }

    private static func save(
        _ purchases: [PurchaseRecord],
        app: AppID = Samples.app,
        _ database: any SubscriptionDatabase
    ) async throws {
        try await database.write { storage throws(StorageError) in
            for purchase in purchases { try storage.save(purchase, of: app) }
        }
    }

    private static func expectRoundTrip(_ record: PurchaseRecord, _ database: any SubscriptionDatabase) async throws {
        try await save([record], database)
        let stored = try await database.read { storage throws(StorageError) in
            try storage.purchase(record.id, of: Samples.app)
        }
        try expectEqual(stored, record, "the purchase")
    }

    private static func purchases(
        of customer: CustomerID,
        _ database: any SubscriptionDatabase
    ) async throws -> [PurchaseRecord] {
        try await database.read { storage throws(StorageError) in
            try storage.purchases(of: customer, app: Samples.app)
        }
    }

    private static func purchases(
        ofAppTransaction id: String,
        _ database: any SubscriptionDatabase
    ) async throws -> [PurchaseRecord] {
        try await database.read { storage throws(StorageError) in
            try storage.purchases(ofAppTransaction: id, app: Samples.app)
        }
    }

    private static func due(
        until offset: Int64,
        limit: Int,
        _ database: any SubscriptionDatabase
    ) async throws -> [DuePurchase] {
        try await database.read { storage throws(StorageError) in
            try storage.duePurchases(until: Samples.time(offset), limit: limit)
        }
    }
}
