import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Foundation
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization
import Testing

/// A receipt with many purchases is claimed in one write. Repeating it writes nothing.
@Suite struct `Many purchases in one receipt` {
    private static let count = 40
    private let store = ScriptedAppStore()
    private let database = CountingDatabase()

    private static func id(_ number: Int) -> String { "30000000000\(10_000 + number)" }

    private func purchases(_ count: Int = count) -> [JWSTransactionDecodedPayload] {
        (0..<count).map { number in
            var payload = SignedApple.period(id: Self.id(number), original: Self.id(number))
            payload.type = .nonConsumable
            payload.productId = "pack.\(number % 10)"
            payload.subscriptionGroupIdentifier = nil
            payload.expiresDate = nil
            payload.transactionReason = nil
            return payload
        }
    }

    private func server() async throws -> ServerFixture {
        let apple = try SignedApple()
        store.addHistory(try purchases().map(apple.sign), of: Self.id(0))
        return try await ServerFixture(database: database, apple: apple, appStore: store)
    }

    private func receipt(_ server: ServerFixture) throws -> String {
        var receipt = AppReceipt(
            bundleId: ServerFixture.bundle,
            receiptType: .production,
            creationDate: ServerFixture.now
        )
        receipt.inAppPurchases = purchases().map { payload in
            InAppPurchaseReceipt(
                productId: payload.productId,
                transactionId: payload.transactionId,
                originalTransactionId: payload.originalTransactionId,
                purchaseDate: payload.purchaseDate
            )
        }
        return Data(try TestReceiptAuthority(under: server.apple.authority).mint(receipt)).base64EncodedString()
    }

    private func submit(_ receipt: String, _ customer: String, _ server: ServerFixture) async throws -> Answer {
        let body = #"{"app_user_id":"\#(customer)","app_receipt":"\#(receipt)"}"#
        return try await server.send(.post, "/v1/transactions", key: ServerFixture.publishable, body: body)
    }

    /// The lifecycle events, without their order.
    private func lifecycleEvents(_ server: ServerFixture) async throws -> [String] {
        try await server.events().map(\.event).map { event in
            "\(event.kind.rawValue) \(event.purchaseID?.rawValue ?? "") \(event.entitlement?.id.rawValue ?? "")"
        }.filter { !$0.contains("entitlement.") }.sorted()
    }

    @Test func `give the same access as single submissions, with one new version`() async throws {
        let together = try await server()
        #expect(try await submit(try receipt(together), "u_1", together).status == 200)
        let alone = try await ServerFixture(apple: together.apple)
        for payload in purchases() {
            _ = try await alone.submit(try alone.apple.sign(payload), customer: "u_1")
        }
        let answers = [together, alone]
        var entitlements: [JSONValue] = []
        for server in answers {
            let answer = try await server.send(.get, "/v1/customers/u_1")
            #expect(try answer.count("purchases") == Self.count)
            entitlements.append(try #require(try answer.json()["entitlements"]))
        }
        #expect(entitlements[0] == entitlements[1])
        #expect(try await lifecycleEvents(together) == lifecycleEvents(alone))
        let granted = try await together.events().map(\.event).filter { $0.kind == .entitlementGranted }
        #expect(Set(granted.compactMap(\.entitlement?.id)).count == 10 && granted.count == 10)
        #expect(try await together.customer(CustomerID("u_1")).stateVersion == 1)
    }

    @Test func `change and write nothing a second time, accepted or rejected`() async throws {
        let server = try await server()
        let receipt = try receipt(server)
        #expect(try await submit(receipt, "u_1", server).status == 200)
        #expect(try await submit(receipt, "u_2", server).status == 409)
        let before = (writes: database.writes, events: try await server.events().count)
        for _ in 1...3 {
            #expect(try await submit(receipt, "u_1", server).status == 200)
            #expect(try await submit(receipt, "u_2", server).status == 409)
        }
        #expect(database.writes == before.writes)
        #expect(try await server.events().count == before.events)
        // The current policy applies, not the earlier one.
        _ = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"transfer"}"#)
        #expect(try await submit(receipt, "u_2", server).status == 200)
        #expect(try await server.send(.get, "/v1/customers/u_2").count("purchases") == Self.count)
    }

    @Test func `are not looked up again for some minutes after a permanent refusal`() async throws {
        let apple = try SignedApple()
        store.setEndless("/inApps/v2/history/\(Self.id(0))", transaction: try apple.sign(purchases(1)[0]))
        let server = try await ServerFixture(apple: apple, appStore: store)
        let receipt = try receipt(server)
        #expect(try await submit(receipt, "u_1", server).errorCode() == "history_too_long")
        let asked = store.requestedPaths.count
        #expect(try await submit(receipt, "u_1", server).errorCode() == "history_too_long")
        #expect(store.requestedPaths.count == asked)
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 301_000))
        #expect(try await submit(receipt, "u_1", server).errorCode() == "history_too_long")
        #expect(store.requestedPaths.count > asked)
    }
}

/// Counts writes.
private final class CountingDatabase: SubscriptionDatabase {
    private let base = InMemoryDatabase()
    private let count = Mutex(0)

    var writes: Int { count.withLock { $0 } }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        count.withLock { $0 += 1 }
        return try await base.write(body)
    }

    func close() async throws(StorageError) { try await base.close() }
}
