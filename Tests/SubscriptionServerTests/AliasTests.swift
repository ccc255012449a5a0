import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionStorage
import Testing

/// Two identifiers of one person: an anonymous identifier becomes an alias of a known one.
@Suite struct `Aliases` {
    private static let first = "2000000000000001"
    private static let second = "2000000000000077"

    private static func add(
        _ alias: String,
        to customer: String,
        _ server: ServerFixture,
        isDryRun: Bool = false
    ) async throws -> Answer {
        let body = #"{"alias":"\#(alias)","dry_run":\#(isDryRun)}"#
        return try await server.send(.post, "/v1/customers/\(customer)/aliases", body: body)
    }

    private static func buy(_ original: String, for customer: String, _ server: ServerFixture) async throws -> Answer {
        let period = SignedApple.period(id: original, original: original)
        return try await server.submit(try server.apple.sign(period), customer: customer)
    }

    @Test func `return the same customer for both identifiers, with all purchases`() async throws {
        let server = try await ServerFixture()
        _ = try await Self.buy(Self.first, for: "anonymous", server)
        _ = try await Self.buy(Self.second, for: "u_1", server)
        let answer = try await Self.add("anonymous", to: "u_1", server)
        #expect(answer.status == 200)
        #expect(try answer.json()["purchase_ids"] == .array([.string(Self.first), .string(Self.second)]))
        for path in ["", "/entitlements", "/timeline", "/export"] {
            let known = try await server.send(.get, "/v1/customers/u_1\(path)")
            let anonymous = try await server.send(.get, "/v1/customers/anonymous\(path)")
            #expect(known.status == 200)
            #expect(known.bytes == anonymous.bytes)
            #expect(known.headers[.eTag] == anonymous.headers[.eTag])
        }
        let customer = try await server.send(.get, "/v1/customers/anonymous")
        #expect(try customer.string("app_user_id") == "u_1")
        #expect(try customer.json()["aliases"] == .array([.string("anonymous")]))
        #expect(try customer.count("subscriptions") == 2)
        let timeline = try await server.send(.get, "/v1/customers/u_1/timeline").objects("data")
        #expect(timeline.filter { $0["type"] == .string("purchase.claimed") }.count == 2)
    }

    @Test func `emit an event for the known customer, and no loss of access for the alias`() async throws {
        let server = try await ServerFixture()
        _ = try await Self.buy(Self.first, for: "anonymous", server)
        let seen = try await server.events().count
        let version = try await server.customer(CustomerID("anonymous")).stateVersion
        _ = try await Self.add("anonymous", to: "u_1", server)
        let events = try await server.events().dropFirst(seen)
        #expect(events.map(\.event.kind) == [.aliased, .entitlementGranted])
        #expect(events.allSatisfy { $0.customerID == CustomerID("u_1") })
        #expect(events.first?.event.details == ["alias": "anonymous"])
        #expect(try await server.customer(CustomerID("u_1")).stateVersion > version)
        // A second time changes nothing.
        let again = try await Self.add("anonymous", to: "u_1", server)
        #expect(again.status == 200)
        #expect(try again.count("purchase_ids") == 1)
        #expect(try await server.events().count == seen + 2)
    }

    /// Operations of two customers and the App Store. Every order gives the same result.
    private static let operations: [@Sendable (ServerFixture) async throws -> Void] = [
        { server in _ = try await buy(first, for: "anonymous", server) },
        { server in _ = try await buy(second, for: "u_1", server) },
        { server in _ = try await add("anonymous", to: "u_1", server) },
        { server in _ = try await add("old_phone", to: "u_1", server) },
        { server in
            let body = #"{"entitlement_id":"vip"}"#
            _ = try await server.send(.post, "/v1/customers/old_phone/grants", body: body)
        },
    ]

    @Test(arguments: permutations(of: Array(0..<5)))
    func `give one customer for every order of submissions, grants and aliases`(order: [Int]) async throws {
        let server = try await ServerFixture()
        for index in order { try await Self.operations[index](server) }
        for name in ["u_1", "anonymous", "old_phone"] {
            let customer = try await server.send(.get, "/v1/customers/\(name)")
            #expect(try customer.string("app_user_id") == "u_1")
            #expect(try customer.json()["aliases"] == .array([.string("anonymous"), .string("old_phone")]))
            let ids = try customer.objects("subscriptions").map { $0["id"] }
            #expect(ids == [.string(Self.first), .string(Self.second)])
            #expect(try customer.bool("entitlements", "vip", "active") == true)
            #expect(try customer.bool("entitlements", "21000001", "active") == true)
        }
    }

