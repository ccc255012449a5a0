import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// The grace period that an entitlement defines for billing retry.
@Suite struct `The grace period of an entitlement` {
    /// A purchase on day 0 whose renewal on day 30 fails, without a grace period of the App Store.
    private static let inputs: [@Sendable (ServerFixture) async throws -> Void] = [
        { server in
            let notification = SentNotification(
                .subscribed,
                .initialBuy,
                day: 0,
                status: .active,
                transaction: Sample.period(0, signed: 0),
                renewal: Sample.renewal(signed: 0)
            )
            _ = try await server.notify(try notification.signed(at: server, number: 0))
        },
        { server in
            _ = try await server.notify(try SentNotification.failedRenewal.signed(at: server, number: 1))
        },
        { server in _ = try await server.submit(try server.apple.sign(Sample.period(0, signed: 0)), customer: "u_1") },
    ]

    private static func define(_ id: String, days: Int?, _ server: ServerFixture) async throws {
        let days = days.map { #","billing_retry_grace_days":\#($0)"# } ?? ""
        let body = #"{"product_ids":["pro.monthly"]\#(days)}"#
        #expect(try await server.send(.put, "/v1/entitlements/\(id)", body: body).status == 200)
    }

    private static func move(_ server: ServerFixture, to day: Int64) async throws {
        server.time.advance(to: Timestamp(milliseconds: Sample.time(day)))
        _ = try await DuePurchases(database: server.database, policy: AccessPolicy()).settle(until: server.time.now())
    }

    private static func isActive(_ id: String, _ server: ServerFixture, asOf day: Int64? = nil) async throws -> Bool? {
        let query = day.map { "?as_of=\(Sample.time($0))" } ?? ""
        return try await server.send(.get, "/v1/customers/u_1\(query)").bool("entitlements", id, "active")
    }

    private static func changes(_ server: ServerFixture) async throws -> [String] {
        try await server.events().compactMap { record in
            record.event.entitlement.map { "\($0.id) \(record.event.kind.rawValue) \(record.event.occurredAt.day)" }
        }
    }

    @Test func `is zero by default and is set per entitlement`() async throws {
        let server = try await ServerFixture()
        try await Self.define("pro", days: nil, server)
        try await Self.define("week", days: 7, server)
        try await Self.define("sixteen", days: 16, server)
        for index in [0, 2] { try await Self.inputs[index](server) }
        try await Self.move(server, to: 30)
        try await Self.inputs[1](server)
        let expected: [(day: Int64, active: [Bool])] = [
            (30, [false, true, true]), (36, [false, true, true]), (37, [false, false, true]),
            (46, [false, false, false]),
        ]
        for (day, active) in expected {
            try await Self.move(server, to: day)
            for (id, isActive) in zip(["pro", "week", "sixteen"], active) {
                #expect(try await Self.isActive(id, server) == isActive, "\(id) on day \(day)")
            }
        }
        #expect(
            try await Self.changes(server).suffix(5) == [
                "pro entitlement.withdrawn 30", "sixteen entitlement.extended 30", "week entitlement.extended 30",
                "week entitlement.withdrawn 37", "sixteen entitlement.withdrawn 46",
            ]
        )
        // The subscription itself stays in billing retry. The same rule applies to the past.
        let customer = try await server.send(.get, "/v1/customers/u_1")
        #expect(try customer.objects("subscriptions").first?["status"] == .string("in_billing_retry"))
        #expect(try await Self.isActive("week", server, asOf: 36) == true)
        #expect(try await Self.isActive("week", server, asOf: 37) == false)
    }

