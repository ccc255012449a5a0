import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let manyFactsChecks = [
        ConformanceCheck("a purchase has all its transactions, in any number and order of arrival") {
            database in
            let facts = (0..<23).map(transaction)
            let orders: [[Int]] = [Array(0..<23), (0..<23).reversed(), (0..<23).map { $0 * 7 % 23 }]
            for (number, order) in orders.enumerated() {
                let purchase = OriginalTransactionID("30000000000000\(number + 10)")
                // One commit for each of the first facts, one for all others.
                for index in order.prefix(11) { try await save([facts[index]], of: purchase, database) }
                try await save(order.dropFirst(11).map { facts[$0] }, of: purchase, database)
                try await expectTransactions(facts, of: purchase, database)
                let changed = facts.map { fact in
                    var fact = fact
                    fact.signedAt = Samples.time(9_000)
                    fact.revocation = Revocation(at: Samples.time(8_000), kind: .refund)
                    return fact
                }
                try await save([changed[2], changed[20]], of: purchase, database)
                var expected = facts
                for index in [2, 20] { expected[index] = changed[index] }
                try await expectTransactions(expected, of: purchase, database)
                try await save(changed, of: purchase, database)
                try await expectTransactions(changed, of: purchase, database)
                let found = try await database.read { storage throws(StorageError) in
                    try [0, 9, 22].map { index throws(StorageError) in
                        try storage.purchases(with: changed[index].id, app: Samples.app)
                    }
                }
                for purchases in found {
                    try expect(purchases.contains(purchase), "each transaction names its purchase")
                }
            }
        },
        ConformanceCheck("a purchase's facts and its state are independent, in any order of saving") {
            database in
            let fact = transaction(1)
            try await save([fact], of: Samples.purchaseID, database)
            let none = try await purchase(database)
            try expectEqual(none, nil, "the record of a purchase of which only facts were saved")
            var record = PurchaseRecord(
                id: Samples.purchaseID,
                customerID: Samples.customerID,
                claim: .submitted,
                evaluatedAt: Samples.time(5)
            )
            try await database.write { [record] storage throws(StorageError) in
                try storage.save(record, of: Samples.app)
            }
            try await expectTransactions([fact], of: Samples.purchaseID, database)
            record.evaluatedAt = Samples.time(6)
            record.customerID = nil
            record.claim = nil
            try await database.write { [record] storage throws(StorageError) in
                try storage.save(.status(Samples.status()), of: Samples.app)
                try storage.save(record, of: Samples.app)
                try storage.save(.renewal(Samples.renewal()), of: Samples.app)
            }
            let stored = try await purchase(database)
            try expectEqual(stored, record, "the record")
            let ledger = try await database.read { storage throws(StorageError) in
                try storage.ledger(of: Samples.purchaseID, app: Samples.app)
            }
            let other = OriginalTransactionID("2000000000000077")
            try await save([transaction(3)], of: other, database)
            try expectEqual(ledger.status, Samples.status(), "the status")
            try expectEqual(ledger.renewal, Samples.renewal(), "the renewal record")
            try expectEqual(ledger.timeline.count, 1, "how many transactions there are")
            let owned = try await database.read { storage throws(StorageError) in
                try storage.purchases(of: Samples.customerID, app: Samples.app)
            }
            try expectEqual(owned, [], "what the customer has")
        },
        ConformanceCheck("a write reads the facts that it saved") { database in
            let facts = (0..<12).map(transaction)
            let counts = try await database.write { storage throws(StorageError) in
                try facts.map { fact throws(StorageError) in
                    try storage.save(.transaction(fact), of: Samples.app)
                    return try storage.ledger(of: Samples.purchaseID, app: Samples.app).timeline.count
                }
            }
            try expectEqual(counts, Array(1...12), "how many transactions there were after each")
        },
        ConformanceCheck("a fact with a zero character is refused when it is saved") { database in
            var fact = transaction(1)
            fact.storefront = "US\0A"
            do {
                try await save([fact], of: Samples.purchaseID, database)
            } catch let error as StorageError {
                try expectEqual(error.code, .failed, "the code of the refusal")
                try await expectTransactions([], of: Samples.purchaseID, database)
                return
            }
            try expect(false, "the fact is refused")
        },
    ]

    /// One of many monthly transactions of a purchase.
    private static func transaction(_ number: Int) -> TransactionFact {
        var fact = number.isMultiple(of: 3) ? Samples.fullTransaction : Samples.transaction()
        fact.id = TransactionID("20000000000\(1_000 + number)")
        fact.purchasedAt = Samples.time(Int64(number) * 100)
        fact.evidence = EvidenceID("notification:00000000-0000-4000-8000-00000000\(1_000 + number)")
        return fact
    }

    private static func save(
        _ facts: [TransactionFact],
        of purchase: OriginalTransactionID,
        _ database: any SubscriptionDatabase
    ) async throws {
        try await database.write { storage throws(StorageError) in
            for fact in facts {
                var fact = fact
                fact.originalID = purchase
                try storage.save(.transaction(fact), of: Samples.app)
            }
        }
    }

    private static func expectTransactions(
        _ facts: [TransactionFact],
        of purchase: OriginalTransactionID,
        _ database: any SubscriptionDatabase
    ) async throws {
        let ledger = try await database.read { storage throws(StorageError) in
            try storage.ledger(of: purchase, app: Samples.app)
        }
        let expected = facts.map { fact in
            var fact = fact
            fact.originalID = purchase
            return fact
        }
        try expectEqual(ledger.timeline, expected, "the transactions of \(purchase)")
    }

    private static func purchase(_ database: any SubscriptionDatabase) async throws -> PurchaseRecord? {
        try await database.read { storage throws(StorageError) in
            try storage.purchase(Samples.purchaseID, of: Samples.app)
        }
    }
}