    @Test func `resolve an account token to the customer`() async throws {
        let server = try await ServerFixture()
        let token = "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"
        _ = try await Self.add(token, to: "u_1", server)
        _ = try await server.notify(try server.apple.notification(transaction: SignedApple.period(token: token)))
        #expect(try await server.send(.get, "/v1/customers/u_1").count("subscriptions") == 1)
        #expect(try await server.send(.get, "/v1/customers/\(token)").string("app_user_id") == "u_1")
    }

    @Test func `report the merge in a dry run without a change`() async throws {
        let server = try await ServerFixture()
        _ = try await Self.buy(Self.first, for: "anonymous", server)
        let seen = try await server.events().count
        let answer = try await Self.add("anonymous", to: "u_1", server, isDryRun: true)
        #expect(try answer.bool("dry_run") == true)
        #expect(try answer.json()["created_at"] == .null)
        #expect(try answer.count("purchase_ids") == 1)
        #expect(try await server.send(.get, "/v1/customers/u_1").status == 404)
        #expect(try await server.send(.get, "/v1/customers/anonymous").string("app_user_id") == "anonymous")
        #expect(try await server.events().count == seen)
    }

    @Test(arguments: [
        ("u_1", "u_1", 400, "alias_of_itself"),
        ("a_1", "u_1", 409, "alias_cycle"),
        ("a_1", "a_2", 409, "customer_is_an_alias"),
        ("u_2", "a_1", 409, "alias_taken"),
        ("u_2", "u_1", 409, "alias_has_aliases"),
    ])
    func `cannot form chains or cycles, in a dry run or not`(
        customer: String,
        alias: String,
        status: Int,
        code: String
    ) async throws {
        let server = try await ServerFixture()
        #expect(try await Self.add("a_1", to: "u_1", server).status == 200)
        for isDryRun in [true, false] {
            let answer = try await Self.add(alias, to: customer, server, isDryRun: isDryRun)
            #expect(answer.status == status)
            #expect(try answer.errorCode() == code)
        }
        #expect(try await server.send(.get, "/v1/customers/a_1").string("app_user_id") == "u_1")
    }

    @Test func `are limited in number per customer`() async throws {
        let server = try await ServerFixture()
        for number in 0..<100 {
            #expect(try await Self.add("a_\(number)", to: "u_1", server).status == 200)
        }
        #expect(try await Self.add("a_100", to: "u_1", server).errorCode() == "too_many_aliases")
        #expect(try await Self.add("a_99", to: "u_1", server).status == 200)
    }

    @Test func `require a secret key and are not visible to other apps`() async throws {
        let server = try await ServerFixture()
        _ = try await Self.add("a_1", to: "u_1", server)
        let path = "/v1/customers/u_1/aliases"
        let refused = try await server.send(.post, path, key: ServerFixture.publishable, body: #"{"alias":"a_2"}"#)
        #expect(refused.status == 403)
        #expect(try await server.send(.get, "/v1/customers/a_1", key: ServerFixture.sandboxSecret).status == 404)
    }

    @Test func `are accepted by transfers and grants`() async throws {
        let server = try await ServerFixture()
        _ = try await Self.buy(Self.first, for: "u_2", server)
        _ = try await Self.add("a_1", to: "u_1", server)
        _ = try await Self.add("a_2", to: "u_2", server)
        let moved = try await server.send(.post, "/v1/transfers", body: #"{"from":"a_2","to":"a_1"}"#)
        #expect(try moved.string("from") == "u_2")
        #expect(try moved.string("to") == "u_1")
        let same = try await server.send(.post, "/v1/transfers", body: #"{"from":"a_1","to":"u_1"}"#)
        #expect(try same.errorCode() == "transfer_to_the_same_customer")
        let body = #"{"entitlement_id":"vip"}"#
        let grant = try await server.send(.post, "/v1/customers/a_1/grants", body: body)
        let id = try #require(try grant.string("id"))
        #expect(try await server.send(.get, "/v1/customers/u_1/grants").count("data") == 1)
        #expect(try await server.send(.delete, "/v1/customers/a_1/grants/\(id)").status == 200)
        #expect(try await server.send(.get, "/v1/customers/u_1").bool("entitlements", "vip", "active") == false)
        let undone = try await server.send(.post, "/v1/transfers/\(try moved.string("id") ?? "")/undo")
        #expect(undone.status == 200)
        #expect(try await server.send(.get, "/v1/customers/a_2").count("subscriptions") == 1)
    }
}

/// All permutations of the values.
func permutations<Value: Sendable>(of values: [Value]) -> [[Value]] {
    guard values.count > 1 else { return [values] }
    return values.indices.flatMap { index -> [[Value]] in
        var rest = values
        let first = rest.remove(at: index)
        return permutations(of: rest).map { [first] + $0 }
    }
}
