import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// Entitlements that operators grant and revoke.
@Suite struct `Grants` {
    private static let path = "/v1/customers/u_42/grants"

    private static func kinds(_ server: ServerFixture) async throws -> [SubscriptionEvent.Kind] {
        try await server.events().map(\.event.kind)
    }

    @Test func `give access to a customer without purchases`() async throws {
        let server = try await ServerFixture()
        let body = #"{"entitlement_id":"pro","reason":"a broken download"}"#
        let answer = try await server.send(.post, Self.path, body: body)
        #expect(answer.status == 200)
        #expect(try answer.bool("active") == true)
        #expect(try answer.string("reason") == "a broken download")
        let customer = try await server.send(.get, "/v1/customers/u_42", key: ServerFixture.publishable)
        #expect(try customer.bool("entitlements", "pro", "active") == true)
        #expect(try customer.string("entitlements", "pro", "source") == "grant")
        #expect(try customer.integer("state_version") == 1)
        let event = try #require(try await server.send(.get, "/v1/events").objects("data").first)
        #expect(event["type"] == .string("entitlement.granted"))
        #expect(event["purchase_id"] == .null)
        #expect(event["product_id"] == .null)
    }

    @Test func `emit an event when they expire`() async throws {
        let server = try await ServerFixture()
        let answer = try await server.send(.post, Self.path, body: #"{"entitlement_id":"pro","duration":"P14D"}"#)
        let end = ServerFixture.now + 14 * 86_400_000
        #expect(try answer.integer("expires_at") == end)
        let due = DuePurchases(database: server.database, policy: AccessPolicy())
        #expect(try await due.settle(until: Timestamp(milliseconds: end - 1)).evaluated == 0)
        server.time.advance(to: Timestamp(milliseconds: end))
        // The answer changes at once. The event follows when due work is processed.
        #expect(try await server.send(.get, "/v1/customers/u_42").bool("entitlements", "pro", "active") == false)
        #expect(try await due.settle(until: Timestamp(milliseconds: end)).evaluated == 1)
        #expect(try await due.settle(until: Timestamp(milliseconds: end)).evaluated == 0)
        #expect(try await Self.kinds(server) == [.entitlementGranted, .entitlementWithdrawn])
    }

    @Test func `end at once when revoked, and a second revocation changes nothing`() async throws {
        let server = try await ServerFixture()
        let granted = try await server.send(.post, Self.path, body: #"{"entitlement_id":"pro","duration":"P1M"}"#)
        let path = Self.path + "/" + (try #require(try granted.string("id")))
        for delay in [1000, 2000] as [Int64] {
            server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + delay))
            let answer = try await server.send(.delete, path)
            #expect(answer.status == 200)
            #expect(try answer.bool("active") == false)
            #expect(try answer.integer("revoked_at") == ServerFixture.now + 1000)
        }
        #expect(try await Self.kinds(server) == [.entitlementGranted, .entitlementWithdrawn])
        #expect(try await server.send(.get, Self.path).count("data") == 1)

        // An earlier answer does not contain the revocation.
        let past = try await server.send(.get, "/v1/customers/u_42?as_of=\(ServerFixture.now + 999)")
        #expect(try past.bool("entitlements", "pro", "active") == true)
        #expect(try past.integer("entitlements", "pro", "expires_at") == granted.integer("expires_at"))
        #expect(try await server.send(.delete, Self.path + "/gr_other").errorCode() == "grant_not_found")
        #expect(try await server.send(.delete, "/v1/customers/u_1/grants/gr_x").status == 404)
    }

    @Test func `give access together with a purchase until the later end`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_42")
        let body = #"{"entitlement_id":"21000001","duration":"P60D"}"#
        let granted = try await server.send(.post, Self.path, body: body)
        #expect(try await Self.kinds(server).suffix(1) == [.entitlementExtended])
        _ = try await server.send(.delete, Self.path + "/" + (try granted.string("id") ?? ""))
        let customer = try await server.send(.get, "/v1/customers/u_42")
        #expect(try customer.bool("entitlements", "21000001", "active") == true)
        #expect(try customer.string("entitlements", "21000001", "source") == "subscription")
        #expect(try await !Self.kinds(server).contains(.entitlementWithdrawn))
    }

