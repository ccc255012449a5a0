import HTTPTypes
import Logging
import ServiceLifecycle
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// What an operator learns about endpoints that fail: the log and the metrics.
@Suite struct `Reports about webhook endpoints` {
    private static let secretURL = "https://example.com/hooks?token=hidden"

    private struct Running: Service {
        let dispatcher: WebhookDispatcher
        let logger: Logger
        func run() async throws { await dispatcher.run(reportingTo: logger) }
    }

    /// Runs the dispatcher, with its log.
    private static func run(
        _ scene: WebhookScene,
        _ body: @escaping @Sendable (RecordingLogHandler.Lines) async throws -> Void
    ) async throws {
        let lines = RecordingLogHandler.Lines()
        let logger = Logger(label: "test") { _ in RecordingLogHandler(lines: lines) }
        let running = Running(dispatcher: scene.server.services.webhookDispatcher, logger: logger)
        let group = ServiceGroup(configuration: .init(services: [running], logger: Self.silent))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await body(lines))
            } catch {
                outcome = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try outcome.get()
        }
    }

    private static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func metric(_ name: String, _ scene: WebhookScene) async throws -> Double? {
        let text = String(decoding: try await scene.server.send(.get, "/metrics", key: nil).bytes, as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Double($0.dropFirst(name.count + 1)) }
    }

    @Test func `say when an endpoint is only probed, and when it takes webhooks again, without its address`()
        async throws
    {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint(url: Self.secretURL)
        scene.receivers.answer(status: 503)
        try await scene.append((0..<12).map { "customer_\($0)" })
        try await Self.run(scene) { lines in
            try await ServerFixture.until { lines.all.contains { $0.contains("only probed") } }
            scene.receivers.answer(status: 200)
            scene.server.time.advance(to: scene.server.time.now().adding(milliseconds: 600_000))
            try await ServerFixture.until { lines.all.contains { $0.contains("takes webhooks again") } }
            let opened = try #require(lines.all.first { $0.contains("only probed") })
            #expect(opened.hasPrefix("warning"))
            #expect(opened.contains(id))
            #expect(opened.contains("503"))
            #expect(!lines.all.contains { $0.contains("example.com") || $0.contains("customer_") })
        }
    }

    @Test func `say when and why an endpoint is disabled, and what to do`() async throws {
        let scene = try await WebhookScene()
        let id = try await scene.endpoint(url: Self.secretURL)
        scene.receivers.answer(status: 410)
        try await scene.append(["customer_1"])
        try await Self.run(scene) { lines in
            try await ServerFixture.until { lines.all.contains { $0.contains("disabled") } }
            let line = try #require(lines.all.first { $0.contains("disabled") })
            #expect(lines.all.count { $0.contains("was disabled") } == 1)
            #expect(line.hasPrefix("error"))
            #expect(line.contains("410"))
            #expect(line.contains("perennial webhooks change \(id) --enable"))
            #expect(line.contains(#""reason": gone"#))
            #expect(!lines.all.contains { $0.contains("example.com") || $0.contains("customer_1") })
        }
        #expect(try await Self.metric(#"perennial_webhook_endpoints{state="disabled"}"#, scene) == 1)
        #expect(try await Self.metric(#"perennial_webhook_endpoints{state="enabled"}"#, scene) == 0)
    }

    @Test func `count endpoints by state, open deliveries and the age of what was not sent`() async throws {
        let scene = try await WebhookScene()
        _ = try await scene.endpoint(url: "https://alive.example.com")
        _ = try await scene.endpoint()
        // It is never behind, because no event has its type.
        _ = try await scene.endpoint(#""event_types":["recovery.*"]"#)
        scene.receivers.answer { received in
            .success(WebhookAnswer(status: received.url == WebhookScene.url ? 500 : 200))
        }
        #expect(try await Self.metric("perennial_webhook_lag_seconds", scene) == 0)
        try await scene.append((0..<30).map { "c\($0)" })
        #expect(try await Self.metric("perennial_webhook_lag_seconds", scene) == 0)
        scene.server.time.advance(to: scene.server.time.now().adding(milliseconds: 60_000))
        #expect(try await Self.metric("perennial_webhook_lag_seconds", scene) == 60)
        try await scene.settle()
        #expect(try await Self.metric(#"perennial_webhook_endpoints{state="enabled"}"#, scene) == 2)
        #expect(try await Self.metric(#"perennial_webhook_endpoints{state="failing"}"#, scene) == 1)
        let open = try #require(try await Self.metric("perennial_webhook_deliveries_open", scene))
        #expect(open >= 10)
        // The events that follow are as old.
        #expect(try await Self.metric("perennial_webhook_lag_seconds", scene) == 60)
        scene.receivers.answer(status: 200)
        try await scene.pass(86_400_000)
        try await scene.pass(86_400_000)
        #expect(try await Self.metric("perennial_webhook_deliveries_open", scene) == 0)
        #expect(try await Self.metric("perennial_webhook_lag_seconds", scene) == 0)
    }
}
