import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionStorage
import Synchronization
import Testing

@testable import SubscriptionOperations
@testable import SubscriptionServer

@Suite struct `Notifications that could not be stored` {
    private static let day = RecoveryScene.day
    private static let now = Timestamp(milliseconds: ServerFixture.now)

    private static func progress(_ scene: RecoveryScene) async throws -> RecoveryProgress {
        try await scene.database.read { storage throws(StorageError) in
            try storage.recoveryProgress(of: ServerFixture.app)
        }
    }

    /// What `perennial doctor` says.
    private static func codes(_ scene: RecoveryScene, at now: Timestamp) async throws -> [String?] {
        let hours = try await scene.database.read { storage throws(StorageError) in
            try storage.notificationHours(of: ServerFixture.app, after: Timestamp(milliseconds: 0), limit: 1_000)
        }
        return RecoveryReview(
            app: ServerFixture.app,
            progress: try await progress(scene),
            windows: try await scene.windows(),
            hours: hours,
            settings: RecoverySettings(),
            hasKey: true,
            now: now
        ).findings.map(\.code)
    }

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `are asked for again every day, and are reported until they are stored`(
        engine: RecoveryScene.Engine
    ) async throws {
        let scene = try await RecoveryScene(engine)
        _ = try scene.addNotifications(30)
        // Four of the notifications are about this purchase.
        let unreadable = OriginalTransactionID("2000000000000012")
        let isDamaged = Mutex(true)
        let damaged = DamagedDatabase(base: scene.database, unreadable: unreadable) { isDamaged.withLock { $0 } }
        let (server, recovery) = try await scene.server(database: damaged)
        try await recovery.settle()
        let first = try #require(try await scene.windows().first)
        #expect(RecoveryScene.counts(first) == [30, 0, 26, 0, 4])
        #expect(try await Self.progress(scene).missingFrom == first.from)
        #expect(try await Self.codes(scene, at: server.time.now()) == ["recovery_missing"])

        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + Self.day + 3_600_000))
        try await recovery.settle()
        let second = try #require(try await scene.windows().first)
        #expect(second.reason == .schedule)
        #expect(second.from == first.from)
        #expect(RecoveryScene.counts(second) == [30, 26, 0, 0, 4])
        #expect(try await Self.codes(scene, at: server.time.now()) == ["recovery_missing"])

        isDamaged.withLock { $0 = false }
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 2 * Self.day + 7_200_000))
        try await recovery.settle()
        let third = try #require(try await scene.windows().first)
        #expect(RecoveryScene.counts(third) == [30, 26, 4, 0, 0])
        #expect(try await Self.progress(scene).missingFrom == nil)
        #expect(try await Self.progress(scene).missingUntil == nil)
        #expect(try await Self.codes(scene, at: server.time.now()) == ["recovery_needed"])
        #expect(try await server.storedNotifications().count == 30)

        // The next comparison begins where the last one ended.
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 4 * Self.day))
        try await recovery.settle()
        #expect(try await scene.windows().first?.from == third.to)
        try await scene.end()
    }

    @Test func `are no sign of a fault if they were sent before the start, and others arrive`() async throws {
        let scene = try await RecoveryScene()
        _ = try scene.addNotifications(30)
        let unreadable = OriginalTransactionID("2000000000000012")
        let isDamaged = Mutex(true)
        let damaged = DamagedDatabase(base: scene.database, unreadable: unreadable) { isDamaged.withLock { $0 } }
        let (server, recovery) = try await scene.server(database: damaged)
        try await recovery.settle()
        #expect(try await scene.windows().first?.counts.missing == 4)
        #expect(try await server.notify(try scene.apple.notification()).status == 200)

        isDamaged.withLock { $0 = false }
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + Self.day + 3_600_000))
        try await recovery.settle()
        let second = try #require(try await scene.windows().first)
        #expect(second.reason == .schedule && second.counts.recovered == 4)
        #expect(try await Self.codes(scene, at: server.time.now()) == [nil])
    }

    private static func window(
        from: Int64,
        to: Int64 = 0,
        missing: Int = 0,
        reason: RecoveryWindow.Reason = .schedule,
        onlyFailures: Bool = false,
        state: RecoveryWindow.State = .finished
    ) -> RecoveryWindow {
        var window = RecoveryWindow(
            id: RecoveryWindowID(rawValue: "rw_1"),
            createdAt: now,
            from: now.adding(milliseconds: from),
            to: now.adding(milliseconds: to),
            onlyFailures: onlyFailures,
            reason: reason
        )
        window.state = state
        window.counts.missing = missing
        return window
    }

    private static let historyStart = RecoverySettings.historyStart(of: .production, at: now)

    private static func missing(from: Int64, until: Int64) -> RecoveryProgress {
        RecoveryProgress(
            comparedUntil: now.adding(milliseconds: -day),
            missingFrom: now.adding(milliseconds: from),
            missingUntil: now.adding(milliseconds: until)
        )
    }

    private static func note(_ window: RecoveryWindow, in progress: inout RecoveryProgress) -> ExpiredSpan? {
        progress.note(window, at: now, historyStart: historyStart)
    }

    private static let covering: [RecoveryWindow] = [
        window(from: -5 * day), window(from: -5 * day, reason: .request), window(from: -4 * day, to: -2 * day),
    ]

    /// A later part of the time, an earlier part, only failed deliveries, not stored again, and not finished.
    private static let others: [RecoveryWindow] = [
        window(from: -3 * day), window(from: -5 * day, to: -3 * day), window(from: -5 * day, onlyFailures: true),
        window(from: -5 * day, missing: 1), window(from: -5 * day, state: .running),
    ]

    @Test(arguments: covering)
    func `are stored after a comparison of their whole time without a missing one`(window: RecoveryWindow) {
        var progress = Self.missing(from: -4 * Self.day, until: -2 * Self.day)
        let lost = Self.note(window, in: &progress)
        #expect(lost == nil)
        #expect(progress.missingFrom == nil)
        #expect(progress.missingUntil == nil)
    }

    @Test(arguments: others)
    func `stay missing after any other window`(window: RecoveryWindow) {
        var progress = Self.missing(from: -4 * Self.day, until: -2 * Self.day)
        _ = Self.note(window, in: &progress)
        #expect(progress.missingFrom.map { $0 <= Self.now.adding(milliseconds: -4 * Self.day) } == true)
        #expect(progress.missingUntil.map { $0 >= Self.now.adding(milliseconds: -2 * Self.day) } == true)
    }

    private static let noting: [RecoveryWindow] = [
        window(from: -5 * day, missing: 1), window(from: -5 * day, missing: 1, reason: .sweep, onlyFailures: true),
        window(from: -5 * day, missing: 1, reason: .request, onlyFailures: true),
        window(from: -5 * day, missing: 1, state: .running), window(from: -5 * day, missing: 1, state: .failed),
    ]

    @Test(arguments: noting)
    func `are noted by every window, also by one that is not finished`(window: RecoveryWindow) {
        var progress = RecoveryProgress(sweptUntil: Self.now, comparedUntil: Self.now)
        let lost = Self.note(window, in: &progress)
        #expect(lost == nil)
        #expect(progress.missingFrom == window.from)
        #expect(progress.missingUntil == window.to)
    }

    @Test func `that Apple's history no longer has are reported once, when the rest is stored`() {
        var progress = Self.missing(from: -200 * Self.day, until: -199 * Self.day)
        let start = -180 * Self.day + 60_000
        var lost = Self.note(Self.window(from: start, missing: 1), in: &progress)
        #expect(lost == nil)
        let complete = Self.window(from: start)
        lost = Self.note(complete, in: &progress)
        #expect(lost == ExpiredSpan(from: Self.now.adding(milliseconds: -200 * Self.day), to: complete.from))
        #expect(progress.missingFrom == nil)
    }

    @Test func `do not stay because a clock was ahead`() {
        var progress = Self.missing(from: -4 * Self.day, until: 300 * Self.day)
        _ = Self.note(Self.window(from: -5 * Self.day), in: &progress)
        #expect(progress.missingFrom == nil)
    }
}

