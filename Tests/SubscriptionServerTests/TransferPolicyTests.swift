import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// The policy for a purchase of one customer that another customer submits.
@Suite struct `The transfer policy` {
    private static let purchase = "2000000000000001"

    private static func server(_ policy: TransferPolicy?) async throws -> ServerFixture {
        let server = try await ServerFixture()
        if let policy {
            let body = #"{"transfer_policy":"\#(policy.rawValue)"}"#
            #expect(try await server.send(.patch, "/v1/app", body: body).status == 200)
        }
        return server
    }

    private static func submit(_ customer: String, _ server: ServerFixture) async throws -> Answer {
        try await server.submit(try server.apple.sign(SignedApple.period()), customer: customer)
    }

    private static func hasAccess(_ customer: String, _ server: ServerFixture) async throws -> Bool {
        try await server.send(.get, "/v1/customers/\(customer)").bool("entitlements", "21000001", "active") ?? false
    }

    /// A refund of the period, signed one second after the purchase.
    private static func refund(_ server: ServerFixture) throws -> String {
        var period = SignedApple.period(signedAt: ServerFixture.now + 1000)
        period.revocationDate = ServerFixture.now + 1000
        period.revocationReason = .other
        return try server.apple.notification("5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a11", type: .refund, transaction: period)
    }

    @Test(
        arguments: [
            (nil, false, true), (.keep, false, true), (.transfer, true, false), (.transferIfInactive, false, true),
            (.share, true, true),
        ]
            as [(TransferPolicy?, Bool, Bool)]
    )
    func `decides the owner when a second customer claims an active purchase`(
        policy: TransferPolicy?,
        second: Bool,
        first: Bool
    ) async throws {
        let server = try await Self.server(policy)
        #expect(try await Self.submit("u_1", server).status == 200)
        let answer = try await Self.submit("u_2", server)
        #expect(answer.status == (second ? 200 : 409))
        #expect(try answer.errorCode() == (second ? nil : "purchase_owned_by_another_customer"))
        #expect(try await Self.hasAccess("u_1", server) == first)
        #expect(try await Self.hasAccess("u_2", server) == second)
        // Revenue is reported once, regardless of who has access.
        let prices = try await server.events().compactMap(\.event.price?.milliunits)
        #expect(prices.reduce(0, +) == 9990)
        if !second {
            let claimant = try await server.send(.get, "/v1/customers/u_2")
            #expect(try claimant.objects("refused_claims").first?["other_app_user_id"] == .string("u_1"))
        }
    }

    @Test func `reports a renewal to the owner and the access to all sharers`() async throws {
        let server = try await Self.server(.share)
        for customer in ["u_1", "u_2", "u_3"] { _ = try await Self.submit(customer, server) }
        let seen = try await server.events().count
        var renewal = SignedApple.period(id: "2000000000000002", signedAt: ServerFixture.now + 1)
        renewal.purchaseDate = ServerFixture.now + 30 * 86_400_000
        renewal.expiresDate = ServerFixture.now + 60 * 86_400_000
        renewal.transactionReason = .renewal
        server.time.advance(to: Timestamp(milliseconds: renewal.purchaseDate))
        _ = try await server.notify(
            try server.apple.notification("5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a12", type: .didRenew, transaction: renewal)
        )
        let events = try await server.events().dropFirst(seen)
        let extended = events.filter { $0.event.kind == .entitlementExtended }
        #expect(extended.compactMap(\.customerID?.rawValue) == ["u_1", "u_2", "u_3"])
        #expect(events.filter { $0.event.price != nil }.compactMap(\.customerID?.rawValue) == ["u_1"])
    }

