import AppStoreModel
import Crypto
import Foundation
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// What endpoints get, and when.
@Suite struct `Webhook deliveries` {
    private static let hour: Int64 = 3_600_000

    @Test(arguments: TestEngine.allCases) func `carry every event once, in the envelope of Standard Webhooks`(
        engine: TestEngine
    ) async throws {
        let (database, close) = try await engine.open()
        let scene = try await WebhookScene(database: database)
        let made = try await scene.server.send(
            .post,
            "/v1/webhook_endpoints",
            body: #"{"url":"\#(WebhookScene.url)"}"#
        )
        #expect(made.status == 201)
        let secret = try #require(try made.objects("secrets").first?["secret"]?.stringValue)
        _ = try await scene.server.submit(
            try scene.server.apple.sign(SignedApple.period()),
            customer: "u_42"
        )
        try await scene.settle()
        let received = scene.receivers.received
        let events = try await scene.server.send(.get, "/v1/events").objects("data")
        #expect(events.count == 2)
        #expect(received.map { $0.json["data"] } == events.map { JSONValue.object($0) })
        #expect(received.map(\.id) == events.compactMap { $0["id"]?.stringValue })
        let first = try #require(received.first)
        #expect(first.json["type"] == .string("subscription.started"))
        #expect(first.json["timestamp"]?.stringValue?.hasSuffix("Z") == true)
        #expect(first.headers["Content-Type"] == "application/json")
        // The signature of the published specification: HMAC-SHA256 of id.timestamp.body.
        let key = SymmetricKey(data: try #require(Data(base64Encoded: String(secret.dropFirst(6)))))
        let seconds = try #require(first.headers["webhook-timestamp"])
        let code = HMAC<SHA256>.authenticationCode(for: Array("\(first.id).\(seconds).".utf8) + first.body, using: key)
        #expect(first.headers["webhook-signature"] == "v1," + Data(code).base64EncodedString())
        try await scene.settle()
        #expect(scene.receivers.received.count == 2)
        let id = try #require(try made.string("id"))
        let log = try await scene.deliveries(id)
        #expect(log.map { $0["state"] } == [.string("delivered"), .string("delivered")])
        try await close()
    }

    /// By the time an event is sent, the customer is at least at its version, and the submission said the same version.
    @Test func `carry the version that the submission answered`() async throws {
        let scene = try await WebhookScene()
        _ = try await scene.endpoint()
        let submitted = try await scene.server.submit(
            try scene.server.apple.sign(SignedApple.period()),
            customer: "u_42"
        )
        let version = try #require(try submitted.integer("state_version"))
        try await scene.settle()
        for request in scene.receivers.received {
            guard case .object(let event)? = request.json["data"] else { continue }
            #expect(event["state_version"] == .integer(version))
        }
        let shown = try await scene.server.send(.get, "/v1/customers/u_42")
        #expect(try shown.integer("state_version") == version)
        #expect(scene.receivers.received.count == 2)
    }

    @Test func `carry a lower version than the answer if the notification came first`() async throws {
        let scene = try await WebhookScene()
        _ = try await scene.endpoint()
        let customer = "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a11"
        var period = SignedApple.period()
        period.appAccountToken = customer
        let notified = try await scene.server.notify(scene.server.apple.notification(transaction: period))
        #expect(notified.status == 200)
        // The app has a copy with a later signature.
        period.signedDate += 1_000
        let submitted = try await scene.server.submit(try scene.server.apple.sign(period), customer: customer)
        let version = try #require(try submitted.integer("state_version"))
        try await scene.settle()
        let versions = scene.receivers.received.map { request -> JSONValue? in
            guard case .object(let event)? = request.json["data"] else { return nil }
            return event["state_version"]
        }
        #expect(versions == [.integer(1), .integer(1)])
        #expect(version == 2)
        let shown = try await scene.server.send(.get, "/v1/customers/\(customer)")
        #expect(try shown.integer("state_version") == version)
    }

    private static func isFirst(_ received: ScriptedReceivers.Received) -> Bool {
        WebhookScene.sequence(ofEvent: received.id) == 1
    }

    @Test func `hold back only the customer whose event fails`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint()
        scene.receivers.answer { .success(WebhookAnswer(status: Self.isFirst($0) ? 500 : 204)) }
        try await scene.append(["a", "b", "a", nil, "a", "b"])
        try await scene.settle()
        #expect(Set(scene.sequences(of: scene.receivers.taken)) == [2, 4, 6])
        #expect(try await scene.deliveries(id, state: "waiting").count == 1)
        #expect(try await scene.deliveries(id, state: "held").count == 2)
        scene.receivers.answer(status: 200)
        try await scene.pass(6_000)
        let taken = scene.sequences(of: scene.receivers.taken)
        #expect(taken.filter { [1, 3, 5].contains($0) } == [1, 3, 5])
        #expect(taken.count == 6)
        #expect(try await scene.deliveries(id, state: "held").isEmpty)
    }

