import AppStoreModel
import AppStoreSigning
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// Lookups for support: by transaction identifier, order number, or customer identifier.
@Suite struct `Lookups` {
    private static let original = "2000000000000001"

    /// A renewed subscription of u_1, and anon_1 as an alias of u_1.
    private static func server(appStore: ScriptedAppStore? = nil) async throws -> ServerFixture {
        let server = try await ServerFixture(appStore: appStore)
        server.time.advance(to: Timestamp(milliseconds: Sample.time(31)))
        for number in 0...1 {
            let period = Sample.period(Int64(number), signed: Int64(30 * number))
            _ = try await server.submit(try server.apple.sign(period), customer: "u_1")
        }
        _ = try await server.send(.post, "/v1/customers/u_1/aliases", body: #"{"alias":"anon_1"}"#)
        return server
    }

    private static func ids(_ answer: Answer) throws -> [JSONValue?] {
        try answer.objects("data").map { $0["app_user_id"] }
    }

    @Test(arguments: ["2000000000000001", "2000000000000002"])
    func `find a purchase by its own ID and by any transaction ID`(id: String) async throws {
        let server = try await Self.server()
        let answer = try await server.send(.get, "/v1/purchases/\(id)")
        #expect(answer.status == 200)
        #expect(try answer.string("id") == Self.original)
        #expect(try answer.string("app_user_id") == "u_1")
        #expect(try answer.string("subscription", "status") == "active")
        #expect(
            try answer.objects("transactions").map { $0["transaction_id"] } == [
                .string("2000000000000001"), .string("2000000000000002"),
            ]
        )
        let found = try await server.send(.get, "/v1/customers?transaction_id=\(id)")
        #expect(try Self.ids(found) == [.string("u_1")])
    }

    @Test func `do not find unknown data or another environment's`() async throws {
        let server = try await Self.server()
        for (id, key) in [("2000000000000009", ServerFixture.secret), (Self.original, ServerFixture.sandboxSecret)] {
            let answer = try await server.send(.get, "/v1/purchases/\(id)", key: key)
            #expect(answer.status == 404)
            #expect(try answer.errorCode() == "purchase_unknown")
            let found = try await server.send(.get, "/v1/customers?transaction_id=\(id)", key: key)
            #expect(try found.count("data") == 0)
        }
        for path in ["/v1/purchases/\(Self.original)", "/v1/customers?alias=u_1"] {
            #expect(try await server.send(.get, path, key: ServerFixture.publishable).status == 403)
        }
    }

    @Test(arguments: ["anon_1", "u_1"])
    func `find a customer by an alias and by the canonical identifier`(name: String) async throws {
        let server = try await Self.server()
        #expect(try Self.ids(try await server.send(.get, "/v1/customers?alias=\(name)")) == [.string("u_1")])
        #expect(try await server.send(.get, "/v1/customers?alias=nobody").count("data") == 0)
    }

    @Test(arguments: ["", "?alias=a&order_id=b", "?app_user_id=u_1", "?alias="])
    func `accept one parameter per request`(query: String) async throws {
        let server = try await Self.server()
        #expect(try await server.send(.get, "/v1/customers\(query)").status == 400)
    }