    @Test(arguments: permutations(of: [0, 1, 2]))
    func `ends at the same time for every order of inputs`(order: [Int]) async throws {
        let server = try await ServerFixture()
        try await Self.define("week", days: 7, server)
        try await Self.move(server, to: 31)
        for index in order { try await Self.inputs[index](server) }
        let answer = try await server.send(.get, "/v1/customers/u_1/entitlements")
        #expect(try answer.bool("entitlements", "week", "active") == true)
        #expect(try answer.integer("entitlements", "week", "grace_expires_at") == Sample.time(37))
        #expect(try answer.integer("entitlements", "week", "expires_at") == Sample.time(30))
        try await Self.move(server, to: 37)
        #expect(try await Self.isActive("week", server) == false)
        #expect(try await Self.changes(server).last == "week entitlement.withdrawn 37")
    }

    @Test func `is explained by the rule and the clock, during and after it`() async throws {
        let server = try await ServerFixture()
        try await Self.define("week", days: 7, server)
        for step in Self.inputs { try await step(server) }
        try await Self.move(server, to: 31)
        let running = try await server.send(.get, "/v1/customers/u_1?explain=true")
        let steps = try running.objects("explanation", "week", "because")
        #expect(steps.suffix(2).map { $0["basis"] } == [.string("policy"), .string("clock")])
        #expect(steps.last?["at"] == .integer(Sample.time(37)))
        #expect(try running.integer("explanation", "week", "next_change", "at") == Sample.time(37))
        #expect(try running.bool("explanation", "week", "next_change", "gives_access") == false)
        try await Self.move(server, to: 38)
        let over = try await server.send(.get, "/v1/customers/u_1?explain=true")
        #expect(
            try over.objects("explanation", "week", "because").suffix(2).map { $0["basis"] }
                == [.string("policy"), .string("clock")]
        )
        // The next change is the end of billing retry, which restores no access.
        #expect(try #require(try over.integer("explanation", "week", "next_change", "at")) > Sample.time(38))
        #expect(try over.bool("explanation", "week", "next_change", "gives_access") == false)
    }

    @Test func `applies to customers in billing retry when it is defined later, and ends when it is removed`()
        async throws
    {
        let server = try await ServerFixture()
        try await Self.define("week", days: nil, server)
        for step in Self.inputs { try await step(server) }
        try await Self.move(server, to: 33)
        #expect(try await Self.isActive("week", server) == false)
        try await Self.define("week", days: 7, server)
        #expect(try await Self.isActive("week", server) == true)
        #expect(try await Self.changes(server).last == "week entitlement.granted 33")
        try await Self.define("week", days: 3, server)
        #expect(try await Self.isActive("week", server) == false)
        #expect(try await Self.changes(server).last == "week entitlement.withdrawn 33")
        try await Self.define("week", days: 5, server)
        try await Self.move(server, to: 35)
        #expect(try await Self.isActive("week", server) == false)
        #expect(try await Self.changes(server).last == "week entitlement.withdrawn 35")
    }

    @Test(arguments: ["-1", "61", "1.5", #""7""#, "true"])
    func `is a number of days from 0 to 60`(days: String) async throws {
        let server = try await ServerFixture()
        let body = #"{"product_ids":["pro.monthly"],"billing_retry_grace_days":\#(days)}"#
        let answer = try await server.send(.put, "/v1/entitlements/pro", body: body)
        #expect(answer.status == 400)
        #expect(try answer.string("error", "param") == "billing_retry_grace_days")
    }

    @Test func `is returned with the definition`() async throws {
        let server = try await ServerFixture()
        try await Self.define("week", days: 7, server)
        try await Self.define("pro", days: nil, server)
        let listed = try await server.send(.get, "/v1/entitlements").objects("data")
        #expect(listed.map { $0["billing_retry_grace_days"] } == [.integer(0), .integer(7)])
    }
}

extension Timestamp {
    /// The day of the time, counted from `ServerFixture.now`.
    fileprivate var day: Int64 { (milliseconds - ServerFixture.now) / Sample.day }
}

extension JSONObject {
    /// The value at a path.
    fileprivate func value(_ path: String...) -> JSONValue? {
        path.reduce(JSONValue.object(self)) { value, name in
            guard case .object(let object)? = value else { return nil }
            return object[name]
        }
    }
}
