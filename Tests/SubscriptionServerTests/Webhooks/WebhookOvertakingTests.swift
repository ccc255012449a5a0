import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
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

    @Test func `of a past part of the feed holds the later ones back too, also over restarts of the server`()
        async throws
    {
        var settings = WebhookSettings()
        settings.holdMilliseconds = Self.hour
        let scene = try await WebhookScene(settings: settings)
        try await scene.append(["a", "a", "a"])
        scene.server.time.advance(to: scene.server.time.now().adding(milliseconds: 240 * Self.hour))
        _ = try await scene.endpoint(#""after":"beginning""#)
        scene.receivers.answer {
            .success(WebhookAnswer(status: WebhookScene.sequence(ofEvent: $0.id) == 1 ? 500 : 204))
        }
        /// Moves the clock, and sends with a server that has just started.
        func pass(_ milliseconds: Int64) async throws {
            scene.server.time.advance(to: scene.server.time.now().adding(milliseconds: milliseconds))
            let dispatcher = WebhookDispatcher(
                database: scene.server.database,
                reading: scene.server.services.reading,
                transport: scene.receivers,
                settings: settings,
                time: scene.server.time
            )
            try await dispatcher.settle()
        }
        for step in 0..<12 { try await pass(step == 0 ? 0 : Self.hour / 12) }
        #expect(scene.receivers.taken.isEmpty)
        try await pass(Self.hour / 6)
        #expect(scene.sequences(of: scene.receivers.taken) == [2, 3])
    }

    @Test func `of an outage does not let the events pass that it held back`() async throws {
        var settings = WebhookSettings()
        settings.holdMilliseconds = Self.hour
        let scene = try await WebhookScene(settings: settings)
        _ = try await scene.endpoint()
        scene.receivers.answer(status: 503)
        // With twelve more failures the endpoint is only probed.
        try await scene.append(["a", "a", "a"] + (0..<12).map { "c\($0)" })
        try await scene.settle()
        for _ in 0..<24 { try await scene.pass(Self.hour / 12) }
        #expect(scene.receivers.taken.isEmpty)
        scene.receivers.answer {
            .success(WebhookAnswer(status: WebhookScene.sequence(ofEvent: $0.id) == 2 ? 500 : 204))
        }
        func taken() -> [Int64] { scene.sequences(of: scene.receivers.taken).filter { $0 <= 3 } }
        // A probe is due at the latest after five and a half minutes.
        try await scene.pass(Self.hour / 6)
        #expect(taken() == [1])
        for _ in 0..<11 {
            // Others are taken, so the circuit stays closed.
            try await scene.append([nil])
            try await scene.pass(Self.hour / 12)
            #expect(taken() == [1])
        }
        for _ in 0..<3 { try await scene.pass(Self.hour / 12) }
        #expect(taken() == [1, 3])
    }

    @Test func `that is sent again in a part of the feed holds the later ones back again`() async throws {
        var settings = WebhookSettings()
        settings.holdMilliseconds = Self.hour
        let scene = try await WebhookScene(settings: settings)
        let id = try await scene.endpoint()
        try await scene.append(["a", "a"])
        try await scene.settle()
        #expect(scene.sequences(of: scene.receivers.taken) == [1, 2])
        // The attempts from before stay in the log.
        try await scene.pass(2 * Self.hour)
        scene.receivers.forget()
        scene.receivers.answer {
            .success(WebhookAnswer(status: WebhookScene.sequence(ofEvent: $0.id) == 1 ? 500 : 204))
        }
        let body = #"{"after":"beginning"}"#
        let resent = try await scene.server.send(.post, "/v1/webhook_endpoints/\(id)/resend", body: body)
        #expect(resent.status == 202)
        try await scene.settle()
        for _ in 0..<11 { try await scene.pass(Self.hour / 12) }
        #expect(scene.receivers.taken.isEmpty)
        try await scene.pass(Self.hour / 6)
        #expect(scene.sequences(of: scene.receivers.taken) == [2])
    }
}