    @Test func `find every customer who shares a purchase`() async throws {
        let server = try await ServerFixture()
        _ = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"share"}"#)
        for customer in ["u_2", "u_1"] {
            _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: customer)
        }
        let found = try await server.send(.get, "/v1/customers?transaction_id=\(Self.original)")
        #expect(try Self.ids(found) == [.string("u_2"), .string("u_1")])
        let purchase = try await server.send(.get, "/v1/purchases/\(Self.original)")
        #expect(try purchase.string("app_user_id") == "u_2")
        #expect(try purchase.json()["shared_with"] == .array([.string("u_1")]))
    }

    @Test func `query the App Store for an order without storing the result`() async throws {
        let store = ScriptedAppStore()
        let server = try await Self.server(appStore: store)
        let signed = try server.apple.sign(Sample.period(1, signed: 30))
        store.answer("/inApps/v1/lookup/MK5TTTVWJH", OrderLookupResponse(status: .valid, signedTransactions: [signed]))
        store.answer("/inApps/v1/lookup/OTHER", OrderLookupResponse(status: .invalid))
        let before = try await server.events().count
        let found = try await server.send(.get, "/v1/customers?order_id=MK5TTTVWJH")
        #expect(try Self.ids(found) == [.string("u_1")])
        #expect(try await server.send(.get, "/v1/customers?order_id=OTHER").count("data") == 0)
        #expect(store.requestedPaths == ["/inApps/v1/lookup/MK5TTTVWJH", "/inApps/v1/lookup/OTHER"])
        #expect(try await server.events().count == before)
        store.setUnreachable(true)
        #expect(try await server.send(.get, "/v1/customers?order_id=MK5TTTVWJH").status == 503)
    }

    @Test func `say what an order number stands for`() async throws {
        let store = ScriptedAppStore()
        let server = try await Self.server(appStore: store)
        let held = try server.apple.sign(Sample.period(1, signed: 30))
        let unheld = try server.apple.sign(Sample.period(5, signed: 30))
        let foreign = try server.apple.sign(Sample.period(1, signed: 30) { $0.bundleId = "com.example.other" })
        for (order, answer) in [
            ("HELD", OrderLookupResponse(status: .valid, signedTransactions: [held, unheld])),
            ("FOREIGN", OrderLookupResponse(status: .valid, signedTransactions: [foreign])),
            ("UNKNOWN", OrderLookupResponse(status: .invalid)),
        ] { store.answer("/inApps/v1/lookup/\(order)", answer) }
        func order(_ id: String) async throws -> Answer {
            try await server.send(.post, "/v1/lookups/order", body: #"{"order_id":"\#(id)"}"#)
        }
        let before = try await server.events().count
        let valid = try await order("HELD")
        #expect(try valid.string("status") == "valid")
        let transactions = try valid.objects("transactions")
        #expect(
            transactions.map { $0["transaction_id"] } == [.string("2000000000000002"), .string("2000000000000006")]
        )
        #expect(transactions.map { $0["held"] } == [.bool(true), .bool(false)])
        #expect(transactions.map { $0["app_user_id"] } == [.string("u_1"), .string("u_1")])
        #expect(try await order("FOREIGN").string("status") == "foreign")
        #expect(try await order("UNKNOWN").string("status") == "unknown")
        #expect(try await order("UNKNOWN").count("transactions") == 0)
        #expect(try await server.events().count == before)
        store.setUnreachable(true)
        #expect(try await order("HELD").status == 503)
    }

    @Test func `of orders are forgotten with the customer that they name`() async throws {
        let store = ScriptedAppStore()
        let server = try await Self.server(appStore: store)
        let signed = try server.apple.sign(Sample.period(1, signed: 30))
        store.answer("/inApps/v1/lookup/A", OrderLookupResponse(status: .valid, signedTransactions: [signed]))
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        let body = #"{"order_id":"A"}"#
        let answer = try await server.send(.post, "/v1/lookups/order", headers: [name: "k"], body: body)
        #expect(try answer.objects("transactions").map { $0["app_user_id"] } == [.string("u_1")])
        let key = try #require(ServerFixture.stored(idempotencyKey: "k"))
        func stored() async throws -> [UInt8]? {
            try await server.database.read { storage throws(StorageError) in
                try storage.idempotencyRecord(key, of: ServerFixture.app)?.answer?.body
            }
        }
        #expect(try await stored() != nil)
        #expect(try await server.send(.delete, "/v1/customers/u_1").status == 200)
        #expect(try await stored() == nil)
    }

    @Test(arguments: [#"{}"#, #"{"order_id":""}"#, #"{"order_id":7}"#, #"{"order":"A"}"#, "[]"])
    func `refuse a wrong body of an order look-up`(body: String) async throws {
        let server = try await Self.server(appStore: ScriptedAppStore())
        let answer = try await server.send(.post, "/v1/lookups/order", body: body)
        #expect(answer.status == 400)
    }

    @Test func `of orders need a secret key`() async throws {
        let server = try await Self.server(appStore: ScriptedAppStore())
        let body = #"{"order_id":"MK5TTTVWJH"}"#
        let publishable = try await server.send(.post, "/v1/lookups/order", key: ServerFixture.publishable, body: body)
        #expect(publishable.status == 403)
    }

    @Test func `return the management page, and in billing retry the payment page`() async throws {
        let server = try await Self.server()
        func subscription() async throws -> JSONObject {
            try #require(try await server.send(.get, "/v1/customers/u_1").objects("subscriptions").first)
        }
        let active = try await subscription()
        #expect(active["management_url"] == .string("https://apps.apple.com/account/subscriptions"))
        #expect(active["payment_url"] == .null)
        let failed = SentNotification(
            .didFailToRenew,
            day: 60,
            status: .billingRetry,
            transaction: Sample.period(1, signed: 60),
            renewal: Sample.renewal(signed: 60, end: 60) { renewal in
                renewal.isInBillingRetryPeriod = true
                renewal.expirationIntent = .billingError
            }
        )
        server.time.advance(to: Timestamp(milliseconds: Sample.time(61)))
        _ = try await server.notify(try failed.signed(at: server, number: 7))
        #expect(try await subscription()["payment_url"] == .string("https://apps.apple.com/account/billing"))
    }
}
