import AppStoreClient
import AppStoreModel
import HTTPTypes
import SubscriptionOperations
import SubscriptionServer
import Synchronization
import Testing

/// A key of Apple's API that is replaced while the server runs.
@Suite struct `Rotation of the App Store key` {
    private let store = ScriptedAppStore()
    private let refused = Recorder()

    private final class Recorder: Sendable {
        private let keys = Mutex<[RefusedKey]>([])

        func note(_ key: RefusedKey) { keys.withLock { $0.append(key) } }

        var all: [String] { keys.withLock { $0.map { "\($0.keyId ?? "") \($0.hasAnotherKey)" } } }
    }

    private func server() async throws -> ServerFixture {
        let apple = try SignedApple()
        let renewal = JWSRenewalInfoDecodedPayload(
            originalTransactionId: "2000000000000001",
            productId: "pro.monthly",
            autoRenewProductId: "pro.monthly",
            autoRenewStatus: .on,
            signedDate: ServerFixture.now,
            environment: .production
        )
        store.addSubscription(try apple.sign(SignedApple.period()), renewal: try apple.sign(renewal))
        let access = try store.access(to: ServerFixture.bundle, keyIDs: ["K1", "K2"], onRefusedKey: refused.note)
        return try await ServerFixture(apple: apple, access: access)
    }

    private func submit(to server: ServerFixture) async throws -> Answer {
        let body = #"{"app_user_id":"u","transaction_id":"2000000000000001"}"#
        return try await server.send(.post, "/v1/transactions", body: body)
    }

    @Test func `loses no request when either key is refused`() async throws {
        let server = try await server()
        #expect(try await submit(to: server).status == 200)
        #expect(refused.all.isEmpty)
        store.refuse(keyIDs: ["K1"])
        for _ in 0..<3 { #expect(try await submit(to: server).status == 200) }
        #expect(refused.all == ["K1 true"], "later calls begin with the second key")
        store.refuse(keyIDs: ["K2"])
        #expect(try await submit(to: server).status == 200)
    }

    @Test func `says that Apple refuses the keys when it refuses all of them`() async throws {
        let server = try await server()
        store.refuse(keyIDs: ["K1", "K2"])
        let answer = try await submit(to: server)
        #expect(answer.status == 503)
        #expect(String(decoding: answer.bytes, as: UTF8.self).contains("app_store_unauthorized"))
        #expect(refused.all == ["K1 true", "K2 false"])
        store.refuse(keyIDs: [])
        #expect(try await submit(to: server).status == 200)
    }
}
