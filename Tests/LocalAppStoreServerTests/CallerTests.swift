import LocalAppStoreServer
import NIOHTTP1
import Testing

/// The callers that the store accepts.
@Suite struct `Callers of the store` {
    private func status(
        _ store: RunningStore,
        host: String? = nil,
        origin: String? = nil,
        path: String = "/_store/credentials"
    ) async throws -> String {
        var headers: [(String, String)] = []
        if let host { headers.append(("Host", host)) }
        if let origin { headers.append(("Origin", origin)) }
        let answer = try await store.send(.GET, path, headers: headers)
        #expect(answer.status == (answer.errorCode == nil ? 200 : 403))
        return answer.errorCode ?? "\(answer.status)"
    }

    @Test(arguments: ["localhost:8081", "127.0.0.1", "[::1]:8081", "store:8081", "host.docker.internal", "STORE.test."])
    func `addresses and names that cannot be registered are allowed`(host: String) async throws {
        try await withStore { store in
            let outcome = try await status(store, host: host)
            #expect(outcome == "200")
        }
    }

    @Test(arguments: ["evil.example", "127.0.0.1.evil.example:8081", "localhost.evil.example", "1.2.3", "1.2.3.999"])
    func `a name that can be registered is refused, on every path`(host: String) async throws {
        try await withStore { store in
            for path in ["/_store/credentials", "/inApps/v1/subscriptions/1", "/nothing"] {
                let outcome = try await status(store, host: host, path: path)
                #expect(outcome == "host_refused")
            }
        }
    }

    @Test func `an allowed name is accepted`() async throws {
        let configuration = LocalAppStoreServer.Configuration(port: 0, allowedHosts: ["Store.Example.com"])
        try await withStore(configuration: configuration) { store in
            let allowed = try await status(store, host: "store.example.com:80")
            #expect(allowed == "200")
            let other = try await status(store, host: "example.com")
            #expect(other == "host_refused")
        }
    }

    @Test func `a page of another site is refused, a page of the store is not`() async throws {
        try await withStore { store in
            for foreign in [
                "https://evil.example", "null", "http://localhost", "http://127.0.0.1:1", "https://127.0.0.1",
            ] {
                let outcome = try await status(store, origin: foreign)
                #expect(outcome == "origin_refused")
            }
            let own = "http://127.0.0.1:\(store.port)"
            let outcome = try await status(store, origin: own)
            #expect(outcome == "200")
        }
    }
}
