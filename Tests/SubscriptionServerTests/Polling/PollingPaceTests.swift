import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import HTTPTypes
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import Testing

@testable import SubscriptionOperations

/// How fast Apple is asked, and what a long history means for others.
@Suite(.timeLimit(.minutes(5)))
struct `The pace of status polling` {
    private static let minute: Int64 = 60_000
    private static let late = "2000000000000001"
    private static let historyPath = "/inApps/v2/history/\(late)"

    /// A server whose real time passes only while it waits for a slot.
    private struct Scene: EngineScene {
        let store = ScriptedAppStore()
        let clock = ImmediateClock()
        let server: ServerFixture
        let polling: StatusPolling

        init(_ database: any SubscriptionDatabase) async throws {
            server = try await ServerFixture(
                database: database,
                appStore: store,
                recovery: RecoverySettings(isAutomatic: false),
                polling: PollingSettings(isAutomatic: false)
            )
            let app = AppIdentity(
                bundleId: ServerFixture.bundle,
                appAppleId: ServerFixture.appleID,
                environment: .production
            )
            polling = StatusPolling(
                database: server.database,
                verifier: SignedDataVerifier(roots: [server.apple.authority.trustedRoot], apps: [app]),
                access: try store.access(to: ServerFixture.bundle),
                policy: AccessPolicy(),
                settings: PollingSettings(queriesPerSecond: 10),
                time: server.time,
                waiting: clock
            )
        }

        /// Apple's answers about a subscription; the customer submits its newest transaction.
        ///
        /// - Parameter newest: The identifier of the newest transaction: with another one, the history is missing.
        func buy(_ id: String, newest: String? = nil) async throws {
            let period = SignedApple.period(id: newest ?? id, original: id)
            let signed = try server.apple.sign(period)
            let renewal = JWSRenewalInfoDecodedPayload(
                originalTransactionId: id,
                productId: "pro.monthly",
                autoRenewProductId: "pro.monthly",
                autoRenewStatus: .on,
                signedDate: ServerFixture.now,
                environment: .production
            )
            let item = LastTransactionsItem(
                originalTransactionId: id,
                status: .active,
                signedTransactionInfo: signed,
                signedRenewalInfo: try server.apple.sign(renewal)
            )
            let group = SubscriptionGroupIdentifierItem(
                subscriptionGroupIdentifier: "21000001",
                lastTransactions: [item]
            )
            store.answer(
                "/inApps/v1/subscriptions/\(id)",
                StatusResponse(environment: .production, bundleId: ServerFixture.bundle, data: [group])
            )
            #expect(try await server.submit(signed, customer: "u").status == 200)
        }

        func move(byMinutes minutes: Int64) {
            let time = server.time.now().adding(milliseconds: minutes * 60_000)
            server.time.advance(to: time)
        }

        func polls(of id: String) async throws -> [StatusPoll] {
            try await server.database.read { storage throws(StorageError) in
                try storage.statusPolls(of: ServerFixture.app, until: Timestamp(milliseconds: .max), limit: 100)
            }
            .filter { $0.purchaseID.rawValue == id }
        }

        func ledger(of id: String) async throws -> PurchaseLedger {
            try await server.database.read { storage throws(StorageError) in
                try storage.ledger(of: OriginalTransactionID(id), app: ServerFixture.app)
            }
        }

        func count(_ prefix: String) -> Int { store.requestedPaths.count { $0.hasPrefix(prefix) } }
    }

    @Test(arguments: [(10, 100), (50, 20), (1, 1_000)])
    func `is the setting in production, and a tenth of it in sandbox`(perSecond: Int, milliseconds: Int) async {
        for (environment, factor) in [(StoreEnvironment.production, 1), (.sandbox, 10)] {
            let clock = ImmediateClock()
            let pace = QueryPace(PollingSettings(queriesPerSecond: perSecond), clock: clock)
            let app = AppID(bundleID: ServerFixture.bundle, environment: environment)
            for _ in 0..<25 { await pace.wait(for: app) }
            #expect(clock.now.elapsed == .milliseconds(24 * milliseconds * factor))
            // Each app has its own limit.
            await pace.wait(for: AppID(bundleID: "com.example.other", environment: environment))
            #expect(clock.now.elapsed == .milliseconds(24 * milliseconds * factor))
            // A slot after the end is left to others.
            let end = pace.elapsed + .milliseconds(milliseconds * factor - 1)
            #expect(await pace.wait(for: app, until: end) == false)
            #expect(await pace.wait(for: app, until: end + .milliseconds(1)) == true)
            #expect(clock.now.elapsed == .milliseconds(25 * milliseconds * factor))
        }
    }

    @Test func `has no limit with 0, and begins no more queries together than fit into ten seconds`() async {
        let clock = ImmediateClock()
        let pace = QueryPace(PollingSettings(queriesPerSecond: 0), clock: clock)
        for _ in 0..<1_000 { await pace.wait(for: ServerFixture.app) }
        #expect(clock.sleeps == 0)
        let sizes = [0, 1, 3, 10].map { PollingSettings(queriesPerSecond: $0) }
        #expect(sizes.map { $0.groupSize(in: .production) } == [4, 4, 4, 4])
        #expect(sizes.map { $0.groupSize(in: .sandbox) } == [4, 1, 3, 4])
    }

