import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization
import Testing

/// Deliveries that wait for something.
@Suite struct `Webhook deliveries that wait` {
    @Test(arguments: TestEngine.allCases) func `name the one in front if they are held back`(
        engine: TestEngine
    ) async throws {
        let (database, close) = try await engine.open()
        let scene = try await WebhookScene(database: database)
        let id = try await scene.endpoint()
        scene.receivers.answer(status: 500)
        try await scene.append(["b", "a", "a"])
        try await scene.settle()
        let held = try #require(try await scene.deliveries(id, state: "held").first?["id"]?.stringValue)
        let waiting = try await scene.deliveries(id, state: "waiting").compactMap { $0["id"]?.stringValue }
        #expect(waiting.count == 2)
        let front = try #require(waiting.first { $0.hasSuffix("_2") })
        let answer = try await scene.server.send(.post, "/v1/webhook_deliveries/\(held)/resend")
        #expect(answer.status == 409)
        #expect(try answer.errorCode() == "webhook_delivery_held")
        #expect(try answer.string("error", "message")?.contains("POST /v1/webhook_deliveries/\(front)/resend") == true)
        try await close()
    }

    /// A database in which a purchase cannot be read from some time on.
    private final class DamagedReads: SubscriptionDatabase {
        private let base = InMemoryDatabase()
        let isDamaged = Mutex(false)

        func read<Result: Sendable>(
            _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            guard isDamaged.withLock(\.self) else { return try await base.read(body) }
            return try await base.write { storage throws(StorageError) in
                try body(DamagedStorage(base: storage) { _ in true })
            }
        }

        func write<Result: Sendable>(
            _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            try await base.write(body)
        }

        func close() async throws(StorageError) {}
    }

    /// An endless loop would not return from `pass`.
    @Test(.timeLimit(.minutes(5))) func `without a message do not probe an endpoint without end`() async throws {
        let database = DamagedReads()
        let scene = try await WebhookScene(database: database)
        _ = try await scene.server.submit(try scene.server.apple.sign(SignedApple.period()), customer: "u_42")
        let id = try await scene.endpoint(#""form":"state""#)
        scene.receivers.answer(status: 503)
        try await scene.append((0..<11).map { "c\($0)" })
        try await scene.settle()
        #expect(try await scene.show(id).json()["next_probe_at"] != .null)
        // It has no body yet, and none can be made.
        try await scene.append(["u_42"])
        database.isDamaged.withLock { $0 = true }
        for _ in 0..<10 { try await scene.pass(600_000) }
        let deliveries = try await scene.deliveries(id)
        let unreadable = try #require(deliveries.first { $0["app_user_id"] == .string("u_42") })
        #expect(unreadable["state"] == .string("waiting"))
        let attempts = try #require(unreadable["attempt_count"]?.integerValue)
        #expect((1...8).contains(attempts))
        let last = unreadable["last_attempt"]?.objectValue
        #expect(last?["error"] == .string("message_impossible"))
        // The endpoint is not to blame: others are still probed.
        #expect(try await scene.show(id).integer("failures") ?? 0 > 10)
    }
}
