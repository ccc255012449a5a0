import Foundation
import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let clockChecks = [
        ConformanceCheck("purchases that were derived after a time are listed page by page") { database in
            try await database.write { storage throws(StorageError) in
                for (id, offset) in [("d", 30), ("a", 10), ("c", 21), ("b", 20)] as [(String, Int64)] {
                    let id = OriginalTransactionID(id)
                    try storage.save(PurchaseRecord(id: id, evaluatedAt: Samples.time(offset)), of: Samples.app)
                }
                let other = PurchaseRecord(id: OriginalTransactionID("e"), evaluatedAt: Samples.time(30))
                try storage.save(other, of: Samples.otherApp)
            }
            try expectEqual(try await derived(after: 9, database), ["a", "b", "c", "d"], "all of them")
            try expectEqual(try await derived(after: 20, database), ["c", "d"], "those derived later")
            try expectEqual(try await derived(after: 9, afterID: "b", database), ["c", "d"], "the next page")
            try expectEqual(try await derived(after: 9, limit: 2, database), ["a", "b"], "a short page")
            try expectEqual(try await derived(after: 30, database), [], "nothing is later than the last")
        },
        ConformanceCheck("grants that were recorded as ended before their time are listed, by their end") { database in
            try await database.write { storage throws(StorageError) in
                try storage.save(grant("late", expires: 40, isActive: false), of: Samples.app)
                try storage.save(grant("early", expires: 30, isActive: false), of: Samples.otherApp)
                try storage.save(grant("over", expires: 20, isActive: false), of: Samples.app)
                try storage.save(grant("running", expires: 40, isActive: true), of: Samples.app)
                try storage.save(grant("revoked", expires: 40, revoked: 10, isActive: false), of: Samples.app)
                try storage.save(grant("endless", expires: nil, isActive: true), of: Samples.app)
            }
            let found = try await database.read { storage throws(StorageError) in
                (
                    try storage.grants(endedBefore: Samples.time(20), limit: 10),
                    try storage.grants(endedBefore: Samples.time(20), limit: 1)
                )
            }
            try expectEqual(found.0.map(\.id.rawValue), ["early", "late"], "the grants")
            try expectEqual(found.0.map(\.appID), [Samples.otherApp, Samples.app], "their apps")
            try expectEqual(found.0.map(\.dueAt), [Samples.time(30), Samples.time(40)], "their ends")
            try expectEqual(found.1.map(\.id.rawValue), ["early"], "the first of them")
        },
        ConformanceCheck("the purpose of the database is stored and can be replaced") { database in
            var purpose = try await database.read { storage throws(StorageError) in try storage.purpose() }
            try expectEqual(purpose, nil, "the purpose of a new database")
            for new: DatabasePurpose in [
                .development(storeRoots: ["ab"]), .development(storeRoots: ["cd", "ab"]), .production,
            ] {
                try await database.write { storage throws(StorageError) in try storage.save(new) }
                purpose = try await database.read { storage throws(StorageError) in try storage.purpose() }
                try expectEqual(purpose, new, "the purpose")
            }
        },
        ConformanceCheck("the latest derivation moves forward, and back only from the expected value") { database in
            func note(_ offset: Int64) async throws {
                try await database.write { storage throws(StorageError) in
                    try storage.noteDerivation(at: Samples.time(offset))
                }
            }
            func lower(from noted: Int64, to offset: Int64) async throws {
                try await database.write { storage throws(StorageError) in
                    try storage.lowerLatestDerivation(from: Samples.time(noted), to: Samples.time(offset))
                }
            }
            func latest() async throws -> Timestamp? {
                try await database.read { storage throws(StorageError) in try storage.latestDerivation() }
            }
            try await lower(from: 20, to: 10)
            try expectEqual(try await latest(), nil, "nothing is recorded")
            try await note(20)
            try expectEqual(try await latest(), Samples.time(20), "the first")
            try await note(10)
            try expectEqual(try await latest(), Samples.time(20), "an earlier one changes nothing")
            try await note(30)
            try expectEqual(try await latest(), Samples.time(30), "a later one")
            try await lower(from: 20, to: 10)
            try expectEqual(try await latest(), Samples.time(30), "another one was recorded meanwhile")
            try await lower(from: 30, to: 10)
            try expectEqual(try await latest(), Samples.time(10), "put back")
        },
        ConformanceCheck("the database's own clock, if it has one, is near this machine's") { database in
            let time = try await database.read { storage throws(StorageError) in try storage.databaseTime() }
            guard let time else { return }
            let now = Int64(Date().timeIntervalSince1970 * 1_000)
            try expect(abs(time.milliseconds - now) < 60_000, "the database's clock is in milliseconds since 1970")
        },
    ]

    private static func derived(
        after offset: Int64,
        afterID id: String? = nil,
        limit: Int = 10,
        _ database: any SubscriptionDatabase
    ) async throws -> [String] {
        try await database.read { storage throws(StorageError) in
            try storage.purchases(
                derivedAfter: Samples.time(offset),
                of: Samples.app,
                after: id.map { OriginalTransactionID($0) },
                limit: limit
            ).map(\.rawValue)
        }
    }

    private static func grant(
        _ id: String,
        expires: Int64?,
        revoked: Int64? = nil,
        isActive: Bool
    ) -> GrantRecord {
        let grant = Grant(
            id: GrantID(id),
            entitlementID: EntitlementID("gold"),
            reason: nil,
            grantedAt: Samples.time(1),
            expiresAt: expires.map { Samples.time($0) },
            revokedAt: revoked.map { Samples.time($0) }
        )
        return GrantRecord(customerID: Samples.customerID, state: GrantState(grant: grant, isActive: isActive))
    }
}
