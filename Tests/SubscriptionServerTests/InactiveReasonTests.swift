import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// `inactive_reason`, the end of access, and the sentence of `explain=true`.
@Suite struct `The inactive reason` {
    /// Sends the notifications, submits the first transaction for `u_1`, and reads the customer on a day.
    private static func answer(_ notifications: [SentNotification], day: Int64) async throws -> Answer {
        let server = try await ServerFixture()
        for (number, notification) in notifications.enumerated() {
            server.time.advance(to: Timestamp(milliseconds: Sample.time(notification.day)))
            _ = try await server.notify(try notification.signed(at: server, number: number))
        }
        let first = try #require(notifications.first?.transaction)
        _ = try await server.submit(try server.apple.sign(first), customer: "u_1")
        server.time.advance(to: Timestamp(milliseconds: Sample.time(day)))
        _ = try await DuePurchases(database: server.database, policy: AccessPolicy()).settle(until: server.time.now())
        return try await server.send(.get, "/v1/customers/u_1?explain=true")
    }

    private static func bought(_ change: (inout JWSTransactionDecodedPayload) -> Void = { _ in }) -> SentNotification {
        SentNotification(
            .subscribed,
            .initialBuy,
            day: 0,
            status: .active,
            transaction: Sample.period(0, signed: 0, change),
            renewal: Sample.renewal(signed: 0)
        )
    }

    private static func expect(
        _ answer: Answer,
        _ id: String = "21000001",
        reason: String,
        endedOn day: Int64,
        summary: String
    ) throws {
        #expect(try answer.bool("entitlements", id, "active") == false)
        #expect(try answer.string("entitlements", id, "inactive_reason") == reason)
        #expect(try answer.integer("entitlements", id, "expires_at") == Sample.time(day))
        #expect(try answer.string("explanation", id, "summary") == summary)
    }

