import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import HTTPTypes
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import Testing

@testable import SubscriptionOperations

/// Asking Apple for what no notification contained, on every engine.
@Suite(.timeLimit(.minutes(5)))
struct `Status polling` {
    typealias Engine = TestEngine

    private static let hour: Int64 = 3_600_000
    static let day: Int64 = 86_400_000
    static let id = "2000000000000001"
    private static let path = "/inApps/v1/subscriptions/\(id)"
    static let end = ServerFixture.now + 30 * day

    /// A server, Apple, and their clock.
    struct Scene: EngineScene {
        let store = ScriptedAppStore()
        let server: ServerFixture
        let realTime = FollowedTimeSource(Timestamp(milliseconds: 0))

        init(_ database: any SubscriptionDatabase) async throws {
            server = try await ServerFixture(
                database: database,
                appStore: store,
                recovery: RecoverySettings(isAutomatic: false),
                polling: PollingSettings(queriesPerSecond: 0)
            )
        }

        /// Another server process on the same database.
        ///
        /// - Parameter unreadable: A purchase that this process cannot read for a change, or at all if `damagesReads`.
        func polling(
            _ settings: PollingSettings = PollingSettings(queriesPerSecond: 0),
            unreadable: OriginalTransactionID = OriginalTransactionID(""),
            damagesReads: Bool = false
        ) throws -> StatusPolling {
            let app = AppIdentity(
                bundleId: ServerFixture.bundle,
                appAppleId: ServerFixture.appleID,
                environment: .production
            )
            return StatusPolling(
                database: DamagedDatabase(base: server.database, unreadable: unreadable, damagesReads: damagesReads),
                verifier: SignedDataVerifier(roots: [server.apple.authority.trustedRoot], apps: [app]),
                access: try store.access(to: ServerFixture.bundle),
                policy: AccessPolicy(),
                settings: settings,
                time: server.time,
                realTime: realTime
            )
        }

        var queries: Int { store.requestedPaths.count { $0.hasPrefix("/inApps/v1/subscriptions/") } }

        func move(to time: Int64) { server.time.advance(to: Timestamp(milliseconds: time)) }

        func polls() async throws -> [StatusPoll] {
            try await server.database.read { storage throws(StorageError) in
                try storage.statusPolls(of: ServerFixture.app, until: Timestamp(milliseconds: .max), limit: 100)
            }
        }

        /// A renewal record, signed now.
        func renewal(
            of id: String = `Status polling`.id,
            autoRenew: Bool = true,
            inRetry: Bool = false,
            expired: Bool = false
        ) throws -> String {
            var payload = JWSRenewalInfoDecodedPayload(
                originalTransactionId: id,
                productId: "pro.monthly",
                autoRenewProductId: "pro.monthly",
                autoRenewStatus: autoRenew ? .on : .off,
                signedDate: server.time.now().milliseconds,
                environment: .production
            )
            payload.isInBillingRetryPeriod = inRetry
            if expired { payload.expirationIntent = .customerCancelled }
            return try server.apple.sign(payload)
        }

        func setAnswer(
            _ id: String = `Status polling`.id,
            autoRenew: Bool = true,
            inRetry: Bool = false,
            expired: Bool = false,
            period: JWSTransactionDecodedPayload? = nil
        ) throws {
            store.addSubscription(
                try server.apple.sign(period ?? SignedApple.period(id: id, original: id)),
                renewal: try renewal(of: id, autoRenew: autoRenew, inRetry: inRetry, expired: expired),
                id: id
            )
        }

        /// The customer submits the purchase, and its renewal record is known.
        func buy(_ id: String = `Status polling`.id, by customer: String = "u") async throws {
            try setAnswer(id)
            let body = #"{"app_user_id":"\#(customer)","transaction_id":"\#(id)"}"#
            #expect(try await server.send(.post, "/v1/transactions", body: body).status == 200)
        }

        /// A field of the customer's only entitlement.
        func entitlement(_ field: String) async throws -> JSONValue? {
            `Status polling`.entitlement(field, in: try await server.send(.get, "/v1/customers/u"))
        }
    }

