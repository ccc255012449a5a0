import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Synchronization
import Testing

/// A receiver that notes the deadline of each request.
private final class DeadlineRecorder: WebhookTransport {
    private let seen = Mutex<[Duration]>([])

    var deadlines: [Duration] { seen.withLock { $0 } }

    func check(_ url: String) async throws(WebhookSendError) {}

    func send(_ request: WebhookRequest, timeout: Duration) async throws(WebhookSendError) -> WebhookAnswer {
        seen.withLock { $0.append(timeout) }
        return WebhookAnswer(status: 204)
    }
}

/// What an attempt is given, and what the log has of it.
@Suite struct `Attempts to deliver webhooks` {
    @Test func `have fifteen seconds without configuration`() async throws {
        let recorder = DeadlineRecorder()
        let server = try await ServerFixture(receivers: recorder)
        let body = #"{"url":"\#(WebhookScene.url)"}"#
        let id = try #require(try await server.send(.post, "/v1/webhook_endpoints", body: body).string("id"))
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_42")
        try await server.services.webhookDispatcher.settle()
        #expect(recorder.deadlines == [.seconds(15), .seconds(15)])
        #expect(try await server.send(.post, "/v1/webhook_endpoints/\(id)/test").bool("delivered") == true)
        #expect(recorder.deadlines.last == .seconds(15) && recorder.deadlines.count == 3)
    }

    private static let secretAddress = "https://hooks.example.com/PATHS3CRET/in?key=QUERYS3CRET&b=%51UOTEDS3CRET"
    private static let secretHeader = "Bearer HEADERS3CRET"

    @Test(arguments: [
        ("\(secretAddress) unknown", "https://hooks.example.com… unknown"),
        ("POST /PATHS3CRET/in: no", "POST …: no"), (#"{"path":"\/PATHS3CRET\/in"}"#, #"{"path":"…"}"#),
        ("key=QUERYS3CRET.", "key=…."), ("not QUOTEDS3CRET", "not …"),
        ("\(secretHeader)!", "…!"), ("no HEADERS3CRET", "no …"),
        ("cut off: HEADERS3", "cut off: …"), ("in, key, b, Bearer: no", "in, key, b, Bearer: no"), ("", ""),
    ])
    func `keep no secret that the receiver repeats`(answer: String, kept: String) async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint(#""authorization":"\#(Self.secretHeader)""#, url: Self.secretAddress)
        scene.receivers.answer { _ in .success(WebhookAnswer(status: 500, body: Array(answer.utf8))) }
        let test = try await scene.server.send(.post, "/v1/webhook_endpoints/\(id)/test")
        #expect(try test.string("attempt", "answer") == kept)
        try await scene.append(["u_1"])
        try await scene.settle()
        let delivery = try #require(try await scene.deliveries(id).first?["id"]?.stringValue)
        let shown = try await scene.server.send(.get, "/v1/webhook_deliveries/\(delivery)")
        #expect(try shown.objects("attempts").map { $0["answer"] } == [.string(kept)])
    }

    @Test(arguments: [
        ("Bearer abc/def/S3CRET", #"Bearer abc\/def\/S3CRET"#), ("Bearer abc/def/S3CRET", #"abc\/def\/S3CRET"#),
        (#"Token token="S3CRET/4711""#, #"Token token=\"S3CRET/4711\""#),
        (#"Token token="S3CRET/4711""#, #"token=\"S3CRET\/4711\""#),
        ("Basic S3CRET+abc==", #"Basic S3CRET\u002Babc\u003d\u003D"#),
    ])
    func `keep no secret that the receiver repeats as JSON`(header: String, repeated: String) async throws {
        let scene = try await WebhookScene()
        let authorization = header.replacing("\"", with: "\\\"")
        let id = try await scene.endpoint(#""authorization":"\#(authorization)""#)
        let answer = #"{"authorization":"\#(repeated)"}"#
        scene.receivers.answer { _ in .success(WebhookAnswer(status: 500, body: Array(answer.utf8))) }
        let test = try await scene.server.send(.post, "/v1/webhook_endpoints/\(id)/test")
        #expect(scene.receivers.received.last?.headers["Authorization"] == header)
        #expect(try test.string("attempt", "answer") == #"{"authorization":"…"}"#)
    }

    @Test func `keep an answer whole if the address has no path`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint(url: "https://example.com/")
        scene.receivers.answer { _ in .success(WebhookAnswer(status: 404, body: Array("/ is unknown".utf8))) }
        let test = try await scene.server.send(.post, "/v1/webhook_endpoints/\(id)/test")
        #expect(try test.string("attempt", "answer") == "/ is unknown")
    }

    @Test func `say where they were sent and which time was signed, but nothing secret`() async throws {
        let receivers = ScriptedReceivers()
        let realTime = FollowedTimeSource(Timestamp(milliseconds: ServerFixture.now + 7_000))
        let server = try await ServerFixture(receivers: receivers, requestTime: realTime)
        let body = #"{"url":"https://Hooks.example.com:8443/T0KEN/in?key=T0KEN","authorization":"Bearer T0KEN"}"#
        let made = try await server.send(.post, "/v1/webhook_endpoints", body: body)
        let id = try #require(try made.string("id"))
        let path = "/v1/webhook_endpoints/\(id)"
        receivers.answer(status: 500)
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_42")
        try await server.services.webhookDispatcher.settle()
        // The second attempt goes to another address, at another time.
        let moved = try await server.send(.patch, path, body: #"{"url":"https://[2001:db8::1]/T0KEN"}"#)
        #expect(moved.status == 200)
        receivers.answer { _ in .failure(WebhookSendError("timed_out", "No answer in time.")) }
        realTime.advance(to: realTime.now().adding(milliseconds: 60_000))
        server.time.advance(to: server.time.now().adding(milliseconds: 60_000))
        try await server.services.webhookDispatcher.settle()

        let found = try await server.send(.get, "/v1/webhook_deliveries?app_user_id=u_42").objects("data")
        let first = try #require(found.first { $0["attempt_count"] == .integer(2) }?["id"]?.stringValue)
        let shown = try await server.send(.get, "/v1/webhook_deliveries/\(first)")
        let attempts = try shown.objects("attempts")
        #expect(attempts.map { $0["origin"] } == ["https://hooks.example.com:8443", "https://[2001:db8::1]"])
        let seconds = ServerFixture.now / 1_000 + 7
        #expect(attempts.map { $0["webhook_timestamp"] } == [.integer(seconds), .integer(seconds + 60)])
        #expect(attempts.map { $0["status"] } == [.integer(500), .null])
        #expect(receivers.received.first?.headers["webhook-timestamp"] == "\(seconds)")
        #expect(!String(decoding: shown.bytes, as: UTF8.self).contains("T0KEN"))
    }

    @Test(arguments: [
        ("address_refused", false), ("name_not_found", false), ("url_invalid", false), ("connection_failed", true),
        ("connection_lost", true), ("timed_out", true),
    ])
    func `have no origin and no signed time if no connection was tried`(code: String, isCalled: Bool) async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint()
        scene.receivers.answer { _ in .failure(WebhookSendError(code, "No answer.")) }
        let test = try await scene.server.send(.post, "/v1/webhook_endpoints/\(id)/test")
        #expect(try test.string("attempt", "error") == code)
        #expect(try test.string("attempt", "origin") == (isCalled ? "https://example.com" : nil))
        #expect(try (test.integer("attempt", "webhook_timestamp") != nil) == isCalled)
    }
}
