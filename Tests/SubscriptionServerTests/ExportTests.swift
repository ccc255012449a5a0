import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionStorage
import Testing

/// Subject access: all data of a customer, and of no other customer.
@Suite struct `The export of a customer` {
    @Test func `contains the answer, the grants, the timeline and each signed input byte for byte`() async throws {
        let server = try await ServerFixture()
        let notification = try server.apple.notification()
        let transaction = try server.apple.sign(SignedApple.period())
        _ = try await server.notify(notification)
        _ = try await server.submit(transaction, customer: "u_42")
        _ = try await server.send(.post, "/v1/customers/u_42/grants", body: #"{"entitlement_id":"vip"}"#)
        let other = "2000000000000077"
        _ = try await server.submit(
            try server.apple.sign(SignedApple.period(id: other, original: other)),
            customer: "u_1"
        )
        let export = try await server.send(.get, "/v1/customers/u_42/export")
        #expect(export.status == 200)
        let customer = try await server.send(.get, "/v1/customers/u_42?explain=true")
        #expect(try export.json()["customer"] == .object(customer.json()))
        let grants = try await server.send(.get, "/v1/customers/u_42/grants")
        #expect(try export.objects("grants") == grants.objects("data"))
        let timeline = try await server.send(.get, "/v1/customers/u_42/timeline")
        #expect(try export.objects("timeline") == timeline.objects("data"))
        let purchases = try export.objects("purchases")
        #expect(purchases.map { $0["id"] == .string("2000000000000001") } == [true])
        guard case .array(let inputs)? = purchases.first?["inputs"] else {
            Issue.record("a purchase without its inputs")
            return
        }
        let payloads = inputs.map { input -> JSONValue? in
            guard case .object(let object) = input else { return nil }
            return object["signed_payload"]
        }
        #expect(payloads == [.string(notification), .string(transaction)])
    }

    @Test func `requires a secret key and a known customer`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_42")
        let path = "/v1/customers/u_42/export"
        #expect(try await server.send(.get, path, key: ServerFixture.publishable).status == 403)
        #expect(try await server.send(.get, path, key: ServerFixture.sandboxSecret).status == 404)
        #expect(try await server.send(.get, "/v1/customers/nobody/export").errorCode() == "customer_not_found")
    }
}
