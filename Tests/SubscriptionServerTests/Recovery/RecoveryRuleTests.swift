import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import Testing

@testable import SubscriptionOperations

@Suite struct `The plan of recovery` {
    private static let now = Timestamp(milliseconds: 1_770_000_000_000)
    private static let hour: Int64 = 3_600_000

    private func plan(
        compared: Int64?,
        swept: Int64?,
        hasStarted: Bool = true,
        hasFailures: Bool = false,
        missing: Int64? = nil,
        environment: StoreEnvironment = .production
    ) -> RecoveryPlan {
        RecoveryPlan(
            progress: RecoveryProgress(
                sweptUntil: swept.map { Self.now.adding(milliseconds: -$0) },
                comparedUntil: compared.map { Self.now.adding(milliseconds: -$0) },
                missingFrom: missing.map { Self.now.adding(milliseconds: -$0) },
                missingUntil: compared.map { Self.now.adding(milliseconds: -$0) }
            ),
            hasStarted: hasStarted,
            hasFailures: hasFailures,
            settings: RecoverySettings(),
            environment: environment
        )
    }

    @Test func `begins with the last thirty days, and after a restart where it stopped`() throws {
        let first = try #require(plan(compared: nil, swept: nil, hasStarted: false).window(at: Self.now))
        #expect(first.reason == .start)
        #expect(first.to == Self.now)
        #expect(first.from <= Self.now.adding(milliseconds: -30 * 24 * Self.hour))
        let again = try #require(plan(compared: 48 * Self.hour, swept: 0, hasStarted: false).window(at: Self.now))
        #expect(again.from == Self.now.adding(milliseconds: -48 * Self.hour - 900_000))
        #expect(!again.onlyFailures)
    }

    @Test(arguments: [StoreEnvironment.production, .sandbox])
    func `never asks for more than Apple's history has`(environment: StoreEnvironment) throws {
        let year = 365 * 24 * Self.hour
        let plan = plan(compared: year, swept: year, hasStarted: false, environment: environment)
        let window = try #require(plan.window(at: Self.now))
        let days: Int64 = environment == .production ? 180 : 30
        #expect(window.from == Self.now.adding(milliseconds: 60_000 - days * 24 * Self.hour))
    }

    @Test func `asks again for missing notifications, in the regular comparisons`() throws {
        let missing = 72 * Self.hour
        func start(_ plan: RecoveryPlan) throws -> Int64 {
            let window = try #require(plan.window(at: Self.now))
            return Self.now.milliseconds - window.from.milliseconds
        }
        let first = plan(compared: Self.hour, swept: 0, hasStarted: false, missing: missing)
        #expect(try start(first) == missing)
        #expect(try start(plan(compared: 24 * Self.hour, swept: 0, missing: missing)) == missing)
        // The overlap already covers it.
        let covered = plan(compared: 24 * Self.hour, swept: 0, missing: 24 * Self.hour)
        #expect(try start(covered) == 24 * Self.hour + 900_000)
        let outage = plan(compared: 2 * Self.hour, swept: 0, hasFailures: true, missing: missing)
        #expect(try start(outage) == 2 * Self.hour + 900_000)
        #expect(plan(compared: Self.hour, swept: 0, missing: missing).window(at: Self.now) == nil, "nothing is due")
        let old = plan(compared: 24 * Self.hour, swept: 0, missing: 400 * 24 * Self.hour)
        #expect(try start(old) == 180 * 24 * Self.hour - 60_000)
    }

    @Test func `chooses the comparison, the sweep or nothing`() {
        #expect(plan(compared: Self.hour, swept: 299_999).window(at: Self.now) == nil)
        #expect(plan(compared: Self.hour, swept: 300_000).window(at: Self.now)?.reason == .sweep)
        #expect(plan(compared: Self.hour, swept: 1, hasFailures: true).window(at: Self.now)?.reason == .outage)
        #expect(plan(compared: Self.hour - 1, swept: 1, hasFailures: true).window(at: Self.now) == nil)
        #expect(plan(compared: 24 * Self.hour, swept: 1).window(at: Self.now)?.reason == .schedule)
        // A clock that was set back does not stop the comparisons.
        #expect(plan(compared: -Self.hour, swept: -Self.hour).window(at: Self.now)?.reason == .schedule)
    }
}

