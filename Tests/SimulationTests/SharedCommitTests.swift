import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import LocalAppStore
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Synchronization
import Testing

/// Concurrent notifications are verified together and share commits.
@Suite struct `Concurrent notifications` {
    private static func sold(_ customers: Int) throws -> (store: SimulatedStore, signed: [[UInt8]]) {
        var store = try SimulatedStore(seed: 11)
        for number in 0..<customers {
            try store.act { _ = try $0.createAccount(accountId: "a\(number)") }
            let request = PurchaseRequest(productId: "pro.monthly", appAccountToken: token(number))
            _ = try store.act { try $0.purchase(accountId: "a\(number)", request: request) }
        }
        return (store, try store.advance(to: SimulatedStore.start + 70 * SimulatedStore.day))
    }

    private static func token(_ number: Int) -> String {
        "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f" + String(10_000 + number).suffix(4)
    }

    @Test(arguments: Engine.allCases)
    func `lead to the same state as consecutive ones`(engine: Engine) async throws {
        let (store, signed) = try Self.sold(12)
        #expect(signed.count >= 36)
        let oneByOne = try await ServerUnderTest(.reference, trusting: store, at: store.store.now)
        try await oneByOne.take(signed)
        let together = try await ServerUnderTest(engine, trusting: store, at: store.store.now)
        let outcomes = try await withThrowingTaskGroup(of: Ingestion.Outcome.self) { group in
            for notification in signed + signed.reversed() {
                group.addTask { try await together.ingestion.takeNotification(notification) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // Each was new once and a duplicate once.
        let taken = outcomes.filter { if case .taken = $0 { true } else { false } }
        #expect(outcomes.count == 2 * signed.count && taken.count == signed.count)
        #expect(Set(taken).count == signed.count)
        for number in 0..<12 {
            let customer = CustomerID(Self.token(number))
            let view = try await oneByOne.reading.customer(customer, of: oneByOne.app)
            #expect(view.subscriptions.count == 1)
            let other = try await together.reading.customer(customer, of: together.app)
            #expect(other.subscriptions == view.subscriptions && other.entitlements == view.entitlements)
        }
        try await together.close()
    }

    @Test(arguments: Engine.allCases)
    func `are refused one by one, and a forged one does not affect the others`(engine: Engine) async throws {
        let (store, signed) = try Self.sold(12)
        let server = try await ServerUnderTest(engine, trusting: store, at: store.store.now)
        let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
            for (index, notification) in signed.enumerated() {
                var bytes = notification
                if index % 3 == 0 { bytes[bytes.count - 20] ^= 1 }
                group.addTask { [bytes] in (index, (try? await server.ingestion.takeNotification(bytes)) != nil) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(outcomes.count == signed.count)
        #expect(outcomes.allSatisfy { index, isTaken in isTaken == (index % 3 != 0) })
        try await server.close()
    }

    @Test(arguments: Engine.allCases)
    func `do not turn back the clock after a wait`(engine: Engine) async throws {
        var store = try SimulatedStore(seed: 12)
        try store.act { _ = try $0.createAccount(accountId: "a") }
        let request = PurchaseRequest(productId: "pro.monthly", appAccountToken: Self.token(1))
        let bought = try store.act { try $0.purchase(accountId: "a", request: request) }
        let original = OriginalTransactionID(bought.originalTransactionId)
        try store.act { try $0.setAutoRenew(originalTransactionId: original.rawValue, enabled: false) }
        let signed = try store.advance(to: SimulatedStore.start + SimulatedStore.day)
        let beforeEnd = store.store.now
        let server = try await ServerUnderTest(engine, trusting: store, at: beforeEnd)
        try await server.take(signed.dropFirst())
        server.time.advance(to: Timestamp(milliseconds: beforeEnd + 60 * SimulatedStore.day))
        _ = try await server.duePurchases.settle(until: server.time.now())
        let ended = try await server.state(of: original, customer: CustomerID(Self.token(1)))
        #expect(ended.subscriptions.map(\.status) == [.expired])
        let events = try await server.accessEvents()

        // Its first time is before the end of the subscription.
        let late = Ingestion(
            database: server.database,
            verifier: SignedDataVerifier(roots: [store.authority.trustedRoot], apps: [store.identity]),
            policy: AccessPolicy(),
            time: WaitingTimeSource(from: Timestamp(milliseconds: beforeEnd), to: server.time.now())
        )
        _ = try await late.takeNotification(try #require(signed.first))
        let after = try await server.state(of: original, customer: CustomerID(Self.token(1)))
        #expect(after.subscriptions == ended.subscriptions && after.entitlements == ended.entitlements)
        #expect(after.stored == ended.stored)
        #expect(try await server.accessEvents() == events)
        try await server.close()
    }
}

extension ServerUnderTest {
    /// The kinds of all events about access, in order.
    fileprivate func accessEvents() async throws -> [String] {
        let app = app
        return try await database.read { storage throws(StorageError) in
            try storage.events(of: app, after: 0, limit: 1_000).map { "\($0.event.kind)" }.filter {
                $0.contains("entitlement")
            }
        }
    }
}

/// The time during a wait: one time at the first call, and a later time at all other calls.
private final class WaitingTimeSource: TimeSource {
    private let start: Timestamp
    private let end: Timestamp
    private let isAsked = Mutex(false)

    init(from start: Timestamp, to end: Timestamp) {
        (self.start, self.end) = (start, end)
    }

    func now() -> Timestamp {
        isAsked.withLock { isAsked in
            defer { isAsked = true }
            return isAsked ? end : start
        }
    }
}