    @Test func `is "expired" for a subscription with renewal turned off`() async throws {
        let off = SentNotification(
            .didChangeRenewalStatus,
            .autoRenewDisabled,
            day: 2,
            status: .active,
            transaction: Sample.period(0, signed: 2),
            renewal: Sample.renewal(signed: 2) { $0.autoRenewStatus = .off }
        )
        let running = try await Self.answer([Self.bought(), off], day: 3)
        #expect(
            try running.string("explanation", "21000001", "summary")
                == "Access until 4 March 2026: renewal is turned off."
        )
        #expect(try running.string("entitlements", "21000001", "inactive_reason") == nil)
        try Self.expect(
            try await Self.answer([Self.bought(), off], day: 40),
            reason: "expired",
            endedOn: 30,
            summary: "No access: the subscription ended on 4 March 2026 because renewal was turned off."
        )
    }

    @Test func `is "refunded" from the refund date`() async throws {
        let refund = SentNotification(
            .refund,
            day: 10,
            status: .revoked,
            transaction: Sample.period(0, signed: 10) { $0.revocationDate = Sample.time(9) },
            renewal: Sample.renewal(signed: 10)
        )
        let answer = try await Self.answer([Self.bought(), refund], day: 12)
        try Self.expect(
            answer,
            reason: "refunded",
            endedOn: 9,
            summary: "No access: Apple refunded the subscription on 11 February 2026."
        )
        #expect(try answer.objects("subscriptions").first?["current_period_ends_at"] == .integer(Sample.time(30)))
    }

    @Test func `is "refunded" from the signature date of a revoked status`() async throws {
        let refund = SentNotification(.refund, day: 10, status: .revoked, transaction: Sample.period(0, signed: 0))
        try Self.expect(
            try await Self.answer([Self.bought(), refund], day: 12),
            reason: "refunded",
            endedOn: 10,
            summary: "No access: Apple refunded the subscription on 12 February 2026."
        )
    }

    @Test func `is "revoked" after family sharing ends`() async throws {
        let shared: (inout JWSTransactionDecodedPayload) -> Void = { $0.inAppOwnershipType = .familyShared }
        let revoke = SentNotification(
            .revoke,
            day: 10,
            status: .revoked,
            transaction: Sample.period(0, signed: 10) { payload in
                shared(&payload)
                payload.revocationDate = Sample.time(10)
            }
        )
        #expect(
            try await Self.answer([Self.bought(shared)], day: 3).string("explanation", "21000001", "summary")
                == "Access: a subscription that somebody else pays for is paid until 4 March 2026 and renews then."
        )
        try Self.expect(
            try await Self.answer([Self.bought(shared), revoke], day: 15),
            reason: "revoked",
            endedOn: 10,
            summary: "No access: sharing ended on 12 February 2026."
        )
    }

    @Test func `contains the end of billing retry for a failed renewal`() async throws {
        try Self.expect(
            try await Self.answer([Self.bought(), .failedRenewal], day: 33),
            reason: "billing_retry",
            endedOn: 30,
            summary: "No access: the renewal due on 4 March 2026 failed; Apple keeps trying until 3 May 2026."
        )
        try Self.expect(
            try await Self.answer([Self.bought(), .failedRenewal], day: 95),
            reason: "expired",
            endedOn: 30,
            summary: "No access: the subscription ended on 4 March 2026 because the renewal failed, and Apple no "
                + "longer tries to charge."
        )
    }

    @Test func `is reported as unknown if Apple gives none`() async throws {
        let expired = SentNotification(
            .expired,
            day: 30,
            status: .expired,
            transaction: Sample.period(0, signed: 30),
            renewal: Sample.renewal(signed: 30) { renewal in
                renewal.autoRenewStatus = .off
                renewal.expirationIntent = .other
            }
        )
        try Self.expect(
            try await Self.answer([Self.bought(), expired], day: 40),
            reason: "expired",
            endedOn: 30,
            summary: "No access: the subscription ended on 4 March 2026, for a reason that Apple does not name."
        )
    }

    @Test func `explains how to ask Apple about an end without a notification`() async throws {
        try Self.expect(
            try await Self.answer([Self.bought()], day: 40),
            reason: "expired",
            endedOn: 30,
            summary:
                "No access: the subscription ended on 4 March 2026, and no renewal has been reported; to ask Apple, "
                + "send transaction_id 2000000000000001 to POST /v1/transactions."
        )
    }

    @Test func `mentions a pending price consent and a plan change`() async throws {
        let asked = SentNotification(
            .priceIncrease,
            .pending,
            day: 3,
            status: .active,
            transaction: Sample.period(0, signed: 3),
            renewal: Sample.renewal(signed: 3) { $0.priceIncreaseStatus = .pending }
        )
        let waiting = try await Self.answer([Self.bought(), asked], day: 5)
        #expect(
            try waiting.string("explanation", "21000001", "summary")
                == "Access: the subscription is paid until 4 March 2026 and renews then if the customer agrees to the "
                + "higher price."
        )
        #expect(try waiting.objects("subscriptions").first?["price_increase"] == .string("pending"))
        #expect(
            try await Self.answer([Self.bought()], day: 5).objects("subscriptions").first?["price_increase"] == .null
        )
        let downgrade = SentNotification(
            .didChangeRenewalPref,
            .downgrade,
            day: 3,
            status: .active,
            transaction: Sample.period(0, signed: 3),
            renewal: Sample.renewal(signed: 3) { $0.autoRenewProductId = "pro.weekly" }
        )
        let changing = try await Self.answer([Self.bought(), downgrade], day: 5)
        #expect(
            try changing.string("explanation", "21000001", "summary")
                == "Access: the subscription is paid until 4 March 2026 and renews then as pro.weekly."
        )
    }

    @Test func `reports a plan change before and after, in the answer, the sentence and the event`() async throws {
        let server = try await ServerFixture()
        for (id, products) in [("hd", #""pro.monthly""#), ("pro", #""pro.monthly","pro.weekly""#)] {
            _ = try await server.send(.put, "/v1/entitlements/\(id)", body: #"{"product_ids":[\#(products)]}"#)
        }
        _ = try await server.submit(try server.apple.sign(Sample.period(0, signed: 0)), customer: "u_1")
        let downgrade = SentNotification(
            .didChangeRenewalPref,
            .downgrade,
            day: 3,
            status: .active,
            transaction: Sample.period(0, signed: 3),
            renewal: Sample.renewal(signed: 3) { $0.autoRenewProductId = "pro.weekly" }
        )
        server.time.advance(to: Timestamp(milliseconds: Sample.time(3)))
        _ = try await server.notify(try downgrade.signed(at: server, number: 1))
        let before = try await server.send(.get, "/v1/customers/u_1?explain=true")
        #expect(try before.bool("entitlements", "hd", "will_renew") == false)
        #expect(try before.bool("entitlements", "pro", "will_renew") == true)
        #expect(
            try before.string("explanation", "hd", "summary")
                == "Access until 4 March 2026: the customer changes to pro.weekly then, which does not give it."
        )
        let renewed = SentNotification(
            .didRenew,
            day: 30,
            status: .active,
            transaction: Sample.period(1, signed: 30) { $0.productId = "pro.weekly" },
            renewal: Sample.renewal(signed: 30, end: 60) { renewal in
                renewal.productId = "pro.weekly"
                renewal.autoRenewProductId = "pro.weekly"
            }
        )
        server.time.advance(to: Timestamp(milliseconds: Sample.time(30)))
        _ = try await server.notify(try renewed.signed(at: server, number: 2))
        server.time.advance(to: Timestamp(milliseconds: Sample.time(35)))
        let after = try await server.send(.get, "/v1/customers/u_1?explain=true")
        try Self.expect(
            after,
            "hd",
            reason: "plan_changed",
            endedOn: 30,
            summary:
                """
                No access: the customer changed from pro.monthly to pro.weekly on 4 March 2026, which does not \
                give it.
                """
        )
        let withdrawn = try await server.events().map(\.event).filter { $0.kind == .entitlementWithdrawn }
        #expect(withdrawn.map(\.entitlement?.inactiveReason) == [.planChanged])
        #expect(withdrawn.map(\.entitlement?.id) == [EntitlementID("hd")])
    }

    @Test func `distinguishes an expired grant and a revoked grant`() async throws {
        let server = try await ServerFixture()
        var ids: [String] = []
        for (entitlement, duration) in [("vip", "P1D"), ("gold", "P30D")] {
            let body = #"{"entitlement_id":"\#(entitlement)","duration":"\#(duration)"}"#
            let granted = try await server.send(.post, "/v1/customers/u_1/grants", body: body)
            ids.append(try #require(try granted.string("id")))
        }
        server.time.advance(to: Timestamp(milliseconds: Sample.time(5)))
        _ = try await server.send(.delete, "/v1/customers/u_1/grants/\(ids[1])")
        server.time.advance(to: Timestamp(milliseconds: Sample.time(9)))
        let answer = try await server.send(.get, "/v1/customers/u_1?explain=true")
        try Self.expect(
            answer,
            "vip",
            reason: "grant_ended",
            endedOn: 1,
            summary: "No access: the grant ended on 3 February 2026."
        )
        try Self.expect(
            answer,
            "gold",
            reason: "grant_ended",
            endedOn: 5,
            summary: "No access: an operator took the grant back on 7 February 2026."
        )
    }

    @Test func `is "refunded" from now for a refund dated ahead of the server's clock`() async throws {
        let server = try await ServerFixture()
        var refunded = Sample.purchase(.nonConsumable, signed: 0)
        refunded.revocationDate = ServerFixture.now + 5_000
        _ = try await server.submit(try server.apple.sign(refunded), customer: "u_1")
        let answer = try await server.send(.get, "/v1/customers/u_1")
        #expect(try answer.integer("entitlements", "another.product", "expires_at") == ServerFixture.now)
        #expect(try answer.string("entitlements", "another.product", "inactive_reason") == "refunded")
    }

    @Test func `is "revoked" for the first customer after a transfer`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        _ = try await server.send(.post, "/v1/transfers", body: #"{"from":"u_1","to":"u_2"}"#)
        let withdrawn = try #require(try await server.events().last { $0.event.kind == .entitlementWithdrawn })
        #expect(withdrawn.event.entitlement?.inactiveReason == .revoked)
        #expect(withdrawn.event.entitlement?.expiresAt == server.time.now())
    }

    @Test func `explains why a product without an entitlement gives no access`() async throws {
        let server = try await ServerFixture()
        let bought = Sample.purchase(.nonConsumable, signed: 0)
        _ = try await server.submit(try server.apple.sign(bought), customer: "u_1")
        let consumed = Sample.purchase(.consumable, signed: 0) { payload in
            payload.transactionId = "4000000000000001"
            payload.originalTransactionId = "4000000000000001"
            payload.productId = "coins"
        }
        _ = try await server.submit(try server.apple.sign(consumed), customer: "u_1")
        #expect(try await server.send(.get, "/v1/customers/u_1").count("unassigned_products") == 0)
        _ = try await server.send(.put, "/v1/entitlements/pro", body: #"{"product_ids":["pro.monthly"]}"#)

        let answer = try await server.send(.get, "/v1/customers/u_1?explain=true")
        #expect(try answer.json()["unassigned_products"] == .array([.string("another.product")]))
        let summary = try #require(try answer.string("product_explanation", "another.product", "summary"))
        #expect(summary.hasPrefix("No access: another.product was bought and is valid, but no entitlement names it."))
        #expect(try answer.objects("product_explanation", "another.product", "because").count == 2)

        _ = try await server.send(.put, "/v1/entitlements/all", body: #"{"product_ids":["another.product"]}"#)
        let assigned = try await server.send(.get, "/v1/customers/u_1?explain=true")
        #expect(try assigned.count("unassigned_products") == 0)
        #expect(try assigned.json()["product_explanation"] == nil)
    }
}
