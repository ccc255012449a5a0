import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import Testing

@testable import SubscriptionOperations

/// What a window says about notifications that are not stored, and about queries that fail.
@Suite struct `The report of a recovery window` {
    private static let path = "/v1/recovery/windows"

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `counts what the database refuses as missing, and the next one recovers it`(
        engine: RecoveryScene.Engine
    ) async throws {
        let scene = try await RecoveryScene(engine)
        _ = try scene.addNotifications(30)
        // Four of the notifications are about this purchase.
        let unreadable = OriginalTransactionID("2000000000000012")
        let damaged = DamagedDatabase(base: scene.database, unreadable: unreadable)
        let (server, recovery) = try await scene.server(database: damaged)
        try await recovery.settle()
        let window = try #require(try await scene.windows().first)
        #expect(window.state == .finished)
        #expect(RecoveryScene.counts(window) == [30, 0, 26, 0, 4])
        #expect(window.problems == ["storage_corrupt": 4])
        let kinds = try await server.events().map(\.event.kind)
        #expect(kinds.filter { $0 == .recoveryGapFound }.count == 1)
        #expect(kinds.filter { $0 == .recoveryFinished }.count == 1)
        #expect(try await server.storedNotifications().count == 26)
        #expect(try await server.send(.get, "/v1/purchases/2000000000000013").status == 200)

        // The row can be read again.
        let body = #"{"from":\#(RecoveryScene.start),"to":\#(ServerFixture.now)}"#
        let id = try #require(try await server.send(.post, Self.path, body: body).string("id"))
        try await server.services.recovery.settle()
        let repaired = try await server.send(.get, "\(Self.path)/\(id)").json()
        for (name, count) in [("sent", 30), ("held", 26), ("recovered", 4), ("missing", 0)] as [(String, Int64)] {
            #expect(repaired[name] == .integer(count), "\(name)")
        }
        #expect(repaired["problems"] == .object(JSONObject()))
        try await scene.end()
    }

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `stays one, with exact counts, while Apple answers with 429 for an hour`(
        engine: RecoveryScene.Engine
    ) async throws {
        let scene = try await RecoveryScene(engine)
        _ = try scene.addNotifications(60)
        let settings = RecoverySettings(
            sweepMilliseconds: RecoveryScene.day,
            overlapMilliseconds: 0,
            settlingMilliseconds: 0
        )
        let (server, recovery) = try await scene.server(settings)
        let end = ServerFixture.now + 3_600_000
        scene.history.limit(afterPages: 10, until: Timestamp(milliseconds: end), by: server.time)
        try await recovery.settle()
        var pauses: [Int64] = []
        while let window = try await scene.windows().first, window.state == .running, pauses.count < 100 {
            #expect(window.failure?.code == "app_store_rate_limited")
            let retryAt = try #require(window.retryAt)
            pauses.append(retryAt.milliseconds - server.time.now().milliseconds)
            // Nothing is asked before.
            let asked = scene.history.requests
            server.time.advance(to: retryAt.adding(milliseconds: -1))
            try await recovery.settle()
            #expect(scene.history.requests == asked)
            server.time.advance(to: retryAt)
            try await recovery.settle()
        }
        // 30 seconds, doubled, with up to a quarter more, up to 15 minutes. The window's name decides how much more.
        let expected: [Int64] = [30, 60, 120, 240, 480, 720, 720, 720, 720].map { $0 * 1_000 }
        #expect((8...9).contains(pauses.count))
        for (pause, least) in zip(pauses, expected) { #expect((least...least + least / 4).contains(pause)) }
        #expect(pauses.allSatisfy { $0 <= 900_000 })
        #expect(scene.history.requests == 20 + pauses.count, "20 pages")
        let windows = try await scene.windows()
        #expect(windows.map(RecoveryScene.counts) == [[60, 0, 60, 0, 0]])
        #expect(windows.first?.state == .finished && windows.first?.failure == nil)
        #expect(try await server.storedNotifications().count == 60)
        try await scene.end()
    }

    @Test func `has what Apple could not deliver if only that is asked for`() async throws {
        let scene = try await RecoveryScene()
        _ = try scene.addNotifications(4)
        let time = RecoveryScene.start + 1
        let delivered = try scene.apple.notification(signedAt: time)
        scene.history.add(delivered, at: time, attempts: [(time, .timedOut), (time, .success)])
        let (server, _) = try await scene.server(RecoverySettings(isAutomatic: false))
        for (onlyFailures, sent) in [(true, 4), (false, 5)] as [(Bool, Int64)] {
            let body = #"{"from":\#(RecoveryScene.start),"to":\#(ServerFixture.now),"only_failures":\#(onlyFailures)}"#
            let id = try #require(try await server.send(.post, Self.path, body: body).string("id"))
            try await server.services.recovery.settle()
            let window = try await server.send(.get, "\(Self.path)/\(id)").json()
            #expect(window["only_failures"] == .bool(onlyFailures))
            #expect(window["state"] == .string("finished"))
            #expect(window["sent"] == .integer(sent))
        }
        let wrong = #"{"from":\#(RecoveryScene.start),"to":\#(ServerFixture.now),"only_failures":"yes"}"#
        #expect(try await server.send(.post, Self.path, body: wrong).errorCode() == "parameter_invalid")
    }

    @Test func `names the problems, the last error and the time of the next query`() async throws {
        let scene = try await RecoveryScene()
        _ = try scene.addNotifications(3)
        scene.history.add("not.a.jws", at: RecoveryScene.start + 1)
        scene.history.setAway(true)
        let (server, _) = try await scene.server(RecoverySettings(isAutomatic: false))
        let body = #"{"from":\#(RecoveryScene.start),"to":\#(ServerFixture.now)}"#
        let id = try #require(try await server.send(.post, Self.path, body: body).string("id"))
        try await server.services.recovery.settle()
        let waiting = try await server.send(.get, "\(Self.path)/\(id)")
        #expect(try waiting.string("state") == "running")
        #expect(try waiting.string("error", "code") == "app_store_unavailable")
        #expect(try waiting.string("error", "message")?.isEmpty == false)
        #expect(try waiting.json()["finished_at"] == .null)
        let retryAt = try #require(try waiting.integer("retry_at"))
        #expect((30_000...37_500).contains(retryAt - ServerFixture.now))

        scene.history.setAway(false)
        server.time.advance(to: Timestamp(milliseconds: retryAt))
        try await server.services.recovery.settle()
        let finished = try await server.send(.get, "\(Self.path)/\(id)").json()
        #expect(finished["state"] == .string("finished"))
        #expect(finished["problems"] == .object(["malformed_jws": .integer(1)]))
        #expect(finished["error"] == .null && finished["retry_at"] == .null)
        #expect(finished["finished_at"] == .integer(retryAt))
    }

    @Test(arguments: RecoveryScene.Engine.allCases)
    func `of an app is finished although the history of another app does not answer`(
        engine: RecoveryScene.Engine
    ) async throws {
        let sandbox = AppID(bundleID: ServerFixture.bundle, environment: .sandbox)
        for isSandboxAway in [true, false] {
            let scene = try await RecoveryScene(engine)
            _ = try scene.addNotifications(5)
            let other = ScriptedHistory()
            let time = RecoveryScene.start
            let period = SignedApple.period(environment: .sandbox, signedAt: time)
            other.add(try scene.apple.notification(transaction: period, signedAt: time), at: time)
            (isSandboxAway ? other : scene.history).setAway(true)
            let server = try await ServerFixture(
                database: scene.database,
                apple: scene.apple,
                access: AppStoreAccess([
                    ServerFixture.app: try scene.history.entry(), sandbox: try other.entry(in: .sandbox),
                ])
            )
            try await server.services.recovery.settle()
            let found = try await scene.database.read { storage throws(StorageError) in
                [
                    try storage.recoveryWindows(of: ServerFixture.app, limit: 10),
                    try storage.recoveryWindows(of: sandbox, limit: 10),
                ]
            }
            let away = try #require(found[isSandboxAway ? 1 : 0].first)
            #expect(away.state == .running && away.failure?.code == "app_store_unavailable")
            let answered = try #require(found[isSandboxAway ? 0 : 1].first)
            #expect(answered.state == .finished)
            let count = isSandboxAway ? 5 : 1
            #expect(RecoveryScene.counts(answered) == [count, 0, count, 0, 0])
            try await scene.end()
        }
    }
}

/// `/metrics` after recovery and polling.
@Suite struct `The metrics of recovery and polling` {
    private static func value(_ series: String, of server: ServerFixture) async throws -> Double? {
        let text = String(decoding: try await server.send(.get, "/metrics", key: nil).bytes, as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix(series + " ") }
        return line.flatMap { Double($0.dropFirst(series.count + 1)) }
    }