    /// A field of the only entitlement of a customer in an answer.
    private static func entitlement(_ field: String, in answer: Answer) -> JSONValue? {
        guard case .object(let entitlements)? = try? JSONParser.parseObject(answer.bytes)["entitlements"],
            case .object(let entitlement)? = entitlements["21000001"]
        else { return nil }
        return entitlement[field]
    }

    @Test(arguments: Engine.allCases)
    func `notices before the end that a subscription was cancelled`(engine: Engine) async throws {
        try await engine.run(Scene.self) { scene in
            try await scene.buy()
            let before = scene.queries
            let polling = try scene.polling()
            try await polling.settle()
            #expect(scene.queries == before, "nothing is due")
            #expect(try await scene.polls().map(\.dueAt.milliseconds) == [Self.end - Self.day])
            scene.move(to: Self.end - Self.day)
            try scene.setAnswer(autoRenew: false)
            try await polling.settle()
            #expect(scene.queries == before + 1)
            #expect(try await scene.entitlement("will_renew") == .bool(false))
            #expect(try await scene.polls().map(\.dueAt.milliseconds) == [Self.end + 300_000])
        }
    }

    @Test(arguments: Engine.allCases)
    func `ends the leeway of a late renewal by Apple's answer`(engine: Engine) async throws {
        try await engine.run(Scene.self) { scene in
            try await scene.buy()
            scene.move(to: Self.end + 300_000)
            _ = try await scene.server.services.duePurchases.settle(until: scene.server.time.now())
            #expect(try await scene.entitlement("active") == .bool(true))
            try scene.setAnswer(autoRenew: false, expired: true)
            try await scene.polling().settle()
            #expect(try await scene.entitlement("active") == .bool(false))
            #expect(try await scene.polls().isEmpty, "the reason is known")
        }
    }

    @Test(arguments: Engine.allCases)
    func `finds a renewal whose notification was lost, and is not needed where it came`(engine: Engine) async throws {
        try await engine.run(Scene.self) { scene in
            try await scene.buy()
            let polling = try scene.polling()
            scene.move(to: Self.end + 300_000)
            var period = SignedApple.period(id: "2000000000000002", original: Self.id, signedAt: Self.end)
            period.purchaseDate = Self.end
            period.expiresDate = Self.end + 30 * Self.day
            try scene.setAnswer(period: period)
            try await polling.settle()
            #expect(try await scene.entitlement("expires_at") == .integer(Self.end + 30 * Self.day))
            let asked = scene.queries
            #expect(try await scene.polls().map(\.dueAt.milliseconds) == [Self.end + 29 * Self.day])

            // The next renewal comes by a notification: the entry is moved without a query.
            let third = Self.end + 30 * Self.day
            scene.move(to: third - Self.day - 1)
            var next = SignedApple.period(id: "2000000000000003", original: Self.id, signedAt: third - Self.day - 1)
            next.purchaseDate = third
            next.expiresDate = third + 30 * Self.day
            let payload = try scene.server.apple.notification(
                type: .didRenew,
                transaction: next,
                signedAt: third - Self.day - 1
            )
            let body = #"{"signedPayload":"\#(payload)"}"#
            #expect(try await scene.server.send(.post, "/v1/apple/notifications", key: nil, body: body).status == 200)
            scene.move(to: third + Self.day)
            try await polling.settle()
            #expect(scene.queries == asked)
            #expect(try await scene.polls().map(\.dueAt.milliseconds) == [third + 29 * Self.day])
        }
    }

