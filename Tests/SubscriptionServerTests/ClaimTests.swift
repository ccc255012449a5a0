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
}