@Suite struct `A span that Apple's history no longer has` {
    private static let now = Timestamp(milliseconds: ServerFixture.now)

    private static func expired(_ scene: RecoveryScene) async throws -> [RecoveryWindow] {
        try await scene.windows().filter { $0.failure?.code == RecoveryWindow.expiredCode }
    }

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `after a long outage has an event and a window`(engine: RecoveryScene.Engine) async throws {
        let scene = try await RecoveryScene(engine)
        let (server, recovery) = try await scene.server()
        try await recovery.settle()
        #expect(try await Self.expired(scene).isEmpty)
        server.time.advance(to: Self.now.adding(milliseconds: 200 * RecoveryScene.day))
        try await recovery.settle()
        let compared = try #require(try await scene.windows().first { $0.reason == .schedule && $0.failure == nil })
        let expired = try #require(try await Self.expired(scene).first)
        #expect(expired.from == Self.now)
        #expect(expired.to == compared.from)
        #expect(expired.state == .failed)
        let event = try #require(try await server.events().last?.event)
        #expect(event.kind == .recoveryFailed)
        #expect(event.details?["code"] == "history_expired")
        #expect(event.details?["from"] == "\(expired.from.milliseconds)")
        #expect(event.details?["to"] == "\(expired.to.milliseconds)")
        let answer = try await server.send(.get, "/v1/recovery/windows/\(expired.id.rawValue)")
        #expect(try answer.string("error", "code") == "history_expired")

        // It is said once.
        server.time.advance(to: Self.now.adding(milliseconds: 202 * RecoveryScene.day))
        try await recovery.settle()
        #expect(try await Self.expired(scene).count == 1)
        #expect(try await server.events().count == 1)
        try await scene.end()
    }

