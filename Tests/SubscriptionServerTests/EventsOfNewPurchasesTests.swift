import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionStorage
import Testing

/// `events` of `POST /v1/transactions`: purchases from before the server.
@Suite struct `A submission without events` {
    @Test(arguments: TestEngine.allCases)
    func `stores a new purchase, and only later changes are events`(engine: TestEngine) async throws {
        let (database, close) = try await engine.open()
        let server = try await ServerFixture(database: database)
        let loud = try await ServerFixture(apple: server.apple)
        let signed = try server.apple.sign(SignedApple.period())
        #expect(try await server.submit(signed, events: "none").status == 200)
        #expect(try await loud.submit(signed, events: "backfill").status == 200)
        #expect(try await server.events().isEmpty)
        #expect(try await !loud.events().isEmpty)
        // The customer is the same, with the same version.
        let path = "/v1/customers/u_42"
        #expect(try await server.send(.get, path).bytes == loud.send(.get, path).bytes)
        #expect(try await server.send(.get, path).bool("entitlements", "21000001", "active") == true)
        // A later notification is news for both.
        var refund = SignedApple.period(signedAt: ServerFixture.now + 1)
        refund.revocationDate = ServerFixture.now
        refund.revocationReason = .other
        let news = try server.apple.sign(refund)
        let before = try await loud.events().count
        #expect(try await server.submit(news, events: "none").status == 200)
        #expect(try await loud.submit(news, events: "none").status == 200)
        let kinds = try await server.events().map(\.event.kind)
        #expect(kinds.contains(.refunded) && kinds.contains(.entitlementWithdrawn))
        #expect(try await loud.events().dropFirst(before).map(\.event.kind) == kinds)
        try await close()
    }

    @Test func `of a purchase that the server knows has its events`() async throws {
        let server = try await ServerFixture()
        _ = try await server.notify(try server.apple.notification())
        let before = try await server.events().count
        #expect(try await server.submit(try server.apple.sign(SignedApple.period()), events: "none").status == 200)
        let kinds = try await server.events().dropFirst(before).map(\.event.kind)
        #expect(kinds.contains(.entitlementGranted))
    }

    @Test func `requires a secret key and a known value`() async throws {
        let server = try await ServerFixture()
        let signed = try server.apple.sign(SignedApple.period())
        for events in ["none", "backfill"] {
            let answer = try await server.submit(signed, events: events, key: ServerFixture.publishable)
            #expect(answer.status == 403)
        }
        let wrong = try await server.submit(signed, events: "some")
        #expect(wrong.status == 400)
        #expect(try wrong.string("error", "param") == "events")
        #expect(try await server.events().isEmpty)
    }
}

extension ServerFixture {
    fileprivate func submit(_ signed: String, events: String, key: String = secret) async throws -> Answer {
        let body = #"{"app_user_id":"u_42","signed_transaction":"\#(signed)","events":"\#(events)"}"#
        return try await send(.post, "/v1/transactions", key: key, body: body)
    }
}
