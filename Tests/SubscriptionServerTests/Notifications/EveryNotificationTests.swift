import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// Everything that Apple documents, and what it does not.
@Suite struct `Every notification type` {
    /// A server where `u_42` subscribed on day 0.
    private static func server() async throws -> ServerFixture {
        let server = try await ServerFixture()
        let first = Told(
            .subscribed,
            .initialBuy,
            day: 0,
            status: .active,
            transaction: Told.period(0, signed: 0),
            renewal: Told.renewal(signed: 0)
        )
        _ = try await server.notify(try first.signed(at: server, number: 0))
        _ = try await server.submit(try server.apple.sign(Told.period(0, signed: 0)), customer: "u_42")
        return server
    }

    private static func tell(_ told: Told, _ server: ServerFixture, number: Int) async throws -> Answer {
        server.time.advance(to: Timestamp(milliseconds: Told.instant(told.day)))
        return try await server.notify(try told.signed(at: server, number: number))
    }

    @Test(arguments: NotificationCase.all)
    func `is stored, known, answered 200, and produces exactly its events`(
        expected: NotificationCase
    ) async throws {
        let server = try await Self.server()
        for (number, told) in expected.before.enumerated() {
            #expect(try await Self.tell(told, server, number: 1 + number).status == 200)
        }
        let (seen, held) = (try await server.events().count, try await server.heldNotifications().count)
        #expect(try await Self.tell(expected.told, server, number: 99).status == 200)
        #expect(try await server.heldNotifications().count == held + 1)
        #expect(try await server.events().dropFirst(seen).map(\.event.kind) == expected.events)
        #expect(try await server.send(.get, "/v1/apple/unknown_notifications").count("data") == 0)
        // A second copy says nothing again.
        #expect(try await Self.tell(expected.told, server, number: 99).bool("duplicate") == true)
        #expect(try await server.events().count == seen + expected.events.count)
    }

    @Test func `is in the table, with every documented subtype`() {
        let types = Set(NotificationCase.all.map(\.told.type))
        #expect(types == Set(NotificationType.documented))
        let subtypes = Set(NotificationCase.all.compactMap(\.told.subtype))
        #expect(subtypes == Set(NotificationSubtype.documented))
    }

    @Test func `includes consumption requests, which become events with their reason`() async throws {
        let server = try await Self.server()
        let told = Told(.consumptionRequest, day: 5) { server, payload in
            var data = NotificationData(bundleId: ServerFixture.bundle, environment: .production)
            data.appAppleId = ServerFixture.appleID
            data.consumptionRequestReason = .unintendedPurchase
            data.signedTransactionInfo = try server.apple.sign(Told.period(0, signed: 0))
            payload.data = data
        }
        let version = try await server.customer(CustomerID("u_42")).stateVersion
        _ = try await Self.tell(told, server, number: 1)
        let record = try #require(try await server.events().last)
        #expect(record.event.kind == .refundRequested)
        #expect(record.event.details == ["reason": "unintended_purchase"])
        #expect(record.customerID == CustomerID("u_42"))
        #expect(record.stateVersion == version, "nothing of what the customer has changed")
        let event = try #require(try await server.send(.get, "/v1/events").objects("data").last)
        #expect(event["details"] == .object(["reason": .string("unintended_purchase")]))
    }

    @Test func `includes refunds of an older period, which keep the current access`() async throws {
        let server = try await Self.server()
        let renewed = Told(
            .didRenew,
            day: 30,
            status: .active,
            transaction: Told.period(1, signed: 30),
            renewal: Told.renewal(signed: 30, end: 60)
        )
        _ = try await Self.tell(renewed, server, number: 1)
        let refund = Told(
            .refund,
            day: 31,
            status: .active,
            transaction: Told.period(0, signed: 31) { $0.revocationDate = Told.instant(31) }
        )
        let seen = try await server.events().count
        _ = try await Self.tell(refund, server, number: 2)
        #expect(try await server.events().dropFirst(seen).map(\.event.kind) == [.refunded])
        let answer = try await server.send(.get, "/v1/customers/u_42")
        #expect(try answer.bool("entitlements", "21000001", "active") == true)
    }

    @Test func `is stored for an unknown purchase until a customer claims it`() async throws {
        let server = try await ServerFixture()
        let renewed = Told(.didRenew, day: 30, status: .active, transaction: Told.period(1, signed: 30))
        #expect(try await Self.tell(renewed, server, number: 1).status == 200)
        #expect(try await server.events().map(\.customerID) == [nil])
        _ = try await server.submit(try server.apple.sign(Told.period(0, signed: 0)), customer: "u_42")
        let answer = try await server.send(.get, "/v1/customers/u_42")
        #expect(try answer.bool("entitlements", "21000001", "active") == true)
        #expect(try answer.objects("subscriptions").first?["current_period_ends_at"] == .integer(Told.instant(60)))
    }

    @Test func `includes unknown types, which are stored and counted, and whose facts apply`() async throws {
        let server = try await Self.server()
        let invented = NotificationType(rawValue: "INVENTED_TOMORROW")
        let told = [
            Told(invented, day: 1), Told(invented, NotificationSubtype(rawValue: "HALF"), day: 1),
            Told(invented, day: 1),
            Told(
                .didRenew,
                NotificationSubtype(rawValue: "INVENTED"),
                day: 30,
                status: .active,
                transaction: Told.period(1, signed: 30)
            ),
        ]
        for (number, told) in told.enumerated() {
            #expect(try await Self.tell(told, server, number: 10 + number).status == 200)
        }
        let counts = try await server.send(.get, "/v1/apple/unknown_notifications").objects("data")
        let expected: [(String, JSONValue, Int64)] = [
            ("DID_RENEW", .string("INVENTED"), 1), ("INVENTED_TOMORROW", .null, 2),
            ("INVENTED_TOMORROW", .string("HALF"), 1),
        ]
        #expect(counts.count == expected.count)
        for (count, (type, subtype, number)) in zip(counts, expected) {
            #expect(count["type"] == .string(type))
            #expect(count["subtype"] == subtype)
            #expect(count["count"] == .integer(number))
        }
        #expect(try await server.events().contains { $0.event.kind == .renewed })
    }
}
