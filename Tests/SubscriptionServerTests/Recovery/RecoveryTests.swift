import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization
import Testing

@testable import SubscriptionOperations

/// A server that missed notifications finds them in Apple's history.
@Suite struct `A recovering server` {
    @Test(arguments: RecoveryScene.Engine.allCases)
    func `ends in the same state as one that received everything`(engine: RecoveryScene.Engine) async throws {
        let scene = try await RecoveryScene(engine)
        let payloads = try scene.addNotifications(60)
        let complete = try await ServerFixture(apple: scene.apple)
        for payload in payloads { #expect(try await complete.notify(payload).status == 200) }

        let (server, recovery) = try await scene.server()
        for payload in payloads.shuffled().prefix(20) { #expect(try await server.notify(payload).status == 200) }
        try await recovery.settle()

        let window = try #require(try await scene.windows().first)
        #expect(RecoveryScene.counts(window) == [60, 20, 40, 0, 0])
        #expect(window.state == .finished)
        #expect(window.reason == .start)
        #expect(window.counts.retrying == 0, "the last attempt was more than 157 hours ago, or the last")
        for purchase in 10..<17 {
            let path = "/v1/purchases/20000000000000\(purchase)"
            let answer = try await server.send(.get, path)
            #expect(answer.status == 200)
            #expect(answer.bytes == (try await complete.send(.get, path)).bytes)
        }
        let kinds = try await server.events().map(\.event.kind)
        #expect(kinds.filter { $0 == .recoveryGapFound }.count == 1)
        #expect(kinds.filter { $0 == .recoveryFinished }.count == 1)

        // Nothing is left: the next comparison finds everything held, and has no event.
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 25 * 3_600_000))
        try await recovery.settle()
        let next = try #require(try await scene.windows().first)
        #expect(next.reason == .schedule)
        #expect(next.counts.recovered == 0)
        #expect(try await server.events().count == kinds.count)
        try await scene.end()
    }

