import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// Requests of apps and of the developer's servers.
@Suite struct `Customers and entitlements` {
    @Test func `give access as soon as a purchase is submitted`() async throws {
        let server = try await ServerFixture()
        let answer = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_42")
        #expect(answer.status == 200)
        #expect(try answer.string("app_user_id") == "u_42")
        #expect(try answer.bool("entitlements", "21000001", "active") == true)
        let read = try await server.send(.get, "/v1/customers/u_42", key: ServerFixture.publishable)
        #expect(try read.json() == answer.json())
    }

    @Test func `are the same whether the notification or the app comes first`() async throws {
        let transaction = SignedApple.period()
        var answers: [[UInt8]] = []
        for pushFirst in [true, false] {
            let server = try await ServerFixture()
            let signed = try server.apple.sign(transaction)
            if pushFirst { _ = try await server.notify(try server.apple.notification()) }
            _ = try await server.submit(signed, customer: "u_42")
            if !pushFirst { _ = try await server.notify(try server.apple.notification()) }
            var answer = try await server.send(.get, "/v1/customers/u_42").json()
            answer["state_version"] = nil
            answers.append(answer.serialize())
        }
        #expect(answers[0] == answers[1])
    }

    @Test func `use the account token of the purchase as the customer`() async throws {
        let server = try await ServerFixture()
        let token = "0F2E6F0A-2D7E-4D0B-8A11-6A4B6A0F9C3E"
        let notification = try server.apple.notification(transaction: SignedApple.period(token: token))
        _ = try await server.notify(notification)
        let answer = try await server.send(.get, "/v1/customers/\(token.lowercased())")
        #expect(try answer.bool("entitlements", "21000001", "active") == true)
    }

    @Test(arguments: [(AccountTokenRule.owner, ServerFixture.secret), (.hint, ServerFixture.publishable)])
    func `prefer a server's submission to the account token, and an app's where the token is a hint`(
        rule: AccountTokenRule,
        key: String
    ) async throws {
        let server = try await ServerFixture(policy: AccessPolicy(accountToken: rule))
        let transaction = SignedApple.period(token: "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e")
        _ = try await server.notify(try server.apple.notification(transaction: transaction))
        _ = try await server.submit(try server.apple.sign(transaction), customer: "u_42", key: key)
        let byToken = try await server.send(.get, "/v1/customers/0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e")
        #expect(try byToken.count("subscriptions") == 0)
        let bySubmit = try await server.send(.get, "/v1/customers/u_42")
        #expect(try bySubmit.count("subscriptions") == 1)
    }

    @Test func `keep the purchase with its first customer and return a remedy to the second`() async throws {
        let server = try await ServerFixture()
        let signed = try server.apple.sign(SignedApple.period())
        _ = try await server.submit(signed, customer: "u_1")
        let answer = try await server.submit(signed, customer: "u_2")
        #expect(answer.status == 409)
        #expect(try answer.errorCode() == "purchase_owned_by_another_customer")
        #expect(try await server.send(.get, "/v1/customers/u_1").bool("entitlements", "21000001", "active") == true)
        let refused = try await server.send(.get, "/v1/customers/u_2")
        #expect(refused.status == 200)
        #expect(try refused.count("subscriptions") == 0)
        #expect(try refused.count("refused_claims") == 1)
    }

