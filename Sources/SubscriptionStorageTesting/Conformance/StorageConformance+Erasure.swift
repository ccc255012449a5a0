import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let erasureChecks = [
        ConformanceCheck("events about a customer are found by sequence number, and can be replaced") { database in
            let customers = ["u_1", "u_2", "u_1"].map {
                CustomerRecord(id: CustomerID($0), firstSeenAt: Samples.time(0), stateVersion: 4)
            }
            try await database.write { storage throws(StorageError) in
                for customer in customers {
                    try storage.append(
                        [Samples.event, Samples.fullEvent],
                        customer: customer,
                        recordedAt: Samples.time(1),
                        app: Samples.app
                    )
                }
                try storage.append([Samples.event], customer: nil, recordedAt: Samples.time(1), app: Samples.app)
            }
            try await expectSequences([1, 2, 5, 6], after: 0, through: 7, database)
            try await expectSequences([2, 5], after: 1, through: 5, database)
            try await database.write { storage throws(StorageError) in
                for var record in try storage.events(about: CustomerID("u_1"), of: Samples.app, after: 1, through: 9) {
                    record.customerID = nil
                    record.stateVersion = nil
                    record.event.details = ["left": "é"]
                    try storage.save(record, of: Samples.app)
                }
                var lost = EventRecord(
                    sequence: 99,
                    customerID: nil,
                    stateVersion: nil,
                    recordedAt: Samples.time(1),
                    event: Samples.event
                )
                try storage.save(lost, of: Samples.app)
                lost.sequence = 1
                try storage.save(lost, of: Samples.otherApp)
            }
            try await expectSequences([1], after: 0, through: 9, database)
            let events = try await database.read { storage throws(StorageError) in
                try storage.events(of: Samples.app, after: 0, limit: 20)
            }
            try expectEqual(events.map(\.sequence), [1, 2, 3, 4, 5, 6, 7], "the sequence numbers")
            try expectEqual(
                events.map { $0.event.details?["left"] },
                [nil, "é", nil, nil, "é", "é", nil],
                "what changed"
            )
            try expectEqual(
                events.map(\.event.price),
                [nil, Samples.fullEvent.price, nil, Samples.fullEvent.price, nil, Samples.fullEvent.price, nil],
                "the money"
            )
        },
        ConformanceCheck("claims are removed by customer or by purchase, and no others") { database in
            let (first, second) = (Samples.purchaseID, OriginalTransactionID("2000000000000077"))
            try await database.write { storage throws(StorageError) in
                for app in [Samples.app, Samples.otherApp] {
                    for purchase in [first, second] {
                        for name in ["u_1", "u_2"] { try storage.insert(claim(name, on: purchase), of: app) }
                    }
                }
                try storage.removeClaims(by: CustomerID("u_1"), app: Samples.app)
                try storage.removeClaims(on: second, app: Samples.app)
                try storage.insert(claim("u_3", on: second), of: Samples.app)
            }
            let left = try await database.read { storage throws(StorageError) in
                var left: [[String]] = []
                for app in [Samples.app, Samples.otherApp] {
                    for purchase in [first, second] {
                        left.append(try storage.claims(on: purchase, app: app).map(\.customerID.rawValue))
                    }
                }
                return left
            }
            try expectEqual(left, [["u_2"], ["u_3"], ["u_1", "u_2"], ["u_1", "u_2"]], "the claims that are left")
        },
        ConformanceCheck("signing keys are returned oldest first, and can be retired") { database in
            var keys = [("b", 1), ("a", 1), ("c", 0)].map { id, offset in
                SigningKeyRecord(
                    id: id,
                    privateKey: [0, 255],
                    publicKey: [1, 0, 254],
                    createdAt: Samples.time(Int64(offset))
                )
            }
            let made = keys
            try await database.write { storage throws(StorageError) in for key in made { try storage.save(key) } }
            try await expectKeys([made[2], made[1], made[0]], database)
            keys[1].privateKey = nil
            keys[1].retiredAt = Samples.time(5)
            let retired = keys[1]
            try await database.write { storage throws(StorageError) in try storage.save(retired) }
            try await expectKeys([made[2], retired, made[0]], database)
        },
    ]

    private static func claim(_ customer: String, on purchase: OriginalTransactionID) -> ClaimRecord {
        ClaimRecord(
            purchaseID: purchase,
            customerID: CustomerID(customer),
            evidenceID: EvidenceID("notification:1"),
            claimedAt: Samples.time(1)
        )
    }

    private static func expectSequences(
        _ sequences: [Int64],
        after sequence: Int64,
        through end: Int64,
        _ database: any SubscriptionDatabase
    ) async throws {
        let stored = try await database.read { storage throws(StorageError) in
            try storage.events(about: CustomerID("u_1"), of: Samples.app, after: sequence, through: end)
        }
        try expectEqual(stored.map(\.sequence), sequences, "the customer's sequence numbers")
        let last = try await database.read { storage throws(StorageError) in
            [try storage.lastEvent(of: Samples.app), try storage.lastEvent(of: Samples.otherApp)]
        }
        try expectEqual(last, [7, 0], "the last sequence number, and another app's")
    }

    private static func expectKeys(_ keys: [SigningKeyRecord], _ database: any SubscriptionDatabase) async throws {
        let stored = try await database.read { storage throws(StorageError) in try storage.signingKeys() }
        try expectEqual(stored, keys, "the keys")
    }
}