    @Test(arguments: Engine.allCases)
    func `asks again later after a failure, pauses while Apple is away, and loses no entry`(engine: Engine) async throws
    {
        try await engine.run(Scene.self) { scene in
            try await scene.buy()
            let polling = try scene.polling()
            try await polling.settle()
            scene.move(to: Self.end - Self.day)
            scene.store.setUnreachable(true)
            try await polling.settle()
            let failed = try await scene.polls()
            #expect(failed.map(\.failures) == [1])
            #expect(failed[0].dueAt.milliseconds > Self.end - Self.day)
            let asked = scene.queries
            // Another entry is due, but the app is left alone for a minute.
            scene.move(to: Self.end - Self.day + 59_999)
            let other = StatusPoll(dueAt: scene.server.time.now(), purchaseID: failed[0].purchaseID)
            try await scene.server.database.write { storage throws(StorageError) in
                try storage.save(other, of: ServerFixture.app)
            }
            try await polling.settle()
            #expect(scene.queries == asked)
            // Apple is back a day later: one query, and no entry is left.
            scene.move(to: Self.end + Self.hour)
            scene.store.setUnreachable(false)
            try scene.setAnswer(autoRenew: false, expired: true)
            try await polling.settle()
            #expect(try await scene.polls().isEmpty)
            #expect(try await scene.entitlement("active") == .bool(false))
        }
    }

    @Test(arguments: Engine.allCases)
    func `a subscription that Apple asks to ask for again keeps no other waiting`(engine: Engine) async throws {
        try await engine.run(Scene.self) { scene in
            let other = "2000000000000050"
            try await scene.buy()
            try await scene.buy(other)
            let polling = try scene.polling()
            try await polling.settle()
            scene.store.refuse(Self.path, status: 404, code: 4_040_006)
            try scene.setAnswer(other, autoRenew: false)
            let next = StatusPoll(
                dueAt: Timestamp(milliseconds: Self.end - Self.day + 1_000),
                purchaseID: OriginalTransactionID(other)
            )
            try await scene.server.database.write { storage throws(StorageError) in
                for poll in try storage.statusPolls(of: ServerFixture.app, until: next.dueAt, limit: 100)
                where poll.purchaseID == next.purchaseID {
                    try storage.remove(poll, of: ServerFixture.app)
                }
                try storage.save(next, of: ServerFixture.app)
            }
            scene.move(to: Self.end - Self.day)
            let asked = scene.queries
            try await polling.settle()
            // The client repeats such a request some times.
            let refused = scene.queries
            #expect(refused > asked)
            #expect(try await scene.polls().first { $0.purchaseID.rawValue == Self.id }?.failures == 1)
            scene.move(to: Self.end - Self.day + 1_000)
            try await polling.settle()
            #expect(scene.queries == refused + 1)
            let ledger = try await scene.server.database.read { storage throws(StorageError) in
                try storage.ledger(of: next.purchaseID, app: ServerFixture.app)
            }
            #expect(ledger.renewal?.autoRenew == false)
        }
    }