    @Test func `count the windows by state, and the notifications of ended windows by result`() async throws {
        let scene = try await RecoveryScene()
        let payloads = try scene.addNotifications(10)
        // Apple still tries to deliver this one.
        scene.history.add("not.a.jws", at: RecoveryScene.start + 5, attempts: [(ServerFixture.now - 1_000, .timedOut)])
        scene.history.setAway(true)
        let (server, _) = try await scene.server()
        for payload in payloads.prefix(3) { #expect(try await server.notify(payload).status == 200) }
        func windows(_ state: String) async throws -> Double? {
            try await Self.value("perennial_recovery_windows_total{state=\"\(state)\"}", of: server)
        }
        func notifications(_ result: String) async throws -> Double? {
            try await Self.value("perennial_recovery_notifications_total{result=\"\(result)\"}", of: server)
        }
        try await server.services.recovery.settle()
        #expect(try await windows("failed") == 1)
        #expect(try await windows("finished") == nil)
        #expect(try await notifications("recovered") == nil)

        scene.history.setAway(false)
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 60_000))
        try await server.services.recovery.settle()
        #expect(try await windows("failed") == 1)
        #expect(try await windows("finished") == 1)
        #expect(try await notifications("held") == 3)
        #expect(try await notifications("recovered") == 7)
        #expect(try await notifications("refused") == 1)
        #expect(try await notifications("missing") == 0)
        #expect(try await Self.value("perennial_recovery_retrying_total", of: server) == 1)
    }

