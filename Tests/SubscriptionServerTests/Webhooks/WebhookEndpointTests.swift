import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// How endpoints are made, changed, rotated, tested and removed.
@Suite struct `Webhook endpoints` {
    @Test func `show a secret once, and are the same for a copy of the request`() async throws {
        let scene = try await WebhookScene()
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        let body = #"{"url":"\#(WebhookScene.url)","label":"backend"}"#
        let made = try await scene.server.send(.post, "/v1/webhook_endpoints", headers: [name: "k1"], body: body)
        let copy = try await scene.server.send(.post, "/v1/webhook_endpoints", headers: [name: "k1"], body: body)
        #expect(made.status == 201 && copy.status == 201)
        #expect(try made.string("id") == copy.string("id"))
        #expect(try made.objects("secrets") == copy.objects("secrets"))
        let id = try #require(try made.string("id"))
        let shown = try await scene.show(id)
        #expect(!String(decoding: shown.bytes, as: UTF8.self).contains("whsec_"))
        #expect(try shown.string("label") == "backend")
        let list = try await scene.server.send(.get, "/v1/webhook_endpoints")
        #expect(try list.objects("data").count == 1)
        #expect(!String(decoding: list.bytes, as: UTF8.self).contains("whsec_"))
    }

    private static func cursor(_ sequence: Int64) -> String {
        EventCursor(sequence: sequence, app: ServerFixture.app).text
    }