    @Test(arguments: Engine.allCases)
    func `leaves the work to the server that holds the lease`(engine: Engine) async throws {
        try await engine.run(Scene.self) { scene in
            try await scene.buy()
            try await scene.polling().settle()
            scene.move(to: Self.end - Self.day)
            let other = scene.realTime.now()
            try await scene.server.database.write { storage throws(StorageError) in
                _ = try storage.takeLease(
                    of: "status_polls",
                    for: "another server",
                    at: other,
                    milliseconds: 1_000,
                    app: ServerFixture.app
                )
            }
            let asked = scene.queries
            let polling = try scene.polling()
            try await polling.settle()
            #expect(scene.queries == asked)
            scene.realTime.advance(to: Timestamp(milliseconds: 1_001))
            try await polling.settle()
            #expect(scene.queries == asked + 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `gives every purchase of an older database an entry`(engine: Engine) async throws {
        try await engine.run(Scene.self) { scene in
            try await scene.buy()
            // As before there were entries.
            let entries = try await scene.polls()
            try await scene.server.database.write { storage throws(StorageError) in
                for poll in entries { try storage.remove(poll, of: ServerFixture.app) }
            }
            try await scene.polling().settle()
            #expect(try await scene.polls().map(\.dueAt.milliseconds) == [Self.end - Self.day])
        }
    }

    @Test(arguments: Engine.allCases)
    func `refuses an answer of somebody else`(engine: Engine) async throws {
        try await engine.run(Scene.self) { scene in
            try await scene.buy()
            let polling = try scene.polling()
            try await polling.settle()
            scene.move(to: Self.end - Self.day)
            let stranger = try SignedApple()
            scene.store.addSubscription(
                try stranger.sign(SignedApple.period()),
                renewal: try scene.renewal(autoRenew: false)
            )
            try await polling.settle()
            #expect(try await scene.polls().map(\.failures) == [1])
            #expect(try await scene.entitlement("will_renew") == .bool(true))
        }
    }

    @Test(arguments: Engine.allCases)
    func `asks later about a subscription whose answer cannot be stored, and about the others now`(
        engine: Engine
    ) async throws {
        try await engine.run(Scene.self) { scene in
            let other = "2000000000000050"
            try await scene.buy()
            try await scene.buy(other)
            try await scene.polling().settle()
            scene.move(to: Self.end - Self.day)
            // Apple answers for the whole store account; one of its subscriptions cannot be read in the database.
            let damaged = "2000000000000099"
            scene.store.addSubscription(
                try scene.server.apple.sign(SignedApple.period(id: damaged, original: damaged)),
                renewal: try scene.renewal(autoRenew: false)
            )
            try scene.setAnswer(other, autoRenew: false)
            let polling = try scene.polling(unreadable: OriginalTransactionID(damaged))
            try await polling.settle()
            let entries = try await scene.polls().map { "\($0.purchaseID.rawValue) \($0.failures)" }
            #expect(entries.contains("\(Self.id) 1"))
            #expect(!entries.contains("\(other) 1"))
            let queries = scene.queries
            try await polling.settle()
            #expect(scene.queries == queries, "nothing is asked twice at once")
            let ledger = try await scene.server.database.read { storage throws(StorageError) in
                try storage.ledger(of: OriginalTransactionID(other), app: ServerFixture.app)
            }
            #expect(ledger.renewal?.autoRenew == false)
        }
    }

    @Test func `is off when the setting says so`() async throws {
        let scene = try await Scene(TestEngine.memory.open().database)
        try await scene.buy()
        scene.move(to: Self.end + Self.day)
        let asked = scene.queries
        try await scene.polling(PollingSettings(isAutomatic: false)).settle()
        #expect(scene.queries == asked)
    }

    @Test(arguments: Engine.allCases)
    func `refreshes a customer on demand, by a secret key`(engine: Engine) async throws {
        try await engine.run(Scene.self) { scene in
            let server = scene.server
            try await scene.buy()
            scene.move(to: ServerFixture.now + Self.hour)
            try scene.setAnswer(autoRenew: false)
            let path = "/v1/customers/u/refresh"
            #expect(try await server.send(.post, path, key: ServerFixture.publishable).status == 403)
            let asked = scene.queries
            let answer = try await server.send(.post, path)
            #expect(answer.status == 200)
            #expect(scene.queries == asked + 1)
            #expect(Self.entitlement("will_renew", in: answer) == .bool(false))
            #expect(try await server.send(.post, "/v1/customers/nobody/refresh").status == 404)
            scene.store.setUnreachable(true)
            let away = try await server.send(.post, path)
            #expect(away.status == 503)
            #expect(String(decoding: away.bytes, as: UTF8.self).contains(#""app_store_unavailable""#))
        }
    }

    @Test(arguments: Engine.allCases)
    func `refreshes a customer who is erased meanwhile without restoring the link`(engine: Engine) async throws {
        try await engine.run(Scene.self) { scene in
            let server = scene.server
            try await scene.buy()
            scene.store.setSilent(true)
            async let refreshed = server.send(.post, "/v1/customers/u/refresh")
            try await ServerFixture.until { scene.queries >= 2 }
            #expect(try await server.send(.delete, "/v1/customers/u").status < 300)
            scene.store.setSilent(false)
            #expect(try await refreshed.status == 404)
            #expect(try await server.send(.get, "/v1/customers/u").status == 404)
        }
    }
}