    @Test func `is reported if a requested window had to begin later`() async throws {
        let scene = try await RecoveryScene()
        let code = AppStoreServerAPIError.startDateTooFarInPast.code
        scene.history.fail(before: 0, with: [.error(status: 400, number: code)])
        let (server, recovery) = try await scene.server(RecoverySettings(isAutomatic: false))
        let from = ServerFixture.now - 180 * RecoveryScene.day
        let body = #"{"from":\#(from),"to":\#(ServerFixture.now)}"#
        let id = try #require(try await server.send(.post, "/v1/recovery/windows", body: body).string("id"))
        try await recovery.settle()
        let expired = try await Self.expired(scene)
        #expect(expired.map(\.from.milliseconds) == [from])
        #expect(expired.map(\.reason) == [.request])
        server.time.advance(to: Self.now.adding(milliseconds: 60_000))
        try await recovery.settle()
        let window = try await server.send(.get, "/v1/recovery/windows/\(id)")
        #expect(try window.string("state") == "finished")
        #expect(try window.integer("from") == expired.first?.to.milliseconds)
        #expect(try await Self.expired(scene).count == 1)
    }

    @Test func `is not reported because the clock of a local store moved far`() async throws {
        let settings = RecoverySettings(overlapMilliseconds: 0).forClock(isFollowed: true)
        let scene = try await RecoveryScene()
        let (server, recovery) = try await scene.server(settings)
        try await recovery.settle()
        server.time.advance(to: Self.now.adding(milliseconds: 200 * RecoveryScene.day))
        try await recovery.settle()
        #expect(try await Self.expired(scene).isEmpty)
        #expect(try await server.events().isEmpty)
        // The server was stopped meanwhile.
        let (next, restarted) = try await scene.server(settings)
        next.time.advance(to: Self.now.adding(milliseconds: 400 * RecoveryScene.day))
        try await restarted.settle()
        #expect(try await Self.expired(scene).map(\.reason) == [.start])
    }
}
