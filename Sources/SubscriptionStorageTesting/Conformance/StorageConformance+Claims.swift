import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let claimChecks = [
        ConformanceCheck("claims on a purchase are returned in the order of commits, and never change") { database in
            let claims = [claim("u_2", "b", at: 3), claim("u_1", "a", at: 9), claim("u_2", "a", at: 1)]
            for claim in claims { try await insert(claim, database) }
            let stored = try await storedClaims(database)
            try expectEqual(stored, claims, "the claims")
        },
        ConformanceCheck("a repeated claim is stored once, as it was first made") { database in
            let first = claim("u_1", "a", at: 1)
            try await insert(first, database)
            try await insert(claim("u_1", "a", at: 2), database)
            let stored = try await storedClaims(database)
            try expectEqual(stored, [first], "the claims")
        },
        ConformanceCheck("a transfer is returned completely, done or undone, and only its app's") { database in
            let items = ([nil] + OwnershipBasis.allCases).enumerated().map { number, claim in
                TransferRecord.Item(purchaseID: OriginalTransactionID("é\(number)\""), claim: claim)
            }
            let done = TransferRecord(
                id: TransferID("tr_1"),
                from: CustomerID("a"),
                to: CustomerID("b"),
                reason: nil,
                items: items,
                createdAt: Samples.time(1)
            )
            var undone = done
            undone.reason = "a mistake"
            undone.undoneAt = Samples.time(2)
            var linked = done
            linked.from = nil
            for record in [done, undone, linked] {
                try await database.write { storage throws(StorageError) in try storage.save(record, of: Samples.app) }
                let stored = try await database.read { storage throws(StorageError) in
                    [
                        try storage.transfer(record.id, of: Samples.app),
                        try storage.transfer(record.id, of: Samples.otherApp),
                    ]
                }
                try expectEqual(stored, [record, nil], "the transfer, and another app's")
            }
        },
        ConformanceCheck("claims of one purchase, or of one app, never show in another's") { database in
            let other = OriginalTransactionID("2000000000000077")
            try await insert(claim("u_1", "a", on: other, at: 1), database)
            try await insert(claim("u_1", "a", at: 1), app: Samples.otherApp, database)
            let stored = try await storedClaims(database)
            try expect(stored.isEmpty, "nobody claimed the purchase")
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

    private static func storedClaims(_ database: any SubscriptionDatabase) async throws -> [ClaimRecord] {
        try await database.read { storage throws(StorageError) in
            try storage.claims(on: Samples.purchaseID, app: Samples.app)
        }
    }
}