    @Test(
        arguments: [
            [.error(status: 401, number: 4_010_000)], [.error(status: 429, number: 4_290_000)],
            [.error(status: 500, number: 5_000_000), .unreachable], [.malformed], [.repeated],
            [.error(status: 400, number: 4_000_017)], [.error(status: 400, number: 4_000_014)],
        ] as [[ScriptedHistory.Fault]]
    )
    func `counts each notification once, whatever fails half-way`(faults: [ScriptedHistory.Fault]) async throws {
        let scene = try await RecoveryScene()
        let payloads = try scene.addNotifications(60)
        let (server, recovery) = try await scene.server()
        for payload in payloads.prefix(5) { #expect(try await server.notify(payload).status == 200) }
        scene.history.fail(before: 11, with: faults + faults)
        for hour in 1...12 {
            try await recovery.settle()
            server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + Int64(hour) * 3_600_000))
        }
        let first = try #require(try await scene.windows().last)
        #expect(first.state == .finished, "\(first)")
        #expect(RecoveryScene.counts(first) == [60, 5, 55, 0, 0])
        #expect(try await server.storedNotifications().count == 60)
    }

    @Test func `reports what the verifier refuses, and stores the rest`() async throws {
        let scene = try await RecoveryScene()
        _ = try scene.addNotifications(10)
        let foreign = try SignedApple()
        scene.history.add(try foreign.notification(), at: RecoveryScene.start + 5, attempts: [])
        scene.history.add("not.a.jws", at: RecoveryScene.start + 6, attempts: [])
        let other = SignedApple.period(bundle: "com.example.other")
        scene.history.add(try scene.apple.notification(transaction: other), at: RecoveryScene.start + 7)
        let (server, recovery) = try await scene.server()
        try await recovery.settle()
        let window = try #require(try await scene.windows().first)
        #expect(RecoveryScene.counts(window) == [13, 0, 10, 3, 0])
        #expect(window.problems.values.reduce(0, +) == 3)
        #expect(window.state == .finished)
        #expect(try await server.storedNotifications().count == 10)
    }

    @Test(arguments: [RecoveryScene.Engine.memory, .sqlite])
    func `continues where a killed one stopped`(engine: RecoveryScene.Engine) async throws {
        var killedAt = 0
        while true {
            let scene = try await RecoveryScene(engine, pageSize: 2)
            let payloads = try scene.addNotifications(30)
            let points = WritePoints(failingAt: killedAt)
            let database = FailingDatabase(engine: scene.database, points: points)
            let clock = SteppedTime()
            let (server, killed) = try await scene.server(database: database, realTime: clock)
            for payload in payloads.prefix(4) { #expect(try await server.notify(payload).status == 200) }
            var isKilled = false
            do { try await killed.settle() } catch { isKilled = true }
            // Another server takes the work over when the lease has expired.
            clock.add(RecoverySettings.leaseMilliseconds + 1)
            let (_, other) = try await scene.server(realTime: clock)
            try await other.settle()
            let windows = try await scene.windows()
            let first = try #require(windows.last)
            #expect(first.state == .finished)
            #expect(RecoveryScene.counts(first) == [30, 4, 26, 0, 0], "killed at \(killedAt)")
            #expect(try await server.storedNotifications().count == 30)
            try await scene.end()
            guard isKilled else { break }
            killedAt += 1
        }
        #expect(killedAt > 6)
    }

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `leaves the work to the server that has the lease`(engine: RecoveryScene.Engine) async throws {
        let scene = try await RecoveryScene(engine)
        _ = try scene.addNotifications(10)
        let clock = SteppedTime()
        let holder = LeaseHolder(
            work: "recovery",
            app: ServerFixture.app,
            name: "another server",
            time: clock,
            milliseconds: RecoverySettings.leaseMilliseconds
        )
        #expect(try await scene.database.write { storage throws(StorageError) in try holder.take(in: storage) })
        let (_, recovery) = try await scene.server(realTime: clock)
        try await recovery.settle()
        #expect(scene.history.requests == 0)
        clock.add(RecoverySettings.leaseMilliseconds)
        try await recovery.settle()
        #expect(try await scene.windows().first?.counts.recovered == 10)
        let lost = try await scene.database.write { storage throws(StorageError) in
            try holder.renew(in: storage, ends: false)
        }
        #expect(!lost)
        try await scene.end()
    }

    @Test func `asks for failed deliveries between the comparisons, and compares everything if it finds one`()
        async throws
    {
        let scene = try await RecoveryScene()
        let (server, recovery) = try await scene.server()
        try await recovery.settle()
        let asked = scene.history.requests
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 60_000))
        try await recovery.settle()
        #expect(scene.history.requests == asked, "a sweep is not due yet")

        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 3_700_000))
        try await recovery.settle()
        #expect(scene.history.requests == asked + 1)
        #expect(try await scene.windows().count == 1, "a sweep that finds nothing leaves no window")

        let time = ServerFixture.now + 3_800_000
        let period = SignedApple.period(signedAt: time)
        let failed = try scene.apple.notification(transaction: period, signedAt: time)
        scene.history.add(failed, at: time, attempts: [(time, .noResponse)])
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 4_200_000))
        try await recovery.settle()
        let windows = try await scene.windows()
        #expect(windows.map(\.reason).sorted { $0.rawValue < $1.rawValue } == [.outage, .start, .sweep])
        let sweep = try #require(windows.first { $0.reason == .sweep })
        #expect(RecoveryScene.counts(sweep) == [1, 0, 1, 0, 0])
        #expect(sweep.counts.retrying == 1)
    }

    @Test func `waits for Apple as long as it takes, without further windows`() async throws {
        let scene = try await RecoveryScene()
        _ = try scene.addNotifications(5)
        scene.history.setAway(true)
        let (server, recovery) = try await scene.server()
        for hour in 1...24 {
            try await recovery.settle()
            server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + Int64(hour) * 3_600_000))
        }
        let waiting = try await scene.windows()
        #expect(waiting.count == 1)
        #expect(waiting.first?.state == .running)
        #expect(waiting.first?.failure?.code == "app_store_unavailable")
        scene.history.setAway(false)
        try await recovery.settle()
        let windows = try await scene.windows()
        #expect(windows.last.map(RecoveryScene.counts) == [5, 0, 5, 0, 0])
        #expect(windows.allSatisfy { $0.state == .finished })
    }

    @Test func `does nothing while its clock is disputed, or if it is turned off`() async throws {
        let scene = try await RecoveryScene()
        _ = try scene.addNotifications(5)
        let (_, recovery) = try await scene.server(RecoverySettings(isAutomatic: false))
        try await recovery.settle()
        #expect(scene.history.requests == 0)
    }
}

/// A clock that a test moves.
final class SteppedTime: TimeSource {
    private let time = Mutex(Timestamp(milliseconds: ServerFixture.now))

    func now() -> Timestamp { time.withLock { $0 } }

    func add(_ milliseconds: Int64) { time.withLock { $0 = $0.adding(milliseconds: milliseconds) } }
}

/// Counts the points of writes, and stops everything from one of them on.
final class WritePoints: Sendable {
    private let count = Mutex(0)
    private let last: Int

    init(failingAt last: Int) { self.last = last }

    func pass() throws(StorageError) {
        let number = count.withLock { count in
            defer { count += 1 }
            return count
        }
        guard number < last else { throw StorageError(.unavailable, "killed", isRetryable: true) }
    }
}

/// A database whose process is killed before, during or after a commit: nothing is written from that point on.
struct FailingDatabase: SubscriptionDatabase {
    let engine: any SubscriptionDatabase
    let points: WritePoints

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await engine.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try points.pass()
        let result = try await engine.write { [points] storage throws(StorageError) in
            let result = try body(storage)
            try points.pass()
            return result
        }
        try points.pass()
        return result
    }

    func close() async throws(StorageError) { try await engine.close() }

    var commits: CustomerCommits? { engine.commits }
}
