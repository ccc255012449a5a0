import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionStorage
import Testing

/// Answers about users without purchases, who are the majority.
@Suite struct `A user without purchases` {
    @Test(arguments: [ServerFixture.publishable, ServerFixture.secret])
    func `has no entitlements and no error, and is not created by a read`(key: String) async throws {
        let server = try await ServerFixture()
        for query in ["", "?explain=true", "?as_of=\(ServerFixture.now - 1)"] {
            let answer = try await server.send(.get, "/v1/customers/nobody/entitlements\(query)", key: key)
            #expect(answer.status == 200)
            #expect(try answer.string("app_user_id") == "nobody")
            #expect(try answer.integer("state_version") == 0)
            #expect(try answer.json()["entitlements"] == .object(JSONObject()))
        }
        let stored = try await server.database.read { storage throws(StorageError) in
            try storage.customers(of: ServerFixture.app, after: nil, limit: 1)
        }
        #expect(stored.isEmpty)
        let future = "/v1/customers/nobody/entitlements?as_of=\(ServerFixture.now + 1)"
        #expect(try await server.send(.get, future, key: key).errorCode() == "as_of_in_the_future")
    }

    @Test func `gets 304 until the answer changes`() async throws {
        let server = try await ServerFixture()
        let path = "/v1/customers/u_42/entitlements"
        let tag = try #require(try await server.send(.get, path).headers[.eTag])
        #expect(try await server.send(.get, path, headers: [.ifNoneMatch: tag]).status == 304)
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_42")
        let bought = try await server.send(.get, path, headers: [.ifNoneMatch: tag])
        #expect(bought.status == 200)
        #expect(try bought.bool("entitlements", "21000001", "active") == true)
    }

    @Test func `is eligible for every introductory offer until one was used`() async throws {
        let server = try await ServerFixture()
        let path = "/v1/customers/u_42/offers"
        let before = try await server.send(.get, path, key: ServerFixture.publishable)
        #expect(before.status == 200)
        #expect(try before.json()["offers"] == .object(JSONObject()))
        #expect(try before.bool("other_groups", "introductory_eligible") == true)

        var trial = SignedApple.period()
        trial.offerType = .introductory
        trial.offerDiscountType = .freeTrial
        _ = try await server.submit(try server.apple.sign(trial), customer: "u_42")
        let after = try await server.send(.get, path, key: ServerFixture.publishable)
        #expect(try after.bool("offers", "21000001", "introductory_eligible") == false)
        #expect(try after.bool("other_groups", "introductory_eligible") == true)
        #expect(try await server.send(.get, path + "?group=1").errorCode() == "parameter_unknown")
    }

    @Test func `is 404 as a customer, with a message for support`() async throws {
        let server = try await ServerFixture()
        let answer = try await server.send(.get, "/v1/customers/nobody")
        #expect(answer.status == 404)
        let message = try #require(try answer.string("error", "message"))
        for text in ["app_user_id", "environment", "POST /v1/transactions"] { #expect(message.contains(text)) }
    }
}
