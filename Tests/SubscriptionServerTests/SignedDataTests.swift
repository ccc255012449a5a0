import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// Signed data from the notification to the answer, the feed and the timeline.
@Suite struct `Signed data from Apple` {
    private static func kinds(_ server: ServerFixture) async throws -> [String] {
        try await server.events().map(\.event.kind.rawValue).filter { !$0.hasPrefix("entitlement.") }
    }

    private static func timeline(_ server: ServerFixture) async throws -> [String] {
        try await server.send(.get, "/v1/customers/u_1/timeline").objects("data").compactMap { line in
            guard case .string(let type)? = line["type"], type != "purchase.claimed" else { return nil }
            return type
        }
    }

    private static func move(_ server: ServerFixture, to day: Int64, hours: Int64 = 0) async throws {
        server.time.advance(to: Timestamp(milliseconds: Sample.time(day) + hours * 3_600_000))
        _ = try await DuePurchases(database: server.database, policy: AccessPolicy()).settle(until: server.time.now())
    }

    /// A subscription of `u_1` whose renewal on day 30 failed.
    private static func failing() async throws -> ServerFixture {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(Sample.period(0, signed: 0)), customer: "u_1")
        try await move(server, to: 30)
        #expect(try await server.notify(try SentNotification.failedRenewal.signed(at: server, number: 1)).status == 200)
        return server
    }

    private static let firstInputs: [(NotificationType, NotificationSubtype?, TransactionReason?, String)] = [
        (.didRenew, .billingRecovery, .renewal, "subscription.recovered"),
        (.didChangeRenewalPref, .upgrade, .purchase, "subscription.upgraded"),
        (.offerRedeemed, .upgrade, .purchase, "subscription.upgraded"),
        (.didRenew, nil, nil, "subscription.renewed"),
        (.subscribed, .resubscribe, .purchase, "subscription.resubscribed"),
    ]

    @Test(arguments: firstInputs)
    func `gives the first input of a purchase its own event name, in feed and timeline`(
        type: NotificationType,
        subtype: NotificationSubtype?,
        reason: TransactionReason?,
        name: String
    ) async throws {
        let server = try await ServerFixture()
        let transaction = Sample.period(3, signed: 90) { $0.transactionReason = reason }
        let notification = SentNotification(type, subtype, day: 90, status: .active, transaction: transaction)
        #expect(try await server.notify(try notification.signed(at: server, number: 1)).status == 200)
        _ = try await server.submit(try server.apple.sign(transaction), customer: "u_1")
        #expect(try await Self.kinds(server).first == name)
        #expect(try await Self.timeline(server).first == name)
    }

    @Test func `counts a restored copy of a purchase as one charge, refunded with it`() async throws {
        let server = try await ServerFixture()
        let bought = Sample.purchase(.nonConsumable, signed: 0)
        let copy = Sample.purchase(.nonConsumable, signed: 1) { payload in
            payload.transactionId = "3000000000000077"
            payload.purchaseDate = Sample.time(1)
        }
        for payload in [copy, bought] {
            #expect(try await server.submit(try server.apple.sign(payload), customer: "u_1").status == 200)
        }
        #expect(try await Self.kinds(server) == ["purchase.made"])
        let refund = SentNotification(
            .refund,
            day: 2,
            transaction: Sample.purchase(.nonConsumable, signed: 2) { $0.revocationDate = Sample.time(2) }
        )
        #expect(try await server.notify(try refund.signed(at: server, number: 1)).status == 200)
        let events = try await server.events()
        #expect(events.compactMap(\.event.price?.milliunits).reduce(0, +) == 0)
        #expect(try await Self.timeline(server) == ["purchase.made", "purchase.refunded"])
        let customer = try await server.send(.get, "/v1/customers/u_1")
        #expect(try customer.objects("purchases").map { $0["gives_access"] } == [.bool(false)])
    }

    @Test func `counts a restored copy of a period with the same order line as one charge`() async throws {
        let server = try await ServerFixture()
        for (id, day) in [("2000000000000001", Int64(0)), ("2000000000000777", 1)] {
            let payload = Sample.period(0, signed: day) { payload in
                payload.transactionId = id
                payload.webOrderLineItemId = "2000000000000201"
            }
            #expect(try await server.submit(try server.apple.sign(payload), customer: "u_1").status == 200)
        }
        #expect(try await Self.kinds(server) == ["subscription.started"])
    }

    @Test func `ends a period by its newest status before its end date`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(Sample.period(0, signed: 0)), customer: "u_1")
        _ = try await server.submit(try server.apple.sign(Sample.period(1, signed: 30)), customer: "u_1")
        let refund = SentNotification(
            .refund,
            day: 33,
            status: .revoked,
            transaction: Sample.period(0, signed: 33) { $0.revocationDate = Sample.time(33) }
        )
        #expect(try await server.notify(try refund.signed(at: server, number: 1)).status == 200)
        let subscription = try #require(
            try await server.send(.get, "/v1/customers/u_1").objects("subscriptions").first
        )
        #expect(subscription["status"] == .string("revoked") && subscription["gives_access"] == .bool(false))
        #expect(subscription["ended_because"] == .string("refunded"))
    }

    @Test func `ends billing retry after 60 days, dated on that day`() async throws {
        let server = try await Self.failing()
        try await Self.move(server, to: 90, hours: 1)
        #expect(try await Self.kinds(server).last == "subscription.entered_billing_retry")
        try await Self.move(server, to: 200)
        let event = try #require(try await server.events().last { $0.event.kind == .expired })
        #expect(event.event.occurredAt == Timestamp(milliseconds: Sample.time(90) + 2 * 3_600_000))
        let subscription = try #require(
            try await server.send(.get, "/v1/customers/u_1").objects("subscriptions").first
        )
        #expect(subscription["status"] == .string("expired"))
        #expect(subscription["ended_because"] == .string("billing_retry"))
    }

    @Test func `describes the next period and the leeway for a late renewal`() async throws {
        let server = try await ServerFixture()
        let notification = SentNotification(
            .subscribed,
            .initialBuy,
            day: 0,
            status: .active,
            transaction: Sample.period(0, signed: 0),
            renewal: Sample.renewal(signed: 0) { renewal in
                renewal.renewalPrice = 12_990
                renewal.currency = "USD"
                renewal.offerType = .winBack
                renewal.offerIdentifier = "back.50"
                renewal.offerDiscountType = .payAsYouGo
                renewal.offerPeriod = "P1M"
                renewal.eligibleWinBackOfferIds = ["back.50", "back.30"]
            }
        )
        #expect(try await server.notify(try notification.signed(at: server, number: 1)).status == 200)
        _ = try await server.submit(try server.apple.sign(Sample.period(0, signed: 0)), customer: "u_1")
        try await Self.move(server, to: 30, hours: 1)
        let customer = try await server.send(.get, "/v1/customers/u_1")
        let subscription = try #require(try customer.objects("subscriptions").first)
        #expect(subscription["renewal_price"] == .integer(12_990))
        #expect(subscription["renewal_currency"] == .string("USD"))
        #expect(subscription["win_back_offer_ids"] == .array([.string("back.50"), .string("back.30")]))
        let offer: JSONObject = [
            "type": .string("win_back"), "id": .string("back.50"), "payment": .string("pay_as_you_go"),
            "period": .string("P1M"),
        ]
        #expect(subscription["pending_offer"] == .object(offer))
        let end = Sample.time(30) + 2 * 3_600_000
        #expect(subscription["renewal_awaited_until"] == .integer(end))
        let entitlements = try await server.send(.get, "/v1/customers/u_1/entitlements")
        #expect(try entitlements.bool("entitlements", "21000001", "active") == true)
        #expect(try entitlements.integer("entitlements", "21000001", "grace_expires_at") == end)
    }

    @Test func `reports both prices of a price change`() async throws {
        let server = try await ServerFixture()
        let notification = SentNotification(
            .priceChange,
            day: 3,
            status: .active,
            transaction: Sample.period(0, signed: 3),
            renewal: Sample.renewal(signed: 3) { renewal in
                renewal.renewalPrice = 12_990
                renewal.currency = "USD"
            }
        )
        #expect(try await server.notify(try notification.signed(at: server, number: 1)).status == 200)
        let details = try await server.events().first { $0.event.kind == .priceChanged }?.event.details
        #expect(details == ["old_price": "9990", "new_price": "12990", "currency": "USD"])
    }

    @Test func `is recorded no earlier than it was signed`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(Sample.period(0, signed: 7)), customer: "u_1")
        let notification = SentNotification(
            .didRenew,
            day: 30,
            status: .active,
            transaction: Sample.period(1, signed: 30)
        )
        #expect(try await server.notify(try notification.signed(at: server, number: 1)).status == 200)
        _ = try await server.send(
            .post,
            "/v1/customers/u_1/grants",
            body: #"{"entitlement_id":"extra","duration":"P1D"}"#
        )
        let events = try await server.events()
        #expect(events.count >= 4)
        for record in events { #expect(record.recordedAt >= record.event.occurredAt, "\(record.event.kind)") }
        #expect(events.map(\.recordedAt) == events.map(\.recordedAt).sorted(), "time never runs backwards")
        let purchase = OriginalTransactionID(Sample.original)
        let inputs = try await server.database.read { storage throws(StorageError) in
            try storage.evidence(about: purchase, of: ServerFixture.app, after: 0, limit: 10).map(\.record)
        }
        #expect(inputs.count == 2)
        for input in inputs { #expect(input.receivedAt >= input.signedAt) }
    }
}