    @Test func `count what a window stored before its history was read again, also if it fails then`() async throws {
        let scene = try await RecoveryScene()
        _ = try scene.addNotifications(60)
        // 11 pages, and then 4 from the start again.
        scene.history.fail(before: 11, with: [.error(status: 400, number: 4_000_014)])
        scene.history.fail(before: 15, with: [.error(status: 404, number: 4_040_001)])
        let (server, _) = try await scene.server(RecoverySettings(isAutomatic: false))
        let body = #"{"from":\#(RecoveryScene.start),"to":\#(ServerFixture.now)}"#
        #expect(try await server.send(.post, "/v1/recovery/windows", body: body).string("id") != nil)
        try await server.services.recovery.settle()
        #expect(try await scene.windows().first?.restarts == 1)
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 60_000))
        try await server.services.recovery.settle()
        let window = try #require(try await scene.windows().first)
        #expect(window.state == .failed && window.recoveredBefore == 0)
        #expect(RecoveryScene.counts(window) == [33, 0, 33, 0, 0])
        #expect(try await server.storedNotifications().count == 33)
        let failed = try await server.events().map(\.event).first { $0.kind == .recoveryFailed }
        #expect(failed?.details?["recovered"] == "33")
        let series = "perennial_recovery_notifications_total{result=\"recovered\"}"
        #expect(try await Self.value(series, of: server) == 33)
    }

    @Test func `have the age of the oldest due poll as the lag`() async throws {
        let store = ScriptedAppStore()
        let server = try await ServerFixture(
            appStore: store,
            recovery: RecoverySettings(isAutomatic: false),
            polling: PollingSettings(queriesPerSecond: 0)
        )
        let id = "2000000000000001"
        func setAnswer() throws {
            let renewal = JWSRenewalInfoDecodedPayload(
                originalTransactionId: id,
                productId: "pro.monthly",
                autoRenewProductId: "pro.monthly",
                autoRenewStatus: .on,
                signedDate: server.time.now().milliseconds,
                environment: .production
            )
            store.addSubscription(
                try server.apple.sign(SignedApple.period(id: id, original: id)),
                renewal: try server.apple.sign(renewal),
                id: id
            )
        }
        try setAnswer()
        let body = #"{"app_user_id":"u","transaction_id":"\#(id)"}"#
        #expect(try await server.send(.post, "/v1/transactions", body: body).status == 200)
        let series = "perennial_status_polls_lag_seconds{app=\"\(ServerFixture.app.rawValue)\"}"
        try await server.services.polling.settle()
        #expect(try await Self.value(series, of: server) == 0)

        // A poll is due a day before the end of the period. Another server has the lease, and does nothing.
        let lease = Lease(work: "status_polls", holder: "another server", expiresAt: Timestamp(milliseconds: .max))
        try await server.database.write { storage throws(StorageError) in
            try storage.save(lease, in: ServerFixture.app)
        }
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 29 * RecoveryScene.day + 90_500))
        try setAnswer()
        try await server.services.polling.settle()
        #expect(try await Self.value(series, of: server) == 90.5)

        try await server.database.write { storage throws(StorageError) in
            try storage.returnLease(of: lease.work, by: lease.holder, app: ServerFixture.app)
        }
        try await server.services.polling.settle()
        #expect(try await Self.value(series, of: server) == 0)
    }
}
