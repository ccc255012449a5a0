import AppStoreClient
import AppStoreSigning
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import Synchronization
import Testing

/// Apple's rate limits are divided among the servers that call for the same apps.
@Suite struct `Servers that share Apple's rate limits` {
    /// An App Store that knows no transaction, and counts the calls.
    private final class EmptyAppStore: HTTPTransport {
        private let calls = Mutex(0)

        var count: Int { calls.withLock { $0 } }

        func send(
            _ request: AppStoreHTTPRequest,
            timeout: Duration,
            bodyBytesMax: Int
        ) async throws(HTTPTransportError) -> AppStoreHTTPResponse {
            calls.withLock { $0 += 1 }
            let body = #"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#
            return AppStoreHTTPResponse(status: 404, headers: HTTPHeaders([]), body: Array(body.utf8))
        }
    }

    /// With so many servers, each may send two calls in an hour, and not at once.
    private static let many = 1_000_000

    @Test(arguments: [1, many])
    func `send their part of the calls for look-ups`(servers: Int) async throws {
        let store = EmptyAppStore()
        let key = AppStoreKey(
            bundleID: ServerFixture.bundle,
            environments: [.production],
            keys: [.generate(keyId: "K1")]
        )
        let access = AppStoreAccess([key], transport: store, servers: servers)
        let server = try await ServerFixture(access: access)
        func submit(_ transaction: String) async throws -> Answer {
            let body = #"{"app_user_id":"u_1","transaction_id":"\#(transaction)"}"#
            return try await server.send(.post, "/v1/transactions", body: body)
        }
        let first = try await submit("2000000000000001")
        #expect(first.status < 500)
        let count = store.count
        #expect(count > 0)
        let second = try await submit("2000000000000002")
        // The limiter refuses a call that could not be sent before the deadline, without waiting for it.
        #expect((second.status == 503) == (servers > 1))
        #expect((store.count > count) == (servers == 1))
    }
}
