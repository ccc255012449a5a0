import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// The rate limits of keys and of client addresses, by whole requests.
@Suite struct `Rate limits` {
    private static let user = "/v1/customers/nobody"
    private static let client = "198.51.100.1"
    private static let otherClient = "198.51.100.2"

    private let time = MovedTime()

    private func server(
        _ limits: RateLimits = RateLimits(
            requestsPerSecond: 2,
            burst: 3,
            addressRequestsPerSecond: 1,
            addressBurst: 2,
            refusedNotificationsPerMinute: 4
        )
    ) async throws -> ServerFixture {
        try await ServerFixture(rateLimits: limits, uptime: time.source)
    }

    private static func refusals(_ reason: String, of server: ServerFixture) async throws -> String? {
        let answer = try await server.send(.get, "/metrics", key: nil)
        let name = #"perennial_http_requests_rate_limited_total{reason="\#(reason)"} "#
        return String(decoding: answer.bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(name) }
            .map { String($0.dropFirst(name.utf8.count)) }
    }

    // Secret keys.

    @Test func `are in each answer to a secret key, and refuse what is above them`() async throws {
        let server = try await server()
        #expect(try await Self.refusals("key", of: server) == "0")
        let found = try await server.send(.get, "/v1/entitlements")
        #expect(found.status == 200 && found.rateLimit == ["3", "2", "1"])
        let missing = try await server.send(.get, "/v1/customers/nobody")
        #expect(missing.status == 404 && missing.rateLimit == ["3", "1", "1"])
        let wrong = try await server.send(.post, "/v1/transactions", body: "{")
        #expect(wrong.status == 400 && wrong.rateLimit == ["3", "0", "2"])
        let refused = try await server.send(.get, "/v1/entitlements")
        #expect(refused.status == 429 && refused.rateLimit == ["3", "0", "2"])
        #expect(refused.header(.retryAfter) == "1")
        #expect(try refused.errorCode() == "rate_limited")
        #expect(try refused.string("error", "type") == "rate_limit_error")
        #expect(try refused.bool("error", "retryable") == true)
        #expect(try refused.string("error", "request_id") == refused.header(.requestID))
        #expect(try await Self.refusals("key", of: server) == "1")
        time.advance(seconds: 1)
        #expect(try await server.send(.get, "/v1/entitlements").status == 200)
    }

    @Test func `count requests for routes that the key may not call`() async throws {
        let server = try await server()
        let key = ServerFixture.publishable
        for left in ["1", "0"] {
            let refused = try await server.send(from: Self.client, .get, "/v1/events", key: key)
            #expect(refused.status == 403 && refused.rateLimit[1] == left)
        }
        #expect(try await server.send(from: Self.client, .get, "/v1/events", key: key).status == 429)
    }

    @Test func `of one key do not affect another, nor routes without a key`() async throws {
        let server = try await server()
        for _ in 0..<10 { _ = try await server.send(.get, "/v1/entitlements") }
        #expect(try await server.send(.get, "/v1/entitlements").status == 429)
        let other = try await server.send(.get, "/v1/entitlements", key: ServerFixture.sandboxSecret)
        #expect(other.status == 200 && other.rateLimit == ["3", "2", "1"])
        for path in ["/healthz", "/metrics", "/openapi.yaml", "/.well-known/jwks.json"] {
            let answer = try await server.send(.get, path, key: nil)
            #expect(answer.status == 200 && answer.rateLimit == [nil, nil, nil])
        }
        #expect(try await server.notify(try server.apple.notification()).status == 200)
    }

    @Test func `count a key from all addresses together`() async throws {
        let server = try await server()
        for number in 1...3 {
            let answer = try await server.send(from: "198.51.100.\(number)", .get, "/v1/entitlements")
            #expect(answer.status == 200)
        }
        #expect(try await server.send(from: Self.client, .get, "/v1/entitlements").status == 429)
    }

    @Test func `refuse a POST without a trace of its idempotency key`() async throws {
        let server = try await server()
        for _ in 0..<3 { _ = try await server.send(.get, "/v1/entitlements") }
        let name = try #require(HTTPField.Name.idempotencyKey)
        let grant = #"{"entitlement_id":"pro","reason":"because"}"#
        let headers: HTTPFields = [name: "grant-1"]
        let path = "/v1/customers/u_1/grants"
        let refused = try await server.send(.post, path, headers: headers, body: grant)
        #expect(refused.status == 429)
        let stored = try #require(ServerFixture.stored(idempotencyKey: "grant-1"))
        let kept = try await server.database.read { storage throws(StorageError) in
            try storage.idempotencyRecord(stored, of: ServerFixture.app)
        }
        #expect(kept == nil)
        // The key is free for another body too.
        time.advance(seconds: 2)
        let other = #"{"entitlement_id":"pro","reason":"another"}"#
        let made = try await server.send(.post, path, headers: headers, body: other)
        #expect(made.status == 201 || made.status == 200)
        #expect(made.header(.idempotencyReplayed) == nil)
        let replayed = try await server.send(.post, path, headers: headers, body: other)
        #expect(replayed.header(.idempotencyReplayed) == "true")
        #expect(replayed.rateLimit == ["3", "1", "1"])
    }

