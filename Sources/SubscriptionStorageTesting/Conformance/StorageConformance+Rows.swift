import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let rowChecks = [
        ConformanceCheck("all evidence of an app is read in the order of commits, page by page, with its bytes") {
            database in
            let kinds: [EvidenceRecord.Kind] = [.notification, .transaction, .renewal, .transaction]
            let long = [UInt8](repeating: UInt8(ascii: "x"), count: 5_000) + Array(".a.b".utf8)
            let records = kinds.enumerated().map { number, kind in
                let bytes = number % 2 == 0 ? long : Array("other.payload.signature".utf8)
                return Samples.evidence("x:\(9 - number)", kind: kind, bytes: bytes)
            }
            let foreign = Samples.evidence("x:1", app: Samples.otherApp)
            try await database.write { storage throws(StorageError) in
                for record in records + [foreign] { _ = try storage.insert(record) }
            }
            var read: [SequencedEvidence] = []
            while read.count < records.count {
                let last = read.last?.sequence ?? 0
                let page = try await database.read { storage throws(StorageError) in
                    try storage.evidence(of: Samples.app, after: last, limit: 3)
                }
                try expect(!page.isEmpty, "there is a next page")
                read += page
            }
            try expectEqual(read.map(\.sequence), [1, 2, 3, 4], "the sequence numbers")
            try expectEqual(read.map(\.record), records, "the inputs")
            let rest = try await database.read { storage throws(StorageError) in
                try storage.evidence(of: Samples.app, after: 4, limit: 3)
            }
            try expect(rest.isEmpty, "nothing comes after the last")
        },
        ConformanceCheck("purchases are read as they are stored, page by page, with facts, claims and sharers") {
            database in
            let ids = (1...3).map { OriginalTransactionID("300000000000000\($0)") }
            let facts = (0..<14).map { transaction($0, of: ids[0]) }
            let record = PurchaseRecord(
                id: ids[0],
                customerID: Samples.customerID,
                claim: .shared,
                evaluatedAt: Samples.time(5)
            )
            let claim = ClaimRecord(
                purchaseID: ids[1],
                customerID: Samples.customerID,
                evidenceID: EvidenceID("x:1"),
                claimedAt: Samples.time(4)
            )
            try await database.write { storage throws(StorageError) in
                for fact in facts { try storage.save(.transaction(fact), of: Samples.app) }
                try storage.save(record, of: Samples.app)
                try storage.share(ids[0], with: CustomerID("u_1"), app: Samples.app)
                try storage.save(.transaction(transaction(1, of: ids[1])), of: Samples.app)
                try storage.insert(claim, of: Samples.app)
                try storage.save(.status(Samples.status(of: ids[2])), of: Samples.app)
                try storage.save(.status(Samples.status(of: ids[2])), of: Samples.otherApp)
            }
            let pages = try await database.read { storage throws(StorageError) in
                [
                    try storage.purchaseRows(of: Samples.app, after: nil, limit: 2),
                    try storage.purchaseRows(of: Samples.app, after: ids[1], limit: 2),
                    try storage.purchaseRows(of: Samples.app, after: ids[2], limit: 2),
                ]
            }
            try expectEqual(pages.map { $0.map(\.id) }, [[ids[0], ids[1]], [ids[2]], []], "the pages")
            let ledgers = try await database.read { storage throws(StorageError) in
                try storage.ledgers(of: ids, app: Samples.app)
            }
            try expectEqual(ledgers[ids[0]]?.timeline.count, facts.count, "the transactions of the first purchase")
            for row in pages.joined() {
                try expect(row.isReadable, "each row can be read")
                try expectEqual(row.ledger, ledgers[row.id], "the facts of \(row.id)")
            }
            try expectEqual(pages[0].map(\.record), [record, nil], "the records")
            try expectEqual(pages[0].map(\.sharers), [[CustomerID("u_1")], []], "the sharers")
            try expectEqual(pages[0].map(\.claims), [[], [claim]], "the claims")
        },
        ConformanceCheck("removed facts can be stored again, and the owner stays") { database in
            let facts = (0..<14).map { transaction($0, of: Samples.purchaseID) }
            let record = PurchaseRecord(
                id: Samples.purchaseID,
                customerID: Samples.customerID,
                claim: .submitted,
                evaluatedAt: Samples.time(5)
            )
            try await database.write { storage throws(StorageError) in
                for fact in facts { try storage.save(.transaction(fact), of: Samples.app) }
                try storage.save(.renewal(Samples.renewal()), of: Samples.app)
                try storage.save(record, of: Samples.app)
            }
            let ledger = try await database.write { storage throws(StorageError) in
                let stored = try storage.ledger(of: Samples.purchaseID, app: Samples.app)
                try storage.removeFacts(stored, clearsState: false, of: Samples.app)
                try storage.save(.transaction(facts[3]), of: Samples.app)
                return try storage.ledger(of: Samples.purchaseID, app: Samples.app)
            }
            let after = try await database.read { storage throws(StorageError) in
                (
                    ledger: try storage.ledger(of: Samples.purchaseID, app: Samples.app),
                    record: try storage.purchase(Samples.purchaseID, of: Samples.app),
                    removed: try storage.purchases(with: facts[4].id, app: Samples.app),
                    kept: try storage.purchases(with: facts[3].id, app: Samples.app)
                )
            }
            try expectEqual(ledger.timeline, [facts[3]], "the facts in the same transaction")
            try expectEqual(after.ledger, ledger, "the facts after the commit")
            try expectEqual(after.record, record, "the record")
            try expectEqual(after.removed, [], "the purchases of a removed transaction")
            try expectEqual(after.kept, [Samples.purchaseID], "the purchases of a stored transaction")
        },
        ConformanceCheck("evidence is found by its purchase after it was linked again") { database in
            var record = Samples.evidence("x:1")
            record.purchaseID = Samples.purchaseID
            let found = try await database.write { [record] storage throws(StorageError) in
                _ = try storage.insert(record)
                try storage.relink(1, to: Samples.purchaseID, app: Samples.app)
                return try storage.evidence(about: Samples.purchaseID, of: Samples.app, after: 0, limit: 9)
            }
            try expectEqual(found.map(\.record), [record], "the evidence about the purchase")
        },
    ]

    private static func transaction(_ number: Int, of purchase: OriginalTransactionID) -> TransactionFact {
        var fact = Samples.transaction("40000000000000\(10 + number)", of: purchase)
        fact.purchasedAt = Samples.time(Int64(number) * 100)
        return fact
    }
}
