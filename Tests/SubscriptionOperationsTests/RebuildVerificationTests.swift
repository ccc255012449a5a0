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
    private func evidence(_ id: String, productID: String = "pro.monthly") -> EvidenceRecord {
        let now = SampleInputs.now.milliseconds
        let payload = """
            {"transactionId":"1000","originalTransactionId":"1000","bundleId":"com.example.app",\
            "productId":"\(productID)","subscriptionGroupIdentifier":"21000001","purchaseDate":\(now),\
            "originalPurchaseDate":\(now),"expiresDate":\(now + 2_592_000_000),"quantity":1,\
            "type":"Auto-Renewable Subscription","inAppOwnershipType":"PURCHASED","signedDate":\(now),\
            "environment":"Production"}
            """
        let text = Data(payload.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
        return EvidenceRecord(
            appID: app,
            id: EvidenceID(id),
            kind: .transaction,
            signedAt: SampleInputs.now,
            receivedAt: SampleInputs.now,
            signedBytes: Array("e30.\(text).AA".utf8),
            purchaseID: purchase
        )
    }

    private func store() async throws -> [Fact] {
        let record = evidence("t_1")
        let facts = try ParsedEvidence(record).facts
        let time = FollowedTimeSource(SampleInputs.now)
        let intake = FactIntake(database: database, policy: AccessPolicy(), time: time)
        let item = VerifiedInput.Item(evidence: record, facts: facts)
        _ = try await intake.take(VerifiedInput(app: app, items: [item], origin: .inquiry()))
        return facts
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

    private func codes() async throws -> [RebuildDifference.Code] { try await differences().map(\.code) }

    @Test func `finds no difference after the intake`() async throws {
        #expect(try await store().count == 1)
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

    @Test func `finds a fact that its evidence does not contain`() async throws {
        let facts = try await store()
        guard case .transaction(var fact)? = facts.first else { throw CancellationError() }
        fact.storefront = "FRA"
        let changed = fact
        let app = app
        try await change { storage throws(StorageError) in try storage.save(.transaction(changed), of: app) }
        let found = try await differences().filter { $0.code == .factWithoutEvidence }
        #expect(found.map(\.stored) == ["storefront: FRA"])
        #expect(found.map(\.derived) == ["storefront: none"])
    }

    @Test func `finds a changed state`() async throws {
        _ = try await store()
        let (app, purchase) = (app, purchase)
        try await change { storage throws(StorageError) in
            guard var record = try storage.purchase(purchase, of: app) else { return }
            record.state = nil
            try storage.save(record, of: app)
        }
        #expect(try await codes() == [.stateDiffers])
    }

    @Test func `finds evidence that cannot be read`() async throws {
        var record = evidence("t_2")
        record.signedBytes = Array("e30.e30.AA".utf8)
        let damaged = record
        try await change { storage throws(StorageError) in _ = try storage.insert(damaged) }
        #expect(try await codes() == [.evidenceUnreadable])
    }
}
