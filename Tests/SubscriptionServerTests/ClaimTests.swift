import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionStorage
import Testing

@Suite struct `Claims on a purchase` {
    @Test func `who submitted a purchase is kept in order, once each, also when another customer owns it`() async throws
    {
        let server = try await ServerFixture()
        let signed = try server.apple.sign(SignedApple.period())
        for customer in ["u_1", "u_2", "u_1"] { _ = try await server.submit(signed, customer: customer) }
        let claims = try await server.database.read { storage throws(StorageError) in
            try storage.claims(on: OriginalTransactionID("2000000000000001"), app: ServerFixture.app)
        }
        #expect(claims.map(\.customerID.rawValue) == ["u_1", "u_2"])
        let evidence = try #require(claims.first?.evidenceID)
        let held = try await server.database.read { storage throws(StorageError) in
            try storage.evidence(evidence, of: ServerFixture.app)
        }
        #expect(held?.signedBytes == Array(signed.utf8))
    }

    private static func migrated(token: String? = nil) -> JWSTransactionDecodedPayload {
        var payload = SignedApple.period(
            id: "2000000000000009",
            original: "2000000000000009",
            token: token,
            signedAt: ServerFixture.now + 1
        )
        payload.previousOriginalTransactionId = "2000000000000001"
        return payload
    }

    @Test(arguments: [nil, "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"])
    func `whoever has a subscription has it still under the identifier that a migration gives it`(token: String?)
        async throws
    {
        let server = try await ServerFixture()
        _ = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"keep"}"#)
        _ = try await server.submit(try server.apple.sign(SignedApple.period(token: token)), customer: "u_1")
        let payload = Self.migrated(token: token)
        _ = try await server.notify(try server.apple.notification(type: .migration, transaction: payload))
        let customer = try await server.send(.get, "/v1/customers/u_1")
        let ids = try customer.objects("subscriptions").compactMap { $0["id"]?.stringValue }
        #expect(ids == ["2000000000000001", "2000000000000009"])
        // It is a claim like any other: the app's rule protects it.
        let other = try await server.submit(try server.apple.sign(payload), customer: "u_2")
        #expect(try other.errorCode() == "purchase_owned_by_another_customer")
    }

    @Test func `an account token of its own says whose a migrated subscription is`() async throws {
        let server = try await ServerFixture()
        let token = "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        let signed = try server.apple.notification(type: .migration, transaction: Self.migrated(token: token))
        _ = try await server.notify(signed)
        #expect(try await server.send(.get, "/v1/customers/\(token)").count("subscriptions") == 1)
        #expect(try await server.send(.get, "/v1/customers/u_1").count("subscriptions") == 1)
    }
}
