import AppStoreModel
import LocalAppStore
import LocalAppStoreServer
import AsyncHTTPClient
import Logging
import NIOCore
import NIOHTTP1
import Testing

/// The store's answers to invalid calls.
@Suite struct `Bad input over HTTP` {
    private struct ConnectionLost: Error {}

    @Test(arguments: [
        ("{\"accountId\":\"an", 400, "malformed_json"),
        (String(repeating: "[", count: 10_000), 400, "malformed_json"),
        ("[]", 400, "not_an_object"),
        ("\"text\"", 400, "not_an_object"),
        ("{\"accountId\":\"a\",\"accountId\":\"b\"}", 400, "malformed_json"),
        ("{\"accountID\":\"a\"}", 400, "unknown_field"),
        ("{\"accountId\":7}", 400, "wrong_type"),
        ("{\"accountId\":\"a/b\"}", 400, "account_id_invalid"),
        ("{\"storefront\":\"Atlantis\"}", 400, "storefront_unknown"),
    ])
    func `an invalid body is refused by name without effect`(body: String, status: Int, code: String) async throws {
        try await withStore { store in
            let answer = try await store.send(.POST, "/_store/accounts", body: Array(body.utf8))
            #expect(answer.errorCode == code, "\(answer.text)")
            #expect(answer.status == status)
            #expect(answer.contentType == "application/json")
            #expect(answer.json["error"]["message"].stringValue?.isEmpty == false)
            #expect(try await store.get("/_store/status").json["accounts"].integerValue == 0)
        }
    }

    @Test func `a body beyond the limit is refused, and the next call works`() async throws {
        try await withStore { store in
            let body = Array(("{\"accountId\":\"" + String(repeating: "a", count: 2 << 20) + "\"}").utf8)
            let answer = try await store.send(.POST, "/_store/accounts", body: body)
            #expect(answer.status == 413)
            #expect(answer.errorCode == "body_too_large")
            #expect(try await store.get("/_store/status").status == 200)
        }
    }

    @Test func `a truncated body sells nothing, and the next call works`() async throws {
        try await withStore { store in
            let half = AsyncThrowingStream<ByteBuffer, any Error> { stream in
                stream.yield(ByteBuffer(string: "{\"accountId\":\"an"))
                stream.finish(throwing: ConnectionLost())
            }
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(store.port)/_store/accounts")
            request.method = .POST
            request.body = .stream(half, length: .known(Int64(1_000)))
            await #expect(throws: (any Error).self) {
                try await store.http.execute(request, timeout: .seconds(60))
            }
            let status = try await store.get("/_store/status")
            #expect(status.json["accounts"].integerValue == 0)
        }
    }

    @Test func `a wrong method answers 405 with the right one`() async throws {
        try await withStore { store in
            let own = try await store.send(.DELETE, "/_store/clock")
            #expect(own.status == 405)
            #expect(own.errorCode == "method_not_allowed")
            #expect(own.json["error"]["message"].stringValue?.contains("GET") == true)
            #expect(try await store.send(.POST, "/inApps/v1/transactions/1", body: []).status == 405)
        }
    }

    @Test func `an unknown path answers 404 with the valid prefixes`() async throws {
        try await withStore { store in
            for path in ["/", "/_store/nothing", "/inapps/v1/transactions/1", "/verifyreceipt"] {
                let answer = try await store.get(path)
                #expect(answer.status == 404)
                #expect(answer.errorCode == "unknown_path")
                #expect(answer.json["error"]["message"].stringValue?.contains("/_store/") == true)
            }
        }
    }

    @Test(arguments: [
        "ftp://127.0.0.1/x", "file:///etc/passwd", "127.0.0.1:80", "http://", "https:///x", "http://a b/",
    ])
    func `only web servers are called`(url: String) async throws {
        try await withStore { store in
            let endpoint = try await store.put("/_store/notification-endpoint", ["url": .string(url)])
            #expect(endpoint.status == 422)
            #expect(endpoint.errorCode == "url_invalid")
            let follower = try await store.post("/_store/followers", ["settleUrl": .string(url), "token": "t"])
            #expect(follower.errorCode == "url_invalid")
            #expect(follower.json["error"]["path"].stringValue == "settleUrl")
        }
    }

    @Test func `the endpoint is removed by null, and its version is one of Apple's`() async throws {
        try await withStore { store in
            _ = try await store.put("/_store/notification-endpoint", ["url": "http://127.0.0.1:9/n", "version": "V2"])
            let v3 = try await store.put(
                "/_store/notification-endpoint",
                ["url": "http://127.0.0.1:9/n", "version": "V3"]
            )
            #expect(v3.errorCode == "unknown_value")
            #expect(try await store.put("/_store/notification-endpoint", [:]).errorCode == "missing_field")
            let none = try await store.put("/_store/notification-endpoint", ["url": .null])
            #expect(none.json == ["url": .null, "version": "V2"])
        }
    }

    @Test func `an impossible sale is refused with the engine's code`() async throws {
        try await withStore { store in
            _ = try await store.post("/_store/accounts", ["accountId": "anna"])
            let path = "/_store/accounts/anna/purchases"
            #expect(try await store.post(path, ["productId": "nothing"]).errorCode == "product_not_found")
            #expect(try await store.post(path, [:]).errorCode == "missing_field")
            #expect(
                try await store.post(path, ["productId": "lifetime", "quantity": .decimal("1.5")]).errorCode
                    == "wrong_type"
            )
            let offer = try await store.post(path, ["productId": "lifetime", "offer": ["kind": "x"]])
            #expect(offer.json["error"]["path"].stringValue == "offer.kind")
            let unknown = try await store.post("/_store/accounts/nobody/purchases", ["productId": "lifetime"])
            #expect(unknown.status == 404)
            #expect(unknown.errorCode == "account_not_found")
            #expect(try await store.post("/_store/accounts", ["accountId": "anna"]).status == 409)
            #expect(try await store.get("/_store/notifications?limit=0").errorCode == "limit_invalid")
            #expect(try await store.get("/_store/notifications?page=2").errorCode == "unknown_parameter")
            #expect(try await store.get("/_store/notifications?cursor=zzz").errorCode == "cursor_invalid")
        }
    }

    @Test func `a port in use is reported with the remedy`() async throws {
        try await withStore { store in
            let error = await #expect(throws: ServerStartError.self) {
                try await withStore(configuration: .init(port: store.port)) { _ in }
            }
            #expect(error?.code == "port_in_use")
            #expect(error?.message.contains("port \(store.port)") == true)
        }
    }
}