    @Test func `reject a transaction of the other environment under this key`() async throws {
        let server = try await ServerFixture()
        let sandbox = try server.apple.sign(SignedApple.period(environment: .sandbox))
        let answer = try await server.submit(sandbox, customer: "u_42")
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == "transaction_of_another_app")
    }

    @Test func `are not created by a read`() async throws {
        let server = try await ServerFixture()
        for _ in 0..<2 {
            let answer = try await server.send(.get, "/v1/customers/nobody")
            #expect(answer.status == 404)
            #expect(try answer.errorCode() == "customer_not_found")
        }
    }

    @Test func `are answered 304 when unchanged, and the tag changes with the state`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_42")
        let path = "/v1/customers/u_42/entitlements"
        let tag = try #require(try await server.send(.get, path).headers[.eTag])
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 60_000))
        #expect(try await server.send(.get, path, headers: [.ifNoneMatch: tag]).status == 304)
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 40 * 86_400_000))
        let later = try await server.send(.get, path, headers: [.ifNoneMatch: tag])
        #expect(later.status == 200)
        #expect(try later.bool("entitlements", "21000001", "active") == false)
    }

    @Test func `follow the definition, also for earlier purchases`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u 42/ü")
        let body = #"{"product_ids":["pro.monthly","pro.yearly","pro.monthly"]}"#
        let defined = try await server.send(.put, "/v1/entitlements/pro", body: body)
        #expect(defined.status == 200)
        #expect(try defined.count("product_ids") == 2)
        #expect(try await server.send(.get, "/v1/entitlements").count("data") == 1)
        let answer = try await server.send(.get, "/v1/customers/u%2042%2F%C3%BC/entitlements")
        #expect(try answer.bool("entitlements", "pro", "active") == true)
        #expect(try answer.bool("entitlements", "21000001", "active") == nil)
    }

    @Test func `get one event per affected customer when a definition changes`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        let before = try await server.customer(CustomerID("u_1")).stateVersion
        let seen = try await server.events().count

        let body = #"{"product_ids":["pro.monthly"]}"#
        for _ in 0..<2 { #expect(try await server.send(.put, "/v1/entitlements/pro", body: body).status == 200) }
        let events = try await server.events().dropFirst(seen)
        #expect(events.map(\.event.kind) == [.entitlementWithdrawn, .entitlementGranted])
        #expect(events.map(\.event.entitlement?.id.rawValue) == ["21000001", "pro"])
        #expect(events.map(\.event.entitlement?.isActive) == [false, true])
        #expect(events.allSatisfy { $0.customerID == CustomerID("u_1") && $0.stateVersion == before + 1 })
        #expect(try await server.customer(CustomerID("u_1")).stateVersion == before + 1)

        let other = #"{"product_ids":["another.product"]}"#
        #expect(try await server.send(.put, "/v1/entitlements/other", body: other).status == 200)
        #expect(try await server.customer(CustomerID("u_1")).stateVersion == before + 1)
    }

    @Test func `are all updated when a definition affects more than one page of customers`() async throws {
        let server = try await ServerFixture()
        let customers = (0..<1203).map { CustomerID("u_\($0)") }
        try await server.database.write { storage throws(StorageError) in
            for customer in customers {
                let record = CustomerRecord(id: customer, firstSeenAt: Timestamp(milliseconds: 0), stateVersion: 1)
                try storage.save(record, of: ServerFixture.app)
            }
        }
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "z")
        _ = try await server.send(.put, "/v1/entitlements/pro", body: #"{"product_ids":["pro.monthly"]}"#)
        #expect(try await server.events().last?.customerID == CustomerID("z"))
        #expect(try await server.events().last?.event.kind == .entitlementGranted)
    }

    @Test(arguments: ["/v1/customers/%00", "/v1/customers/a%zz", "/v1/customers/%C3", "/v1/customers/%C3/entitlements"])
    func `reject an identifier that a database cannot store`(path: String) async throws {
        let server = try await ServerFixture()
        let answer = try await server.send(.get, path)
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == "parameter_invalid")
    }

    @Test(arguments: [
        (#"{"app_user_id":"u"}"#, "parameter_missing"),
        (#"{"app_user_id":"a\u0000","signed_transaction":"x"}"#, "parameter_invalid"),
        (#"{"app_user_id":"","signed_transaction":"x"}"#, "parameter_invalid"),
        (#"{"app_user_id":"u","signed_transaction":"x"}"#, "malformed_jws"),
        (#"{"app_user_id":"u","signed_transaction":"x","app_user":"u"}"#, "parameter_unknown"),
        (#"{"app_user_id":"u","app_user_id":"v"}"#, "malformed_json"),
    ])
    func `reject an invalid submission with its error code`(body: String, code: String) async throws {
        let server = try await ServerFixture()
        let answer = try await server.send(.post, "/v1/transactions", body: body)
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == code)
    }

    @Test(
        arguments: [
            (nil, 401, "key_missing"), ("sk_unknownunknownunknown", 401, "key_invalid"),
            (ServerFixture.publishable, 403, "secret_key_required"),
        ] as [(String?, Int, String)]
    )
    func `are readable with the matching key only`(key: String?, status: Int, code: String) async throws {
        let server = try await ServerFixture()
        for path in ["/v1/entitlements", "/v1/apple/notifications"] {
            let answer = try await server.send(.get, path, key: key)
            #expect(answer.status == status)
            #expect(try answer.errorCode() == code)
        }
    }

    @Test func `need no key for an unknown route and the health routes`() async throws {
        let server = try await ServerFixture()
        #expect(try await server.send(.get, "/healthz", key: nil).status == 200)
        #expect(try await server.send(.get, "/readyz", key: nil).status == 200)
        let answer = try await server.send(.get, "/v2/unknown", key: nil)
        #expect(answer.status == 404)
        #expect(try answer.errorCode() == "route_not_found")
    }
}
