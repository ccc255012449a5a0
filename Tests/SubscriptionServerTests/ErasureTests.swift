import AppStoreModel
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageSQLite
import Testing

/// Erasure removes the link between a person and the purchases. The totals stay the same.
@Suite struct `Erasure of a customer` {
    private static let purchase = OriginalTransactionID("2000000000000001")
    private static let token = "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"

    private static func server() async throws -> ServerFixture {
        let server = try await ServerFixture()
        _ = try await server.notify(try server.apple.notification(transaction: SignedApple.period(token: token)))
        _ = try await server.send(.post, "/v1/customers/u_1/aliases", body: #"{"alias":"\#(token)"}"#)
        _ = try await server.send(.put, "/v1/customers/u_1/attributes", body: #"{"attributes":{"name":"Zo"}}"#)
        _ = try await server.send(.post, "/v1/customers/u_1/grants", body: #"{"entitlement_id":"vip"}"#)
        let other = "2000000000000077"
        let period = SignedApple.period(id: other, original: other)
        _ = try await server.submit(try server.apple.sign(period), customer: "u_1")
        _ = try await server.submit(try server.apple.sign(period), customer: "u_2")
        _ = try await server.send(
            .post,
            "/v1/transfers",
            body: #"{"from":"u_1","to":"u_3","purchase_ids":["\#(other)"],"reason":"Zo asked"}"#
        )
        return server
    }

    private static func revenue(_ server: ServerFixture) async throws -> Int64 {
        try await server.events().compactMap(\.event.price?.milliunits).reduce(0, +)
    }

    private static func erase(_ customer: String, _ server: ServerFixture) async throws -> Answer {
        try await server.send(.delete, "/v1/customers/\(customer)")
    }

    /// SQLite sometimes leaves a copy of a row in unused space when it moves the row to another page. The conformance
    /// tests check that `VACUUM` removes all copies.
    @Test func `overwrites the customer's bytes in the file`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("perennial.db")
        let server = try await ServerFixture(database: try SQLiteDatabase.open(path: file.path))
        for number in 10..<60 {
            let id = "20000000000000\(number)"
            let period = try server.apple.sign(SignedApple.period(id: id, original: id))
            _ = try await server.submit(period, customer: "person-\(number)")
            let attributes = #"{"attributes":{"about":"\#(String(repeating: "name-\(number) ", count: 50))"}}"#
            _ = try await server.send(.put, "/v1/customers/person-\(number)/attributes", body: attributes)
            _ = try await server.send(
                .post,
                "/v1/customers/person-\(number)/aliases",
                body: #"{"alias":"also-\#(number)"}"#
            )
            let grant = #"{"entitlement_id":"vip","reason":"asked-\#(number)"}"#
            _ = try await server.send(.post, "/v1/customers/person-\(number)/grants", body: grant)
        }
        for number in 20..<40 { _ = try await Self.erase("person-\(number)", server) }
        try await server.database.close()
        let contents = try Data(contentsOf: file)
        let erased = 20..<40
        let names = (10..<60).flatMap { number in
            ["person-\(number)", "name-\(number)", "also-\(number)", "asked-\(number)"].map { (number, $0) }
        }
        let present = names.filter { contents.range(of: Data($0.1.utf8)) != nil }
        #expect(present.filter { !erased.contains($0.0) }.map(\.1) == names.filter { !erased.contains($0.0) }.map(\.1))
        let left = present.filter { erased.contains($0.0) }.map(\.1)
        #expect(left.count <= 4, "\(left)")
    }

    @Test(arguments: ["u_1", token])
    func `removes the identifier everywhere and keeps the totals`(name: String) async throws {
        let server = try await Self.server()
        let (events, revenue) = (try await server.events(), try await Self.revenue(server))
        let answer = try await Self.erase(name, server)
        #expect(answer.status == 200)
        #expect(try answer.bool("deleted") == true)
        for name in ["u_1", Self.token] {
            for path in ["", "/timeline", "/export", "/attributes"] {
                #expect(try await server.send(.get, "/v1/customers/\(name)\(path)").status == 404)
            }
            let entitlements = try await server.send(.get, "/v1/customers/\(name)/entitlements")
            #expect(try entitlements.json()["entitlements"] == .object(JSONObject()))
            let count = try await server.database.read { storage throws(StorageError) in
                let id = CustomerID(name)
                let alias = try storage.alias(id, of: ServerFixture.app)
                return (alias == nil ? 0 : 1) + (try storage.claims(by: id, app: ServerFixture.app).count)
                    + (try storage.transfers(of: id, app: ServerFixture.app).count)
                    + (try storage.grants(of: id, app: ServerFixture.app).count)
                    + (try storage.purchases(of: id, app: ServerFixture.app).count)
            }
            #expect(count == 0)
        }
        let left = try await server.events()
        #expect(left.map(\.event.kind) == events.map(\.event.kind))
        #expect(left.map(\.sequence) == events.map(\.sequence))
        #expect(try await Self.revenue(server) == revenue)
        #expect(left.allSatisfy { $0.customerID != CustomerID("u_1") && $0.customerID != CustomerID(Self.token) })
        #expect(left.allSatisfy { $0.event.details?.values.contains(Self.token) != true })
        #expect(try await server.storedNotifications().count == 1)
        // A purchase that was transferred before stays with its new owner, and the transfer cannot be undone.
        #expect(try await server.send(.get, "/v1/customers/u_3").count("subscriptions") == 1)
    }

    /// A delivered webhook about a customer.
    private static func webhookDelivery(about customer: String, _ server: ServerFixture) async throws -> String {
        let body = #"{"url":"https://example.com/","after":"beginning"}"#
        #expect(try await server.send(.post, "/v1/webhook_endpoints", body: body).status == 201)
        try await server.services.webhookDispatcher.settle()
        let deliveries = try await server.send(.get, "/v1/webhook_deliveries?app_user_id=\(customer)")
        return try #require(try deliveries.objects("data").first?["id"]?.stringValue)
    }

    @Test func `deletes the stored answers of every route that name the customer`() async throws {
        let server = try await Self.server()
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        let other = "2000000000000088"
        let signed = try server.apple.sign(SignedApple.period(id: other, original: other))
        let transfer = try await server.send(.post, "/v1/transfers", body: #"{"from":"u_1","to":"u_4"}"#)
        let requests = [
            ("/v1/transactions", #"{"app_user_id":"u_1","signed_transaction":"\#(signed)"}"#),
            ("/v1/customers/u_1/grants", #"{"entitlement_id":"vip"}"#),
            ("/v1/customers/u_1/aliases", #"{"alias":"also"}"#),
            ("/v1/customers/u_4/aliases", #"{"alias":"u_1","dry_run":true}"#),
            ("/v1/customers/u_1/entitlement_token", nil),
            ("/v1/customers/u_1/refresh", nil),
            ("/v1/lookups/order", #"{"order_id":"MK5TTTVWJH"}"#),
            ("/v1/transfers", #"{"from":"u_1","to":"u_5","purchase_ids":["\#(other)"],"dry_run":true}"#),
            ("/v1/transfers/\(try transfer.string("id") ?? "")/undo", nil),
            ("/v1/webhook_deliveries/\(try await Self.webhookDelivery(about: "u_1", server))/resend", nil),
        ]
        // The list contains every POST route that requires a key and can name a customer.
        let routes = buildRouter(services: server.services, clock: nil, logger: Logger(label: "test")).routes
        let others = ["apple", "extension", "recovery", "finish", "webhook_endpoints", "api_keys", "operator"]
        let naming = routes.filter { route in
            route.method == .post && !others.contains { "\(route.path)".contains($0) }
        }
        #expect(naming.count == requests.count - 1)
        for (number, (path, body)) in requests.enumerated() {
            let answer = try await server.send(.post, path, headers: [name: "k\(number)"], body: body)
            let isStored =
                (answer.status == 200 || answer.status == 202)
                && String(decoding: answer.bytes, as: UTF8.self).contains("u_1")
            // This server has no key for the App Store Server API.
            let asksApple = path.hasSuffix("refresh") || path.hasSuffix("order")
            let isRefused = answer.status == 409 || asksApple && answer.status == 503
            #expect(isStored || path.hasSuffix("token") || isRefused, "\(path) \(answer.status)")
        }
        _ = try await server.send(
            .post,
            "/v1/customers/u_9/grants",
            headers: [name: "other"],
            body: #"{"entitlement_id":"vip"}"#
        )
        _ = try await Self.erase("u_1", server)
        let names = requests.indices.map { "k\($0)" } + ["other"]
        let keys = names.compactMap { name in ServerFixture.stored(idempotencyKey: name).map { (name, $0) } }
        let stored = try await server.database.read { storage throws(StorageError) in
            var stored: [String] = []
            for (name, key) in keys {
                if try storage.idempotencyRecord(key, of: ServerFixture.app)?.answer != nil { stored.append(name) }
            }
            return stored
        }
        #expect(stored == ["other"])
    }

    @Test func `changes nothing the second time or for an unknown customer`() async throws {
        let server = try await Self.server()
        _ = try await Self.erase("u_1", server)
        let events = try await server.events()
        #expect(try await Self.erase("u_1", server).status == 200)
        #expect(try await Self.erase("nobody", server).status == 200)
        #expect(try await server.events() == events)
        let path = "/v1/customers/u_3"
        #expect(try await server.send(.delete, path, key: ServerFixture.publishable).status == 403)
        #expect(try await server.send(.delete, path, key: ServerFixture.sandboxSecret).status == 200)
        #expect(try await server.send(.get, path).status == 200)
    }

    @Test func `is not reverted by a notification, and a later submission creates a new customer`() async throws {
        let server = try await Self.server()
        _ = try await Self.erase("u_1", server)
        let renewal = SignedApple.period(
            id: "2000000000000002",
            token: Self.token,
            signedAt: ServerFixture.now + 1
        )
        let uuid = "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a12"
        _ = try await server.notify(try server.apple.notification(uuid, type: .didRenew, transaction: renewal))
        #expect(try await server.send(.get, "/v1/customers/\(Self.token)").status == 404)
        let purchase = try await server.database.read { storage throws(StorageError) in
            try storage.purchase(Self.purchase, of: ServerFixture.app)
        }
        #expect(purchase?.customerID == nil)
        #expect(purchase?.state?.givesAccess == true)
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 5000))
        let submitted = try await server.submit(try server.apple.sign(renewal), customer: "u_1")
        #expect(submitted.status == 200)
        let customer = try await server.send(.get, "/v1/customers/u_1")
        #expect(try customer.integer("first_seen_at") == ServerFixture.now + 5000)
        #expect(try customer.json()["aliases"] == .array([]))
        #expect(try customer.count("subscriptions") == 1)
        // The purchase belongs to the new customer.
        #expect(try await server.submit(try server.apple.sign(renewal), customer: "u_9").status == 409)
    }

    @Test func `gives shared purchases to the other sharers`() async throws {
        let server = try await ServerFixture()
        _ = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"share"}"#)
        let signed = try server.apple.sign(SignedApple.period())
        for customer in ["u_1", "u_2", "u_3"] { _ = try await server.submit(signed, customer: customer) }
        _ = try await Self.erase("u_3", server)
        _ = try await Self.erase("u_1", server)
        #expect(try await server.send(.get, "/v1/customers/u_2").count("subscriptions") == 1)
        #expect(try await server.submit(signed, customer: "u_4").status == 200)
        for customer in ["u_2", "u_4"] {
            #expect(try await server.send(.get, "/v1/customers/\(customer)").count("subscriptions") == 1)
        }
        for customer in ["u_1", "u_3"] {
            #expect(try await server.send(.get, "/v1/customers/\(customer)").status == 404)
        }
    }

    /// The owner and the sharer claimed the purchase under different policies.
    @Test(arguments: ["u_1", "u_2", "u_3"])
    func `does not change the purchases of other customers`(erased: String) async throws {
        let server = try await ServerFixture()
        let signed = try server.apple.sign(SignedApple.period())
        for (customer, policy) in [("u_1", "keep"), ("u_2", "share"), ("u_3", "transfer")] {
            _ = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"\#(policy)"}"#)
            #expect(try await server.submit(signed, customer: customer).status == 200)
        }
        _ = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"keep"}"#)
        _ = try await Self.erase(erased, server)
        // A claim causes a new evaluation of the owner, and is refused.
        #expect(try await server.submit(signed, customer: "u_9").status == 409)
        for customer in ["u_1", "u_2", "u_3"] {
            let answer = try await server.send(.get, "/v1/customers/\(customer)")
            #expect(answer.status == (customer == erased ? 404 : 200))
            guard customer != erased else { continue }
            #expect(try answer.count("subscriptions") == (customer == "u_1" ? 0 : 1), "\(customer)")
        }
    }

    /// A sharer of a transferred purchase keeps access and gets an event at its end.
    @Test func `keeps a transferred purchase with its sharer, who gets the event of its end`() async throws {
        let server = try await ServerFixture()
        _ = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"share"}"#)
        let signed = try server.apple.sign(SignedApple.period())
        for customer in ["u_1", "u_2"] { _ = try await server.submit(signed, customer: customer) }
        _ = try await server.send(.post, "/v1/transfers", body: #"{"from":"u_1","to":"u_3"}"#)
        _ = try await Self.erase("u_1", server)
        let path = "/v1/customers/u_2/entitlements"
        let before = try await server.send(.get, path)
        #expect(try before.bool("entitlements", "21000001", "active") == true)
        var period = SignedApple.period(signedAt: ServerFixture.now + 1000)
        period.revocationDate = ServerFixture.now + 1000
        period.revocationReason = .other
        _ = try await server.notify(try server.apple.notification(type: .refund, transaction: period))
        let tag = try #require(before.headers[.eTag])
        let after = try await server.send(.get, path, headers: [.ifNoneMatch: tag])
        #expect(after.status == 200)
        #expect(try after.bool("entitlements", "21000001", "active") == false)
        let withdrawn = try await server.events().filter { $0.event.kind == .entitlementWithdrawn }
        #expect(Set(withdrawn.compactMap(\.customerID?.rawValue)).isSuperset(of: ["u_2", "u_3"]))
    }

    @Test func `gives a transferred purchase to the sharer when its target is erased`() async throws {
        let server = try await ServerFixture()
        _ = try await server.send(.patch, "/v1/app", body: #"{"transfer_policy":"share"}"#)
        let signed = try server.apple.sign(SignedApple.period())
        for customer in ["u_1", "u_2"] { _ = try await server.submit(signed, customer: customer) }
        _ = try await server.send(.post, "/v1/transfers", body: #"{"from":"u_1","to":"u_3"}"#)
        _ = try await Self.erase("u_3", server)
        #expect(try await server.submit(signed, customer: "u_4").status == 200)
        for (customer, count) in [("u_1", 0), ("u_2", 1), ("u_4", 1)] {
            #expect(
                try await server.send(.get, "/v1/customers/\(customer)").count("subscriptions") == count,
                "\(customer)"
            )
        }
    }

    @Test func `is not reverted by undoing a transfer`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        let moved = try await server.send(.post, "/v1/transfers", body: #"{"from":"u_1","to":"u_2"}"#)
        _ = try await Self.erase("u_1", server)
        let path = "/v1/transfers/\(try moved.string("id") ?? "")"
        let transfer = try await server.send(.get, path)
        #expect(try transfer.json()["from"] == .null)
        #expect(try transfer.json()["reason"] == .null)
        #expect(try await server.send(.post, path + "/undo").errorCode() == "transfer_moved_on")
        #expect(try await server.send(.get, "/v1/customers/u_2").count("subscriptions") == 1)
        #expect(try await server.send(.get, "/v1/customers/u_1").status == 404)
    }
}