    @Test func `require a defined entitlement once any is defined`() async throws {
        let server = try await ServerFixture()
        _ = try await server.send(.put, "/v1/entitlements/pro", body: #"{"product_ids":["pro.monthly"]}"#)
        let refused = try await server.send(.post, Self.path, body: #"{"entitlement_id":"por"}"#)
        #expect(refused.status == 400)
        #expect(try refused.errorCode() == "entitlement_unknown")
        #expect(try await server.send(.post, Self.path, body: #"{"entitlement_id":"pro"}"#).status == 200)
    }

    @Test func `are the only source of an entitlement without products`() async throws {
        let server = try await ServerFixture()
        _ = try await server.send(.put, "/v1/entitlements/pro", body: #"{"product_ids":["pro.monthly"]}"#)
        let defined = try await server.send(.put, "/v1/entitlements/season", body: #"{"product_ids":[]}"#)
        #expect(defined.status == 200)
        #expect(try defined.count("product_ids") == 0)
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_42")
        var customer = try await server.send(.get, "/v1/customers/u_42")
        #expect(try customer.bool("entitlements", "pro", "active") == true)
        #expect(try customer.bool("entitlements", "season", "active") == nil)

        let granted = try await server.send(.post, Self.path, body: #"{"entitlement_id":"season","duration":"P90D"}"#)
        #expect(granted.status == 200)
        customer = try await server.send(.get, "/v1/customers/u_42?explain=true")
        #expect(try customer.bool("entitlements", "season", "active") == true)
        #expect(try customer.string("entitlements", "season", "source") == "grant")
    }

    @Test func `remain when an entitlement loses its products`() async throws {
        let server = try await ServerFixture()
        _ = try await server.send(.put, "/v1/entitlements/pro", body: #"{"product_ids":["pro.monthly"]}"#)
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        _ = try await server.send(.post, Self.path, body: #"{"entitlement_id":"pro"}"#)
        let seen = try await server.events().count
        _ = try await server.send(.put, "/v1/entitlements/pro", body: #"{"product_ids":[]}"#)
        let events = try await server.events().dropFirst(seen)
        #expect(events.map(\.event.kind) == [.entitlementWithdrawn])
        #expect(events.map(\.customerID) == [CustomerID("u_1")])
        #expect(try await server.send(.get, "/v1/customers/u_42").bool("entitlements", "pro", "active") == true)
    }

    @Test(arguments: ["1893456000000", #""2030-01-01""#, #""2030-01-01T01:00:00+01:00""#])
    func `accept times in milliseconds and in ISO 8601`(end: String) async throws {
        let server = try await ServerFixture()
        let body = #"{"entitlement_id":"pro","expires_at":\#(end)}"#
        let granted = try await server.send(.post, Self.path, body: body)
        #expect(try granted.integer("expires_at") == 1_893_456_000_000)
        for past in ["1770000000000", "2026-02-02T02:40Z"] {
            let answer = try await server.send(.get, "/v1/customers/u_42/entitlements?as_of=\(past)")
            #expect(try answer.integer("evaluated_at") == 1_770_000_000_000)
        }
        let wrong = try await server.send(.get, "/v1/customers/u_42/entitlements?as_of=yesterday")
        #expect(try wrong.errorCode() == "parameter_invalid")
        #expect(try wrong.string("error", "message")?.contains("ISO 8601") == true)
    }

    @Test(arguments: [
        (#"{}"#, "parameter_missing"), (#"{"entitlement_id":7}"#, "parameter_invalid"),
        (#"{"entitlement_id":"pro","expires_at":"soon"}"#, "parameter_invalid"),
        (#"{"entitlement_id":"pro","expires_at":1}"#, "grant_ends_in_the_past"),
        (#"{"entitlement_id":"pro","expires_at":"2020-01-01"}"#, "grant_ends_in_the_past"),
        (#"{"entitlement_id":"pro","expires_at":"2030-01-01T10:00:00"}"#, "parameter_invalid"),
        (#"{"entitlement_id":"pro","duration":"a month"}"#, "parameter_invalid"),
        (#"{"entitlement_id":"pro","duration":30}"#, "parameter_invalid"),
        (#"{"entitlement_id":"pro","duration":"P1M","expires_at":9999999999999}"#, "parameter_invalid"),
        (#"{"entitlement_id":"pro","reason":""}"#, "parameter_invalid"),
        (#"{"entitlement_id":"pro","until":1}"#, "parameter_unknown"),
    ])
    func `are rejected with an error code if invalid`(body: String, code: String) async throws {
        let server = try await ServerFixture()
        let answer = try await server.send(.post, Self.path, body: body)
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == code)
        #expect(try await server.events().isEmpty)
    }

    @Test func `require a secret key and are not visible in another environment`() async throws {
        let server = try await ServerFixture()
        let body = #"{"entitlement_id":"pro"}"#
        #expect(try await server.send(.post, Self.path, key: ServerFixture.publishable, body: body).status == 403)
        _ = try await server.send(.post, Self.path, body: body)
        #expect(try await server.send(.get, Self.path, key: ServerFixture.sandboxSecret).count("data") == 0)
    }
}