    @Test func `are given up after ten attempts over three days, and can be sent again`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint()
        scene.receivers.answer { .success(WebhookAnswer(status: Self.isFirst($0) ? 500 : 204)) }
        try await scene.append(["a"])
        for _ in 0..<100 {
            // Others are taken, so the circuit stays closed.
            try await scene.append([nil])
            try await scene.pass(Self.hour)
        }
        #expect((10...12).contains(scene.receivers.received.count(where: Self.isFirst)))
        let failed = try await scene.deliveries(id, state: "failed")
        let delivery = try #require(failed.first?["id"]?.stringValue)
        let shown = try await scene.server.send(.get, "/v1/webhook_deliveries/\(delivery)")
        #expect((10...12).contains(try shown.objects("attempts").count))
        let poison = try #require(scene.receivers.received.first(where: Self.isFirst))
        #expect(try shown.string("body")?.contains(poison.id) == true)
        scene.receivers.answer(status: 202)
        #expect(try await scene.server.send(.post, "/v1/webhook_deliveries/\(delivery)/resend").status == 202)
        try await scene.settle()
        #expect(scene.receivers.taken.contains(where: Self.isFirst))
        #expect(try await scene.deliveries(id, state: "failed").isEmpty)
    }

    @Test func `wait as long as the receiver asks`() async throws {
        let scene = try await WebhookScene()
        _ = try await scene.endpoint()
        scene.receivers.answer(status: 503, retryAfter: "600")
        try await scene.append(["a"])
        try await scene.settle()
        scene.receivers.answer(status: 200)
        try await scene.pass(599_000)
        #expect(scene.receivers.taken.isEmpty)
        try await scene.pass(70_000)
        #expect(scene.receivers.taken.count == 1)
    }

    @Test func `stop at 410, and go on where they stopped once the endpoint is enabled`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint()
        scene.receivers.answer(status: 410)
        try await scene.append(["a", "b"])
        try await scene.settle()
        let shown = try await scene.show(id)
        #expect(try shown.bool("enabled") == false)
        #expect(try shown.string("disabled_reason") == "gone")
        let events = try await scene.server.events()
        #expect(events.last?.event.kind == .webhookEndpointDisabled)
        #expect(events.last?.event.details?["reason"] == "gone")
        scene.receivers.answer(status: 200)
        try await scene.pass(Self.hour)
        #expect(scene.receivers.taken.isEmpty)
        let path = "/v1/webhook_endpoints/\(id)"
        #expect(try await scene.server.send(.patch, path, body: #"{"enabled":true}"#).status == 200)
        try await scene.pass(Self.hour)
        #expect(Set(scene.sequences(of: scene.receivers.taken)) == [1, 2, 3])
    }

    @Test func `stop calling a dead endpoint, lose nothing, and disable it after 120 hours`() async throws {
        var settings = WebhookSettings()
        settings.holdMilliseconds = nil
        let scene = try await WebhookScene(settings: settings)
        let (dead, alive) = (try await scene.endpoint(), try await scene.endpoint(url: "https://alive.example.com"))
        scene.receivers.answer { received in
            received.url == WebhookScene.url
                ? .failure(WebhookSendError("connection_failed", "No connection."))
                : .success(WebhookAnswer(status: 200))
        }
        for step in 0..<118 {
            if step < 100 { try await scene.append(["c\(step)", "c\(step + 1)"]) }
            try await scene.pass(Self.hour)
        }
        let calls = scene.receivers.received.count { $0.url == WebhookScene.url }
        #expect(calls < 200)
        #expect(try await scene.show(dead).bool("enabled") == true)
        #expect(Set(scene.sequences(of: scene.receivers.taken)).count == 200)
        for _ in 0..<3 { try await scene.pass(Self.hour) }
        #expect(try await scene.show(dead).string("disabled_reason") == "failing")
        #expect(try await scene.show(alive).bool("enabled") == true)
        scene.receivers.forget()
        scene.receivers.answer(status: 200)
        let path = "/v1/webhook_endpoints/\(dead)"
        #expect(try await scene.server.send(.patch, path, body: #"{"enabled":true}"#).status == 200)
        // What waits is due within a day.
        for _ in 0..<30 { try await scene.pass(Self.hour) }
        let taken = scene.receivers.taken.filter { $0.url == WebhookScene.url }
        let sequences = scene.sequences(of: taken)
        #expect(Set(sequences) == Set(1...201))
        let events = try await scene.server.events()
        for customer in Set(events.compactMap(\.customerID)) {
            let own = events.filter { $0.customerID == customer }.map(\.sequence)
            #expect(sequences.filter(own.contains) == own, "\(customer)")
        }
    }

    @Test func `begin in the past, choose types, and can be sent again as a part of the feed`() async throws {
        let scene = try await WebhookScene()
        try await scene.append(["a", "b", "a"])
        _ = try await scene.endpoint(#""after":"beginning""#, url: "https://all.example.com")
        let second = try #require(try await scene.server.send(.get, "/v1/events").objects("data")[1]["id"]?.stringValue)
        let later = try await scene.endpoint(#""after":"\#(second)""#, url: "https://later.example.com")
        _ = try await scene.endpoint(url: "https://now.example.com")
        _ = try await scene.endpoint(
            #""after":"beginning","event_types":["entitlement.*","customer.aliased"]"#,
            url: "https://access.example.com"
        )
        _ = try await scene.server.submit(try scene.server.apple.sign(SignedApple.period()), customer: "u_42")
        try await scene.settle()
        func taken(_ host: String) -> [Int64] {
            scene.sequences(of: scene.receivers.taken.filter { $0.url == "https://\(host).example.com" })
        }
        #expect(Set(taken("all")) == [1, 2, 3, 4, 5])
        #expect(taken("later").sorted() == [3, 4, 5])
        #expect(taken("now") == [4, 5])
        #expect(taken("access") == [5])
        scene.receivers.forget()
        let path = "/v1/webhook_endpoints/\(later)/resend"
        let sent = try await scene.server.send(.post, path, body: #"{"after":"beginning","through":"\#(second)"}"#)
        #expect(sent.status == 202)
        #expect(try sent.integer("events") == 2)
        try await scene.settle()
        #expect(scene.sequences(of: scene.receivers.taken).sorted() == [1, 2])
    }

    @Test func `of the form state carry everything that the customer may use`() async throws {
        let scene = try await WebhookScene()
        _ = try await scene.endpoint(#""form":"state""#)
        _ = try await scene.server.submit(try scene.server.apple.sign(SignedApple.period()), customer: "u_42")
        try await scene.append([nil])
        try await scene.settle()
        let shown = try await scene.server.send(.get, "/v1/customers/u_42/entitlements").json()
        for request in scene.receivers.received {
            guard case .object(let data)? = request.json["data"], case .object(let event)? = data["event"] else {
                Issue.record("no data")
                continue
            }
            if event["app_user_id"] == .null {
                #expect(data["entitlements"] == .null)
            } else {
                #expect(data["entitlements"] == .object(shown))
            }
        }
        #expect(scene.receivers.received.count == 3)
    }

    @Test func `of the form apple are Apple's own notifications`() async throws {
        let scene = try await WebhookScene()
        _ = try await scene.endpoint(#""form":"apple","event_types":["DID_RENEW","SUBSCRIBED"]"#)
        let payload = try scene.server.apple.notification(
            "5b0f7a52-6d0c-4d0e-9f55-0c6f5c110001",
            transaction: SignedApple.period()
        )
        #expect(try await scene.server.notify(payload).status == 200)
        // A submitted transaction is no notification.
        let other = SignedApple.period(id: "2000000000000002", original: "2000000000000002")
        _ = try await scene.server.submit(try scene.server.apple.sign(other), customer: "u_42")
        try await scene.settle()
        try await scene.settle()
        #expect(scene.receivers.received.map { $0.json["signedPayload"] } == [.string(payload)])
        #expect(scene.receivers.received.map(\.id) == ["5b0f7a52-6d0c-4d0e-9f55-0c6f5c110001"])
    }

    @Test func `of the form revenuecat have its names and its Authorization`() async throws {
        let scene = try await WebhookScene()
        _ = try await scene.endpoint(#""form":"revenuecat","authorization":"Bearer shared""#)
        _ = try await scene.server.submit(try scene.server.apple.sign(SignedApple.period()), customer: "u_42")
        try await scene.append([nil])
        try await scene.settle()
        #expect(scene.receivers.received.count == 1)
        let request = try #require(scene.receivers.received.first)
        #expect(request.headers["Authorization"] == "Bearer shared")
        guard case .object(let event)? = request.json["event"] else {
            Issue.record("no event")
            return
        }
        #expect(event["type"] == .string("INITIAL_PURCHASE"))
        #expect(event["app_user_id"] == .string("u_42"))
        #expect(request.json["api_version"] == .string("1.0"))
    }

    /// Then the event of the charge names no customer, and RevenueCat's receivers need one.
    @Test func `of the form revenuecat report a first purchase that Apple announced before the app`() async throws {
        let scene = try await WebhookScene()
        _ = try await scene.endpoint(#""form":"revenuecat""#)
        let payload = try scene.server.apple.notification(
            "5b0f7a52-6d0c-4d0e-9f55-0c6f5c110001",
            transaction: SignedApple.period()
        )
        #expect(try await scene.server.notify(payload).status == 200)
        try await scene.settle()
        #expect(scene.receivers.received.isEmpty)
        let transaction = try scene.server.apple.sign(SignedApple.period())
        _ = try await scene.server.submit(transaction, customer: "u_42")
        _ = try await scene.server.submit(transaction, customer: "u_42")
        try await scene.settle()
        #expect(scene.receivers.received.count == 1)
        guard case .object(let event)? = scene.receivers.received.first?.json["event"] else {
            Issue.record("no event")
            return
        }
        #expect(event["type"] == .string("INITIAL_PURCHASE"))
        #expect(event["app_user_id"] == .string("u_42"))
        #expect(event["transaction_id"] == .string("2000000000000001"))
        #expect(event["price_in_purchased_currency"] != .null)
    }

    @Test func `of an erased customer are removed, and what waits is not sent`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint()
        scene.receivers.answer(status: 500)
        try await scene.append(["u_1", "u_1", "u_2"])
        try await scene.settle()
        #expect(try await scene.server.send(.delete, "/v1/customers/u_1").status == 200)
        scene.receivers.answer(status: 200)
        scene.receivers.forget()
        try await scene.pass(10_000)
        #expect(scene.sequences(of: scene.receivers.taken) == [3])
        let rows = try await scene.server.database.read { storage throws(StorageError) in
            try storage.webhookDeliveries(about: CustomerID("u_1"), app: ServerFixture.app, limit: 10)
        }
        #expect(rows.isEmpty)
        #expect(try await scene.deliveries(id, state: "held").isEmpty)
    }

    @Test func `under way about a customer who is erased leave nothing behind`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint()
        try await scene.append((0..<20).map { "u_\($0 % 2)" })
        scene.receivers.hold(after: 4)
        async let settled: Void = scene.settle()
        // One request about each customer is under way, and earlier ones are stored.
        try await ServerFixture.until {
            let stored = try await scene.deliveries(id).count
            return scene.receivers.arrived == 6 && stored == 4
        }
        #expect(try await scene.server.send(.delete, "/v1/customers/u_1").status == 200)
        scene.receivers.release()
        try await settled
        let rows = try await scene.server.database.read { storage throws(StorageError) in
            try ["u_0", "u_1"].map { name throws(StorageError) in
                try storage.webhookDeliveries(about: CustomerID(name), app: ServerFixture.app, limit: 100).count
            }
        }
        #expect(rows == [10, 0])
    }

    @Test func `are removed from the log after the configured time`() async throws {
        var settings = WebhookSettings()
        settings.logMilliseconds = Self.hour
        let scene = try await WebhookScene(settings: settings)
        let id = try await scene.endpoint()
        try await scene.append(["a", "b"])
        try await scene.settle()
        try await scene.pass(2 * Self.hour)
        try await scene.append(["a"])
        try await scene.settle()
        try await scene.server.services.webhookDispatcher.prune()
        #expect(try await scene.deliveries(id).count == 1)
    }
}
