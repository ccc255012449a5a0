import Foundation
import GRDB
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import SubscriptionStorageSQLite
import Testing

/// A purchase whose row has bytes that this version cannot read. Both engines do the same with its inputs.
@Suite struct `A purchase that cannot be read` {
    enum Engine: String, CaseIterable {
        case sqlite
        case postgresql

        /// A new database, and how to run SQL in it.
        func open(
            in folder: URL
        ) async throws -> (database: any SubscriptionDatabase, run: @Sendable (String) async throws -> Void) {
            switch self {
            case .sqlite:
                let path = folder.appendingPathComponent("test.db").path
                let database = try SQLiteDatabase.open(path: path)
                return (
                    database,
                    { statement in
                        let queue = try DatabaseQueue(path: path)
                        try await queue.write { db in try db.execute(sql: statement) }
                        try queue.close()
                    }
                )
            case .postgresql:
                let fixture = try PostgreSQLFixture()
                return (try await fixture.open(), { statement in _ = try fixture.run(statement) })
            }
        }

        /// Bytes that are no stored form.
        var damage: String {
            switch self {
            case .sqlite: "x'ff00'"
            case .postgresql: "'\\xff00'"
            }
        }
    }

    private static let app = PostgreSQLFixture.app
    private static let customer = CustomerID("u_1")
    private static let damaged = OriginalTransactionID("1")
    private static let other = OriginalTransactionID("2")

    private static func fact(of purchase: OriginalTransactionID) -> TransactionFact {
        TransactionFact(
            id: TransactionID(purchase.rawValue),
            originalID: purchase,
            productID: ProductID("pro"),
            kind: .nonConsumable,
            purchasedAt: Timestamp(milliseconds: 1),
            originallyPurchasedAt: Timestamp(milliseconds: 1),
            signedAt: Timestamp(milliseconds: 1),
            evidence: EvidenceID("notification:\(purchase.rawValue)")
        )
    }

    private static func input(_ number: Int, about purchase: OriginalTransactionID) -> ExpectedWork {
        var evidence = PostgreSQLFixture.evidence(number)
        evidence.purchaseID = purchase
        return ExpectedWork(evidence: evidence, purchases: [purchase], customers: [customer])
    }

    /// Stores an input about a purchase as a server does.
    ///
    /// - Returns: Whether it is new.
    private static func store(_ input: ExpectedWork, in storage: any StorageWriting) throws(StorageError) -> Bool {
        guard try storage.insert(input.evidence) else { return false }
        for purchase in input.purchases {
            var ledger = try storage.ledger(of: purchase, app: app)
            let fact = Fact.transaction(fact(of: purchase))
            ledger.join(fact)
            try storage.save(fact, of: app)
            var record =
                try storage.purchase(purchase, of: app)
                ?? PurchaseRecord(id: purchase, evaluatedAt: Timestamp(milliseconds: 2))
            (record.customerID, record.claim) = (customer, .accountToken)
            record.state = ledger.state(at: record.evaluatedAt, policy: AccessPolicy())
            try storage.save(record, of: app)
        }
        return true
    }

    private static func take(
        _ inputs: [ExpectedWork],
        _ database: any SubscriptionDatabase
    ) async throws -> [Bool] {
        try await database.write { storage throws(StorageError) in
            try storage.expect(inputs)
            var isNew: [Bool] = []
            for input in inputs { isNew.append(try Self.store(input, in: storage)) }
            return isNew
        }
    }

    @Test(arguments: Engine.allCases, ["facts", "state"])
    func `does not hide that its input is held, and only a new input fails`(
        engine: Engine,
        column: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let (database, run) = try await engine.open(in: folder)
            let held = Self.input(1, about: Self.damaged)
            #expect(try await Self.take([held], database) == [true])
            try await run(
                """
                UPDATE purchases SET \(column) = \(engine.damage)
                WHERE original_transaction_id = '\(Self.damaged.rawValue)'
                """
            )
            #expect(try await Self.take([held], database) == [false])
            // An input about another purchase of the customer is stored in the same commit.
            let rest = Self.input(2, about: Self.other)
            #expect(try await Self.take([held, rest], database) == [false, true])

            let new = Self.input(3, about: Self.damaged)
            let error = await #expect(throws: StorageError.self) { try await Self.take([new], database) }
            #expect(error?.code == .corrupt)
            #expect(error?.isRetryable == false)
            // The text says what to do, and the detail for the log says which purchase it is.
            #expect(error?.message.contains("perennial rebuild --apply") == true)
            #expect(error?.detail?.contains("\(column) of the purchase \(Self.damaged.rawValue)") == true)
            let isHeld = try await database.read { storage throws(StorageError) in
                [
                    try storage.hasEvidence(held.evidence.id, of: Self.app),
                    try storage.hasEvidence(new.evidence.id, of: Self.app),
                ]
            }
            #expect(isHeld == [true, false])
            try await database.close()
        }
    }

    @Test(arguments: Engine.allCases, ["facts", "state"])
    func `is listed with what can be read of it`(engine: Engine, column: String) async throws {
        try await withTemporaryFolder { folder in
            let (database, run) = try await engine.open(in: folder)
            #expect(try await Self.take([Self.input(1, about: Self.damaged)], database) == [true])
            let whole = try #require(try await Self.rows(database).first)
            #expect(whole.isReadable && whole.record?.state != nil)
            try await run("UPDATE purchases SET \(column) = \(engine.damage) WHERE 1 = 1")
            let row = try #require(try await Self.rows(database).first)
            #expect(row.hasReadableFacts == (column != "facts"))
            #expect(row.hasReadableRecord == (column != "state"))
            #expect(row.ledger == (column == "facts" ? PurchaseLedger(originalID: Self.damaged) : whole.ledger))
            #expect(row.record == (column == "state" ? nil : whole.record))
            try await database.close()
        }
    }

    @Test(arguments: Engine.allCases)
    func `keeps its owner if only the basis of the ownership cannot be read`(engine: Engine) async throws {
        try await withTemporaryFolder { folder in
            let (database, run) = try await engine.open(in: folder)
            #expect(try await Self.take([Self.input(1, about: Self.damaged)], database) == [true])
            try await run("UPDATE purchases SET claim = 'unknown' WHERE 1 = 1")
            let row = try #require(try await Self.rows(database).first)
            #expect(row.hasReadableFacts && !row.hasReadableRecord)
            let repaired = try await database.write { storage throws(StorageError) in
                try storage.removeFacts(row.ledger, clearsState: true, of: Self.app)
                return try storage.purchase(Self.damaged, of: Self.app)
            }
            #expect(repaired?.customerID == Self.customer && repaired?.claim == .transferred)
            try await database.close()
        }
    }

    private static func rows(_ database: any SubscriptionDatabase) async throws -> [PurchaseRow] {
        try await database.read { storage throws(StorageError) in
            try storage.purchaseRows(of: app, after: nil, limit: 10)
        }
    }
}
