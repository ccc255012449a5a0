import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// Documented and unknown notification types.
@Suite struct `Every notification type` {
    /// A server where `u_42` subscribed on day 0.
    private static func server() async throws -> ServerFixture {
        let server = try await ServerFixture()
        let first = SentNotification(
            .subscribed,
            .initialBuy,
            day: 0,
            status: .active,
            transaction: Sample.period(0, signed: 0),
            renewal: Sample.renewal(signed: 0)
        )
        _ = try await server.notify(try first.signed(at: server, number: 0))
        _ = try await server.submit(try server.apple.sign(Sample.period(0, signed: 0)), customer: "u_42")
        return server
    }

    private static func send(
        _ notification: SentNotification,
        _ server: ServerFixture,
        number: Int
    ) async throws -> Answer {
        server.time.advance(to: Timestamp(milliseconds: Sample.time(notification.day)))
        return try await server.notify(try notification.signed(at: server, number: number))
    }

    @Test(arguments: NotificationCase.all)
    func `is stored, known, answered 200, and produces exactly its events`(
        expected: NotificationCase
    ) async throws {
        let server = try await Self.server()
        for (number, notification) in expected.before.enumerated() {
            #expect(try await Self.send(notification, server, number: 1 + number).status == 200)
        }
        let (seen, stored) = (try await server.events().count, try await server.storedNotifications().count)
        #expect(try await Self.send(expected.notification, server, number: 99).status == 200)
        #expect(try await server.storedNotifications().count == stored + 1)
        #expect(try await server.events().dropFirst(seen).map(\.event.kind) == expected.events)
        #expect(try await server.send(.get, "/v1/apple/unknown_notifications").count("data") == 0)
        #expect(try await server.rebuildDifferences() == [])
        // A duplicate produces no events.
        #expect(try await Self.send(expected.notification, server, number: 99).bool("duplicate") == true)
        #expect(try await server.events().count == seen + expected.events.count)
    }

    @Test func `is in the table, with every documented subtype`() {
        let types = Set(NotificationCase.all.map(\.notification.type))
        #expect(types == Set(NotificationType.documented))
        let subtypes = Set(NotificationCase.all.compactMap(\.notification.subtype))
        #expect(subtypes == Set(NotificationSubtype.documented))
    }

    @Test func `includes consumption requests, which become events with their reason`() async throws {
        let server = try await Self.server()
        let notification = SentNotification(.consumptionRequest, day: 5) { server, payload in
            var data = NotificationData(bundleId: ServerFixture.bundle, environment: .production)
            data.appAppleId = ServerFixture.appleID
            data.consumptionRequestReason = .unintendedPurchase
            data.signedTransactionInfo = try server.apple.sign(Sample.period(0, signed: 0))
            payload.data = data
        }
        let version = try await server.customer(CustomerID("u_42")).stateVersion
        _ = try await Self.send(notification, server, number: 1)
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
        let renewed = SentNotification(
            .didRenew,
            day: 30,
            status: .active,
            transaction: Sample.period(1, signed: 30),
            renewal: Sample.renewal(signed: 30, end: 60)
        )
        _ = try await Self.send(renewed, server, number: 1)
        let refund = SentNotification(
            .refund,
            day: 31,
            status: .active,
            transaction: Sample.period(0, signed: 31) { $0.revocationDate = Sample.time(31) }
        )
        let seen = try await server.events().count
        _ = try await Self.send(refund, server, number: 2)
        #expect(try await server.events().dropFirst(seen).map(\.event.kind) == [.refunded])
        let answer = try await server.send(.get, "/v1/customers/u_42")
        #expect(try answer.bool("entitlements", "21000001", "active") == true)
    }

    @Test func `is stored for an unknown purchase until a customer claims it`() async throws {
        let server = try await ServerFixture()
        let renewed = SentNotification(.didRenew, day: 30, status: .active, transaction: Sample.period(1, signed: 30))
        #expect(try await Self.send(renewed, server, number: 1).status == 200)
        #expect(try await server.events().map(\.customerID) == [nil])
        _ = try await server.submit(try server.apple.sign(Sample.period(0, signed: 0)), customer: "u_42")
        let answer = try await server.send(.get, "/v1/customers/u_42")
        #expect(try answer.bool("entitlements", "21000001", "active") == true)
        #expect(try answer.objects("subscriptions").first?["current_period_ends_at"] == .integer(Sample.time(60)))
    }

    @Test func `includes unknown types, which are stored and counted, and whose facts apply`() async throws {
        let server = try await Self.server()
        let invented = NotificationType(rawValue: "INVENTED_TOMORROW")
        let notifications = [
            SentNotification(invented, day: 1),
            SentNotification(invented, NotificationSubtype(rawValue: "HALF"), day: 1),
            SentNotification(invented, day: 1),
            SentNotification(
                .didRenew,
                NotificationSubtype(rawValue: "INVENTED"),
                day: 30,
                status: .active,
                transaction: Sample.period(1, signed: 30)
            ),
        ]
        for (number, notification) in notifications.enumerated() {
            #expect(try await Self.send(notification, server, number: 10 + number).status == 200)
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