@Suite struct `The rule of quiet notifications` {
    private static let hour: Int64 = 3_600_000
    /// The start of an hour.
    private static let now = NotificationHour.start(of: Timestamp(milliseconds: 1_770_000_000_000))

    private func hours(_ range: ClosedRange<Int64>, count: Int, except: (Int64) -> Bool = { _ in false })
        -> [NotificationHour]
    {
        range.reversed().filter { !except($0) }.map {
            NotificationHour(startsAt: Self.now.adding(milliseconds: -$0 * Self.hour), count: count)
        }
    }

    @Test func `reports an hour without notifications that is busy on every other day`() {
        let busy = hours(2...200, count: 10)
        #expect(QuietRule(count: 10).quietTime(busy, at: Self.now)?.since == Self.now.adding(milliseconds: -Self.hour))
        #expect(QuietRule(count: 11).quietTime(busy, at: Self.now) == nil)
        #expect(QuietRule(count: 0).quietTime(busy, at: Self.now) == nil)
        #expect(QuietRule(count: 10).quietTime(hours(1...200, count: 10), at: Self.now) == nil)
    }

    @Test func `ignores hours that are quiet on other days too, and apps that are new`() {
        // Nothing arrives in this hour and the last one, on any day.
        let nightly = hours(2...200, count: 10) { $0 % 24 <= 1 }
        #expect(QuietRule(count: 10).quietTime(nightly, at: Self.now) == nil)
        #expect(QuietRule(count: 10).quietTime(hours(2...40, count: 10), at: Self.now) == nil)
        #expect(QuietRule(count: 10).quietTime([], at: Self.now) == nil)
    }

