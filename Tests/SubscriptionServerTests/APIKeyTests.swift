import AppStoreModel
import HTTPTypes
import Hummingbird
import Logging
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// What a key may do, until when, and how it is replaced.
@Suite struct `API keys` {
    private static func key(_ server: ServerFixture, _ draft: APIKeys.Draft) async throws -> String {
        try await server.services.apiKeys.create(draft, app: ServerFixture.app, by: Operator("test")).text
    }

    private static func routes(_ server: ServerFixture) -> [(method: HTTPRequest.Method, path: String)] {
        buildRouter(services: server.services, clock: nil, logger: Logger(label: "test")).routes.map {
            ($0.method, "\($0.path)")
        }
    }

    @Test func `are refused on exactly the routes above their scope`() async throws {
        let server = try await ServerFixture()
        let routes = Self.routes(server).filter { route in
            route.path.hasPrefix("/v1/") && route.path != "/v1/apple/notifications"
                && !route.path.hasPrefix("/v1/operator_sessions")
        }
        #expect(routes.count > 60)
        for scope in KeyScope.allCases {
            let key = try await Self.key(server, APIKeys.Draft(kind: .secret, scope: scope))
            for (method, path) in routes where method != .head {
                // A waiting request for events would wait, and an erasure must not remove the others' customer.
                let target = path.replacing(/\{[a-z_]+\}/, with: "nobody")
                let answer = try await server.send(method, target, key: key)
                let isRefused = try answer.status == 403 && answer.errorCode() == "scope_required"
                let needed = try #require(RouteTable.scopes["\(method) \(path)"], "\(method) \(path)")
                #expect(isRefused == (scope < needed), "\(scope) \(method) \(path): \(answer.status)")
                #expect(answer.status != 401)
            }
        }
    }

    @Test func `with a low scope change nothing`() async throws {
        let server = try await ServerFixture()
        let reader = try await Self.key(server, APIKeys.Draft(kind: .secret, scope: .read))
        let grant = #"{"entitlement_id":"pro"}"#
        let refused = try await server.send(.post, "/v1/customers/u_1/grants", key: reader, body: grant)
        #expect(refused.status == 403)
        #expect(try refused.errorCode() == "scope_required")
        #expect(try refused.string("error", "type") == "permission_error")
        #expect(try await server.send(.get, "/v1/customers/u_1/grants").count("data") == 0)
        let writer = try await Self.key(server, APIKeys.Draft(kind: .secret, scope: .write))
        #expect(try await server.send(.post, "/v1/customers/u_1/grants", key: writer, body: grant).status == 200)
        #expect(try await server.send(.post, "/v1/api_keys", key: writer, body: #"{"scope":"admin"}"#).status == 403)
    }

    @Test func `end when they expire, also while they are cached`() async throws {
        let clock = FollowedTimeSource(Timestamp(milliseconds: ServerFixture.now))
        let server = try await ServerFixture(requestTime: clock)
        let end = clock.now().adding(milliseconds: 1_000)
        let body = #"{"scope":"read","expires_at":\#(end.milliseconds)}"#
        let made = try await server.send(.post, "/v1/api_keys", body: body)
        #expect(made.status == 201)
        let key = try #require(try made.string("key"))
        #expect(try await server.send(.get, "/v1/app", key: key).status == 200)
        clock.advance(to: end)
        let expired = try await server.send(.get, "/v1/app", key: key)
        #expect(expired.status == 401)
        #expect(try expired.errorCode() == "key_expired")
        let id = try #require(try made.string("id"))
        #expect(try await server.send(.get, "/v1/api_keys/\(id)").bool("expired") == true)
        let again = try await server.send(.post, "/v1/api_keys/\(id)/rotate")
        #expect(try again.errorCode() == "key_already_expired")
        let past = #"{"scope":"read","expires_at":\#(end.milliseconds)}"#
        #expect(try await server.send(.post, "/v1/api_keys", body: past).errorCode() == "key_expires_in_the_past")
    }

