import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionStorage
import Testing

/// Swift prints UUIDs in upper case, and the App Store signs them in lower case. Both identify one customer.
@Suite struct `A customer whose id is a UUID` {
    private static let capital = "0F2E6F0A-2D7E-4D0B-8A11-6A4B6A0F9C3E"
    private static let mixed = "0f2E6F0a-2d7E-4D0b-8A11-6a4B6A0F9c3e"
    private static let lower = "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"
    private static let spellings = [capital, mixed, lower]

    @Test(arguments: spellings)
    func `gets the same answer under each spelling`(spelling: String) async throws {
        let server = try await ServerFixture()
        let signed = try server.apple.sign(SignedApple.period(token: Self.lower))
        let submitted = try await server.submit(signed, customer: spelling)
        #expect(submitted.status == 200)
        #expect(try submitted.string("app_user_id") == Self.lower)
        for path in ["", "?explain=true", "/entitlements", "/timeline", "/export"] {
            let answers = try await Self.answers(server, path)
            #expect(answers.allSatisfy { $0.status == 200 && $0.bytes == answers[0].bytes })
            #expect(Set(answers.map { $0.headers[.eTag] }).count == 1)
        }
        let stored = try await server.database.read { storage throws(StorageError) in
            try storage.customers(of: ServerFixture.app, after: nil, limit: 10).map(\.id.rawValue)
        }
        #expect(stored == [Self.lower])
    }

    @Test func `matches the account token, and nobody else gets the purchase`() async throws {
        let server = try await ServerFixture()
        let transaction = SignedApple.period(token: Self.lower)
        _ = try await server.notify(try server.apple.notification(transaction: transaction))
        for spelling in Self.spellings {
            let answer = try await server.submit(try server.apple.sign(transaction), customer: spelling)
            #expect(answer.status == 200)
        }
        let events = try await server.events().filter { $0.event.kind == .entitlementGranted }
        #expect(events.map(\.customerID?.rawValue) == [Self.lower])
    }

    @Test func `has aliases in any spelling, and cannot be its own alias`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        let added = try await Self.alias(Self.capital, of: "u_1", server)
        #expect(try added.string("alias") == Self.lower)
        #expect(try await Self.answers(server, "").allSatisfy { try $0.string("app_user_id") == "u_1" })
        let itself = try await Self.alias(Self.lower, of: Self.capital, server)
        #expect(try itself.errorCode() == "alias_of_itself")
    }

    @Test func `gets grants and transfers, and is erased, under any spelling`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        let moved = try await server.send(
            .post,
            "/v1/transfers",
            body: #"{"from":"u_1","to":"\#(Self.capital)","reason":"new account"}"#
        )
        #expect(try moved.string("to") == Self.lower)
        let granted = try await server.send(
            .post,
            "/v1/customers/\(Self.mixed)/grants",
            body: #"{"entitlement_id":"vip"}"#
        )
        #expect(granted.status == 200)
        let customer = try await server.send(.get, "/v1/customers/\(Self.lower)")
        #expect(try customer.bool("entitlements", "vip", "active") == true)
        #expect(try customer.count("subscriptions") == 1)
        #expect(try await server.send(.delete, "/v1/customers/\(Self.capital)").status == 200)
        #expect(try await Self.answers(server, "").allSatisfy { $0.status == 404 })
    }

    private static func answers(_ server: ServerFixture, _ path: String) async throws -> [Answer] {
        var answers: [Answer] = []
        for spelling in spellings { answers.append(try await server.send(.get, "/v1/customers/\(spelling)\(path)")) }
        return answers
    }

    private static func alias(_ alias: String, of customer: String, _ server: ServerFixture) async throws -> Answer {
        try await server.send(.post, "/v1/customers/\(customer)/aliases", body: #"{"alias":"\#(alias)"}"#)
    }
}
