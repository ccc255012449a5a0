import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionStorage
import Testing

/// The optional list of products, and the sold products.
@Suite struct `Products that an app sells` {
    private static let list = #"""
        {"products":[{"id":"pro.monthly","type":"auto_renewable","group_id":"21000001","name":"Pro"},
         {"id":"lifetime","type":"non_consumable"}]}
        """#

    private static func lines(_ answer: Answer) throws -> [String] {
        try answer.objects("data").map { product in
            ["id", "type", "listed", "sold"].map { name in
                switch product[name] {
                case .string(let text)?: text
                case .bool(let flag)?: flag ? name : "not \(name)"
                default: "?"
                }
            }
            .joined(separator: ", ")
        }
    }

    @Test func `cause a warning in a definition if they were never sold`() async throws {
        let server = try await ServerFixture()
        let body = #"{"product_ids":["pro.monthly","pro.montly"]}"#
        let before = try await server.send(.put, "/v1/entitlements/pro", body: body)
        #expect(before.status == 200)
        #expect(
            try before.objects("warnings").map { $0["product_id"] } == [.string("pro.monthly"), .string("pro.montly")]
        )
        _ = try await server.notify(try server.apple.notification())
        let sold = try await server.send(.put, "/v1/entitlements/pro", body: body)
        #expect(try sold.objects("warnings").map { $0["product_id"] } == [.string("pro.montly")])
        #expect(try sold.objects("warnings").first?["code"] == .string("product_never_sold"))
        #expect(try await server.send(.get, "/v1/entitlements").count("data") == 1)
        _ = try await server.send(.put, "/v1/products", body: Self.list)
        let listed = try await server.send(.put, "/v1/entitlements/all", body: #"{"product_ids":["lifetime"]}"#)
        #expect(try listed.count("warnings") == 0)
    }

    @Test func `are accepted and reported if they are not listed`() async throws {
        let server = try await ServerFixture()
        #expect(
            try Self.lines(try await server.send(.put, "/v1/products", body: Self.list)) == [
                "lifetime, non_consumable, listed, not sold", "pro.monthly, auto_renewable, listed, not sold",
            ]
        )
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        let stray = try await server.submit(
            try server.apple.sign(Sample.purchase(.nonConsumable, signed: 0)),
            customer: "u_1"
        )
        #expect(stray.status == 200)
        #expect(
            try Self.lines(try await server.send(.get, "/v1/products")) == [
                "another.product, non_consumable, not listed, sold", "lifetime, non_consumable, listed, not sold",
                "pro.monthly, auto_renewable, listed, sold",
            ]
        )
        let customer = try await server.send(.get, "/v1/customers/u_1?explain=true")
        let summary = try #require(try customer.string("product_explanation", "another.product", "summary"))
        #expect(summary.contains("list of products does not have another.product"))
        #expect(try customer.string("product_explanation", "pro.monthly", "summary") == nil)
        let metrics = String(decoding: try await server.send(.get, "/metrics", key: nil).bytes, as: UTF8.self)
        #expect(metrics.contains("perennial_products_unlisted 1\n"))

        _ = try await server.send(.put, "/v1/products", body: #"{"products":[]}"#)
        #expect(try await server.send(.get, "/v1/customers/u_1?explain=true").json()["product_explanation"] == nil)
        #expect(try await server.send(.get, "/v1/products").count("data") == 2)
    }

    @Test func `can be listed by a StoreKit configuration of Xcode`() async throws {
        let server = try await ServerFixture()
        let file = #"""
            {"identifier":"4A","version":{"major":3,"minor":0},
             "products":[{"productID":"coins","type":"Consumable","referenceName":"","displayPrice":"0.99"}],
             "nonRenewingSubscriptions":[{"productID":"season","type":"NonRenewingSubscription"}],
             "subscriptionGroups":[{"id":"21000001","name":"Pro","subscriptions":[
              {"productID":"pro.monthly","type":"RecurringSubscription","referenceName":"Pro, monthly"}]}]}
            """#
        let answer = try await server.send(.put, "/v1/products", body: file)
        #expect(
            try Self.lines(answer) == [
                "coins, consumable, listed, not sold", "pro.monthly, auto_renewable, listed, not sold",
                "season, non_renewing, listed, not sold",
            ]
        )
        let monthly = try #require(try answer.objects("data").dropFirst().first)
        #expect(monthly["group_id"] == .string("21000001"))
        #expect(monthly["name"] == .string("Pro, monthly"))
        // A customer without purchases gets the configured groups.
        let offers = try await server.send(.get, "/v1/customers/nobody/offers", key: ServerFixture.publishable)
        #expect(try offers.bool("offers", "21000001", "introductory_eligible") == true)
    }

    @Test(arguments: [
        (#"{}"#, "products"), (#"{"products":{}}"#, "products"), (#"{"products":[1]}"#, "products"),
        (#"{"products":[{"id":"a"}]}"#, "type"), (#"{"products":[{"id":"a","type":"unknown"}]}"#, "type"),
        (#"{"products":[{"type":"consumable"}]}"#, "id"), (#"{"products":[],"data":[]}"#, "data"),
        (#"{"products":[{"id":"a","type":"consumable"},{"id":"a","type":"consumable"}]}"#, "products"),
        (#"{"version":{},"products":[{"productID":"a","type":"Other"}]}"#, "type"),
    ])
    func `are rejected with the invalid parameter of their list`(body: String, parameter: String) async throws {
        let server = try await ServerFixture()
        let answer = try await server.send(.put, "/v1/products", body: body)
        #expect(answer.status == 400)
        #expect(try answer.string("error", "param") == parameter)
        #expect(try await server.send(.get, "/v1/products").count("data") == 0)
        #expect(try await server.send(.put, "/v1/products", key: ServerFixture.publishable, body: body).status == 403)
    }
}
