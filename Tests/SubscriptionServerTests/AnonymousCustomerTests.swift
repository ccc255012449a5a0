import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// Customers without an account are identified by their purchases.
@Suite struct `Anonymous customers` {
    private static func submit(
        _ customer: String,
        isAnonymous: Bool? = nil,
        _ original: String = "2000000000000001",
        key: String = ServerFixture.publishable,
        to server: ServerFixture
    ) async throws -> Answer {
        let signed = try server.apple.sign(SignedApple.period(id: original, original: original))
        let mark = isAnonymous.map { #","anonymous":\#($0)"# } ?? ""
        let body = #"{"app_user_id":"\#(customer)","signed_transaction":"\#(signed)"\#(mark)}"#
        return try await server.send(.post, "/v1/transactions", key: key, body: body)
    }

    private static func subscriptions(_ customer: String, _ server: ServerFixture) async throws -> Int {
        try await server.send(.get, "/v1/customers/\(customer)").count("subscriptions") ?? 0
    }

    @Test(arguments: [true, false])
    func `are merged when they submit the same signed purchase`(isMarked: Bool) async throws {
        let server = try await ServerFixture(policy: AccessPolicy(anonymousPrefix: isMarked ? nil : "anon_"))
        let mark: Bool? = isMarked ? true : nil
        let key = isMarked ? ServerFixture.secret : ServerFixture.publishable
        #expect(try await Self.submit("anon_1", isAnonymous: mark, key: key, to: server).status == 200)
        let answer = try await Self.submit("anon_2", isAnonymous: mark, key: key, to: server)
        #expect(answer.status == 200)
        let joined = try await server.send(.get, "/v1/customers/anon_2")
        #expect(try joined.string("app_user_id") == "anon_1")
        #expect(try joined.json()["aliases"] == .array([.string("anon_2")]))
        let timeline = try await server.send(.get, "/v1/customers/anon_2/timeline").objects("data")
        let aliased = try #require(timeline.first { $0["type"] == .string("customer.aliased") })
        #expect(aliased["details"] == .object(["alias": .string("anon_2")]))
        // The earlier purchases of the merged identifier belong to the first customer.
        let other = "2000000000000009"
        #expect(try await Self.submit("anon_3", isAnonymous: mark, other, key: key, to: server).status == 200)
        #expect(try await Self.submit("anon_3", isAnonymous: mark, key: key, to: server).status == 200)
        #expect(try await Self.subscriptions("anon_1", server) == 2)
    }

    /// Otherwise, a holder of a publishable key could get another customer's later purchases.
    @Test(
        arguments: ["victim first", "attacker first", "a server says it of one"],
        [TransferPolicy.keep, .transferIfInactive]
    )
    func `are not merged by a publishable key`(order: String, rule: TransferPolicy) async throws {
        let server = try await ServerFixture()
        _ = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"\#(rule.rawValue)"}"#)
        let (first, second) = order == "victim first" ? ("victim", "attacker") : ("attacker", "victim")
        let key = order == "a server says it of one" ? ServerFixture.secret : ServerFixture.publishable
        #expect(try await Self.submit(first, isAnonymous: true, to: server).status == 200)
        #expect(try await Self.submit(second, isAnonymous: true, key: key, to: server).status == 409)
        // A new purchase of the victim belongs to the victim only.
        _ = try await Self.submit("victim", "2000000000000009", key: ServerFixture.secret, to: server)
        #expect(try await Self.subscriptions("victim", server) == (first == "victim" ? 2 : 1))
        #expect(try await Self.subscriptions("attacker", server) == (first == "victim" ? 0 : 1))
    }

    @Test func `lose a purchase to a known customer, who keeps it`() async throws {
        let server = try await ServerFixture()
        _ = try await Self.submit("anon_1", isAnonymous: true, to: server)
        #expect(try await Self.submit("u_1", to: server).status == 200)
        #expect(try await Self.subscriptions("u_1", server) == 1)
        #expect(try await Self.subscriptions("anon_1", server) == 0)
        for isAnonymous in [true, false] {
            let answer = try await Self.submit("other_\(isAnonymous)", isAnonymous: isAnonymous, to: server)
            #expect(try answer.errorCode() == "purchase_owned_by_another_customer")
        }
    }

    @Test func `do not include an identifier that was known before`() async throws {
        let server = try await ServerFixture()
        _ = try await Self.submit("u_1", to: server)
        _ = try await Self.submit("u_1", isAnonymous: true, to: server)
        #expect(try await Self.submit("u_2", to: server).status == 409)
        #expect(try await Self.submit("anon_1", isAnonymous: true, to: server).status == 409)
        // An identifier that is known by another purchase is not merged with an anonymous one.
        _ = try await Self.submit("anon_2", isAnonymous: true, "2000000000000009", to: server)
        let joined = try await Self.submit("u_1", isAnonymous: true, "2000000000000009", to: server)
        #expect(joined.status == 409)
        #expect(try await server.send(.get, "/v1/customers/u_1").string("app_user_id") == "u_1")
    }

    @Test func `do not include a customer that an account token names`() async throws {
        let server = try await ServerFixture()
        let token = "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"
        let signed = try server.apple.sign(SignedApple.period(token: token))
        for (customer, status) in [(token, 200), ("anon_2", 409), ("u_1", 409)] {
            let mark = customer == "u_1" ? "false" : "true"
            let body = #"{"app_user_id":"\#(customer)","signed_transaction":"\#(signed)","anonymous":\#(mark)}"#
            let answer = try await server.send(.post, "/v1/transactions", key: ServerFixture.publishable, body: body)
            #expect(answer.status == status, "\(customer)")
        }
    }
}
