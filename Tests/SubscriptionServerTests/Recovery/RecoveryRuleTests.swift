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
        environment: StoreEnvironment = .production
    ) -> RecoveryPlan {
        RecoveryPlan(
            progress: RecoveryProgress(
                sweptUntil: swept.map { Self.now.adding(milliseconds: -$0) },
                comparedUntil: compared.map { Self.now.adding(milliseconds: -$0) }
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
        #expect(QuietRule(count: 10).quietSince(busy, at: Self.now) == Self.now.adding(milliseconds: -Self.hour))
        #expect(QuietRule(count: 11).quietSince(busy, at: Self.now) == nil)
        #expect(QuietRule(count: 0).quietSince(busy, at: Self.now) == nil)
        #expect(QuietRule(count: 10).quietSince(hours(1...200, count: 10), at: Self.now) == nil)
    }

    @Test func `ignores hours that are quiet on other days too, and apps that are new`() {
        // Nothing arrives in this hour and the last one, on any day.
        let nightly = hours(2...200, count: 10) { $0 % 24 <= 1 }
        #expect(QuietRule(count: 10).quietSince(nightly, at: Self.now) == nil)
        #expect(QuietRule(count: 10).quietSince(hours(2...40, count: 10), at: Self.now) == nil)
        #expect(QuietRule(count: 10).quietSince([], at: Self.now) == nil)
    }

    @Test func `reports several hours together when each alone is too small`() {
        let few = hours(6...200, count: 3)
        #expect(QuietRule(count: 10).quietSince(few, at: Self.now) == Self.now.adding(milliseconds: -5 * Self.hour))
        #expect(QuietRule(count: 10).quietSince(hours(3...200, count: 3), at: Self.now) == nil)
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