    @Test(arguments: TestEngine.allCases)
    func `counts each status and each page of a history`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            for number in 10..<30 { try await scene.buy("20000000000000\(number)") }
            scene.move(byMinutes: 5)
            try await scene.polling.settle()
            #expect(scene.count("/inApps/v1/subscriptions/") == 20)
            #expect(scene.clock.now.elapsed == .milliseconds(19 * 100))

            try await scene.buy(Self.late, newest: "2000000000000009")
            scene.store.setEndless(Self.historyPath, transaction: try scene.server.apple.sign(SignedApple.period()))
            try await scene.polling.settle()
            let asked = 21 + scene.count(Self.historyPath)
            #expect(asked > 21)
            #expect(scene.clock.now.elapsed == .milliseconds((asked - 1) * 100))
        }
    }

    /// The endless history ends after 100 pages: it is too long.
    @Test(arguments: TestEngine.allCases)
    func `lets a long history continue later, and stores the status at once`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            try await scene.buy(Self.late, newest: "2000000000000009")
            let first = try scene.server.apple.sign(SignedApple.period(id: Self.late, original: Self.late))
            scene.store.setEndless(Self.historyPath, transaction: first)
            try await scene.polling.settle()
            let read = scene.count(Self.historyPath)
            #expect((50..<100).contains(read), "the time of one look is over")
            #expect(try await scene.ledger(of: Self.late).renewal != nil)
            #expect(try await !scene.ledger(of: Self.late).isBeginningKnown)
            let waiting = try await scene.polls(of: Self.late)
            #expect(waiting.map(\.wantsHistory) == [true])
            #expect(waiting.map(\.failures) == [0])
            #expect(waiting.map(\.dueAt) == [scene.server.time.now().adding(milliseconds: Self.minute)])

            scene.move(byMinutes: 1)
            try await scene.polling.settle()
            #expect(scene.count(Self.historyPath) == 100, "no page is read twice")
            #expect(try await scene.ledger(of: Self.late).isBeginningKnown)
            #expect(try await scene.polls(of: Self.late).allSatisfy { !$0.wantsHistory })
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `does not pause for an app when only a history fails`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            try await scene.buy(Self.late, newest: "2000000000000009")
            // An answer without a body.
            scene.store.accept(Self.historyPath)
            try await scene.polling.settle()
            let failed = try await scene.polls(of: Self.late)
            #expect(failed.map(\.wantsHistory) == [true])
            #expect(failed.map(\.failures) == [1])
            #expect(try await scene.ledger(of: Self.late).renewal != nil)
            // Another missing history is asked for in the same minute.
            try await scene.buy("2000000000000020", newest: "2000000000000029")
            try await scene.polling.settle()
            #expect(scene.count("/inApps/v1/subscriptions/2000000000000020") == 1)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `puts the oldest need first, also before a history`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            let older = (10..<14).map { "20000000000000\($0)" }
            for id in older { try await scene.buy(id) }
            scene.move(byMinutes: 5)
            try await scene.buy(Self.late, newest: "2000000000000009")
            try await scene.polling.settle()
            let paths = scene.store.requestedPaths
            let history = try #require(paths.firstIndex(of: Self.historyPath))
            for id in older {
                let status = try #require(paths.firstIndex(of: "/inApps/v1/subscriptions/\(id)"))
                #expect(status < history)
            }
        }
    }

    @Test func `doubles the pause after each failure with up to a quarter more, up to an hour`() {
        let now = Timestamp(milliseconds: ServerFixture.now)
        let purchases = (0..<200).map { OriginalTransactionID("20000000000\($0)") }
        for (failures, minutes) in [1, 2, 4, 8, 16, 32, 48, 48, 48].enumerated() {
            let pause = Int64(minutes) * Self.minute
            var pauses: Set<Int64> = []
            for purchase in purchases {
                let poll = StatusPoll(
                    dueAt: now,
                    purchaseID: purchase,
                    failures: failures,
                    wantsHistory: true,
                    omitsEvents: true
                )
                let next = poll.retried(at: now, first: Self.minute, longest: 60 * Self.minute)
                let wait = next.dueAt.milliseconds - now.milliseconds
                #expect((pause...pause * 5 / 4).contains(wait), "\(failures) failures")
                #expect(next.failures == failures + 1)
                #expect(next.wantsHistory && next.omitsEvents && next.purchaseID == purchase)
                // The same entry waits equally long on every machine.
                #expect(next == poll.retried(at: now, first: Self.minute, longest: 60 * Self.minute))
                pauses.insert(wait)
            }
            #expect(pauses.count > 50, "they do not come back at the same moment")
        }
        let often = StatusPoll(dueAt: now, purchaseID: purchases[0], failures: 1_000_000)
        let next = often.retried(at: now, first: Self.minute, longest: 60 * Self.minute)
        #expect(next.dueAt.milliseconds - now.milliseconds <= 60 * Self.minute)
    }
}
