import PerennialPrimitives
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization
import Testing

/// A database whose writes fail on demand, before or after the commit.
private final class StoppingDatabase: SubscriptionDatabase {
    enum Stop: Sendable { case before, after }

    private let base: any SubscriptionDatabase
    private let plan = Mutex<(writes: Int, stop: Stop)?>(nil)

    /// Whether the write at which it stops has come.
    let isStopped = Mutex(false)

    init(_ base: any SubscriptionDatabase) { self.base = base }

    /// Fails all writes from one on.
    func stop(_ stop: Stop, afterWrites count: Int) {
        plan.withLock { $0 = (count, stop) }
        isStopped.withLock { $0 = false }
    }

    func goOn() { plan.withLock { $0 = nil } }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        let stop = plan.withLock { plan -> Stop? in
            guard let current = plan else { return nil }
            plan?.writes -= 1
            return current.writes > 0 ? nil : current.stop
        }
        let error = StorageError(.busy, "The process was killed.", isRetryable: true)
        guard let stop else { return try await base.write(body) }
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        if isFirst, stop == .after { _ = try await base.write(body) }
        throw error
    }

    func close() async throws(StorageError) {}
}

/// Servers that are killed, and receivers that fail: nothing is lost, and the order per customer stays.
@Suite struct `Webhooks of servers that are killed` {
    /// Real time, which moves by hand: the lease of a killed server must expire.
    private final class HandClock: TimeSource {
        private let time = Mutex(Timestamp(milliseconds: ServerFixture.now))
        func now() -> Timestamp { time.withLock { $0 } }
        func pass(_ milliseconds: Int64) { time.withLock { $0 = $0.adding(milliseconds: milliseconds) } }
    }

    private struct Scene {
        let database: StoppingDatabase
        let clock = HandClock()
        let receivers = ScriptedReceivers()
        let scene: WebhookScene
        let id: String

        init(on base: any SubscriptionDatabase = InMemoryDatabase()) async throws {
            database = StoppingDatabase(base)
            scene = try await WebhookScene(database: database)
            id = try await scene.endpoint()
        }

        /// A server of its own, as after a start. It lets no event pass an earlier one.
        func dispatcher() -> WebhookDispatcher {
            var settings = WebhookSettings()
            settings.holdMilliseconds = nil
            return WebhookDispatcher(
                database: database,
                reading: scene.server.services.reading,
                transport: receivers,
                settings: settings,
                time: clock,
                realTime: clock
            )
        }

        /// Checks that everything was taken, in order per customer: the first copies count.
        func check(_ comment: Comment) async throws {
            let events = try await scene.server.events()
            var (first, seen): ([Int64], Set<Int64>) = ([], [])
            for sequence in scene.sequences(of: receivers.taken) where seen.insert(sequence).inserted {
                first.append(sequence)
            }
            #expect(seen == Set(events.map(\.sequence)), comment)
            for customer in Set(events.compactMap(\.customerID)) {
                let own = events.filter { $0.customerID == customer }.map(\.sequence)
                #expect(first.filter(own.contains) == own, comment)
            }
        }
    }

    /// The engines, and how many writes come first. A server of PostgreSQL for each database takes time.
    private static let enginesAndWrites: [(TestEngine, Int)] = TestEngine.allCases.flatMap { engine in
        (0..<12).filter { engine != .postgreSQL || $0.isMultiple(of: 3) }.map { (engine, $0) }
    }

    @Test(arguments: enginesAndWrites) func `send again what was not stored, whichever write was the last`(
        engine: TestEngine,
        writes: Int
    ) async throws {
        for stop in [StoppingDatabase.Stop.before, .after] {
            try await engine.run { try await sendAgain(on: $0, stop, afterWrites: writes) }
        }
    }

    /// Stops a server at a write, and checks what the next ones send.
    private func sendAgain(
        on database: any SubscriptionDatabase,
        _ stop: StoppingDatabase.Stop,
        afterWrites writes: Int
    ) async throws {
        let scene = try await Scene(on: database)
        // The events of a customer are sent one after another, so there are at least twelve writes.
        try await scene.scene.append((0..<5).flatMap { _ in ["a", "b", "a", nil, "c", "a", "b"] })
        let attempts = Mutex(0)
        scene.receivers.answer { _ in
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            return .success(WebhookAnswer(status: attempt < 60 && attempt.isMultiple(of: 3) ? 500 : 204))
        }
        scene.database.stop(stop, afterWrites: writes)
        var isStopped = false
        for _ in 0..<20 where !isStopped {
            try? await scene.dispatcher().settle()
            scene.clock.pass(400_000)
            isStopped = scene.database.isStopped.withLock { $0 }
        }
        #expect(isStopped, "there are no \(writes + 1) writes")
        // The next server is killed at once.
        try? await scene.dispatcher().settle()
        scene.database.goOn()
        for _ in 0..<40 {
            // An event that fails some times waits for hours.
            scene.clock.pass(3_600_000)
            try await scene.dispatcher().settle()
        }
        try await scene.check("stopped \(stop) write \(writes)")
    }

    @Test(arguments: 1...15) func `keep the order of each customer with random failures and two servers`(
        seed: UInt64
    ) async throws {
        let random = Mutex(SplitMix64(seed: seed))
        func dice(_ count: Int) -> Int { random.withLock { Int.random(in: 0..<count, using: &$0) } }
        let scene = try await Scene()
        let failures = Mutex(SplitMix64(seed: seed + 1_000))
        scene.receivers.answer { _ in
            switch failures.withLock({ Int.random(in: 0..<10, using: &$0) }) {
            case 0: .success(WebhookAnswer(status: 500))
            case 1: .failure(WebhookSendError("timed_out", "No answer in time."))
            case 2: .success(WebhookAnswer(status: 429, retryAfter: "30"))
            default: .success(WebhookAnswer(status: 200))
            }
        }
        var servers = [scene.dispatcher(), scene.dispatcher()]
        for _ in 0..<60 {
            switch dice(6) {
            case 0, 1, 2:
                let names = ["a", "b", "c", "d", nil]
                try await scene.scene.append((0..<(1 + dice(20))).map { _ in names[dice(names.count)] })
            case 3:
                scene.database.stop(dice(2) == 0 ? .before : .after, afterWrites: dice(6))
                try? await servers[dice(2)].settle()
                scene.database.goOn()
                servers[dice(2)] = scene.dispatcher()
            default:
                let (first, second) = (servers[0], servers[1])
                async let other: Void? = try? await first.settle()
                try? await second.settle()
                _ = await other
            }
            scene.clock.pass(Int64(dice(30_000)))
        }
        scene.receivers.answer(status: 200)
        for _ in 0..<40 {
            scene.clock.pass(3_600_000)
            try await servers[0].settle()
        }
        try await scene.check("seed \(seed)")
        #expect(try await scene.scene.deliveries(scene.id, state: "held").isEmpty)
    }

    @Test func `go on after a clock that was ahead`() async throws {
        let scene = try await Scene()
        try await scene.scene.append(["a", "b"])
        scene.receivers.answer(status: 500)
        scene.clock.pass(30 * 86_400_000)
        try await scene.dispatcher().settle()
        scene.clock.pass(-30 * 86_400_000)
        scene.receivers.answer(status: 200)
        try await scene.dispatcher().settle()
        try await scene.check("after the correction")
    }
}
