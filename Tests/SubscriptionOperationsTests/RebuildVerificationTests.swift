import Foundation
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

@testable import SubscriptionOperations

/// Stored facts and states are compared with the stored evidence.
@Suite struct `The verification of a rebuild` {
    private let database = InMemoryDatabase()
    private let app = SampleInputs.app
    private let purchase = OriginalTransactionID("1000")

    /// A signed transaction as it is stored; it was verified when it was received.
    private func evidence(
        _ id: String,
        chargeID: String? = nil,
        signedAfter milliseconds: Int64 = 0
    ) -> EvidenceRecord {
        let now = SampleInputs.now.milliseconds
        let charge = chargeID.map { "\"webOrderLineItemId\":\"\($0)\"," } ?? ""
        let payload = """
            {"transactionId":"1000","originalTransactionId":"1000","bundleId":"com.example.app",\
            "productId":"pro.monthly",\(charge)"subscriptionGroupIdentifier":"21000001","purchaseDate":\(now),\
            "originalPurchaseDate":\(now),"expiresDate":\(now + 2_592_000_000),"quantity":1,\
            "type":"Auto-Renewable Subscription","inAppOwnershipType":"PURCHASED",\
            "signedDate":\(now + milliseconds),"environment":"Production"}
            """
        let text = Data(payload.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
        return EvidenceRecord(
            appID: app,
            id: EvidenceID(id),
            kind: .transaction,
            signedAt: SampleInputs.now.adding(milliseconds: milliseconds),
            receivedAt: SampleInputs.now,
            signedBytes: Array("e30.\(text).AA".utf8),
            purchaseID: purchase
        )
    }

    private func store(_ records: EvidenceRecord...) async throws -> [TransactionFact] {
        let time = FollowedTimeSource(SampleInputs.now)
        let intake = FactIntake(database: database, policy: AccessPolicy(), time: time)
        var stored: [TransactionFact] = []
        for record in records {
            let facts = try ParsedEvidence(record).facts
            let item = VerifiedInput.Item(evidence: record, facts: facts)
            _ = try await intake.take(VerifiedInput(app: app, items: [item], origin: .inquiry()))
            for case .transaction(let fact) in facts { stored.append(fact) }
        }
        return stored
    }

    /// Replaces the stored fact about the same transaction.
    private func replace(_ fact: TransactionFact) async throws {
        let app = app
        try await change { storage throws(StorageError) in try storage.save(.transaction(fact), of: app) }
    }

    private func storedFacts() async throws -> [Fact] {
        let (app, purchase) = (app, purchase)
        return try await database.read { storage throws(StorageError) in
            try storage.ledger(of: purchase, app: app).facts
        }
    }

    private func change(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Void
    ) async throws {
        try await database.write(body)
    }

    private func differences() async throws -> [RebuildDifference] {
        var found: [RebuildDifference] = []
        let verification = RebuildVerification(database: database, policy: AccessPolicy())
        let summary = try await verification.verify(app) { found += $0 }
        #expect(summary.differences == found.count)
        return found
    }

    private func repair(_ differences: [RebuildDifference]) async throws -> Int {
        let repair = RebuildRepair(database: database, policy: AccessPolicy(), by: Operator("test"))
        return try await repair.repair(differences, of: app).repaired
    }

    private func codes() async throws -> [RebuildDifference.Code] { try await differences().map(\.code) }

    @Test func `finds no difference after the intake`() async throws {
        #expect(try await store(evidence("t_1")).count == 1)
        #expect(try await codes() == [])
    }

    @Test func `finds evidence whose fact or purchase is not stored`() async throws {
        let record = evidence("t_1")
        try await change { storage throws(StorageError) in _ = try storage.insert(record) }
        let found = try await differences()
        #expect(found.map(\.code) == [.factMissing])
        #expect(found.map(\.purchaseID) == [purchase])
        #expect(found.map(\.evidenceID) == [record.id])
        #expect(found.map(\.sequence) == [1])
        let derived = "transaction 1000 of pro.monthly, signed 2 February 2026, 02:40 UTC (1770000000000)"
        #expect(found.map(\.derived) == [derived])
        #expect(found.map(\.stored) == [nil])
    }

    @Test func `names the fields in which an older stored fact differs from a missing one`() async throws {
        let facts = try await store(evidence("t_1"), evidence("t_2", signedAfter: 1_000))
        try await replace(try #require(facts.first))
        let found = try await differences()
        #expect(found.map(\.code) == [.factMissing])
        #expect(found.map(\.evidenceID) == [EvidenceID("t_2")])
        let date = "signedAt: 2 February 2026, 02:40 UTC"
        #expect(found.map(\.stored) == ["\(date) (1770000000000), evidence: t_1"])
        #expect(found.map(\.derived) == ["\(date) (1770000001000), evidence: t_2"])
        let fact = "transaction 1000 of pro.monthly, signed 2 February 2026, 02:40 UTC (1770000001000)"
        #expect(found.map(\.fact) == [fact])
    }

    @Test func `finds a fact with other values than its evidence, once`() async throws {
        var fact = try #require(try await store(evidence("t_1")).first)
        fact.storefront = "FRA"
        try await replace(fact)
        let found = try await differences()
        #expect(found.map(\.code) == [.factDiffers])
        #expect(found.map(\.stored) == ["storefront: FRA"])
        #expect(found.map(\.derived) == ["storefront: none"])
    }

    @Test func `names the field that a fact of an earlier version lacks, and a repair completes it`() async throws {
        let whole = try #require(try await store(evidence("t_1", chargeID: "3000")).first)
        var fact = whole
        fact.chargeID = nil
        try await replace(fact)
        let found = try await differences()
        #expect(found.map(\.code) == [.factDiffers])
        #expect(found.map(\.purchaseID) == [purchase])
        #expect(found.map(\.evidenceID) == [EvidenceID("t_1")])
        #expect(found.map(\.sequence) == [1])
        #expect(found.map(\.stored) == ["chargeID: none"])
        #expect(found.map(\.derived) == ["chargeID: 3000"])

        #expect(try await repair(found) == 1)
        #expect(try await storedFacts() == [.transaction(whole)])
        #expect(try await differences() == [])
    }

    /// Without the field, the stored fact seems older than what the other input says.
    @Test func `reports a lacking field once if two inputs of the same millisecond have it`() async throws {
        let facts = try await store(evidence("t_1", chargeID: "3000"), evidence("t_2", chargeID: "3000"))
        let whole = try #require(facts.last)
        #expect(try await storedFacts() == [.transaction(whole)])
        var fact = whole
        fact.chargeID = nil
        try await replace(fact)
        let found = try await differences()
        #expect(found.map(\.code) == [.factDiffers])
        #expect(found.map(\.evidenceID) == [EvidenceID("t_2")])
        #expect(found.map(\.stored) == ["chargeID: none"])
        #expect(try await repair(found) == 1)
        #expect(try await storedFacts() == [.transaction(whole)])
        #expect(try await differences() == [])
    }

    @Test func `finds a fact whose evidence is not stored`() async throws {
        let whole = try #require(try await store(evidence("t_1")).first)
        var fact = whole
        fact.evidence = EvidenceID("t_9")
        try await replace(fact)
        let found = try await differences()
        #expect(found.map(\.code) == [.factWithoutEvidence])
        let stored = "transaction 1000 of pro.monthly, signed 2 February 2026, 02:40 UTC (1770000000000)"
        #expect(found.map(\.stored) == [stored])
        #expect(found.map(\.derived) == [nil])
        #expect(try await repair(found) == 1)
        #expect(try await storedFacts() == [.transaction(whole)])
        #expect(try await differences() == [])
    }

    @Test func `finds a changed state`() async throws {
        _ = try await store(evidence("t_1"))
        let (app, purchase) = (app, purchase)
        try await change { storage throws(StorageError) in
            guard var record = try storage.purchase(purchase, of: app) else { return }
            record.state = nil
            try storage.save(record, of: app)
        }
        let found = try await differences()
        #expect(found.map(\.code) == [.stateDiffers])
        #expect(found.map(\.stored) == ["no state stored"])
        #expect(found.first?.derived?.hasPrefix("id: 1000, productID: pro.monthly, groupID: 21000001, ") == true)
    }

    @Test func `compares the state with the signed input, not with a changed fact`() async throws {
        var fact = try #require(try await store(evidence("t_1")).first)
        fact.expiresAt = fact.expiresAt?.adding(milliseconds: 86_400_000)
        try await replace(fact)
        let (app, purchase) = (app, purchase)
        let right = try await database.read { storage throws(StorageError) in
            try storage.purchase(purchase, of: app)
        }
        // The state that follows from the changed fact.
        try await change { storage throws(StorageError) in
            guard var record = try storage.purchase(purchase, of: app) else { return }
            let ledger = try storage.ledger(of: purchase, app: app)
            record.state = ledger.state(at: record.evaluatedAt, policy: AccessPolicy())
            try storage.save(record, of: app)
        }
        let found = try await differences()
        #expect(found.map(\.code) == [.factDiffers, .stateDiffers])
        #expect(try await repair(found) == 1)
        #expect(try await differences() == [])
        let repaired = try await database.read { storage throws(StorageError) in
            try storage.purchase(purchase, of: app)
        }
        #expect(repaired == right)
    }

    @Test func `keeps a fact whose input is stored and cannot be read`() async throws {
        var fact = try #require(try await store(evidence("t_1")).first)
        fact.signedAt = fact.signedAt.adding(milliseconds: 1_000)
        fact.evidence = EvidenceID("t_2")
        var record = evidence("t_2", signedAfter: 1_000)
        record.signedBytes = Array("e30.e30.AA".utf8)
        let damaged = record
        try await change { storage throws(StorageError) in _ = try storage.insert(damaged) }
        try await replace(fact)
        let found = try await differences()
        #expect(found.map(\.code) == [.evidenceUnreadable])
        #expect(found.map(\.purchaseID) == [purchase])
        #expect(found.map(\.evidenceID) == [damaged.id])
        #expect(try await repair(found) == 0)
        #expect(try await storedFacts() == [.transaction(fact)])
        #expect(try await differences() == found)
    }

    @Test func `does not end access because an input cannot be read`() async throws {
        let facts = try await store(evidence("t_1"))
        let (app, purchase) = (app, purchase)
        var record = evidence("t_2", signedAfter: 1_000)
        record.signedBytes = Array("e30.e30.AA".utf8)
        let damaged = record
        // The lost fact said that access lasts longer, and the state still does.
        try await change { storage throws(StorageError) in
            _ = try storage.insert(damaged)
            guard case .subscription(var state)? = try storage.purchase(purchase, of: app)?.state,
                var record = try storage.purchase(purchase, of: app)
            else { return }
            state.periodEndsAt = state.periodEndsAt.adding(milliseconds: 86_400_000)
            record.state = .subscription(state)
            try storage.save(record, of: app)
        }
        let found = try await differences()
        #expect(found.map(\.code) == [.evidenceUnreadable, .stateDiffers])
        #expect(try await repair(found) == 0)
        #expect(try await differences() == found)
        #expect(try await storedFacts() == facts.map(Fact.transaction))
    }

    @Test func `is repaired without announcing a purchase again`() async throws {
        _ = try await store(evidence("t_1"))
        let (app, purchase) = (app, purchase)
        let started = try await events().filter { $0 == .started }
        #expect(started == [.started])
        try await change { storage throws(StorageError) in
            try storage.removeFacts(try storage.ledger(of: purchase, app: app), clearsState: true, of: app)
        }
        let found = try await differences()
        #expect(try await repair(found) == 1)
        #expect(try await differences() == [])
        #expect(try await events().filter { $0 == .started } == started)
    }

    private func events() async throws -> [SubscriptionEvent.Kind] {
        let app = app
        return try await database.read { storage throws(StorageError) in
            try storage.events(of: app, after: 0, limit: 100).map(\.event.kind)
        }
    }

    @Test func `finds evidence that cannot be read`() async throws {
        var record = evidence("t_2")
        record.signedBytes = Array("e30.e30.AA".utf8)
        let damaged = record
        try await change { storage throws(StorageError) in _ = try storage.insert(damaged) }
        #expect(try await codes() == [.evidenceUnreadable])
    }
}
