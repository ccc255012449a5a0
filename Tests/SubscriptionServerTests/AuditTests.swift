import AppStoreModel
import HTTPTypes
import Hummingbird
import Logging
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// The actor, change, time and request of each write.
@Suite
struct `The audit log` {
    private static let pro = #"{"product_ids":["pro.monthly"],"billing_retry_grace_days":3}"#

    private func entries(_ server: ServerFixture, about target: String? = nil) async throws -> [AuditEntry] {
        try await server.database.read { storage throws(StorageError) in
            try storage.auditEntries(of: ServerFixture.app, about: target, limit: 1_000)
        }
    }

    private func submit(_ server: ServerFixture, _ id: String, customer: String) async throws {
        let period = SignedApple.period(id: id, original: id)
        #expect(try await server.submit(try server.apple.sign(period), customer: customer).status == 200)
    }

    @Test func `has one entry per operator write, with its key and request`() async throws {
        let server = try await ServerFixture()
        try await submit(server, "2000000000000001", customer: "u_1")
        let grants = "/v1/customers/u_1/grants"
        let writes: [(HTTPRequest.Method, String, String?, action: String, target: String)] = [
            (.put, "/v1/entitlements/pro", Self.pro, "entitlement.defined", "entitlement:pro"),
            (
                .put, "/v1/products", #"{"products":[{"id":"pro.monthly","type":"auto_renewable"}]}"#,
                "products.replaced", "products"
            ),
            (.patch, "/v1/app", #"{"transfer_policy":"share"}"#, "app.changed", "app"),
            (.post, grants, #"{"entitlement_id":"pro","reason":"an outage"}"#, "grant.created", "customer:u_1"),
            (.post, "/v1/customers/u_1/aliases", #"{"alias":"anon_1"}"#, "alias.added", "customer:u_1"),
        ]
        for write in writes {
            let before = Set(try await entries(server))
            let answer = try await server.send(write.0, write.1, body: write.2)
            #expect(answer.status == 200, "\(write.1)")
            let new = try await entries(server).filter { !before.contains($0) }
            #expect(new.map(\.action) == [write.action])
            #expect(new.map(\.target) == [write.target])
            #expect(new.first?.requestID == answer.headers[try #require(HTTPField.Name("x-request-id"))])
            #expect(new.first?.actor.hasPrefix("key sk_…") == true)
            #expect(new.first?.occurredAt == server.time.now())
        }
        let granted = try await server.send(.get, grants).objects("data")
        guard case .string(let id)? = granted.first?["id"] else { return }
        #expect(try await server.send(.delete, "\(grants)/\(id)").status == 200)
        let revoked = try await entries(server).filter { $0.action == "grant.revoked" }
        #expect(revoked.count == 1)
        #expect(revoked.first?.before?.contains("revoked_at") == false)
        #expect(revoked.first?.after?.contains(#""revoked_at":\#(server.time.now().milliseconds)"#) == true)
    }

    @Test func `has an entry for a transfer and its undo, and none for repeats, refusals and dry runs`() async throws {
        let server = try await ServerFixture()
        try await submit(server, "2000000000000001", customer: "u_1")
        let rehearsal = #"{"from":"u_1","to":"u_2","dry_run":true}"#
        #expect(try await server.send(.post, "/v1/transfers", body: rehearsal).status == 200)
        #expect(try await server.send(.post, "/v1/transfers", body: #"{"from":"u_7","to":"u_2"}"#).status != 200)
        #expect(try await entries(server).isEmpty)
        let made = try await server.send(.post, "/v1/transfers", body: #"{"from":"u_1","to":"u_2"}"#)
        let id = try #require(try made.string("id"))
        for _ in 0..<2 { #expect(try await server.send(.post, "/v1/transfers/\(id)/undo").status == 200) }
        let entries = try await entries(server, about: "transfer:\(id)")
        #expect(Set(entries.map(\.action)) == ["transfer.made", "transfer.undone"])
        #expect(entries.count == 2)
    }

    /// A new route belongs to one of the lists. The others change nothing that an operator decides: data that apps and
    /// Apple send, questions to Apple, and the tokens and attributes of backends. Those of people have entries.
    @Test func `has entries of every route that changes something by an operator's decision`() async throws {
        let audited: Set = [
            "DELETE /v1/customers/{app_user_id}", "DELETE /v1/customers/{app_user_id}/grants/{id}", "PATCH /v1/app",
            "POST /v1/customers/{app_user_id}/aliases", "POST /v1/customers/{app_user_id}/grants",
            "POST /v1/extension_campaigns", "POST /v1/extension_campaigns/{id}/approve",
            "POST /v1/extension_campaigns/{id}/cancel", "POST /v1/extension_campaigns/{id}/dry_run",
            "POST /v1/extension_campaigns/{id}/start", "POST /v1/recovery/windows",
            "POST /v1/subscriptions/{id}/extensions", "POST /v1/transactions/{id}/finish", "POST /v1/transfers",
            "POST /v1/transfers/{id}/undo", "PUT /v1/entitlements/{id}", "PUT /v1/products",
            "PUT /v1/purchases/{id}/app_account_token", "PUT /v1/purchases/{id}/consumption",
            "DELETE /v1/webhook_endpoints/{id}", "PATCH /v1/webhook_endpoints/{id}",
            "POST /v1/webhook_deliveries/{id}/resend", "POST /v1/webhook_endpoints",
            "POST /v1/webhook_endpoints/{id}/resend", "POST /v1/webhook_endpoints/{id}/rotate",
            "POST /v1/webhook_endpoints/{id}/test", "POST /v1/api_keys", "POST /v1/api_keys/{id}/rotate",
            "DELETE /v1/api_keys/{id}", "DELETE /v1/operator_sessions/current", "POST /v1/operator_sessions",
        ]
        let others: Set = [
            "PATCH /v1/customers/{app_user_id}/attributes", "POST /v1/apple/notifications",
            "POST /v1/apple/test_notifications", "POST /v1/customers/{app_user_id}/entitlement_token",
            "POST /v1/customers/{app_user_id}/refresh", "POST /v1/lookups/order", "POST /v1/transactions",
            "PUT /v1/customers/{app_user_id}/attributes",
        ]
        let server = try await ServerFixture()
        let routes = buildRouter(services: server.services, clock: nil, logger: Logger(label: "test")).routes
        let changing = routes.filter { $0.method != .get && $0.method != .head }.map { "\($0.method) \($0.path)" }
        #expect(Set(changing) == audited.union(others))
    }

    @Test func `is listed with all values, newest first, in pages, and by target`() async throws {
        let server = try await ServerFixture()
        for number in 1...3 {
            let body = #"{"product_ids":["pro.\#(number)"]}"#
            #expect(try await server.send(.put, "/v1/entitlements/pro", body: body).status == 200)
            server.time.advance(to: server.time.now().adding(milliseconds: 1))
        }
        let policy = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"share"}"#)
        let all = try await server.send(.get, "/v1/audit_log")
        #expect(all.status == 200)
        let entries = try all.objects("data")
        let actions = entries.compactMap { $0["action"]?.stringValue }
        #expect(actions == ["app.changed", "entitlement.defined", "entitlement.defined", "entitlement.defined"])
        let newest = try #require(entries.first)
        #expect(newest["object"] == "audit_entry")
        #expect(newest["target"] == "app")
        #expect(newest["occurred_at"] == .integer(server.time.now().milliseconds))
        #expect(newest["actor"]?.stringValue?.hasPrefix("key sk_…") == true)
        #expect(newest["before"] == .object(["transfer_policy": "keep"]))
        #expect(newest["after"] == .object(["transfer_policy": "share"]))
        let request = policy.headers[try #require(HTTPField.Name("x-request-id"))]
        #expect(request != nil && newest["request_id"]?.stringValue == request)

        let path = "/v1/audit_log?target=entitlement:pro&limit=2"
        let first = try await server.send(.get, path)
        #expect(try first.objects("data").map { $0["id"] } == entries[1...2].map { $0["id"] })
        #expect(try first.bool("has_more") == true)
        let cursor = try #require(try first.string("next_cursor"))
        let second = try await server.send(.get, "\(path)&after=\(cursor)")
        #expect(try second.objects("data").map { $0["id"] } == [entries[3]["id"]])
        #expect(try second.objects("data").first?["before"] == .null)
        #expect(try second.json()["next_cursor"] == .null)
    }

    @Test(arguments: TestEngine.allCases)
    func `lists entries of the same millisecond newest first, and pages repeat none`(
        engine: TestEngine
    ) async throws {
        let (database, close) = try await engine.open()
        let server = try await ServerFixture(database: database)
        for number in 0..<20 {
            let body = #"{"product_ids":["pro.\#(number)"]}"#
            #expect(try await server.send(.put, "/v1/entitlements/pro", body: body).status == 200)
        }
        for filter in ["", "target=entitlement:pro&"] {
            var sequences: [Int64] = []
            var cursor: String?
            repeat {
                let after = cursor.map { "&after=\($0)" } ?? ""
                let page = try await server.send(.get, "/v1/audit_log?\(filter)limit=3\(after)")
                sequences += try page.objects("data").compactMap { $0["sequence"]?.integerValue }
                cursor = try page.string("next_cursor")
            } while cursor != nil
            #expect(sequences.count >= 20)
            #expect(sequences == sequences.sorted(by: >))
            #expect(Set(sequences).count == sequences.count)
        }
        try await close()
    }

    @Test func `is listed for a secret key of the same app only`() async throws {
        let server = try await ServerFixture()
        #expect(try await server.send(.put, "/v1/entitlements/pro", body: Self.pro).status == 200)
        #expect(try await server.send(.get, "/v1/audit_log", key: ServerFixture.publishable).status == 403)
        let other = try await server.send(.get, "/v1/audit_log", key: ServerFixture.sandboxSecret)
        #expect(try other.count("data") == 0)
        let unknown = try await server.send(.get, "/v1/audit_log?after=aud_1")
        #expect(try unknown.errorCode() == "audit_entry_not_found")
        for query in ["limit=0", "limit=1001", "limit=x", "target=", "action=grant.created"] {
            #expect(try await server.send(.get, "/v1/audit_log?\(query)").status == 400, "\(query)")
        }
    }

    @Test func `has the state of a definition before and after`() async throws {
        let server = try await ServerFixture()
        for body in [Self.pro, #"{"product_ids":["pro.yearly"]}"#] {
            #expect(try await server.send(.put, "/v1/entitlements/pro", body: body).status == 200)
            server.time.advance(to: server.time.now().adding(milliseconds: 1))
        }
        let entries = try await entries(server, about: "entitlement:pro")
        #expect(entries.map(\.before) == [#"{"product_ids":["pro.monthly"],"billing_retry_grace_days":3}"#, nil])
        #expect(entries.last?.after == entries.first?.before)
        #expect(entries.first?.after == #"{"product_ids":["pro.yearly"],"billing_retry_grace_days":0}"#)
    }

    @Test func `keeps the entries of an erased customer without the identifier`() async throws {
        let server = try await ServerFixture()
        try await submit(server, "2000000000000001", customer: "alice")
        let grant = #"{"entitlement_id":"pro","reason":"asked by alice"}"#
        #expect(try await server.send(.post, "/v1/customers/alice/grants", body: grant).status == 200)
        #expect(
            try await server.send(.post, "/v1/customers/alice/aliases", body: #"{"alias":"alice-phone"}"#).status == 200
        )
        #expect(try await server.send(.post, "/v1/transfers", body: #"{"from":"alice","to":"bob"}"#).status == 200)
        let before = try await entries(server)
        #expect(try await server.send(.delete, "/v1/customers/alice-phone").status == 200)
        let after = try await entries(server)
        #expect(after.map(\.action).sorted() == (before.map(\.action) + ["customer.erased"]).sorted())
        for entry in after {
            for text in [entry.target, entry.before ?? "", entry.after ?? ""] { #expect(!text.contains("alice")) }
            #expect(entry.actor.hasPrefix("key sk_…"))
        }
    }
}
