import AppStoreModel
import Logging
import ServiceLifecycle
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// A server that is stopped while webhooks are under way.
@Suite struct `Webhooks of a server that stops` {
    private struct Running: Service {
        let dispatcher: WebhookDispatcher
        func run() async throws { await dispatcher.run(reportingTo: nil) }
    }

    private struct Scene {
        let receivers = ScriptedReceivers()
        let scene: WebhookScene
        let id: String

        init() async throws {
            scene = try await WebhookScene()
            id = try await scene.endpoint()
        }

        func dispatcher(grace: Duration = .seconds(30)) -> WebhookDispatcher {
            var settings = WebhookSettings()
            settings.stopGrace = grace
            return WebhookDispatcher(
                database: scene.server.database,
                reading: scene.server.services.reading,
                transport: receivers,
                settings: settings,
                time: scene.server.time
            )
        }

        /// Runs a server, and stops it once a condition is true. What is held back is answered then.
        func runAndStop(_ dispatcher: WebhookDispatcher, once condition: () async throws -> Bool) async throws {
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let group = ServiceGroup(configuration: .init(services: [Running(dispatcher: dispatcher)], logger: logger))
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                try await ServerFixture.until(condition)
                await group.triggerGracefulShutdown()
                // The trigger returns before the services know of it.
                try await ServerFixture.until { dispatcher.isStopping }
                receivers.release()
                try await tasks.waitForAll()
            }
        }

        func progress() async throws -> WebhookProgress? {
            try await scene.server.database.read { [id] storage throws(StorageError) in
                try storage.webhookProgress(of: WebhookEndpointID(rawValue: id), app: ServerFixture.app)
            }
        }
    }

    @Test func `are stored if they are answered within the time, and nothing more is sent`() async throws {
        let scene = try await Scene()
        try await scene.scene.append(["a", "a", "b"])
        scene.receivers.hold()
        try await scene.runAndStop(scene.dispatcher()) { scene.receivers.arrived == 2 }
        // The second event of the customer was not begun.
        #expect(Set(scene.scene.sequences(of: scene.receivers.taken)) == [1, 3])
        let rows = try await scene.scene.deliveries(scene.id)
        #expect(rows.map { $0["state"] } == [.string("delivered"), .string("delivered")])
        #expect(try await scene.progress()?.holder == nil)
        try await scene.dispatcher().settle()
        #expect(scene.scene.sequences(of: scene.receivers.taken).sorted() == [1, 2, 3])
    }

    @Test func `are sent again at once by another server if they are not answered, without a failed attempt`()
        async throws
    {
        let scene = try await Scene()
        try await scene.scene.append(["slow", "a"])
        scene.receivers.hang { WebhookScene.sequence(ofEvent: $0) == 1 }
        scene.receivers.hold()
        // On a slow machine too, the other answer is stored within the time.
        try await scene.runAndStop(scene.dispatcher(grace: .seconds(8))) { scene.receivers.arrived == 2 }
        #expect(scene.scene.sequences(of: scene.receivers.received) == [2])
        let rows = try await scene.scene.deliveries(scene.id)
        #expect(rows.map { $0["state"] } == [.string("delivered")])
        let progress = try #require(try await scene.progress())
        #expect(progress.holder == nil)
        #expect(progress.health == WebhookHealth())
        scene.receivers.hang { _ in false }
        try await scene.dispatcher().settle()
        #expect(scene.scene.sequences(of: scene.receivers.taken) == [2, 1])
    }

    @Test func `that are sent once more keep their number of attempts if they are interrupted`() async throws {
        let scene = try await Scene()
        try await scene.scene.append(["a"])
        scene.receivers.answer(status: 500)
        try await scene.dispatcher().settle()
        scene.scene.server.time.advance(to: scene.scene.server.time.now().adding(milliseconds: 10_000))
        scene.receivers.hang { _ in true }
        try await scene.runAndStop(scene.dispatcher(grace: .milliseconds(50))) { scene.receivers.arrived == 2 }
        let row = try #require(try await scene.scene.deliveries(scene.id).first)
        #expect(row["attempt_count"] == .integer(1))
        #expect(row["state"] == .string("waiting"))
        #expect(try await scene.progress()?.health.failures == 1)
        scene.receivers.hang { _ in false }
        scene.receivers.answer(status: 200)
        try await scene.dispatcher().settle()
        #expect(scene.scene.sequences(of: scene.receivers.taken) == [1])
    }
}