    @Test func `are rotated with an overlap, and keep their rights and lifetime`() async throws {
        let clock = FollowedTimeSource(Timestamp(milliseconds: ServerFixture.now))
        let server = try await ServerFixture(requestTime: clock)
        let draft = APIKeys.Draft(
            kind: .secret,
            scope: .operate,
            label: "backend",
            expiresAt: clock.now().adding(milliseconds: 90_000_000)
        )
        let old = try await Self.key(server, draft)
        let listed = try await server.send(.get, "/v1/api_keys").objects("data")
        let id = try #require(listed.first { $0["label"] == "backend" }?["id"]?.stringValue)
        clock.advance(to: clock.now().adding(milliseconds: 10_000))
        let rotated = try await server.send(.post, "/v1/api_keys/\(id)/rotate", body: #"{"overlap_ms":5000}"#)
        #expect(rotated.status == 200)
        #expect(try rotated.string("scope") == "operate")
        #expect(try rotated.string("label") == "backend")
        #expect(try rotated.integer("expires_at") == clock.now().milliseconds + 90_000_000)
        #expect(try rotated.integer("replaces", "expires_at") == clock.now().milliseconds + 5_000)
        let new = try #require(try rotated.string("key"))
        for key in [old, new] { #expect(try await server.send(.get, "/v1/app", key: key).status == 200) }
        let again = try await server.send(.post, "/v1/api_keys/\(id)/rotate")
        #expect(try again.errorCode() == "key_already_rotated")
        clock.advance(to: clock.now().adding(milliseconds: 5_000))
        // The old key's record may be cached for five seconds, so another server is asked.
        let fresh = try await ServerFixture(database: server.database, requestTime: clock)
        #expect(try await fresh.send(.get, "/v1/app", key: new).status == 200)
        let expired = try await fresh.send(.get, "/v1/app", key: old)
        #expect(expired.status == 401)
        #expect(try expired.errorCode() == "key_expired")
        let actions = try await server.send(.get, "/v1/audit_log").objects("data").map { $0["action"]?.stringValue }
        #expect(Set(actions) == ["key.created", "key.rotated"])
    }

    @Test func `show when they were last used`() async throws {
        let clock = FollowedTimeSource(Timestamp(milliseconds: ServerFixture.now))
        let server = try await ServerFixture(requestTime: clock)
        let reader = try await Self.key(server, APIKeys.Draft(kind: .secret, scope: .read))
        func shown() async throws -> JSONObject? {
            try await server.send(.get, "/v1/api_keys").objects("data").first { $0["scope"] == "read" }
        }
        #expect(try await shown()?["last_used_at"] == .null)
        #expect(try await server.send(.get, "/v1/app", key: reader).status == 200)
        try await server.services.keys.settle()
        let used = try await shown()
        #expect(used?["last_used_at"] == .integer(ServerFixture.now))
        #expect(used?["key"] == nil)
    }

    @Test func `are listed, shown and revoked for their own app only, by their identifiers`() async throws {
        let server = try await ServerFixture()
        let ids = try await server.send(.get, "/v1/api_keys").objects("data").compactMap { $0["id"]?.stringValue }
        #expect(ids.count == 2 && ids.allSatisfy { $0.hasPrefix("key_") })
        for id in ids {
            let other = try await server.send(.get, "/v1/api_keys/\(id)", key: ServerFixture.sandboxSecret)
            #expect(try other.errorCode() == "key_not_found")
            let removal = try await server.send(.delete, "/v1/api_keys/\(id)", key: ServerFixture.sandboxSecret)
            #expect(removal.status == 404)
        }
        #expect(try await server.send(.get, "/v1/api_keys", key: ServerFixture.publishable).status == 403)
        #expect(try await server.send(.get, "/v1/api_keys/\(ServerFixture.secret)").status == 400)
        let made = try await server.send(.post, "/v1/api_keys", body: #"{"kind":"publishable","label":"app"}"#)
        let id = try #require(try made.string("id"))
        #expect(try made.string("key")?.hasPrefix("pk_") == true)
        #expect(try made.json()["scope"] == .null)
        #expect(try await server.send(.delete, "/v1/api_keys/\(id)").bool("removed") == true)
        #expect(try await server.send(.delete, "/v1/api_keys/\(id)").status == 404)
    }

    @Test(arguments: [
        "{}", #"{"scope":"root"}"#, #"{"scope":"admin","kind":"publishable"}"#, #"{"scope":"read","kind":"sk"}"#,
        #"{"scope":"read","label":""}"#, #"{"scope":"read","label":"a\nb"}"#, #"{"scope":"read","expires_at":"soon"}"#,
        #"{"scope":"read","expires_at":-1}"#, #"{"scope":"read","name":"x"}"#, #"{"scope":["read"]}"#, "[]", "x",
    ])
    func `are not made of bad input`(body: String) async throws {
        let server = try await ServerFixture()
        #expect(try await server.send(.post, "/v1/api_keys", body: body).status == 400)
        #expect(try await server.send(.get, "/v1/api_keys").count("data") == 2)
    }
}
