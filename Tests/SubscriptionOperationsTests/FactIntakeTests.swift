import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

@testable import SubscriptionOperations

/// Verified facts from every source are processed in one way.
@Suite struct `The intake of facts` {
    private let database = InMemoryDatabase()
    private let intake: FactIntake

    init() async throws {
        let time = FollowedTimeSource(SampleInputs.now)
        intake = FactIntake(database: database, policy: AccessPolicy(), time: time)
        let app = AppRecord(bundleID: "com.example.app", environment: .production, appleID: 1)
        try await database.write { storage throws(StorageError) in try storage.save(app) }
    }

    private func purchase(_ id: String = "1000") async throws -> PurchaseRecord? {
        try await database.read { storage throws(StorageError) in
            try storage.purchase(OriginalTransactionID(id), of: SampleInputs.app)
        }
    }

    @Test func `ignores a repeated notification`() async throws {
        let first = try await intake.take(SampleInputs.notification())
        #expect(first == FactIntake.Outcome(isNew: true, refusal: nil))
        let state = try await purchase()
        let again = try await intake.take(SampleInputs.notification())
        #expect(again == FactIntake.Outcome(isNew: false, refusal: nil))
        #expect(try await purchase() == state)
    }

    @Test(arguments: [false, true])
    func `leads to the same state and owner, in any order of claim and notification`(isClaimFirst: Bool) async throws {
        let claim = SampleInputs.claim(by: "u_1")
        let notification = SampleInputs.notification()
        for input in isClaimFirst ? [claim, notification] : [notification, claim] {
            #expect(try await intake.take(input).refusal == nil)
        }
        let record = try await purchase()
        #expect(record?.customerID == CustomerID("u_1"))
        #expect(record?.claim == .submitted)
        #expect(record?.state?.givesAccess == true)
    }

    @Test func `refuses a claim on another customer's purchase and stores its evidence`() async throws {
        _ = try await intake.take(SampleInputs.claim(by: "u_1"))
        let outcome = try await intake.take(SampleInputs.claim(by: "u_2"))
        #expect(outcome.refusal == .submittedBefore)
        #expect(try await purchase()?.customerID == CustomerID("u_1"))
        let refused = try await database.read { storage throws(StorageError) in
            try storage.refusedClaims(by: [CustomerID("u_2")], app: SampleInputs.app)
        }
        #expect(refused.map(\.reason) == [.submittedBefore])
    }

    @Test func `refuses only the purchases of another customer in a claim of several`() async throws {
        _ = try await intake.take(SampleInputs.claim(of: ["2000"], by: "u_1"))
        let outcome = try await intake.take(SampleInputs.claim(of: ["1000", "2000", "3000"], by: "u_2"))
        #expect(outcome.refusal == .submittedBefore)
        for (id, owner) in [("1000", "u_2"), ("2000", "u_1"), ("3000", "u_2")] {
            #expect(try await purchase(id)?.customerID == CustomerID(owner))
        }
    }

    @Test func `leaves an inquired purchase without an owner until a claim`() async throws {
        var input = SampleInputs.claim(by: "u_1")
        input = VerifiedInput(app: input.app, items: input.items, origin: .inquiry())
        #expect(try await intake.take(input) == FactIntake.Outcome())
        let record = try await purchase()
        #expect(record?.state?.givesAccess == true)
        #expect(record?.customerID == nil)
    }

    @Test func `keeps the customer of a subscription that continues under a new identifier`() async throws {
        _ = try await intake.take(SampleInputs.claim(by: "u_1"))
        let fact = SampleInputs.period(of: "5000", evidence: "t_5000")
        let item = SampleInputs.item(fact, evidence: "t_5000", after: "1000")
        _ = try await intake.take(VerifiedInput(app: SampleInputs.app, items: [item], origin: .inquiry()))
        #expect(try await purchase("5000")?.customerID == CustomerID("u_1"))
    }

    @Test func `stores a receipt only if it identified its customer`() async throws {
        for (customer, kept) in [("u_1", 1), ("u_2", 0)] {
            let id = CustomerID(customer)
            let receipt = ReceiptRecord(
                id: EvidenceID("receipt"),
                customerID: id,
                receivedAt: SampleInputs.now,
                content: [1]
            )
            _ = try await intake.take(SampleInputs.claim(by: customer, receipt: receipt))
            let receipts = try await database.read { storage throws(StorageError) in
                try storage.receipts(of: id, app: SampleInputs.app)
            }
            #expect(receipts.count == kept)
        }
    }

    @Test func `accepts claims without evidence only on purchases with stored facts`() async throws {
        _ = try await intake.take(SampleInputs.notification())
        let receipt = ReceiptRecord(
            id: EvidenceID("receipt"),
            customerID: CustomerID("u_1"),
            receivedAt: SampleInputs.now,
            content: [1]
        )
        let claimant = Claimant(CustomerID("u_1"))
        let stored = OriginalTransactionID("1000")
        let unknown = OriginalTransactionID("9000")
        let none = try await intake.claim([stored, unknown], of: SampleInputs.app, for: claimant, by: receipt)
        #expect(none == nil)
        #expect(try await purchase()?.customerID == nil)
        let outcome = try await intake.claim([stored], of: SampleInputs.app, for: claimant, by: receipt)
        #expect(outcome == FactIntake.Outcome())
        #expect(try await purchase()?.customerID == CustomerID("u_1"))
    }

    @Test func `has the same outcomes for inputs that share a commit`() async throws {
        let inputs = [
            SampleInputs.notification(), SampleInputs.claim(by: "u_1"), SampleInputs.notification(),
            SampleInputs.claim(by: "u_2"),
        ]
        let outcomes = try await intake.take(together: inputs)
        #expect(outcomes.map(\.isNew) == [true, true, false, true])
        #expect(outcomes.map(\.refusal) == [nil, nil, nil, .submittedBefore])
    }

    @Test func `announces the purchases and the customers of a write`() {
        let notification = SampleInputs.notification(token: "token").expected
        #expect(notification.map(\.purchases) == [[OriginalTransactionID("1000")]])
        #expect(notification.map(\.customers) == [[CustomerID("token")]])
        #expect(notification.map(\.isClaim) == [false])
        let claim = SampleInputs.claim(of: ["1000", "2000"], by: "u_1").expected
        #expect(claim.map(\.customers) == [[CustomerID("u_1")], [CustomerID("u_1")]])
        #expect(claim.map(\.isClaim) == [true, true])
    }
}