    @Test func `reports several hours together when each alone is too small`() {
        let few = hours(6...200, count: 3)
        #expect(
            QuietRule(count: 10).quietTime(few, at: Self.now)?.since == Self.now.adding(milliseconds: -5 * Self.hour)
        )
        #expect(QuietRule(count: 10).quietTime(hours(3...200, count: 3), at: Self.now) == nil)
    }

    /// The hours of eight days, of which the newest ones are low.
    private func falling(low: Int64, to arrived: Int, from usual: Int) -> [NotificationHour] {
        hours(low + 1...200, count: usual) + (arrived > 0 ? hours(1...low, count: arrived) : [])
    }

    @Test func `reports a rate below the share of the usual one`() throws {
        let rule = QuietRule(count: 0, lowCount: 100, lowPercent: 5)
        let low = try #require(rule.quietTime(falling(low: 3, to: 4, from: 100), at: Self.now))
        #expect(low.since == Self.now.adding(milliseconds: -3 * Self.hour))
        #expect([low.arrived, low.usual] == [12, 300])
        // Exactly the share, and too few usual ones.
        #expect(rule.quietTime(falling(low: 3, to: 5, from: 100), at: Self.now) == nil)
        #expect(rule.quietTime(falling(low: 1, to: 1, from: 99), at: Self.now) == nil)
        #expect(rule.quietTime(hours(1...200, count: 1_000), at: Self.now) == nil)
        // One day of the last seven was as low.
        let once = hours(1...200, count: 1_000) { $0 == 1 || $0 == 49 }
        #expect(rule.quietTime(once, at: Self.now) == nil)
        #expect(rule.quietTime(falling(low: 3, to: 0, from: 100), at: Self.now)?.arrived == 0)
        #expect(rule.quietTime([], at: Self.now) == nil)
        for rule in [QuietRule(count: 0, lowCount: 0, lowPercent: 5), QuietRule(count: 0, lowCount: 1, lowPercent: 0)] {
            #expect(rule.quietTime(falling(low: 3, to: 1, from: 1_000), at: Self.now) == nil)
        }
    }

    @Test func `compares a low rate that was reported with the days before it, as long as they are known`() {
        let rule = QuietRule(count: 10, lowCount: 100, lowPercent: 5)
        for days: Int64 in 1...6 {
            let reported = Self.now.adding(milliseconds: -days * 24 * Self.hour)
            let low = falling(low: days * 24, to: 1, from: 100)
            #expect(rule.quietTime(low, at: Self.now, reportedSince: reported) != nil, "\(days)")
            let over = Array(low.dropLast(24)) + hours(1...24, count: 90)
            #expect(rule.quietTime(over, at: Self.now, reportedSince: reported) == nil, "\(days)")
        }
        let weeks = Self.now.adding(milliseconds: -8 * 24 * Self.hour)
        #expect(rule.quietTime(hours(1...192, count: 1), at: Self.now, reportedSince: weeks) == nil)
    }

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `becomes an event when the rate falls, and another one when it rises again`(
        engine: RecoveryScene.Engine
    ) async throws {
        let scene = try await RecoveryScene(engine)
        let (server, recovery) = try await scene.server()
        let app = ServerFixture.app
        let now = NotificationHour.start(of: server.time.now())
        try await scene.database.write { storage throws(StorageError) in
            for hour in 1...200 {
                let start = now.adding(milliseconds: Int64(-hour) * Self.hour)
                try storage.add(NotificationHour(startsAt: start, count: hour == 1 ? 4 : 100), of: app)
            }
        }
        server.time.advance(to: now.adding(milliseconds: Self.hour / 2))
        try await recovery.settle()
        let quiet = try #require(try await server.events().first?.event)
        #expect(quiet.kind == .notificationsQuiet)
        let since = now.adding(milliseconds: -Self.hour).milliseconds
        #expect(quiet.details == ["since": "\(since)", "arrived": "4", "usual": "100"])
        // Notifications arrive, but not as many as usual.
        for (count, events) in [(3, 1), (80, 2)] {
            let start = NotificationHour.start(of: server.time.now())
            try await scene.database.write { storage throws(StorageError) in
                try storage.add(NotificationHour(startsAt: start, count: count), of: app)
            }
            server.time.advance(to: start.adding(milliseconds: 3 * Self.hour / 2))
            try await recovery.settle()
            #expect(try await server.events().count == events)
        }
        #expect(try await server.events().last?.event.kind == .notificationsResumed)
        try await scene.end()
    }

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `becomes an event, and another one when notifications arrive again`(
        engine: RecoveryScene.Engine
    ) async throws {
        let scene = try await RecoveryScene(engine)
        let (server, recovery) = try await scene.server(RecoverySettings(quietCount: 1))
        let app = ServerFixture.app
        let now = NotificationHour.start(of: server.time.now())
        try await scene.database.write { storage throws(StorageError) in
            for hour in 2...200 {
                let start = now.adding(milliseconds: Int64(-hour) * Self.hour)
                try storage.add(NotificationHour(startsAt: start, count: 4), of: app)
            }
        }
        try await recovery.settle()
        #expect(try await server.events().map(\.event.kind) == [.notificationsQuiet])
        server.time.advance(to: now.adding(milliseconds: Self.hour))
        try await recovery.settle()
        #expect(try await server.events().count == 1, "it is reported once")
        #expect(try await server.notify(try scene.apple.notification()).status == 200)
        server.time.advance(to: now.adding(milliseconds: 2 * Self.hour))
        try await recovery.settle()
        #expect(try await server.events().map(\.event.kind).last == .notificationsResumed)
        try await scene.end()
    }

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `counts what arrives on every server before it reports anything`(
        engine: RecoveryScene.Engine
    ) async throws {
        let scene = try await RecoveryScene(engine)
        let settings = RecoverySettings(quietCount: 1)
        let (idle, first) = try await scene.server(settings)
        let (busy, _) = try await scene.server(settings)
        let app = ServerFixture.app
        let start = NotificationHour.start(of: idle.time.now()).adding(milliseconds: Self.hour)
        try await scene.database.write { storage throws(StorageError) in
            for hour in 1...200 {
                let time = start.adding(milliseconds: Int64(-hour) * Self.hour)
                try storage.add(NotificationHour(startsAt: time, count: 4), of: app)
            }
        }
        // All notifications of the hour arrive on the other server, which writes its counts a little later.
        busy.time.advance(to: start.adding(milliseconds: Self.hour / 2))
        #expect(try await busy.notify(try scene.apple.notification()).status == 200)
        let end = start.adding(milliseconds: Self.hour)
        for seconds: Int64 in [1, 70, 310] {
            idle.time.advance(to: end.adding(milliseconds: seconds * 1_000))
            busy.time.advance(to: end.adding(milliseconds: seconds * 1_000))
            try await first.settle()
            try await busy.services.recovery.settle()
        }
        let kinds = try await idle.events().map(\.event.kind)
        #expect(!kinds.contains(.notificationsQuiet))
        try await scene.end()
    }
}