    @Test func `transfers an inactive purchase, and transfers it back for the same transaction`() async throws {
        let server = try await Self.server(.transferIfInactive)
        _ = try await Self.submit("u_1", server)
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 2000))
        _ = try await server.notify(try Self.refund(server))
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 3000))
        for customer in ["u_2", "u_1", "u_2"] {
            #expect(try await Self.submit(customer, server).status == 200)
            #expect(try await server.send(.get, "/v1/customers/\(customer)").count("subscriptions") == 1)
        }
        #expect(try await server.send(.get, "/v1/customers/u_1").count("subscriptions") == 0)
    }

    /// The claims keep their order and times. The notification arrives at any position.
    @Test(arguments: TransferPolicy.allCases, [0, 1, 2, 3])
    func `gives the same owner for a notification before, between or after the claims`(
        policy: TransferPolicy,
        position: Int
    ) async throws {
        let server = try await Self.server(policy)
        for step in 0..<4 {
            server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + Int64(step) * 2000))
            if step == position { _ = try await server.notify(try Self.refund(server)) }
            if step < 3 { _ = try await Self.submit(["u_1", "u_2", "u_3"][step], server) }
        }
        let holders = try await Self.holders(server)
        switch policy {
        case .keep: #expect(holders == ["u_1"])
        // Both claims after the refund date find the purchase inactive, regardless of when the refund arrived.
        case .transfer, .transferIfInactive: #expect(holders == ["u_3"])
        case .share: #expect(holders == ["u_1", "u_2", "u_3"])
        }
    }

    @Test(arguments: permutations(of: ["u_1", "u_2", "u_3"]))
    func `shares a purchase for every order of submissions`(order: [String]) async throws {
        let server = try await Self.server(.share)
        for customer in order + order.reversed() {
            #expect(try await Self.submit(customer, server).status == 200)
        }
        #expect(try await Self.holders(server) == ["u_1", "u_2", "u_3"])
    }

    private static func holders(_ server: ServerFixture) async throws -> [String] {
        var holders: [String] = []
        for customer in ["u_1", "u_2", "u_3"] {
            let answer = try await server.send(.get, "/v1/customers/\(customer)")
            if try answer.count("subscriptions") == 1 { holders.append(customer) }
        }
        return holders
    }

    @Test func `does not affect a purchase that an operator transferred until the undo`() async throws {
        let server = try await Self.server(.transfer)
        _ = try await Self.submit("u_1", server)
        let moved = try await server.send(.post, "/v1/transfers", body: #"{"from":"u_1","to":"u_2"}"#)
        #expect(try await Self.submit("u_3", server).status == 409)
        let path = "/v1/transfers/" + (try #require(try moved.string("id"))) + "/undo"
        #expect(try await server.send(.post, path).status == 200)
        #expect(try await Self.hasAccess("u_1", server))
        #expect(try await Self.submit("u_3", server).status == 200)
        #expect(try await Self.hasAccess("u_3", server))
    }

    @Test func `is named in the explanation and the timeline`() async throws {
        let server = try await Self.server(.transfer)
        _ = try await Self.submit("u_1", server)
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 1))
        _ = try await Self.submit("u_2", server)
        let explained = try await server.send(.get, "/v1/customers/u_2?explain=true")
        let steps = try explained.objects("explanation", "21000001", "because")
        #expect(steps.first?["basis"] == .string("ownership"))
        #expect(steps.first?["transfer_policy"] == .string("transfer"))
        #expect(try await Self.types("u_1", server) == ["purchase.claimed", "purchase.lost"])
        #expect(try await Self.types("u_2", server).suffix(1) == ["purchase.claimed"])
    }

    @Test func `explains shared access by the claim that shared it, despite later claims`() async throws {
        let server = try await Self.server(.share)
        for customer in ["u_1", "u_2"] { _ = try await Self.submit(customer, server) }
        _ = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"keep"}"#)
        #expect(try await Self.submit("u_3", server).status == 409)
        for (customer, rule) in [("u_1", "keep"), ("u_2", "share")] {
            let explained = try await server.send(.get, "/v1/customers/\(customer)?explain=true")
            let steps = try explained.objects("explanation", "21000001", "because")
            #expect(steps.first?["transfer_policy"] == .string(rule), "\(customer)")
        }
    }

    /// Two claims of one customer are evaluated at two times. A late fact can invalidate the first claim.
    @Test(arguments: [false, true])
    func `counts a second claim of one customer regardless of the first`(isLate: Bool) async throws {
        let server = try await Self.server(.keep)
        // The device submits the same transaction each time.
        let signed = try server.apple.sign(SignedApple.period())
        #expect(try await server.submit(signed, customer: "u_1").status == 200)
        _ = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"transfer_if_inactive"}"#)
        try await Self.notify(server, at: 1000, isRevoked: true)
        if !isLate { try await Self.notify(server, at: 2000, isRevoked: false) }
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 3000))
        #expect(try await server.submit(signed, customer: "u_2").status == (isLate ? 200 : 409))
        if !isLate { try await Self.notify(server, at: 4000, isRevoked: true) }
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 5000))
        #expect(try await server.submit(signed, customer: "u_2").status == 200)
        if isLate {
            for (at, isRevoked) in [(2000, false), (4000, true)] as [(Int64, Bool)] {
                try await Self.notify(server, at: at, isRevoked: isRevoked)
            }
        }
        try await Self.notify(server, at: 6000, isRevoked: false)
        #expect(try await Self.hasAccess("u_2", server))
        #expect(try await !Self.hasAccess("u_1", server))
    }

    /// Delivers a refund or its reversal, signed at an offset from the purchase.
    private static func notify(_ server: ServerFixture, at offset: Int64, isRevoked: Bool) async throws {
        var period = SignedApple.period(signedAt: ServerFixture.now + offset)
        if isRevoked {
            period.revocationDate = ServerFixture.now + offset
            period.revocationReason = .other
        }
        let signed = try server.apple.notification(
            "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d\(offset)",
            type: isRevoked ? .refund : .refundReversed,
            transaction: period,
            signedAt: ServerFixture.now + offset
        )
        #expect(try await server.notify(signed).status == 200)
    }

    /// Apple's clock may be ahead of the server's.
    @Test func `treats a purchase signed slightly ahead of the server's clock as active`() async throws {
        let server = try await Self.server(.transferIfInactive)
        let signed = try server.apple.sign(SignedApple.period(signedAt: ServerFixture.now + 2000))
        #expect(try await server.submit(signed, customer: "u_1").status == 200)
        #expect(try await server.submit(signed, customer: "u_2").errorCode() == "purchase_owned_by_another_customer")
    }

    @Test func `puts a refused claim and both sides of a transfer in the timelines`() async throws {
        let server = try await Self.server(nil)
        for customer in ["u_1", "u_2"] {
            _ = try await Self.submit(customer, server)
            server.time.advance(to: Timestamp(milliseconds: server.time.now().milliseconds + 1))
        }
        // A refused claim alone creates no customer, so a grant creates it.
        let body = #"{"entitlement_id":"vip"}"#
        _ = try await server.send(.post, "/v1/customers/u_2/grants", body: body)
        #expect(try await Self.types("u_2", server) == ["purchase.claim_refused", "grant.given"])
        let moved = try await server.send(.post, "/v1/transfers", body: #"{"from":"u_1","to":"u_3"}"#)
        _ = try await server.send(.post, "/v1/transfers/\(try moved.string("id") ?? "")/undo")
        #expect(try await Self.types("u_1", server).suffix(2) == ["transfer.given", "transfer.received"])
        #expect(try await Self.types("u_3", server) == ["transfer.received", "transfer.given"])
    }

    private static func types(_ customer: String, _ server: ServerFixture) async throws -> [String] {
        try await server.send(.get, "/v1/customers/\(customer)/timeline").objects("data").compactMap { entry in
            guard case .string(let type)? = entry["type"] else { return nil }
            return type
        }
    }

    @Test func `is read and set with a secret key as one of four values`() async throws {
        let server = try await ServerFixture()
        let app = try await server.send(.get, "/v1/app")
        #expect(try app.string("transfer_policy") == "keep")
        #expect(try app.string("bundle_id") == ServerFixture.bundle)
        let wrong = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"steal"}"#)
        #expect(wrong.status == 400)
        #expect(try wrong.string("error", "param") == "transfer_policy")
        #expect(try await server.send(.get, "/v1/app", key: ServerFixture.publishable).status == 403)
        _ = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"share"}"#)
        #expect(try await server.send(.get, "/v1/app").string("transfer_policy") == "share")
        let sandbox = try await server.send(.get, "/v1/app", key: ServerFixture.sandboxSecret)
        #expect(try sandbox.string("transfer_policy") == "keep")
    }
}
