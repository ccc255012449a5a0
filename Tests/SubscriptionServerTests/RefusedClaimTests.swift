import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// The stored data and the answers about a refused submission.
@Suite struct `A refused claim` {
    private static let purchase = OriginalTransactionID("2000000000000001")

    private static func refused(_ count: Int, _ policy: TransferPolicy = .keep) async throws -> ServerFixture {
        try await refusedWithInput(count, policy).server
    }

    /// A server that refused claims, and the submitted transaction. Signing it again would create another input.
    private static func refusedWithInput(
        _ count: Int,
        _ policy: TransferPolicy = .keep
    ) async throws -> (server: ServerFixture, signed: String) {
        let server = try await ServerFixture()
        let signed = try server.apple.sign(SignedApple.period())
        _ = try await server.submit(signed, customer: "u_1")
        if policy != .keep {
            _ = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"\#(policy.rawValue)"}"#)
        }
        for number in 0..<count {
            server.time.advance(to: Timestamp(milliseconds: server.time.now().milliseconds + 1))
            _ = try await server.submit(signed, customer: "invented_\(number)")
        }
        return (server, signed)
    }

    @Test func `is reported to both customers, and names the other only under a secret key`() async throws {
        let server = try await Self.refused(1)
        for (customer, role, other) in [("invented_0", "claimant", "u_1"), ("u_1", "owner", "invented_0")] {
            let answer = try await server.send(.get, "/v1/customers/\(customer)")
            #expect(answer.status == 200)
            let claim = try #require(try answer.objects("refused_claims").first)
            #expect(claim["role"] == .string(role))
            #expect(claim["reason"] == .string("submitted_before"))
            #expect(claim["other_app_user_id"] == .string(other))
            #expect(claim["what_to_do"]?.stringValue?.contains("POST /v1/transfers") == true)
            let inApp = try await server.send(.get, "/v1/customers/\(customer)", key: ServerFixture.publishable)
            #expect(try inApp.objects("refused_claims").first?["role"] == .string(role))
            #expect(!String(decoding: inApp.bytes, as: UTF8.self).contains(other))
            let timeline = try await server.send(.get, "/v1/customers/\(customer)/timeline").objects("data")
            let type = role == "owner" ? "purchase.other_claim_refused" : "purchase.claim_refused"
            let entries = timeline.filter { $0["type"] == .string(type) }
            #expect(entries.count == 1)
            guard case .object(let details)? = entries.first?["details"] else { continue }
            #expect(details["other_app_user_id"] == .string(other))
        }
        let export = try await server.send(.get, "/v1/customers/u_1/export")
        #expect(!String(decoding: export.bytes, as: UTF8.self).contains("invented_0"))
        // The answer of the new owner contains no refusal.
        _ = try await server.send(.post, "/v1/transfers", body: #"{"from":"u_1","to":"invented_0"}"#)
        let moved = try await server.send(.get, "/v1/customers/invented_0")
        #expect(try moved.json()["refused_claims"] == nil)
    }

    @Test func `does not change the owner's version past the limit`() async throws {
        let (server, signed) = try await Self.refusedWithInput(RefusedClaim.keptMax)
        let version = try await server.customer(CustomerID("u_1")).stateVersion
        for number in 0..<5 {
            #expect(try await server.submit(signed, customer: "more_\(number)").status == 409)
        }
        #expect(try await server.customer(CustomerID("u_1")).stateVersion == version)
        #expect(try await server.send(.get, "/v1/customers/u_1").integer("older_refused_claims") == 5)
    }

    @Test func `invalidates the earlier entity tag`() async throws {
        let server = try await ServerFixture()
        let signed = try server.apple.sign(SignedApple.period())
        _ = try await server.submit(signed, customer: "u_1")
        let tag = try #require(try await server.send(.get, "/v1/customers/u_1").headers[.eTag])
        _ = try await server.submit(signed, customer: "u_2")
        let headers: HTTPFields = [.ifNoneMatch: tag]
        #expect(try await server.send(.get, "/v1/customers/u_1", headers: headers).status == 200)
        let version = try await server.customer(CustomerID("u_1")).stateVersion
        _ = try await server.submit(signed, customer: "u_2")
        #expect(try await server.customer(CustomerID("u_1")).stateVersion == version)
    }

    @Test(arguments: TransferPolicy.allCases)
    func `is stored up to a limit per purchase under every rule`(policy: TransferPolicy) async throws {
        let server = try await Self.refused(450, policy)
        let stored = try await server.database.read { storage throws(StorageError) in
            (
                claims: try storage.claims(on: Self.purchase, app: ServerFixture.app).count,
                refused: try storage.refusedClaims(on: [Self.purchase], app: ServerFixture.app),
                sharers: try storage.sharers(of: Self.purchase, app: ServerFixture.app).count,
                owner: try storage.purchase(Self.purchase, of: ServerFixture.app)?.customerID?.rawValue
            )
        }
        switch policy {
        case .keep:
            #expect(stored.claims == 1)
            #expect(stored.owner == "u_1")
            let customers = try await server.database.read { storage throws(StorageError) in
                try storage.customers(of: ServerFixture.app, after: nil, limit: 1000).map(\.id.rawValue)
            }
            #expect(customers == ["u_1"])
        case .transfer: #expect(stored.owner == "invented_449")
        case .transferIfInactive: #expect(stored.owner == "u_1")
        case .share:
            #expect(stored.owner == "u_1")
            #expect(stored.sharers == ClaimedOwnership.sharersMax)
        }
        #expect(stored.claims <= 200)
        #expect(stored.refused.count == ([.keep, .transferIfInactive, .share].contains(policy) ? 20 : 0))
        if policy == .keep {
            #expect(stored.refused.last?.customerID.rawValue == "invented_449")
            #expect(stored.refused.last?.droppedBefore == 430)
            let answer = try await server.send(.get, "/v1/customers/u_1")
            #expect(try answer.integer("older_refused_claims") == 430)
            #expect(try await server.send(.get, "/v1/customers/invented_0").status == 404)
        }
    }

    @Test func `is deleted when either customer is erased`() async throws {
        for erased in ["u_1", "invented_0"] {
            let server = try await Self.refused(1)
            #expect(try await server.send(.delete, "/v1/customers/\(erased)").status == 200)
            let left = try await server.database.read { storage throws(StorageError) in
                try storage.refusedClaims(on: [Self.purchase], app: ServerFixture.app)
            }
            #expect(left.isEmpty)
            #expect(try await server.send(.get, "/v1/customers/invented_0").status == 404)
        }
    }
}
