import AppStoreModel
import Foundation
import HTTPTypes
import Logging
import PerennialPrimitives
import PostgreSQLTesting
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import SubscriptionStorageTesting
import Testing

@testable import SubscriptionOperations

/// A wrong clock ends no access permanently. During a dispute with other clocks it ends none at all.
@Suite struct `A server whose clock is wrong` {
    private static let day: Int64 = 86_400_000
    private static let ahead: Int64 = 400 * day

    private static func customer(_ number: Int) -> String { "u_\(number)" }

    /// Submits subscriptions and creates a grant, all with thirty days.
    private func sell(_ count: Int, on server: ServerFixture, at now: Int64 = ServerFixture.now) async throws {
        for number in 0..<count {
            let id = "20000000000000\(10 + number)"
            var period = SignedApple.period(id: id, original: id, signedAt: now)
            period.purchaseDate = now - 1_000
            period.originalPurchaseDate = now - 1_000
            period.expiresDate = now + 30 * Self.day
            #expect(
                try await server.submit(try server.apple.sign(period), customer: Self.customer(number)).status == 200
            )
        }
        _ = try await Granting(database: server.database, time: FixedTimeSource(Timestamp(milliseconds: now))).grant(
            GrantID("gr_1"),
            of: EntitlementID("gold"),
            to: CustomerID(Self.customer(0)),
            app: ServerFixture.app,
            until: .at(Timestamp(milliseconds: now + 30 * Self.day)),
            reason: nil,
            by: Operator("test")
        )
    }

    private func status(of number: Int, on server: ServerFixture) async throws -> String? {
        let answer = try await server.send(.get, "/v1/customers/\(Self.customer(number))")
        guard case .string(let status)? = try answer.objects("subscriptions").first?["status"] else { return nil }
        return status
    }

    private func due(_ server: ServerFixture) -> DuePurchases {
        DuePurchases(database: server.database, policy: AccessPolicy())
    }

    @Test func `answers correctly at once after a correction, and restores access with an event`() async throws {
        let server = try await ServerFixture()
        try await sell(3, on: server)
        let right = server.time.now()
        let outcome = try await due(server).settle(until: right.adding(milliseconds: Self.ahead))
        #expect(outcome.evaluated == 4)
        for number in 0..<3 { #expect(try await status(of: number, on: server) == "active") }

        let rederived = try await due(server).rederive(at: right)
        #expect(rederived == DuePurchases.Outcome(evaluated: 4))
        let kinds = try await server.events().map(\.event.kind)
        #expect(kinds.count { $0 == .entitlementWithdrawn } == 4)
        #expect(kinds.count { $0 == .entitlementGranted } == 8)
        for number in 0..<3 { #expect(try await status(of: number, on: server) == "active") }
        let answer = try await server.send(.get, "/v1/customers/\(Self.customer(0))/entitlements")
        #expect(try answer.bool("entitlements", "gold", "active") == true)
        #expect(try await due(server).rederive(at: right) == DuePurchases.Outcome(), "there is nothing left")
        // They end at the correct time.
        let end = right.adding(milliseconds: 31 * Self.day)
        #expect(try await due(server).settle(until: end).evaluated == 4)
    }

    @Test func `writes no grant, revocation or token while the clock is disputed`() async throws {
        let server = try await ServerFixture(clock: DisputedClock())
        let grants = "/v1/customers/u_0/grants"
        let answers = [
            try await server.send(.post, grants, body: #"{"entitlement_id":"gold","duration":"P1M"}"#),
            try await server.send(.delete, "\(grants)/gr_1"),
            try await server.send(.post, "/v1/customers/u_0/entitlement_token"),
        ]
        for answer in answers {
            #expect(answer.status == 503)
            #expect(try answer.errorCode() == "clock_disputed")
        }
    }

    @Test func `asks Apple for no extension while the clock is disputed`() async throws {
        let store = ScriptedAppStore()
        let server = try await ServerFixture(appStore: store, clock: DisputedClock())
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        let answer = try await server.send(
            .post,
            ExtensionScene.route,
            headers: [name: "k"],
            body: ExtensionScene.body
        )
        #expect(answer.status == 503)
        #expect(try answer.errorCode() == "clock_disputed")
        #expect(store.requestedPaths.isEmpty)
    }

    @Test func `applies a grant of a fast clock after the clock was corrected`() async throws {
        let server = try await ServerFixture()
        let ahead = FixedTimeSource(Timestamp(milliseconds: ServerFixture.now + Self.ahead))
        _ = try await Granting(database: server.database, time: ahead).grant(
            GrantID("gr_1"),
            of: EntitlementID("gold"),
            to: CustomerID("u_0"),
            app: ServerFixture.app,
            until: .never,
            reason: nil,
            by: Operator("test")
        )
        let answer = try await server.send(.get, "/v1/customers/u_0/entitlements")
        #expect(try answer.bool("entitlements", "gold", "active") == true)
    }

    @Test func `evaluates a fact by the corrected time`() async throws {
        let server = try await ServerFixture()
        try await sell(1, on: server)
        _ = try await due(server).settle(until: server.time.now().adding(milliseconds: Self.ahead))
        let period = SignedApple.period(id: "2000000000000010", original: "2000000000000010")
        #expect(try await server.notify(try server.apple.notification(transaction: period)).status == 200)
        let record = try await server.database.read { storage throws(StorageError) in
            try storage.purchase(OriginalTransactionID("2000000000000010"), of: ServerFixture.app)
        }
        #expect(record?.evaluatedAt == server.time.now())
        #expect(try await status(of: 0, on: server) == "active")
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `reaches the same state after a correction as a server with a correct clock`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let (wrong, right) = (try await ServerFixture(), try await ServerFixture())
        for server in [wrong, right] { try await sell(4, on: server) }
        for _ in 0..<6 {
            let days = Int64.random(in: 0...6, using: &random)
            for server in [wrong, right] {
                server.time.advance(to: server.time.now().adding(milliseconds: days * Self.day))
                _ = try await due(server).settle(until: server.time.now())
            }
            let jump = Int64.random(in: 1...500, using: &random) * Self.day
            _ = try await due(wrong).settle(until: wrong.time.now().adding(milliseconds: jump))
            if Bool.random(using: &random) { _ = try await due(wrong).rederive(at: wrong.time.now()) }
            for number in 0..<4 {
                let path = "/v1/customers/\(Self.customer(number))/entitlements"
                let (got, expected) = (try await wrong.send(.get, path), try await right.send(.get, path))
                #expect(try got.json()["entitlements"] == expected.json()["entitlements"])
            }
        }
    }

    @Test func `withdraws nothing during a dispute, and reports it in readiness, metrics, log and feed`() async throws {
        let clocks = MachineClocks(wall: ServerFixture.now)
        let time = CheckedTimeSource(wall: clocks, elapsed: clocks.elapsed)
        let server = try await ServerFixture(clock: time)
        try await sell(2, on: server)
        let lines = RecordingLogHandler.Lines()
        let logger = Logger(label: "test") { _ in RecordingLogHandler(lines: lines) }
        let check = ClockCheck(time: time, database: server.database, logger: logger)
        clocks.set(by: Self.ahead)
        await check.run()
        await check.run()

        #expect(try await status(of: 0, on: server) == "active")
        let grant = try await server.send(.get, "/v1/customers/\(Self.customer(0))/entitlements")
        #expect(try grant.bool("entitlements", "gold", "active") == true)
        let ready = try await server.send(.get, "/readyz", key: nil)
        #expect(ready.status == 200)
        #expect(try ready.objects("warnings").map { $0["code"] } == [.string("clock_disputed")])
        let metrics = String(decoding: try await server.send(.get, "/metrics", key: nil).bytes, as: UTF8.self)
        #expect(metrics.contains("perennial_clock_disputed 1\n"))
        #expect(metrics.contains("perennial_clock_disagreement_seconds 34560000"))
        #expect(lines.all.count { $0.hasPrefix("error") } == 1)

        // A fact that arrives during the dispute is evaluated at its signature date.
        let renewal = SignedApple.period(
            id: "2000000000000011",
            original: "2000000000000011",
            signedAt: ServerFixture.now + 5
        )
        #expect(try await server.notify(try server.apple.notification(transaction: renewal)).status == 200)
        #expect(try await status(of: 1, on: server) == "active")

        clocks.set(by: -Self.ahead)
        await check.run()
        let kinds = try await server.events().map(\.event.kind)
        #expect(!kinds.contains(.entitlementWithdrawn))
        #expect(kinds.filter { [.clockDisputed, .clockAgreed].contains($0) } == [.clockDisputed, .clockAgreed])
        let disputed = try #require(try await server.events().first { $0.event.kind == .clockDisputed })
        #expect(disputed.event.details == ["witness": "monotonic_clock", "ahead_seconds": "34560000"])
        #expect(try await server.send(.get, "/readyz", key: nil).count("warnings") == nil)
    }

    @Test func `withdraws nothing from its service during a dispute, and continues afterwards`() async throws {
        let clocks = MachineClocks(wall: ServerFixture.now)
        let time = CheckedTimeSource(wall: clocks, elapsed: clocks.elapsed)
        let server = try await ServerFixture(clock: time)
        try await sell(1, on: server)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let service = DuePurchasesService(
            duePurchases: server.services.duePurchases,
            time: time,
            clock: ClockCheck(time: time, database: server.database, logger: logger),
            interval: .milliseconds(5),
            logger: logger
        )
        clocks.set(by: Self.ahead)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            try await ServerFixture.until {
                try await server.events().contains { $0.event.kind == .clockDisputed }
            }
            clocks.set(by: -Self.ahead)
            try await ServerFixture.until {
                try await server.events().contains { $0.event.kind == .clockAgreed }
            }
            let kinds = try await server.events().map(\.event.kind)
            #expect(!kinds.contains(.entitlementWithdrawn))
            clocks.pass(31 * Self.day)
            try await ServerFixture.until {
                try await server.events().contains { $0.event.kind == .entitlementWithdrawn }
            }
            group.cancelAll()
        }
    }

    @Test(arguments: [400, -400] as [Int64])
    func `changes no access beside a second server on PostgreSQL`(
        days: Int64
    ) async throws {
        let postgreSQL = try PostgreSQLTestServer.shared()
        let url = postgreSQL.url(schema: try postgreSQL.makeSchema())
        let now = SystemTimeSource().now().milliseconds
        let right = CheckedTimeSource()
        let wrong = CheckedTimeSource(wall: ShiftedTimeSource(by: days * Self.day))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let databases = [try await PostgreSQLDatabase.open(url: url), try await PostgreSQLDatabase.open(url: url)]
        let first = try await ServerFixture(database: databases[0], clock: right)
        let second = try await ServerFixture(database: databases[1], apple: first.apple, clock: wrong)
        for (server, time) in [(first, right), (second, wrong)] {
            await ClockCheck(time: time, database: server.database, logger: logger).run()
        }
        #expect(right.dispute == nil)
        #expect(wrong.dispute?.otherClock == .database)
        try await sell(2, on: first, at: now)
        // The server with the wrong clock evaluates a purchase at its signature date.
        var other = SignedApple.period(id: "2000000000000020", original: "2000000000000020", signedAt: now)
        other.purchaseDate = now - 1_000
        other.originalPurchaseDate = now - 1_000
        other.expiresDate = now + 30 * Self.day
        #expect(try await second.submit(try second.apple.sign(other), customer: Self.customer(9)).status == 200)
        for server in [first, second] {
            for number in [0, 1, 9] { #expect(try await status(of: number, on: server) == "active") }
        }
        let kinds = try await first.events().map(\.event.kind)
        #expect(!kinds.contains(.entitlementWithdrawn))
        #expect(kinds.contains(.clockDisputed))
        for database in databases { try await database.close() }
    }

    @Test func `follows a local store's clock backward and restores expired access`() async throws {
        let server = try await ServerFixture()
        try await sell(2, on: server)
        let start = server.time.now()
        let end = start.adding(milliseconds: 40 * Self.day)
        #expect(server.time.move(to: end) == false)
        _ = try await due(server).settle(until: end)
        #expect(try await status(of: 0, on: server) == "expired")
        #expect(server.time.move(to: start))
        _ = try await due(server).rederive(at: start)
        #expect(try await status(of: 0, on: server) == "active")
        _ = server.time.move(to: end)
        #expect(try await due(server).settle(until: end).evaluated == 3)
        #expect(try await status(of: 1, on: server) == "expired")
    }
}

/// The system clock with an offset.
private struct ShiftedTimeSource: TimeSource {
    let milliseconds: Int64

    init(by milliseconds: Int64) { self.milliseconds = milliseconds }

    func now() -> Timestamp { SystemTimeSource().now().adding(milliseconds: milliseconds) }
}

/// A clock with a dispute.
private struct DisputedClock: TimeSource {
    var dispute: ClockDispute? { ClockDispute(otherClock: .monotonicClock, aheadMilliseconds: 400 * 86_400_000) }

    func now() -> Timestamp { Timestamp(milliseconds: ServerFixture.now + 400 * 86_400_000) }
}
