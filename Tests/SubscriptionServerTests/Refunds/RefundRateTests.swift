import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// Refunds beside charges, counted by hand.
@Suite(.timeLimit(.minutes(5)))
struct `Refund rates` {
    /// A scene with three purchases.
    ///
    /// - A subscription in the USA: paid on days 0 and 30, the first period refunded on day 31.
    /// - A consumable in Germany: bought on day 1, refunded on day 2, reversed on day 3. The customer had said that it
    ///   was not intended.
    /// - A free trial from day 2.
    ///
    /// - Parameter isReversed: Whether the refund of the consumable is reversed.
    private static func scene(
        _ database: any SubscriptionDatabase,
        isReversed: Bool = true
    ) async throws -> RefundScene {
        let scene = try await RefundScene(database)
        for number in 0...1 as ClosedRange<Int64> {
            try await scene.submit(Sample.period(number, signed: 30 * number))
        }
        let refunded = Sample.period(0, signed: 31, RefundScene.refund(onDay: 31))
        try await scene.send(SentNotification(.refund, day: 31, status: .active, transaction: refunded), number: 1)
        func coins(signed day: Int64, _ change: (inout JWSTransactionDecodedPayload) -> Void = { _ in })
            -> JWSTransactionDecodedPayload
        {
            Sample.purchase(.consumable, signed: day) { payload in
                payload.productId = "coins"
                payload.purchaseDate = Sample.time(1)
                (payload.price, payload.currency, payload.storefront) = (5_000, "EUR", "DEU")
                change(&payload)
            }
        }
        try await scene.submit(coins(signed: 1))
        let asked = coins(signed: 1)
        let request = SentNotification(.consumptionRequest, day: 1) { server, payload in
            var data = NotificationData(bundleId: ServerFixture.bundle, environment: .production)
            data.appAppleId = ServerFixture.appleID
            data.consumptionRequestReason = .unintendedPurchase
            data.signedTransactionInfo = try server.apple.sign(asked)
            payload.data = data
        }
        try await scene.send(request, number: 2)
        let returned = coins(signed: 2) { payload in
            payload.revocationDate = Sample.time(2)
            payload.revocationReason = .other
        }
        try await scene.send(SentNotification(.refund, day: 2, transaction: returned), number: 3)
        if isReversed {
            try await scene.send(SentNotification(.refundReversed, day: 3, transaction: coins(signed: 3)), number: 4)
        }
        let trial = Sample.purchase(.autoRenewableSubscription, signed: 2) { payload in
            (payload.transactionId, payload.originalTransactionId) = ("4000000000000001", "4000000000000001")
            (payload.productId, payload.price) = ("pro.yearly", 0)
            payload.purchaseDate = Sample.time(2)
        }
        try await scene.submit(trial, customer: "u_7")
        return scene
    }

    private static let byProduct: [JSONObject] = [
        ["product_id": "coins", "charged": 1, "refunds": 0, "reversed": 1, "share": 0, "amounts": [:]],
        monthly("product_id", "pro.monthly", charged: 2, share: 50_000),
    ]
    private static let byStorefront: [JSONObject] = [
        ["storefront": "DEU", "charged": 1, "refunds": 0, "reversed": 1, "share": 0, "amounts": [:]],
        monthly("storefront", "USA", charged: 2, share: 50_000),
    ]
    private static let byReason: [JSONObject] = [
        [
            "reason": "app_issue", "charged": .null, "refunds": 1, "reversed": 0, "share": .null,
            "amounts": ["USD": 9990], "requested_because": [:],
        ],
        [
            "reason": "other", "charged": .null, "refunds": 0, "reversed": 1, "share": .null, "amounts": [:],
            "requested_because": [:],
        ],
    ]
    /// The end is exclusive, and a refund counts when it was made.
    private static let inLastDays = [monthly("product_id", "pro.monthly", charged: 1, share: 100_000)]

    private static func monthly(_ name: String, _ value: String, charged: Int64, share: Int64) -> JSONObject {
        var group: JSONObject = ["refunds": 1, "reversed": 0, "amounts": ["USD": 9990]]
        group[name] = .string(value)
        group["charged"] = .integer(charged)
        group["share"] = .integer(share)
        return group
    }

    private static func span(_ from: Int64, _ to: Int64) -> String { "from=\(Sample.time(from))&to=\(Sample.time(to))" }

