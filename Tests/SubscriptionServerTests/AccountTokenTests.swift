import AppStoreModel
import HTTPTypes
import PerennialPrimitives
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// The owner of a purchase whose signed transaction contains an account token.
@Suite struct `The account token of a purchase` {
    private static let token = "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"
    private static let purchase = "2000000000000001"

    private static func signed(_ server: ServerFixture) throws -> String {
        try server.apple.sign(SignedApple.period(token: token))
    }

    private static func hasAccess(_ customer: String, _ server: ServerFixture) async throws -> Bool {
        try await server.send(.get, "/v1/customers/\(customer)").bool("entitlements", "21000001", "active") ?? false
    }

    @Test(arguments: [true, false])
    func `protects the purchase of the customer that it names`(isKnown: Bool) async throws {
        let server = try await ServerFixture()
        if isKnown {
            let period = SignedApple.period(token: Self.token)
            _ = try await server.notify(try server.apple.notification(transaction: period))
        }
        let answer = try await server.submit(try Self.signed(server), customer: "u_2")
        #expect(answer.status == 409)
        #expect(try answer.errorCode() == "account_token_names_another_customer")
        let message = try #require(try answer.string("error", "message"))
        #expect(message.contains("/aliases") && message.contains("/v1/transfers"))
        #expect(try await Self.hasAccess(Self.token, server))
        #expect(try await !Self.hasAccess("u_2", server))
        #expect(try await server.submit(try Self.signed(server), customer: Self.token).status == 200)
        #expect(try await Self.hasAccess(Self.token, server))
    }

    @Test func `does not decide the owner where tokens are hints`() async throws {
        let server = try await ServerFixture(policy: AccessPolicy(accountToken: .hint))
        #expect(try await server.submit(try Self.signed(server), customer: "u_2").status == 200)
        let other = try await server.submit(try Self.signed(server), customer: "u_3")
        #expect(try other.errorCode() == "purchase_owned_by_another_customer")
        #expect(try await Self.hasAccess("u_2", server))
    }

    @Test(arguments: [(token, "u_2"), ("u_2", token)])
    func `counts for an alias that was made with a secret key`(alias: String, customer: String) async throws {
        let server = try await ServerFixture()
        #expect(try await server.submit(try Self.signed(server), customer: "u_2").status == 409)
        let body = #"{"alias":"\#(alias)"}"#
        #expect(try await server.send(.post, "/v1/customers/\(customer)/aliases", body: body).status == 200)
        #expect(try await server.submit(try Self.signed(server), customer: "u_2").status == 200)
        #expect(try await Self.hasAccess("u_2", server))
        #expect(try await Self.hasAccess(Self.token, server))
    }

    @Test func `ranks below a claim of a server and a transfer by an operator`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try Self.signed(server), customer: Self.token)
        let body = #"{"from":"\#(Self.token)","to":"u_2"}"#
        #expect(try await server.send(.post, "/v1/transfers", body: body).status == 200)
        #expect(try await server.submit(try Self.signed(server), customer: "u_2").status == 200)
        let second = try await ServerFixture()
        let signed = try Self.signed(second)
        #expect(try await second.submit(signed, customer: "u_2", key: ServerFixture.secret).status == 200)
        #expect(try await Self.hasAccess("u_2", second))
    }

    @Test(
        arguments: [
            (.transfer, false, true), (.transferIfInactive, true, false), (.share, true, true),
        ] as [(TransferPolicy, Bool, Bool)]
    )
    func `counts as the first claim under the other rules`(
        policy: TransferPolicy,
        named: Bool,
        submitter: Bool
    ) async throws {
        let server = try await ServerFixture()
        let body = #"{"transfer_policy":"\#(policy.rawValue)"}"#
        #expect(try await server.send(.patch, "/v1/app", body: body).status == 200)
        let answer = try await server.submit(try Self.signed(server), customer: "u_2")
        #expect(answer.status == (submitter ? 200 : 409))
        #expect(try await Self.hasAccess(Self.token, server) == named)
        #expect(try await Self.hasAccess("u_2", server) == submitter)
    }

    /// The claims keep their order. The transaction with the token arrives before, between or after them.
    @Test(arguments: 1...40)
    func `gives the same owner whenever it becomes known`(seed: UInt64) async throws {
        var ends: Set<[String]> = []
        for position in 0...6 {
            var random = SplitMix64(seed: seed)
            let server = try await ServerFixture()
            let transaction = SignedApple.period(
                id: "2000000000000002",
                token: Self.token,
                signedAt: ServerFixture.now + 1
            )
            let notification = try server.apple.notification(transaction: transaction)
            let plain = try server.apple.sign(SignedApple.period())
            for step in 0...6 {
                server.time.advance(to: Timestamp(milliseconds: server.time.now().milliseconds + 1000))
                if step == position { #expect(try await server.notify(notification).status == 200) }
                guard step < 6 else { continue }
                let policy = random.one(of: TransferPolicy.allCases + [.keep, .keep])
                let (customer, key) = (
                    random.one(of: ["u_1", "u_2", "u_3", Self.token]),
                    random.one(of: [ServerFixture.publishable, ServerFixture.publishable, ServerFixture.secret])
                )
                let body = #"{"transfer_policy":"\#(policy.rawValue)"}"#
                #expect(try await server.send(.patch, "/v1/app", body: body).status == 200)
                #expect([200, 409].contains(try await server.submit(plain, customer: customer, key: key).status))
            }
            ends.insert(try await Self.holders(server))
        }
        #expect(ends.count == 1, "\(ends)")
    }

    private static func holders(_ server: ServerFixture) async throws -> [String] {
        try await server.database.read { storage throws(StorageError) in
            let id = OriginalTransactionID(purchase)
            let owner = try storage.purchase(id, of: ServerFixture.app)?.customerID?.rawValue
            return [owner ?? "-"] + (try storage.sharers(of: id, app: ServerFixture.app)).map(\.rawValue)
        }
    }
}