    @Test func `do not exist with 0`() async throws {
        let server = try await server(
            RateLimits(requestsPerSecond: 0, addressRequestsPerSecond: 0, refusedNotificationsPerMinute: 0)
        )
        for _ in 0..<300 {
            let answer = try await server.send(from: Self.client, .get, "/v1/entitlements")
            #expect(answer.status == 200 && answer.rateLimit == [nil, nil, nil])
        }
        for key in [ServerFixture.publishable, "sk_wrong"] {
            for _ in 0..<300 {
                #expect(try await server.send(from: Self.client, .get, Self.user, key: key).status != 429)
            }
        }
        for _ in 0..<100 { #expect(try await server.notify("x.y.z", from: Self.client).status == 400) }
    }

    // Client addresses.

    @Test func `of a publishable key hold for each address and app`() async throws {
        let server = try await server()
        let key = ServerFixture.publishable
        for remaining in ["1", "0"] {
            let answer = try await server.send(from: Self.client, .get, Self.user, key: key)
            #expect(answer.status == 404 && answer.rateLimit[0...1] == ["2", remaining])
        }
        let refused = try await server.send(from: Self.client, .get, Self.user, key: key)
        #expect(refused.status == 429 && refused.header(.retryAfter) == "1")
        #expect(refused.rateLimit == ["2", "0", "2"])
        #expect(try await Self.refusals("address", of: server) == "1")
        #expect(try await Self.refusals("key", of: server) == "0")
        #expect(try await server.send(from: Self.otherClient, .get, Self.user, key: key).status == 404)
        // A secret key at the same address has its own limit.
        #expect(try await server.send(from: Self.client, .get, "/v1/entitlements").status == 200)
        time.advance(seconds: 1)
        #expect(try await server.send(from: Self.client, .get, Self.user, key: key).status == 404)
    }

    @Test(arguments: ["127.0.0.1", "::1", "10.0.0.7", "192.168.1.1", "fd00::1"])
    func `do not hold for addresses of a private network`(address: String) async throws {
        let server = try await server()
        for key in [ServerFixture.publishable, "sk_wrong"] {
            for _ in 0..<10 {
                let answer = try await server.send(from: address, .get, Self.user, key: key)
                #expect(answer.status != 429 && answer.rateLimit == [nil, nil, nil])
            }
        }
        for _ in 0..<10 { #expect(try await server.notify("x.y.z", from: address).status == 400) }
    }

    @Test func `hold for the client that a trusted proxy names`() async throws {
        let proxy = try #require(NetworkBlock("10.0.0.0/8"))
        let server = try await server(RateLimits(addressRequestsPerSecond: 1, addressBurst: 1, trustedProxies: [proxy]))
        func send(_ forwarded: String?) async throws -> Int {
            var headers: HTTPFields = [:]
            let name = try #require(HTTPField.Name("X-Forwarded-For"))
            if let forwarded { headers[name] = forwarded }
            let key = ServerFixture.publishable
            return try await server.send(from: "10.0.0.7", .get, Self.user, key: key, headers: headers).status
        }
        #expect(try await send("198.51.100.1") == 404)
        #expect(try await send("203.0.113.9, 198.51.100.1") == 429)
        #expect(try await send("198.51.100.1, 198.51.100.2, 10.0.0.8") == 404)
        #expect(try await send("198.51.100.3") == 404)
        // What is no address counts for the proxy, and all such requests together.
        #expect(try await send(nil) == 404)
        #expect(try await send("unknown") == 429)
        #expect(try await send(String(repeating: ",", count: 500)) == 429)
    }

    @Test func `slow down the guessing of keys, but no client whose key is in use`() async throws {
        let server = try await server()
        let first = try await server.send(from: Self.client, .get, Self.user, key: ServerFixture.secret)
        #expect(first.status == 404)
        for number in 0..<2 {
            let answer = try await server.send(from: Self.client, .get, Self.user, key: "sk_guess\(number)")
            #expect(answer.status == 401 && answer.rateLimit[1] == "\(1 - number)")
        }
        for _ in 0..<5 {
            let answer = try await server.send(from: Self.client, .get, Self.user, key: "sk_guess")
            #expect(answer.status == 429 && answer.header(.retryAfter) == "1")
        }
        #expect(try await server.send(from: Self.client, .get, Self.user, key: nil).status == 429)
        // A right guess is not distinguished from a wrong one, until the address may ask again.
        let right = try await server.send(from: Self.client, .get, Self.user, key: ServerFixture.sandboxSecret)
        #expect(right.status == 429)
        #expect(try await server.send(from: Self.client, .get, Self.user).status == 404)
        #expect(try await server.send(from: Self.otherClient, .get, Self.user, key: "sk_guess").status == 401)
        time.advance(seconds: 1)
        let later = try await server.send(from: Self.client, .get, Self.user, key: ServerFixture.sandboxSecret)
        #expect(later.status == 404)
    }

    @Test func `hold for the key set of entitlement tokens`() async throws {
        let server = try await server()
        let path = "/.well-known/jwks.json"
        for _ in 0..<2 { #expect(try await server.send(from: Self.client, .get, path, key: nil).status == 200) }
        let refused = try await server.send(from: Self.client, .get, path, key: nil)
        #expect(refused.status == 429 && refused.header(.retryAfter) == "1")
        #expect(try await server.send(from: Self.otherClient, .get, path, key: nil).status == 200)
    }

    // Notifications.

    private static let number = "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1"

    private static func valid(_ number: Int, for server: ServerFixture) throws -> String {
        try server.apple.notification(
            "\(Self.number)\(10_000 + number)",
            transaction: SignedApple.period(id: "20000000\(number)", original: "20000000\(number)")
        )
    }

    @Test func `refuse notifications from an address that sent too many without a signature`() async throws {
        let server = try await server()
        let foreign = try SignedApple().notification()
        for payload in ["x.y.z", foreign, "nothing", foreign] {
            let answer = try await server.notify(payload, from: Self.client)
            #expect(answer.status == 400 && answer.rateLimit == [nil, nil, nil])
        }
        let before = try await server.send(.get, "/metrics", key: nil)
        for _ in 0..<5 {
            let refused = try await server.notify(foreign, from: Self.client)
            #expect(refused.status == 429 && refused.header(.retryAfter) == "15")
            #expect(try refused.errorCode() == "rate_limited")
        }
        // Nothing of the refused ones was verified.
        let line = #"perennial_verifications_total{kind="notification""#
        func verifications(_ answer: Answer) -> [Substring] {
            String(decoding: answer.bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix(line) }
        }
        let after = try await server.send(.get, "/metrics", key: nil)
        #expect(verifications(before) == verifications(after))
        #expect(!verifications(after).isEmpty)
        #expect(try await Self.refusals("refused_notifications", of: server) == "5")
        #expect(try await server.notify(foreign, from: Self.otherClient).status == 400)
        #expect(try await server.notify(try Self.valid(1, for: server), from: Self.otherClient).status == 200)
        time.advance(seconds: 15)
        #expect(try await server.notify(try Self.valid(2, for: server), from: Self.client).status == 200)
    }

    @Test func `never refuse an address from which valid notifications come`() async throws {
        let server = try await server()
        for number in 0..<30 {
            #expect(try await server.notify(try Self.valid(number, for: server), from: Self.client).status == 200)
        }
        for number in 0..<30 {
            #expect(try await server.notify("x.y.z", from: Self.client).status == 400)
            #expect(try await server.notify(try Self.valid(number, for: server), from: Self.client).status == 200)
        }
        // A day without a valid one ends that.
        time.advance(seconds: 86_401)
        for _ in 0..<4 { #expect(try await server.notify("x.y.z", from: Self.client).status == 400) }
        #expect(try await server.notify("x.y.z", from: Self.client).status == 429)
    }

    @Test func `do not count what Apple can cause`() async throws {
        let server = try await server()
        let others = SignedApple.period(bundle: "com.example.other")
        let unknown = try server.apple.notification(transaction: others)
        let versionOne = #"{"notification_type":"DID_RENEW","bid":"com.example.none","environment":"PROD"}"#
        let large = #"{"signedPayload":"\#(String(repeating: "x", count: 300 << 10))"}"#
        let path = "/v1/apple/notifications"
        for _ in 0..<6 {
            #expect(try await server.notify(unknown, from: Self.client).status == 503)
            let first = try await server.send(from: Self.client, .post, path, key: nil, body: versionOne)
            #expect(first.status == 400)
            #expect(try await server.send(from: Self.client, .post, path, key: nil, body: large).status == 413)
        }
        #expect(try await server.notify(try Self.valid(1, for: server), from: Self.client).status == 200)
    }

    @Test(arguments: ["{", "[]", "{}", #"{"signedPayload":""}"#, #"{"signedPayload":1}"#, ""])
    func `count a notification that is unreadable`(body: String) async throws {
        let server = try await server()
        let path = "/v1/apple/notifications"
        for _ in 0..<4 {
            #expect(try await server.send(from: Self.client, .post, path, key: nil, body: body).status == 400)
        }
        #expect(try await server.send(from: Self.client, .post, path, key: nil, body: body).status == 429)
    }
}