    @Test func `refuse what cannot be called`() async throws {
        let scene = try await WebhookScene()
        scene.receivers.refuse("https://intern.example.com")
        let bodies = [
            ("{}", "parameter_missing"), (#"{"url":"https://intern.example.com"}"#, "webhook_url_refused"),
            (#"{"url":"http://example.com"}"#, "webhook_url_refused"), (#"{"url":5}"#, "parameter_invalid"),
            (#"{"url":"https://a.example","form":"xml"}"#, "parameter_invalid"),
            (#"{"url":"https://a.example","event_types":[]}"#, "parameter_invalid"),
            (#"{"url":"https://a.example","event_types":["subscription.reneved"]}"#, "webhook_event_type_unknown"),
            (#"{"url":"https://a.example","event_types":["sub*"]}"#, "webhook_event_type_unknown"),
            (#"{"url":"https://a.example","after":"evt_00"}"#, "parameter_invalid"),
            (
                #"{"url":"https://a.example","form":"apple","after":"\#(Self.cursor(1))"}"#,
                "webhook_start_impossible"
            ),
            (
                #"{"url":"https://a.example","after":"\#(Self.cursor(99))"}"#,
                "webhook_start_impossible"
            ),
            (#"{"url":"https://a.example","signature":"rsa"}"#, "parameter_invalid"),
            (#"{"url":"https://a.example","authorization":"a\r\nb"}"#, "parameter_invalid"),
            (#"{"url":"https://a.example","enabled":true}"#, "parameter_unknown"),
        ]
        for (body, code) in bodies {
            let answer = try await scene.server.send(.post, "/v1/webhook_endpoints", body: body)
            #expect(answer.status == 400, "\(body)")
            #expect(try answer.errorCode() == code, "\(body)")
        }
        #expect(try await scene.server.send(.get, "/v1/webhook_endpoints").objects("data").isEmpty)
    }

    @Test func `belong to one app and environment, and need a secret key`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint()
        let paths: [(HTTPRequest.Method, String)] = [
            (.get, ""), (.patch, ""), (.post, "/rotate"), (.post, "/test"), (.post, "/resend"), (.delete, ""),
        ]
        for (method, path) in paths {
            let path = "/v1/webhook_endpoints/\(id)\(path)"
            let resend = #"{"after":"beginning"}"#
            let body = method == .get || method == .delete ? nil : path.hasSuffix("/resend") ? resend : "{}"
            let foreign = try await scene.server.send(method, path, key: ServerFixture.sandboxSecret, body: body)
            #expect(foreign.status == 404, "\(path)")
            let app = try await scene.server.send(method, path, key: ServerFixture.publishable, body: body)
            #expect(app.status == 403, "\(path)")
        }
        let list = try await scene.server.send(.get, "/v1/webhook_endpoints", key: ServerFixture.sandboxSecret)
        #expect(try list.objects("data").isEmpty)
        #expect(scene.receivers.received.isEmpty)
    }

    @Test func `sign with both secrets during the overlap of a rotation`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint()
        let path = "/v1/webhook_endpoints/\(id)/rotate"
        let rotated = try await scene.server.send(.post, path, body: #"{"overlap_ms":60000}"#)
        #expect(rotated.status == 200)
        let secrets = try rotated.objects("secrets")
        #expect(secrets.count == 2)
        #expect(secrets.map { $0["secret"] != nil } == [true, false])
        #expect(secrets[0]["expires_at"] == .null && secrets[1]["expires_at"] != .null)
        try await scene.append(["a"])
        try await scene.settle()
        let signatures = scene.receivers.received[0].headers["webhook-signature"]?.split(separator: " ") ?? []
        #expect(signatures.count == 2 && signatures.allSatisfy { $0.hasPrefix("v1,") })
        // At once: the old secret is not used any more.
        _ = try await scene.server.send(.post, path, body: #"{"overlap_ms":0}"#)
        try await scene.append(["a"])
        try await scene.settle()
        #expect(scene.receivers.received[1].headers["webhook-signature"]?.contains(" ") == false)
        for body in [#"{"overlap_ms":-1}"#, #"{"overlap_ms":604800001}"#, #"{"overlap":1}"#] {
            #expect(try await scene.server.send(.post, path, body: body).status == 400)
        }
    }

    @Test func `sign with an Ed25519 key if they were made so`() async throws {
        let scene = try await WebhookScene()
        let body = #"{"url":"\#(WebhookScene.url)","signature":"ed25519"}"#
        let made = try await scene.server.send(.post, "/v1/webhook_endpoints", body: body)
        let secret = try #require(try made.objects("secrets").first)
        #expect(secret["secret"] == nil)
        #expect(secret["public_key"]?.stringValue?.hasPrefix("whpk_") == true)
        try await scene.append(["a"])
        try await scene.settle()
        #expect(scene.receivers.received[0].headers["webhook-signature"]?.hasPrefix("v1a,") == true)
    }

    @Test func `are tested with a signed message that is no event`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint()
        let good = try await scene.server.send(.post, "/v1/webhook_endpoints/\(id)/test")
        #expect(try good.bool("delivered") == true)
        #expect(try good.integer("attempt", "status") == 204)
        #expect(scene.receivers.received.map { $0.json["type"] } == [.string("webhook_endpoint.test")])
        scene.receivers.answer { _ in .failure(WebhookSendError("timed_out", "No answer in time.")) }
        let bad = try await scene.server.send(.post, "/v1/webhook_endpoints/\(id)/test")
        #expect(try bad.bool("delivered") == false)
        #expect(try bad.string("attempt", "error") == "timed_out")
        #expect(try await scene.server.events().isEmpty)
        let apple = try await scene.endpoint(#""form":"apple""#)
        let refused = try await scene.server.send(.post, "/v1/webhook_endpoints/\(apple)/test")
        #expect(try refused.errorCode() == "webhook_test_impossible")
    }

    @Test func `are removed with their deliveries, also while one is under way`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint()
        try await scene.append((0..<30).map { "c\($0)" })
        scene.receivers.hold(after: 4)
        async let settled: Void = scene.settle()
        // Some requests are under way, and earlier ones are stored.
        try await ServerFixture.until {
            let stored = try await scene.deliveries(id).count
            return scene.receivers.arrived > 4 && stored == 4
        }
        #expect(try await scene.server.send(.delete, "/v1/webhook_endpoints/\(id)").status == 200)
        scene.receivers.release()
        try await settled
        #expect(try await scene.show(id).status == 404)
        let rows = try await scene.server.database.read { storage throws(StorageError) in
            try storage.webhookDeliveries(
                to: WebhookEndpointID(rawValue: id),
                after: 0,
                app: ServerFixture.app,
                limit: 100
            )
        }
        #expect(rows.isEmpty)
        let before = scene.receivers.received.count
        try await scene.settle()
        #expect(scene.receivers.received.count == before)
        #expect(try await scene.server.send(.delete, "/v1/webhook_endpoints/\(id)").status == 404)
    }

    @Test func `have an entry in the audit log for each change`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint()
        let path = "/v1/webhook_endpoints/\(id)"
        // Nothing was sent, so nothing is sent again.
        _ = try await scene.server.send(.post, "\(path)/resend", body: #"{"after":"beginning"}"#)
        try await scene.append(["a"])
        try await scene.settle()
        _ = try await scene.server.send(.patch, path, body: #"{"label":"new","event_types":["subscription.*"]}"#)
        _ = try await scene.server.send(.post, "\(path)/rotate")
        _ = try await scene.server.send(.post, "\(path)/test")
        _ = try await scene.server.send(.post, "\(path)/resend", body: #"{"after":"beginning"}"#)
        _ = try await scene.server.send(.delete, path)
        let entries = try await scene.server.send(.get, "/v1/audit_log?target=webhook_endpoint:\(id)")
        let actions = try entries.objects("data").compactMap { $0["action"]?.stringValue }
        #expect(
            actions.sorted() == [
                "webhook_delivery.resent", "webhook_endpoint.changed", "webhook_endpoint.created",
                "webhook_endpoint.removed", "webhook_endpoint.secret_rotated", "webhook_endpoint.tested",
            ]
        )
        #expect(!String(decoding: entries.bytes, as: UTF8.self).contains("whsec_"))
    }

    @Test func `are in the audit log as they were before and after a change, and not without one`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint(#""label":"old""#)
        let path = "/v1/webhook_endpoints/\(id)"
        func change(_ body: String) async throws {
            #expect(try await scene.server.send(.patch, path, body: body).status == 200)
        }
        try await change(#"{"label":"new","event_types":["purchase.*"]}"#)
        try await change(#"{"enabled":false,"event_types":null}"#)
        try await change(#"{"enabled":true}"#)
        for same in ["{}", #"{"enabled":true}"#, #"{"label":"new","url":"\#(WebhookScene.url)"}"#] {
            try await change(same)
        }
        scene.receivers.answer(status: 500)
        try await scene.append(["a"])
        try await scene.settle()
        try await change(#"{"enabled":true}"#)
        #expect(try await scene.show(id).integer("failures") == 0)
        #expect(try await scene.server.send(.delete, path).status == 200)
        let changes = try await scene.changes(of: id)
        func values(_ name: String) -> [[JSONValue]] {
            changes.map { [$0.before[name] ?? .null, $0.after[name] ?? .null] }
        }
        let types = JSONValue.array([.string("purchase.*")])
        let labels: [[JSONValue]] = [["old", "new"], ["new", "new"], ["new", "new"], ["new", "new"]]
        let chosen: [[JSONValue]] = [[.null, types], [types, .null], [.null, .null], [.null, .null]]
        let enabled: [[JSONValue]] = [[true, true], [true, false], [false, true], [true, true]]
        let resets: [JSONValue?] = [nil, nil, nil, true]
        #expect(values("label") == labels)
        #expect(values("event_types") == chosen)
        #expect(values("enabled") == enabled)
        #expect(changes.map { $0.after["failures_reset"] } == resets)
        // The entry of the removal has what the operator saw.
        let log = try await scene.server.send(.get, "/v1/audit_log?target=webhook_endpoint:\(id)&limit=1")
        let removed = try #require(try log.objects("data").first)
        #expect(removed["action"] == .string("webhook_endpoint.removed"))
        #expect(removed["before"]?.objectValue?["enabled"] == .bool(true))
    }

    @Test func `get another Authorization, or none, and lose it with another host`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint(#""form":"revenuecat","authorization":"Bearer old""#)
        let path = "/v1/webhook_endpoints/\(id)"
        func sent(after body: String) async throws -> String? {
            let changed = try await scene.server.send(.patch, path, body: body)
            #expect(changed.status == 200)
            #expect(!String(decoding: changed.bytes, as: UTF8.self).contains("Bearer"))
            scene.receivers.forget()
            #expect(try await scene.server.send(.post, "\(path)/test").bool("delivered") == true)
            let value = scene.receivers.received.first?.headers["Authorization"]
            #expect(try changed.bool("authorization") == (value != nil))
            return value
        }
        #expect(try await sent(after: #"{"label":"same"}"#) == "Bearer old")
        #expect(try await sent(after: #"{"authorization":"Bearer new"}"#) == "Bearer new")
        #expect(try await sent(after: #"{"url":"https://other.example.com/"}"#) == nil)
        let both = #"{"url":"https://third.example.com/","authorization":"Bearer third"}"#
        #expect(try await sent(after: both) == "Bearer third")
        for _ in 0..<2 { #expect(try await sent(after: #"{"authorization":null}"#) == nil) }
        #expect(try await scene.server.send(.patch, path, body: #"{"authorization":"line\nbreak"}"#).status == 400)
        let log = try await scene.server.send(.get, "/v1/audit_log?target=webhook_endpoint:\(id)")
        #expect(!String(decoding: log.bytes, as: UTF8.self).contains("Bearer"))
        let changes = try await scene.changes(of: id)
        let before: [JSONValue?] = [true, true, true, false, true]
        let after: [JSONValue?] = [true, true, false, true, false]
        let changed: [JSONValue?] = [nil, true, true, true, true]
        #expect(changes.map { $0.before["authorization"] } == before)
        #expect(changes.map { $0.after["authorization"] } == after)
        #expect(changes.map { $0.after["authorization_changed"] } == changed)
    }
}
