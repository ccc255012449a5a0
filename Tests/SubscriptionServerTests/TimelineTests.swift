import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// The history of a customer, evaluated from the stored inputs.
@Suite struct `The timeline` {
    /// A purchase on day 0, a renewal on day 30, a refund of the first period on day 40, and a grant on day 41.
    private static func server(shuffled: Bool = false) async throws -> ServerFixture {
        let server = try await ServerFixture()
        server.time.advance(to: Timestamp(milliseconds: Sample.time(41)))
        let notifications = [
            SentNotification(
                .subscribed,
                .initialBuy,
                day: 0,
                status: .active,
                transaction: Sample.period(0, signed: 0)
            ),
            SentNotification(
                .didRenew,
                day: 30,
                status: .active,
                transaction: Sample.period(1, signed: 30),
                renewal: Sample.renewal(signed: 30, end: 60) { $0.autoRenewStatus = .off }
            ),
            SentNotification(
                .refund,
                day: 40,
                status: .active,
                transaction: Sample.period(0, signed: 40) { $0.revocationDate = Sample.time(40) }
            ),
        ]
        let order = shuffled ? notifications.enumerated().reversed() : Array(notifications.enumerated())
        for (number, notification) in order {
            _ = try await server.notify(try notification.signed(at: server, number: number))
        }
        _ = try await server.submit(try server.apple.sign(Sample.period(0, signed: 0)), customer: "u_42")
        let body = #"{"entitlement_id":"21000001","duration":"P60D"}"#
        _ = try await server.send(.post, "/v1/customers/u_42/grants", body: body)
        return server
    }

    private static func types(_ answer: Answer) throws -> [JSONValue?] {
        try answer.objects("data").map { $0["type"] }
    }

    @Test(arguments: [false, true])
    func `is in chronological order for every order of arrival`(isShuffled: Bool) async throws {
        let server = try await Self.server(shuffled: isShuffled)
        let answer = try await server.send(.get, "/v1/customers/u_42/timeline")
        let expected = [
            "subscription.started", "subscription.auto_renew_off", "subscription.renewed", "subscription.refunded",
            "purchase.claimed", "grant.given",
        ]
        #expect(try Set(Self.types(answer)) == Set(expected.map { .string($0) }))
        #expect(try answer.count("data") == expected.count)
        let lines = try answer.objects("data")
        let times = lines.compactMap { line -> Int64? in
            guard case .integer(let at)? = line["at"] else { return nil }
            return at
        }
        #expect(times.count == expected.count)
        #expect(times == times.sorted())
        let refund = try #require(lines.first { $0["type"] == .string("subscription.refunded") })
        #expect(refund["price"] == .integer(-9990))
        #expect(refund["evidence_id"] == .string("notification:5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d1002"))
    }

    @Test func `contains a time-based entry once its time has passed`() async throws {
        let server = try await Self.server()
        server.time.advance(to: Timestamp(milliseconds: Sample.time(102)))
        let types = try Self.types(try await server.send(.get, "/v1/customers/u_42/timeline"))
        #expect(types.suffix(2) == [.string("subscription.expired"), .string("grant.ended")])
    }

    @Test func `is read page by page with a secret key only`() async throws {
        let server = try await Self.server()
        let path = "/v1/customers/u_42/timeline"
        let first = try await server.send(.get, path + "?limit=4")
        #expect(try first.bool("has_more") == true)
        let cursor = try #require(try first.string("next_cursor"))
        let second = try await server.send(.get, path + "?limit=4&after=\(cursor)")
        #expect(try second.bool("has_more") == false)
        let whole = try await server.send(.get, path)
        #expect(try first.objects("data") + second.objects("data") == whole.objects("data"))
        #expect(try await server.send(.get, path, key: ServerFixture.publishable).status == 403)
        #expect(try await server.send(.get, "/v1/customers/nobody/timeline").errorCode() == "customer_not_found")
    }

    @Test(
        arguments: [(-1, nil, 0), (0, 30, 1), (29, 30, 1), (30, 60, 1), (40, 60, 1), (41, 101, 1)]
            as [(Int64, Int64?, Int)]
    )
    func `determines the answer as of a date from inputs signed until then`(
        day: Int64,
        end: Int64?,
        subscriptions: Int
    ) async throws {
        let server = try await Self.server()
        let path = "/v1/customers/u_42?explain=true&as_of=\(Sample.time(day))"
        let answer = try await server.send(.get, path)
        #expect(answer.status == 200)
        #expect(try answer.integer("evaluated_at") == Sample.time(day))
        #expect(try answer.integer("entitlements", "21000001", "expires_at") == end.map(Sample.time))
        #expect(try answer.bool("entitlements", "21000001", "active") == (end == nil ? nil : true))
        #expect(try answer.count("subscriptions") == subscriptions)
        #expect(try (answer.objects("explanation", "21000001", "because").isEmpty) == (end == nil))
    }

    @Test func `gives the current answer as of now`() async throws {
        let server = try await Self.server()
        let now = try await server.send(.get, "/v1/customers/u_42?explain=true")
        let asOf = try await server.send(.get, "/v1/customers/u_42?explain=true&as_of=\(Sample.time(41))")
        #expect(try now.json() == asOf.json())
    }

    @Test(arguments: [("as_of=soon", "parameter_invalid"), ("as_of=\(Sample.time(42))", "as_of_in_the_future")])
    func `rejects an invalid or future date`(query: String, code: String) async throws {
        let server = try await Self.server()
        let answer = try await server.send(.get, "/v1/customers/u_42?\(query)")
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == code)
    }
}
