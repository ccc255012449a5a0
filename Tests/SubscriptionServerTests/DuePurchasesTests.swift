import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

@Suite struct `What the clock makes due` {
    @Test func `a purchase that cannot be read holds up no other`() async throws {
        let server = try await ServerFixture()
        for number in 1...5 {
            let id = "200000000000000\(number)"
            let transaction = SignedApple.period(id: id, original: id)
            _ = try await server.submit(try server.apple.sign(transaction), customer: "u_\(number)")
        }
        let later = Timestamp(milliseconds: ServerFixture.now + 40 * 86_400_000)
        server.time.advance(to: later)
        let damaged = DamagedDatabase(base: server.database, unreadable: OriginalTransactionID("2000000000000003"))
        let due = DuePurchases(database: damaged, policy: AccessPolicy())
        let outcome = try await due.settle(until: later)
        #expect(outcome.evaluated == 4)
        #expect(outcome.unreadable == 1)
        let left = try await server.database.read { storage throws(StorageError) in
            try storage.duePurchases(until: later, limit: 100)
        }
        #expect(left.map(\.id.rawValue) == ["2000000000000003"])
    }

    @Test func `the end of access becomes an event when the clock passes it`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        let later = Timestamp(milliseconds: ServerFixture.now + 40 * 86_400_000)
        let outcome = try await DuePurchases(database: server.database, policy: AccessPolicy()).settle(until: later)
        #expect(outcome == DuePurchases.Outcome(evaluated: 1, unreadable: 0))
        let events = try await server.database.read { storage throws(StorageError) in
            try storage.events(of: ServerFixture.app, after: 0, limit: 100)
        }
        #expect(events.map(\.event.kind).suffix(2) == [.expired, .entitlementWithdrawn])
    }
}