    @Test(arguments: TestEngine.allCases)
    func `are the refunds of a time, and the charges of the same time`(engine: TestEngine) async throws {
        let opened = try await engine.open()
        do {
            let scene = try await Self.scene(opened.database)
            let all = Self.span(0, 32)
            for (query, expected) in [
                ("\(all)&by=product", Self.byProduct), ("\(all)&by=storefront", Self.byStorefront),
                ("\(all)&by=reason", Self.byReason), (Self.span(30, 32), Self.inLastDays),
            ] {
                let found = try await scene.rates(query)
                #expect(found == expected, "\(query)")
            }
            // The charges of days 0 and 1 are before, that of day 30 is after.
            #expect(try await scene.rates(Self.span(3, 30)).isEmpty)
            try await opened.close()
        } catch {
            try await opened.close()
            throw error
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `count the customer's reasons of refunds that stand`(engine: TestEngine) async throws {
        let opened = try await engine.open()
        do {
            let scene = try await Self.scene(opened.database, isReversed: false)
            let found = try await scene.rates("\(Self.span(0, 32))&by=reason")
            let other = try #require(found.first { $0["reason"] == "other" })
            #expect(other["refunds"] == 1)
            #expect(other["requested_because"] == ["unintended_purchase": 1])
            try await opened.close()
        } catch {
            try await opened.close()
            throw error
        }
    }

    @Test(arguments: RefundRates.Grouping.allCases)
    func `are the same in pages of one row, and refused beyond the limits`(by grouping: RefundRates.Grouping)
        async throws
    {
        let scene = try await Self.scene(InMemoryDatabase())
        let request = RefundRates.Request(
            from: Timestamp(milliseconds: Sample.time(0)),
            to: Timestamp(milliseconds: Sample.time(32)),
            by: grouping
        )
        let database = scene.server.database
        let expected = try await RefundRates(database: database).report(request, app: ServerFixture.app)
        #expect(expected.groups.count == 2)
        var onePerPage = RefundRates.Limits()
        onePerPage.page = 1
        let paged = RefundRates(database: database, limits: onePerPage)
        #expect(try await paged.report(request, app: ServerFixture.app) == expected)
        onePerPage.rows = 1
        let limited = RefundRates(database: database, limits: onePerPage)
        let refusal = OperationError("range_too_long", "", kind: .invalidRequest)
        await #expect(throws: refusal) { try await limited.report(request, app: ServerFixture.app) }
    }

    @Test func `are of the last 30 days by default, for secret keys only`() async throws {
        let scene = try await RefundScene()
        let path = "/v1/refunds/rates"
        let answer = try await scene.server.send(.get, path)
        #expect(try answer.integer("to") == Sample.time(50))
        #expect(try answer.integer("from") == Sample.time(20))
        #expect(try answer.string("by") == "product")
        #expect(try answer.count("data") == 0)
        #expect(try await scene.server.send(.get, path, key: ServerFixture.publishable).status == 403)
        for query in ["by=customer", "from=\(Sample.time(60))", "from=1&to=1", "to=tomorrow"] {
            #expect(
                try await scene.server.send(.get, "\(path)?\(query)").errorCode() == "parameter_invalid",
                "\(query)"
            )
        }
    }

    @Test func `of one customer are those of all purchases that the customer owns`() async throws {
        let scene = try await Self.scene(InMemoryDatabase())
        let path = "/v1/customers/u_42/refunds"
        let before: JSONObject = [
            "object": "customer_refunds", "app_user_id": "u_42", "purchases": 2, "charged": 3, "refunds": 1,
            "reversed": 1, "share": 33_333, "amounts": ["USD": 9990], "requested": 1, "declined": 0,
            "first_refunded_at": .integer(Sample.time(31)), "last_refunded_at": .integer(Sample.time(31)),
        ]
        #expect(try await scene.server.send(.get, path).json() == before)
        let declined = SentNotification(
            .refundDeclined,
            day: 32,
            status: .active,
            transaction: Sample.period(1, signed: 32)
        )
        try await scene.send(declined, number: 9)
        let after = try await scene.server.send(.get, path)
        #expect(try after.integer("declined") == 1)
        #expect(try after.integer("requested") == 1)
        #expect(try await scene.server.send(.get, path, key: ServerFixture.publishable).status == 403)
        #expect(try await scene.server.send(.get, "/v1/customers/u_7/refunds").integer("charged") == 0)
        #expect(try await scene.server.send(.get, "/v1/customers/u_7/refunds").json()["share"] == .null)
        #expect(try await scene.server.send(.get, "/v1/customers/nobody/refunds").errorCode() == "customer_not_found")
    }
}
