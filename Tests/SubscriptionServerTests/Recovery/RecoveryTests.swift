import AppStoreModel
import HTTPTypes
import PerennialPrimitives
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
        var random = SplitMix64(seed: 20)
        for payload in payloads.shuffled(using: &random).prefix(20) {
            #expect(try await server.notify(payload).status == 200)
        }
        try await recovery.settle()

        let window = try #require(try await scene.windows().first)
        #expect(RecoveryScene.counts(window) == [60, 20, 40, 0, 0])
        #expect(window.state == .finished)
        #expect(window.reason == .start)
        #expect(window.counts.retrying == 0, "Apple stopped trying")
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
        arguments: RecoveryScene.Engine.allCases,
        [
            [.error(status: 401, number: 4_010_000)], [.error(status: 429, number: 4_290_000)],
            [.error(status: 500, number: 5_000_000), .unreachable], [.malformed], [.repeated],
            [.error(status: 400, number: 4_000_017)], [.error(status: 400, number: 4_000_014)],
        ] as [[ScriptedHistory.Fault]]
    )
    func `counts each notification once, whatever fails half-way`(
        engine: RecoveryScene.Engine,
        faults: [ScriptedHistory.Fault]
    ) async throws {
        let scene = try await RecoveryScene(engine)
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
        try await scene.end()
    }

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `reports what the verifier refuses, and stores the rest`(engine: RecoveryScene.Engine) async throws {
        let scene = try await RecoveryScene(engine)
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
        try await scene.end()
    }

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `continues where a killed one stopped`(engine: RecoveryScene.Engine) async throws {
        var killedAt = 0
        while true {
            let scene = try await RecoveryScene(engine, pageSize: 2)
            let payloads = try scene.addNotifications(30)
            let points = KillingDatabase.Points(failingAt: killedAt)
            let database = KillingDatabase(engine: scene.database, points: points)
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

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `asks for failed deliveries between the comparisons, and compares everything if it finds one`(
        engine: RecoveryScene.Engine
    ) async throws {
        let scene = try await RecoveryScene(engine)
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
        try await scene.end()
    }

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `waits for Apple as long as it takes, without further windows`(engine: RecoveryScene.Engine) async throws {
        let scene = try await RecoveryScene(engine)
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
        try await scene.end()
    }

    @Test func `does nothing if it is turned off, or while its clock is disputed`() async throws {
        let scene = try await RecoveryScene()
        _ = try scene.addNotifications(5)
        let (_, turnedOff) = try await scene.server(RecoverySettings(isAutomatic: false))
        try await turnedOff.settle()
        let (_, disputed) = try await scene.server(time: DisputedTime())
        try await disputed.settle()
        #expect(scene.history.requests == 0)
    }

    @Test func `pauses for an hour after two refusals, with an event for each`() async throws {
        let scene = try await RecoveryScene()
        let refusal = ScriptedHistory.Fault.error(status: 404, number: 4_040_001)
        scene.history.fail(before: 0, with: Array(repeating: refusal, count: 1_000))
        let (server, recovery) = try await scene.server()
        for _ in 0..<5 { try await recovery.settle() }
        #expect(scene.history.requests == 2)
        #expect(try await scene.windows().map(\.state) == [.failed, .failed])
        #expect(try await server.events().map(\.event.kind) == [.recoveryFailed, .recoveryFailed])
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 3_600_000))
        for _ in 0..<5 { try await recovery.settle() }
        #expect(scene.history.requests == 3)
    }

    @Test func `compares the time in which it was stopped, although it continues an earlier comparison`() async throws {
        let scene = try await RecoveryScene()
        let (server, stopped) = try await scene.server()
        try await stopped.settle()
        scene.history.setAway(true)
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 25 * 3_600_000))
        try await stopped.settle()
        #expect(try await scene.windows().first?.state == .running)

        scene.history.setAway(false)
        let time = SteppedTime()
        time.add(3 * RecoveryScene.day)
        let (_, next) = try await scene.server(time: time)
        try await next.settle()
        let windows = try await scene.windows()
        #expect(windows.map(\.reason) == [.start, .schedule, .start])
        #expect(windows.first?.to == time.now())
        #expect(windows.allSatisfy { $0.state == .finished })
    }

    @Test func `continues at once after it was stopped during a query`() async throws {
        let scene = try await RecoveryScene()
        _ = try scene.addNotifications(30)
        scene.history.setSilent(true)
        let (_, stopped) = try await scene.server()
        let work = Task { try await stopped.settle() }
        try await ServerFixture.until { scene.history.requests > 0 }
        work.cancel()
        // The cancellation ends it in any case.
        _ = await work.result
        let open = try #require(try await scene.windows().first)
        #expect(open.state == .running)
        #expect(open.retryAt == nil)
        scene.history.setSilent(false)
        let (_, next) = try await scene.server()
        try await next.settle()
        #expect(try await scene.windows().last.map(RecoveryScene.counts) == [30, 0, 30, 0, 0])
    }
}

@Suite struct `A service that waits for work` {
    @Test func `waits again after a wait without a call, and ends at the next one`() async throws {
        let waits = Mutex(0)
        let (reports, report) = AsyncStream.makeStream(of: Bool.self)
        // The time of the first three waits passes at once. The fourth reports whether it was ended without a call.
        let wakeUp = WakeUp { duration in
            let number = waits.withLock { count in
                count += 1
                return count
            }
            guard number > 3 else { return }
            for _ in 0..<1_000 { await Task.yield() }
            report.yield(Task.isCancelled)
            try await Task.sleep(for: duration)
        }
        for _ in 0..<3 { await wakeUp.wait(atMost: .seconds(600)) }
        async let ended: Void = wakeUp.wait(atMost: .seconds(600))
        let hasEnded = await reports.first { _ in true }
        #expect(hasEnded == false)
        wakeUp.call()
        await ended
        // A call while nobody waits ends the next wait.
        wakeUp.call()
        await wakeUp.wait(atMost: .seconds(600))
    }
}

/// A clock that another one contradicts.
private struct DisputedTime: TimeSource {
    func now() -> Timestamp { Timestamp(milliseconds: ServerFixture.now) }

    var dispute: ClockDispute? { ClockDispute(otherClock: .database, aheadMilliseconds: 60_000) }
}

/// A clock that a test moves.
final class SteppedTime: TimeSource {
    private let time = Mutex(Timestamp(milliseconds: ServerFixture.now))

    func now() -> Timestamp { time.withLock { $0 } }

    func add(_ milliseconds: Int64) { time.withLock { $0 = $0.adding(milliseconds: milliseconds) } }
}
