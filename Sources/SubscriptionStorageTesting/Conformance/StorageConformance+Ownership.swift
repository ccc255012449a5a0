import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let ownershipChecks = [
        ConformanceCheck("a claim that is appended is stored again, with its transfer policy") { database in
            let claims = [
                claim("u_1", at: 1), claim("u_2", at: 2, .transfer), claim("u_1", at: 3, .share),
                claim("u_2", at: 4, .transferIfInactive),
            ]
            try await database.write { storage throws(StorageError) in
                for claim in claims { try storage.append(claim, of: Samples.app) }
                try storage.insert(claim("u_1", at: 5), of: Samples.app)
            }
            let stored = try await database.read { storage throws(StorageError) in
                [
                    try storage.claims(on: Samples.purchaseID, app: Samples.app),
                    try storage.claims(on: Samples.purchaseID, app: Samples.otherApp),
                ]
            }
            try expectEqual(stored, [claims, []], "the claims, and another app's")
        },
        ConformanceCheck("the strength of a claim is returned") { database in
            let claims = [(true, false), (true, true), (false, false), (false, true)].enumerated().map {
                index,
                counts in
                var claim = claim("u_\(index)", at: Int64(index))
                (claim.outranksToken, claim.isAnonymous) = counts
                return claim
            }
            try await database.write { storage throws(StorageError) in
                for claim in claims { try storage.append(claim, of: Samples.app) }
            }
            let stored = try await database.read { storage throws(StorageError) in
                try storage.claims(on: Samples.purchaseID, app: Samples.app)
            }
            try expectEqual(stored, claims, "the claims")
        },
        ConformanceCheck("a refused claim is returned by purchase and by customer, once, until it is removed") {
            database in
            let other = OriginalTransactionID("2000000000000077")
            let refused = ClaimRefusal.allCases.enumerated().map { index, reason in
                let purchase = index == 0 ? other : Samples.purchaseID
                return RefusedClaim(
                    of: claim("u_\(index % 2)", on: purchase, at: Int64(9 - index), .share),
                    because: reason,
                    droppedBefore: Int64(index)
                )
            }
            try await database.write { storage throws(StorageError) in
                for refused in refused { try storage.save(refused, of: Samples.app) }
                try storage.save(refused[0], of: Samples.otherApp)
            }
            // The last claim of each customer on each purchase.
            let (first, second, third) = (refused[0], refused[2], refused[3])
            try await expectRefused([[third, second], [third, second, first], [third], [second, first]], database)
            try await database.write { storage throws(StorageError) in
                try storage.removeRefusedClaim(on: Samples.purchaseID, by: CustomerID("u_1"), app: Samples.app)
            }
            try await expectRefused([[second], [second, first], [], [second, first]], database)
        },
        ConformanceCheck("many aliases are read at once, of one app") { database in
            let aliases = (0..<70).map { number in
                AliasRecord(
                    id: CustomerID("alias \(number)"),
                    customerID: CustomerID("u_\(number % 3)"),
                    createdAt: Samples.time(Int64(number))
                )
            }
            try await database.write { storage throws(StorageError) in
                for alias in aliases { try storage.save(alias, of: Samples.app) }
            }
            let names = Set(aliases.map(\.id) + [CustomerID("nobody's")])
            let stored = try await database.read { storage throws(StorageError) in
                [
                    try storage.aliases(names, of: Samples.app).sorted { $0.createdAt < $1.createdAt },
                    try storage.aliases(names, of: Samples.otherApp), try storage.aliases([], of: Samples.app),
                ]
            }
            try expectEqual(stored, [aliases, [], []], "the aliases")
        },
        ConformanceCheck("a customer's claims on all purchases are returned in order of time") {
            database in
            let other = OriginalTransactionID("2000000000000077")
            let (late, early) = (claim("u_1", at: 9), claim("u_1", on: other, at: 2, .share))
            try await database.write { storage throws(StorageError) in
                try storage.insert(late, of: Samples.app)
                try storage.insert(claim("u_2", at: 1), of: Samples.app)
                try storage.insert(early, of: Samples.app)
                try storage.insert(claim("u_1", at: 1), of: Samples.otherApp)
            }
            let stored = try await database.read { storage throws(StorageError) in
                try storage.claims(by: CustomerID("u_1"), app: Samples.app)
            }
            try expectEqual(stored, [early, late], "the customer's claims")
        },
        ConformanceCheck("the settings of an app are returned, with the defaults before") { database in
            for policy in TransferPolicy.allCases {
                try await database.write { storage throws(StorageError) in
                    try storage.save(AppSettings(transferPolicy: policy), of: Samples.app)
                }
                let stored = try await database.read { storage throws(StorageError) in
                    [try storage.settings(of: Samples.app), try storage.settings(of: Samples.otherApp)]
                }
                try expectEqual(stored, [AppSettings(transferPolicy: policy), AppSettings()], "the settings")
            }
        },
        ConformanceCheck("a shared purchase is among the purchases of its sharers, once each, until it is unshared") {
            database in
            let (shared, own) = (
                Samples.purchase(nextChangeAt: 30),
                Samples.purchase(OriginalTransactionID("2"), customer: CustomerID("u_2"))
            )
            try await database.write { storage throws(StorageError) in
                try storage.save(shared, of: Samples.app)
                try storage.save(own, of: Samples.app)
                for customer in ["u_2", "u_2", Samples.customerID.rawValue] {
                    try storage.share(shared.id, with: CustomerID(customer), app: Samples.app)
                }
                try storage.share(shared.id, with: CustomerID("u_2"), app: Samples.otherApp)
                try storage.share(OriginalTransactionID("9"), with: CustomerID("u_2"), app: Samples.app)
            }
            try await expectPurchases([[shared], [own, shared].sorted { $0.id < $1.id }, []], database)
            try await database.write { storage throws(StorageError) in
                try storage.unshare(shared.id, with: CustomerID("u_2"), app: Samples.app)
            }
            try await expectPurchases([[shared], [own], []], database)
        },
        ConformanceCheck("the sharers of a purchase are returned by identifier, of that purchase and app alone") {
            database in
            let (purchase, other) = (Samples.purchaseID, OriginalTransactionID("2"))
            try await database.write { storage throws(StorageError) in
                for customer in ["u_3", "u_2", "u_3", "u_4"] {
                    try storage.share(purchase, with: CustomerID(customer), app: Samples.app)
                }
                try storage.share(other, with: CustomerID("u_5"), app: Samples.app)
                try storage.share(purchase, with: CustomerID("u_6"), app: Samples.otherApp)
                try storage.unshare(purchase, with: CustomerID("u_4"), app: Samples.app)
                let seen = try storage.sharers(of: purchase, app: Samples.app).map(\.rawValue)
                guard seen == ["u_2", "u_3"] else { throw StorageError(.corrupt, "\(seen)", isRetryable: false) }
            }
            let stored = try await database.read { storage throws(StorageError) in
                [
                    try storage.sharers(of: purchase, app: Samples.app),
                    try storage.sharers(of: purchase, app: Samples.otherApp),
                    try storage.sharers(of: OriginalTransactionID("3"), app: Samples.app),
                ]
            }
            try expectEqual(stored.map { $0.map(\.rawValue) }, [["u_2", "u_3"], ["u_6"], []], "the sharers")
        },
        ConformanceCheck("transfers are returned for both sides, in order of time") { database in
            let moves = [
                transfer("tr_1", from: "u_1", to: "u_2", at: 2), transfer("tr_2", from: "u_2", to: "u_1", at: 1),
                transfer("tr_3", from: nil, to: "u_1", at: 3), transfer("tr_4", from: "u_3", to: "u_2", at: 0),
            ]
            try await database.write { storage throws(StorageError) in
                for move in moves { try storage.save(move, of: Samples.app) }
                try storage.save(transfer("tr_5", from: "u_1", to: "u_2", at: 4), of: Samples.otherApp)
            }
            let stored = try await database.read { storage throws(StorageError) in
                [
                    try storage.transfers(of: CustomerID("u_1"), app: Samples.app).map(\.id.rawValue),
                    try storage.transfers(of: CustomerID("u_2"), app: Samples.app).map(\.id.rawValue),
                    try storage.transfers(of: CustomerID("u_9"), app: Samples.app).map(\.id.rawValue),
                ]
            }
            try expectEqual(stored, [["tr_2", "tr_1", "tr_3"], ["tr_4", "tr_2", "tr_1"], []], "the transfers")
        },
    ]

    private static func claim(
        _ customer: String,
        on purchase: OriginalTransactionID = Samples.purchaseID,
        at offset: Int64,
        _ policy: TransferPolicy = .keep
    ) -> ClaimRecord {
        ClaimRecord(
            purchaseID: purchase,
            customerID: CustomerID(customer),
            evidenceID: EvidenceID("notification:1"),
            claimedAt: Samples.time(offset),
            policy: policy
        )
    }

    private static func expectRefused(
        _ expected: [[RefusedClaim]],
        _ database: any SubscriptionDatabase
    ) async throws {
        let stored = try await database.read { storage throws(StorageError) in
            [
                try storage.refusedClaims(on: [Samples.purchaseID], app: Samples.app),
                try storage.refusedClaims(
                    on: [Samples.purchaseID, OriginalTransactionID("2000000000000077")],
                    app: Samples.app
                ),
                try storage.refusedClaims(by: [CustomerID("u_1")], app: Samples.app),
                try storage.refusedClaims(by: [CustomerID("u_0"), CustomerID("u_9")], app: Samples.app),
            ]
        }
        try expectEqual(stored, expected, "the refused claims")
    }

    private static func transfer(_ id: String, from: String?, to: String, at offset: Int64) -> TransferRecord {
        TransferRecord(
            id: TransferID(id),
            from: from.map { CustomerID($0) },
            to: CustomerID(to),
            reason: nil,
            items: [TransferRecord.Item(purchaseID: Samples.purchaseID, claim: .shared)],
            createdAt: Samples.time(offset)
        )
    }

    private static func expectPurchases(
        _ expected: [[PurchaseRecord]],
        _ database: any SubscriptionDatabase
    ) async throws {
        let stored = try await database.read { storage throws(StorageError) in
            [
                try storage.purchases(of: Samples.customerID, app: Samples.app),
                try storage.purchases(of: CustomerID("u_2"), app: Samples.app),
                try storage.purchases(of: CustomerID("u_2"), app: Samples.otherApp),
            ]
        }
        try expectEqual(stored, expected, "the purchases of the owner, of the other, and in another app")
    }
}
