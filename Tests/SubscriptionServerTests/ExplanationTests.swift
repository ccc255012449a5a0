import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// `?explain=true` adds the evidence to an answer.
@Suite struct `The explanation of access` {
    private static func steps(_ answer: Answer, _ entitlement: String) throws -> [JSONObject] {
        try answer.objects("explanation", entitlement, "because")
    }

    @Test func `names the source of each step, and the signed input is readable`() async throws {
        let server = try await ServerFixture()
        _ = try await server.notify(try server.apple.notification())
        _ = try await server.submit(
            try server.apple.sign(SignedApple.period(signedAt: ServerFixture.now - 1)),
            customer: "u_42"
        )
        let answer = try await server.send(.get, "/v1/customers/u_42?explain=true")
        let steps = try Self.steps(answer, "21000001")
        #expect(steps.map { $0["basis"] } == [.string("rule"), .string("transaction"), .string("clock")])
        let fact = try #require(steps.dropFirst().first)
        #expect(fact["transaction_id"] == .string("2000000000000001"))
        let id = "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a10"
        #expect(fact["evidence_id"] == .string("notification:\(id)"))
        #expect(try await server.send(.get, "/v1/apple/notifications/\(id)").status == 200)
        let end = ServerFixture.now + 30 * 86_400_000
        #expect(try answer.integer("explanation", "21000001", "next_change", "at") == end)
        #expect(try answer.bool("explanation", "21000001", "next_change", "gives_access") == false)
        let small = try await server.send(.get, "/v1/customers/u_42/entitlements?explain=true")
        #expect(try Self.steps(small, "21000001") == steps)
    }

    @Test func `names the grant, and the definition as the rule`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_42")
        for (id, product) in [("pro", "pro.monthly"), ("vip", "other")] {
            _ = try await server.send(.put, "/v1/entitlements/\(id)", body: #"{"product_ids":["\#(product)"]}"#)
        }
        let body = #"{"entitlement_id":"vip","duration":"P1D","reason":"a prize"}"#
        _ = try await server.send(.post, "/v1/customers/u_42/grants", body: body)
        let answer = try await server.send(.get, "/v1/customers/u_42?explain=true")
        let granted = try Self.steps(answer, "vip")
        #expect(granted.map { $0["basis"] } == [.string("grant"), .string("clock")])
        #expect(granted.first?["reason"] == .string("a prize"))
        #expect(
            try answer.integer("explanation", "vip", "next_change", "at") == ServerFixture.now + 86_400_000
        )
        let bought = try #require(try Self.steps(answer, "pro").first)
        #expect(bought["basis"] == .string("rule"))
        #expect(bought["product_id"] == .string("pro.monthly"))
    }

    @Test func `covers an end of access, and is absent if not requested`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_42")
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 40 * 86_400_000))
        let ended = try await server.send(.get, "/v1/customers/u_42?explain=true")
        #expect(try Self.steps(ended, "21000001").map { $0["basis"] }.last == .string("clock"))
        #expect(try ended.integer("explanation", "21000001", "next_change", "at") == nil)
        #expect(try await server.send(.get, "/v1/customers/u_42?explain=false").json()["explanation"] == nil)
        let refused = try await server.send(.get, "/v1/customers/u_42?explain=yes")
        #expect(try refused.errorCode() == "parameter_invalid")
    }
}
