import SubscriptionOperations
import Testing

/// How long a failed event holds back the later events of its customer.
@Suite struct `A failed webhook` {
    private static let hour: Int64 = 3_600_000

    @Test func `lets the later ones of its customer pass after the configured time`() async throws {
        var settings = WebhookSettings()
        settings.holdMilliseconds = Self.hour
        let scene = try await WebhookScene(settings: settings)
        let id = try await scene.endpoint()
        scene.receivers.answer {
            .success(WebhookAnswer(status: WebhookScene.sequence(ofEvent: $0.id) == 1 ? 500 : 204))
        }
        try await scene.append(["a", "a", "a"])
        try await scene.settle()
        for _ in 0..<11 { try await scene.pass(Self.hour / 12) }
        #expect(scene.receivers.taken.isEmpty)
        try await scene.pass(Self.hour / 6)
        #expect(scene.sequences(of: scene.receivers.taken) == [2, 3])
        // The first one is still tried.
        scene.receivers.answer(status: 204)
        try await scene.pass(24 * Self.hour)
        #expect(scene.sequences(of: scene.receivers.taken) == [2, 3, 1])
        #expect(try await scene.deliveries(id, state: "waiting").isEmpty)
    }

    @Test func `counts that time from its first attempt, not from the time at which it was held back`()
        async throws
    {
        var settings = WebhookSettings()
        settings.holdMilliseconds = Self.hour
        let scene = try await WebhookScene(settings: settings)
        _ = try await scene.endpoint()
        scene.receivers.answer {
            .success(WebhookAnswer(status: (WebhookScene.sequence(ofEvent: $0.id) ?? 0) < 3 ? 500 : 204))
        }
        try await scene.append(["a", "a", "a"])
        try await scene.settle()
        for _ in 0..<12 { try await scene.pass(Self.hour / 12) }
        // The first event was overtaken, and the second one was tried. Another customer's keeps the circuit closed.
        #expect(scene.sequences(of: scene.receivers.received).contains(2))
        try await scene.append(["b"])
        for _ in 0..<10 { try await scene.pass(Self.hour / 12) }
        #expect(scene.sequences(of: scene.receivers.taken) == [4])
        for _ in 0..<3 { try await scene.pass(Self.hour / 12) }
        #expect(scene.sequences(of: scene.receivers.taken) == [4, 3])
    }
}
