import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// Endpoints that receive the events about problems.
@Suite struct `Webhooks with alerts` {
    private static let chat = "https://chat.example.com/hooks/1"

    private static func texts(_ scene: WebhookScene) -> [String] {
        scene.receivers.taken.filter { $0.url == chat }.compactMap { $0.json["text"]?.stringValue }
    }

    private static func append(_ events: [SubscriptionEvent], to scene: WebhookScene) async throws {
        try await scene.server.database.write { storage throws(StorageError) in
            for event in events {
                try storage.append([event], customer: nil, recordedAt: event.occurredAt, app: ServerFixture.app)
            }
        }
    }

    @Test func `say that another endpoint was disabled, why, and what to do`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint()
        _ = try await scene.endpoint(#""event_types":["alerts"],"form":"text""#, url: Self.chat)
        scene.receivers.answer { received in
            .success(WebhookAnswer(status: received.url == WebhookScene.url ? 410 : 200))
        }
        try await scene.append(["u_42", "u_43"])
        try await scene.settle()
        try await scene.settle()
        let texts = Self.texts(scene)
        #expect(texts.count == 1)
        let text = try #require(texts.first)
        #expect(text.hasPrefix("\(ServerFixture.app): "))
        #expect(text.contains(id))
        #expect(text.contains("410"))
        #expect(text.contains("perennial webhooks change \(id) --enable"))
        #expect(!text.contains("example.com/webhooks"))
        let request = try #require(scene.receivers.taken.first { $0.url == Self.chat })
        #expect(request.headers["webhook-signature"]?.hasPrefix("v1,") == true)
    }

    @Test func `are tried again with the same webhook-id`() async throws {
        let scene = try await WebhookScene()
        _ = try await scene.endpoint(#""event_types":["alerts"],"form":"text""#, url: Self.chat)
        scene.receivers.answer(status: 503)
        let event = SubscriptionEvent(kind: .notificationsResumed, occurredAt: scene.server.time.now())
        try await Self.append([event], to: scene)
        try await scene.settle()
        scene.receivers.answer(status: 200)
        try await scene.pass(10_000)
        #expect(scene.receivers.received.count == 2)
        #expect(Set(scene.receivers.received.map(\.id)).count == 1)
        #expect(Self.texts(scene) == ["\(ServerFixture.app): notifications of Apple arrive again."])
    }

    @Test(arguments: SubscriptionEvent.Kind.allCases) func `are about problems only, and have a sentence for each`(
        kind: SubscriptionEvent.Kind
    ) async throws {
        let alerts: Set<SubscriptionEvent.Kind> = [
            .webhookEndpointDisabled, .recoveryGapFound, .recoveryFailed, .notificationsQuiet, .notificationsResumed,
            .clockDisputed, .clockAgreed,
        ]
        let scene = try await WebhookScene()
        _ = try await scene.endpoint(#""event_types":["alerts"],"form":"text""#, url: Self.chat)
        let all = "https://all.example.com"
        _ = try await scene.endpoint(#""form":"text""#, url: all)
        let details = [
            "endpoint_id": "we_1", "reason": "failing", "from": "1770000000000", "to": "1770000000000", "sent": "3",
            "held": "1", "recovered": "1", "refused": "0", "missing": "1", "code": "refused", "since": "1770000000000",
            "witness": "database", "ahead_seconds": "90",
        ]
        let event = SubscriptionEvent(kind: kind, occurredAt: scene.server.time.now(), details: details)
        try await Self.append([event], to: scene)
        try await scene.settle()
        #expect(Self.texts(scene).count == (alerts.contains(kind) ? 1 : 0))
        let text = try #require(
            scene.receivers.taken.first { $0.url == all }.flatMap { $0.json["text"]?.stringValue }
        )
        #expect(text.contains(kind.rawValue) == !alerts.contains(kind))
        #expect(!text.contains("?"))
    }

    @Test func `can be tested`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint(#""event_types":["alerts"],"form":"text""#, url: Self.chat)
        let result = try await scene.server.send(.post, "/v1/webhook_endpoints/\(id)/test")
        #expect(try result.bool("delivered") == true)
        #expect(Self.texts(scene).count == 1)
        #expect(Self.texts(scene).first?.contains(id) == true)
    }
}
