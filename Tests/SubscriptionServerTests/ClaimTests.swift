import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionStorage
import Testing

@Suite struct `Claims on a purchase` {
    @Test func `are stored for the owner, and not for a refused customer`() async throws {
        let server = try await ServerFixture()
        let signed = try server.apple.sign(SignedApple.period())
        for customer in ["u_1", "u_2", "u_1"] { _ = try await server.submit(signed, customer: customer) }
        let claims = try await server.database.read { storage throws(StorageError) in
            try storage.claims(on: OriginalTransactionID("2000000000000001"), app: ServerFixture.app)
        }
        #expect(claims.map(\.customerID.rawValue) == ["u_1"])
        let refused = try await server.database.read { storage throws(StorageError) in
            try storage.refusedClaims(on: [OriginalTransactionID("2000000000000001")], app: ServerFixture.app)
        }
        #expect(refused.map(\.customerID.rawValue) == ["u_2"])
        let evidence = try #require(claims.first?.evidenceID)
        let stored = try await server.database.read { storage throws(StorageError) in
            try storage.evidence(evidence, of: ServerFixture.app)
        }
        #expect(stored?.signedBytes == Array(signed.utf8))
    }

    private static let token = "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"

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
    func `survive a migration to a new original transaction identifier`(token: String?) async throws {
        let server = try await ServerFixture()
        _ = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"keep"}"#)
        let first = try server.apple.sign(SignedApple.period(token: token))
        _ = try await server.submit(first, customer: "u_1", key: ServerFixture.secret)
        let payload = Self.migrated(token: token)
        _ = try await server.notify(try server.apple.notification(type: .migration, transaction: payload))
        let customer = try await server.send(.get, "/v1/customers/u_1")
        let ids = try customer.objects("subscriptions").compactMap { $0["id"]?.stringValue }
        #expect(ids == ["2000000000000001", "2000000000000009"])
        // The transfer policy applies to the migrated claim as to any other.
        let other = try await server.submit(try server.apple.sign(payload), customer: "u_2")
        #expect(other.status == 409)
    }

    @Test func `follow the account token of a migrated subscription`() async throws {
        let server = try await ServerFixture()
        let token = "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        let signed = try server.apple.notification(type: .migration, transaction: Self.migrated(token: token))
        _ = try await server.notify(signed)
        #expect(try await server.send(.get, "/v1/customers/\(token)").count("subscriptions") == 1)
        #expect(try await server.send(.get, "/v1/customers/u_1").count("subscriptions") == 1)
    }

    @Test(arguments: [nil, token])
    func `go to the submitter of a migrated subscription that only a token named`(newToken: String?) async throws {
        let server = try await ServerFixture()
        let old = SignedApple.period(token: Self.token)
        _ = try await server.notify(try server.apple.notification(transaction: old))
        let payload = Self.migrated(token: newToken)
        let migration = "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a21"
        _ = try await server.notify(try server.apple.notification(migration, type: .migration, transaction: payload))
        #expect(try await server.send(.get, "/v1/customers/\(Self.token)").count("subscriptions") == 2)
        #expect(
            try await server.submit(try server.apple.sign(old), customer: "u_1", key: ServerFixture.secret).status
                == 200
        )
        // The next notification evaluates the claims again.
        var renewal = Self.migrated(token: newToken)
        renewal.transactionId = "2000000000000010"
        renewal.transactionReason = .renewal
        let next = "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a22"
        _ = try await server.notify(try server.apple.notification(next, type: .didRenew, transaction: renewal))
        #expect(try await server.send(.get, "/v1/customers/u_1").count("subscriptions") == 2)
        let again = try server.apple.sign(payload)
        #expect(try await server.submit(again, customer: "u_1", key: ServerFixture.secret).status == 200)
    }

    @Test func `of sharers survive a migration`() async throws {
        let server = try await ServerFixture()
        _ = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"share"}"#)
        let old = try server.apple.sign(SignedApple.period())
        for customer in ["u_1", "u_2", "u_3"] { _ = try await server.submit(old, customer: customer) }
        _ = try await server.notify(try server.apple.notification(type: .migration, transaction: Self.migrated()))
        for customer in ["u_1", "u_2", "u_3"] {
            #expect(try await server.send(.get, "/v1/customers/\(customer)").count("subscriptions") == 2)
        }
    }
}
