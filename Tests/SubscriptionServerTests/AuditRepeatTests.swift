import AppStoreModel
import HTTPTypes
import Hummingbird
import Logging
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// The audit log after requests that change nothing.
@Suite struct `A request that changes nothing` {
    private typealias Change = (method: HTTPRequest.Method, route: String, path: String, body: String)

    /// Apple is asked each time, so each request has entries.
    private static let askingApple: Set = ["PUT /v1/purchases/{id}/app_account_token"]

    /// A change for each other PUT and PATCH.
    private static func changes(endpoint: String) -> [Change] {
        let attributes = "/v1/customers/{app_user_id}/attributes"
        return [
            (.patch, "/v1/app", "/v1/app", #"{"transfer_policy":"share"}"#),
            (.patch, attributes, "/v1/customers/u_1/attributes", #"{"attributes":{"plan":"new"}}"#),
            (.put, attributes, "/v1/customers/u_1/attributes", #"{"attributes":{"team":"red"}}"#),
            (
                .patch, "/v1/webhook_endpoints/{id}", "/v1/webhook_endpoints/\(endpoint)",
                #"{"label":"new","event_types":["purchase.*"],"enabled":false}"#
            ),
            (
                .put, "/v1/entitlements/{id}", "/v1/entitlements/pro",
                #"{"product_ids":["pro.yearly","pro.monthly"],"billing_retry_grace_days":3}"#
            ),
            (
                .put, "/v1/products", "/v1/products",
                #"""
                {"products":[{"id":"pro.yearly","type":"auto_renewable","name":"Pro"},
                 {"id":"lifetime","type":"non_consumable"}]}
                """#
            ),
            (
                .put, "/v1/purchases/{id}/consumption", "/v1/purchases/2000000000000001/consumption",
                #"{"customer_consented":true,"delivery_status":"delivered"}"#
            ),
        ]
    }

    @Test(arguments: TestEngine.allCases)
    func `adds no entry if it repeats a PUT or PATCH, and has the same answer`(engine: TestEngine) async throws {
        try await engine.run { database in
            let scene = try await OperatorScene(database: database)
            let server = scene.server
            // A person, who has entries where backends have none.
            let key = try await scene.addKey("anna", role: .admin)
            let period = SignedApple.period(id: "2000000000000001", original: "2000000000000001")
            #expect(try await server.submit(try server.apple.sign(period), customer: "u_1").status == 200)
            let body = #"{"url":"https://example.com/webhooks"}"#
            let made = try await scene.send(.post, "/v1/webhook_endpoints", key: key, body: body)
            let changes = Self.changes(endpoint: try #require(try made.string("id")))

            let router = buildRouter(services: server.services, clock: nil, logger: Logger(label: "test"))
            let routes = router.routes.filter { $0.method == .put || $0.method == .patch }
            let tested = Set(changes.map { "\($0.method) \($0.route)" })
            #expect(Set(routes.map { "\($0.method) \($0.path)" }) == tested.union(Self.askingApple))

            for change in changes {
                let before = try await scene.audit().count
                let first = try await scene.send(change.method, change.path, key: key, body: change.body)
                #expect(first.status == 200, "\(change.method) \(change.path)")
                let entries = try await scene.audit()
                #expect(entries.count > before, "\(change.method) \(change.path)")
                server.time.advance(to: server.time.now().adding(milliseconds: 1))
                let second = try await scene.send(change.method, change.path, key: key, body: change.body)
                #expect(second.status == 200, "\(change.method) \(change.path)")
                #expect(second.bytes == first.bytes, "\(change.method) \(change.path)")
                #expect(try await scene.audit() == entries, "\(change.method) \(change.path)")
            }
        }
    }

    @Test func `adds no entry if it sets what a new app has`() async throws {
        let server = try await ServerFixture()
        #expect(try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"keep"}"#).status == 200)
        #expect(try await server.send(.put, "/v1/products", body: #"{"products":[]}"#).status == 200)
        #expect(try await server.send(.get, "/v1/audit_log").count("data") == 0)
    }

    @Test func `is not one that gives the name of a product in another Unicode form`() async throws {
        let server = try await ServerFixture()
        for name in ["Caf\u{e9}", "Cafe\u{301}", "Cafe\u{301}"] {
            let body = #"{"products":[{"id":"pro","type":"consumable","name":"\#(name)"}]}"#
            let answer = try await server.send(.put, "/v1/products", body: body)
            let shown = try #require(try answer.objects("data").first?["name"]?.stringValue)
            #expect(shown.utf8.elementsEqual(name.utf8))
        }
        #expect(try await server.send(.get, "/v1/audit_log").count("data") == 2)
    }
}
