import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let claimChecks = [
        ConformanceCheck("claims on a purchase come back in the order of commits, and never change") { database in
            let claims = [claim("u_2", "b", at: 3), claim("u_1", "a", at: 9), claim("u_2", "a", at: 1)]
            for claim in claims { try await insert(claim, database) }
            let held = try await held(database)
            try expectEqual(held, claims, "the claims")
        },
        ConformanceCheck("a claim that is made again is kept once, as it was first made") { database in
            let first = claim("u_1", "a", at: 1)
            try await insert(first, database)
            try await insert(claim("u_1", "a", at: 2), database)
            let held = try await held(database)
            try expectEqual(held, [first], "the claims")
        },
        ConformanceCheck("claims of one purchase, or of one app, never show in another's") { database in
            let other = OriginalTransactionID("2000000000000077")
            try await insert(claim("u_1", "a", on: other, at: 1), database)
            try await insert(claim("u_1", "a", at: 1), app: Samples.otherApp, database)
            let held = try await held(database)
            try expect(held.isEmpty, "nobody claimed the purchase")
        },
    ]

    private static func claim(
        _ customer: String,
        _ evidence: String,
        on purchase: OriginalTransactionID = Samples.purchaseID,
        at offset: Int64
    ) -> ClaimRecord {
        ClaimRecord(
            purchaseID: purchase,
            customerID: CustomerID(customer),
            evidenceID: EvidenceID(evidence),
            claimedAt: Samples.time(offset)
        )
    }

    private static func insert(
        _ claim: ClaimRecord,
        app: AppID = Samples.app,
        _ database: any SubscriptionDatabase
    ) async throws {
        try await database.write { storage throws(StorageError) in try storage.insert(claim, of: app) }
    }

    private static func held(_ database: any SubscriptionDatabase) async throws -> [ClaimRecord] {
        try await database.read { storage throws(StorageError) in
            try storage.claims(on: Samples.purchaseID, app: Samples.app)
        }
    }
}
