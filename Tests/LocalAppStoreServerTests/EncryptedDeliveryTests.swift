import AppStoreModel
import Testing

/// The TLS version for `https` servers: at least 1.2, as on Apple's servers.
@Suite struct `Deliveries over TLS` {
    @Test func `notifications are delivered with TLS 1.2 at least`() async throws {
        let listener = try await ClientHelloListener.start()
        try await withStore(environment: .production) { store in
            let url = "https://127.0.0.1:\(listener.port)/notifications"
            _ = try await store.put("/_store/notification-endpoint", ["url": .string(url)])
            _ = try await store.buy("coins.100")
        }
        let hello = try #require(try await listener.finish())
        #expect(hello.versions.sorted() == [ClientHello.tls12, ClientHello.tls13])
    }
}
