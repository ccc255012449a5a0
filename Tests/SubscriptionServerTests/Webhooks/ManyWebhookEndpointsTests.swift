import AppStoreModel
import Logging
import ServiceLifecycle
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization
import Testing

/// A server with many endpoints.
@Suite struct `Many webhook endpoints` {
    /// Counts write transactions.
    private final class CountingDatabase: SubscriptionDatabase {
        private let base = InMemoryDatabase()
        let writes = Mutex(0)

        func read<Result: Sendable>(
            _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            try await base.read(body)
        }

        func write<Result: Sendable>(
            _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            writes.withLock { $0 += 1 }
            return try await base.write(body)
        }

        func close() async throws(StorageError) {}
    }

    @Test func `share few write transactions for an event`() async throws {
        let count = 300
        let database = CountingDatabase()
        let scene = try await WebhookScene(database: database)
        for number in 0..<count { _ = try await scene.endpoint(url: "https://r\(number).example.com/") }
        try await scene.append(["a"])
        database.writes.withLock { $0 = 0 }
        try await scene.settle()
        #expect(Set(scene.receivers.taken.map(\.url)).count == count)
        // Each begins once and stores its results at least once.
        #expect(database.writes.withLock(\.self) < count)
        // All get the same body, which is made once.
        #expect(Set(scene.receivers.taken.map(\.body)).count == 1)
    }

    @Test(arguments: TestEngine.allCases) func `begin with thousands of waiting deliveries`(
        engine: TestEngine
    ) async throws {
        let (database, close) = try await engine.open()
        let scene = try await WebhookScene(database: database)
        let id = try await scene.endpoint()
        let (count, now) = (1_500, scene.server.time.now())
        try await database.write { storage throws(StorageError) in
            for number in 1...count {
                var row = WebhookDelivery(
                    endpointID: WebhookEndpointID(rawValue: id),
                    sequence: Int64(number),
                    messageID: "evt_\(number)",
                    type: "subscription.renewed",
                    customerID: nil,
                    orderKey: "key \(number)",
                    state: .waiting,
                    createdAt: now
                )
                (row.blocks, row.body, row.dueAt) = (true, Array("{}".utf8), now.adding(milliseconds: 3_600_000))
                try storage.save(row, of: ServerFixture.app)
            }
            var progress = try storage.webhookProgress(of: WebhookEndpointID(rawValue: id), app: ServerFixture.app)
            progress?.cursor = Int64(count)
            if let progress { try storage.save(progress, of: ServerFixture.app) }
            for _ in 0..<count {
                let event = SubscriptionEvent(kind: .renewed, occurredAt: now)
                try storage.append([event], customer: nil, recordedAt: now, app: ServerFixture.app)
            }
        }
        try await scene.append(["a"])
        try await scene.settle()
        #expect(scene.receivers.taken.count == 1)
        #expect(try await scene.show(id).integer("open_deliveries") == Int64(count))
        try await scene.pass(3_600_000)
        #expect(scene.receivers.taken.count == 1 + count)
        #expect(try await scene.show(id).integer("open_deliveries") == 0)
        try await close()
    }

    @Test func `that want none of many events are looked at in parts, and miss nothing`() async throws {
        let scene = try await WebhookScene()
        _ = try await scene.endpoint(#""event_types":["recovery.*"],"after":"beginning""#)
        try await scene.append((0..<2_000).map { _ in nil })
        let now = scene.server.time.now()
        try await scene.server.database.write { storage throws(StorageError) in
            let event = SubscriptionEvent(kind: .recoveryFinished, occurredAt: now)
            try storage.append([event], customer: nil, recordedAt: now, app: ServerFixture.app)
        }
        try await scene.settle()
        #expect(scene.sequences(of: scene.receivers.taken) == [2_001])
    }

    /// A look reads few pages for those that want little. It must reach the last endpoint, though events keep coming.
    @Test func `that want little are all reached while events keep coming`() async throws {
        let scene = try await WebhookScene()
        for number in 0..<80 {
            let url = "https://r\(number).example.com/"
            _ = try await scene.endpoint(#""event_types":["recovery.*"]"#, url: url)
        }
        let dispatcher = scene.server.services.webhookDispatcher
        let group = ServiceGroup(
            configuration: .init(services: [Running(dispatcher: dispatcher)], logger: Logger(label: "test"))
        )
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let now = scene.server.time.now()
            var looks = 0
            try await ServerFixture.until {
                if looks.isMultiple(of: 20) { try await scene.append([nil]) }
                if looks == 200 {
                    try await scene.server.database.write { storage throws(StorageError) in
                        let event = SubscriptionEvent(kind: .recoveryFinished, occurredAt: now)
                        try storage.append([event], customer: nil, recordedAt: now, app: ServerFixture.app)
                    }
                }
                looks += 1
                return scene.receivers.taken.count >= 80
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        #expect(Set(scene.receivers.taken.map(\.url)).count == 80)
    }

    private struct Running: Service {
        let dispatcher: WebhookDispatcher
        func run() async throws { await dispatcher.run(reportingTo: nil) }
    }
}
