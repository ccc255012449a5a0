import AppStoreModel
import CoreMetrics
import HTTPTypes
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import Testing

@testable import SubscriptionOperations

/// What a status means while the history of the same subscription cannot be read, on every engine.
@Suite(.timeLimit(.minutes(2)))
struct `A history that fails` {
    private typealias Scene = LateJoinerScene

    private static let hour: Int64 = 3_600_000
    private static let minute: Int64 = 60_000

    /// An import without events hides the past. A later statement is news, whether or not the history was read.
    @Test(arguments: TestEngine.allCases)
    func `does not silence what a later status tells about an import without events`(
        engine: TestEngine
    ) async throws {
        try await engine.run(Scene.self) { scene in
            let body = #"{"app_user_id":"u","transaction_id":"\#(Scene.id)","events":"none"}"#
            #expect(try await scene.server.send(.post, "/v1/transactions", body: body).status == 200)
            // An answer without a body.
            scene.store.accept(Scene.historyPath)
            let polling = try scene.polling()
            try await polling.settle()
            #expect(try await scene.polls().filter(\.wantsHistory).map(\.omitsEvents) == [true])
            #expect(try await scene.server.events().isEmpty)

            // The customer switches renewal off. The history still fails.
            let failed = scene.histories
            scene.move(byMilliseconds: Self.hour)
            try scene.setStatus(autoRenew: .off)
            scene.store.accept(Scene.historyPath)
            try await polling.settle()
            #expect(scene.histories > failed)
            #expect(try await scene.ledger().timeline.count == 2)
            let news = try await scene.server.events()
            #expect(news.map(\.event.kind).contains(.autoRenewOff))

            // The history comes at last: nothing of it is lost, and it is still silent.
            scene.move(byMilliseconds: 2 * Self.hour)
            scene.store.addHistory(scene.periods, of: Scene.id)
            try await polling.settle()
            #expect(try await scene.ledger().timeline.count == 3)
            #expect(try await scene.server.events().count == news.count)
        }
    }

    /// Nothing was known of the status, so the first one is of the past.
    @Test(arguments: TestEngine.allCases)
    func `leaves the first status after an import without events silent`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            let body = #"{"app_user_id":"u","signed_transaction":"\#(scene.periods[2])","events":"none"}"#
            #expect(try await scene.server.send(.post, "/v1/transactions", body: body).status == 200)
            try scene.setStatus(autoRenew: .off)
            scene.store.accept(Scene.historyPath)
            try await scene.polling().settle()
            #expect(try await scene.ledger().renewal?.autoRenew == false)
            #expect(try await scene.server.events().isEmpty)
        }
    }

    /// The pause after a failed history is longer than the time until the next status of the plan.
    @Test(arguments: TestEngine.allCases)
    func `does not delay the next status of the plan`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            _ = try await scene.server.submit(scene.periods[2], customer: "u")
            let end = try #require(Scene.periods()[2].expiresDate)
            scene.move(to: end - Self.minute)
            let failing = StatusPoll(
                dueAt: scene.server.time.now(),
                purchaseID: OriginalTransactionID(Scene.id),
                failures: 6,
                wantsHistory: true
            )
            try await scene.setPolls([failing])
            scene.store.accept(Scene.historyPath)
            try await scene.polling().settle()
            let waiting = try await scene.polls().filter(\.wantsHistory)
            #expect(waiting.map(\.failures) == [7])
            // Five minutes after the end, and not an hour after the failure.
            #expect(waiting.map(\.dueAt.milliseconds) == [end + 5 * Self.minute])
        }
    }

    /// The entries have the same time: first when one is asked for, then when one is moved.
    @Test(arguments: TestEngine.allCases)
    func `is not forgotten if the next status of the plan has the time of its entry`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            _ = try await scene.server.submit(scene.periods[2], customer: "u")
            scene.move(byMilliseconds: Self.hour)
            let end = try #require(Scene.periods()[2].expiresDate)
            let status = StatusPoll(dueAt: scene.server.time.now(), purchaseID: OriginalTransactionID(Scene.id))
            let waiting = StatusPoll(
                dueAt: Timestamp(milliseconds: end - 24 * Self.hour),
                purchaseID: status.purchaseID,
                failures: 1,
                wantsHistory: true,
                omitsEvents: true
            )
            let polling = try scene.polling()
            for _ in 1...2 {
                try await scene.setPolls([status, waiting])
                try await polling.settle()
                #expect(try await scene.polls() == [waiting])
            }
            #expect(scene.store.requestedPaths.count { $0.hasPrefix("/inApps/v1/subscriptions/") } == 1)
        }
    }

    /// Apple's status is about all subscriptions of the store account, and the history of the first one is awaited.
    @Test(arguments: TestEngine.allCases)
    func `does not hide a new gap of another subscription`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            let (other, others) = (Scene.otherID, try scene.otherPeriods())
            _ = try await scene.server.submit(scene.periods[2], customer: "u")
            _ = try await scene.server.submit(others[0], customer: "u")
            scene.store.accept(Scene.historyPath)
            try await scene.polling().settle()
            #expect(!scene.store.requestedPaths.contains(Scene.otherHistoryPath))

            scene.move(byMilliseconds: Self.hour)
            let awaited = StatusPoll(
                dueAt: scene.server.time.now(),
                purchaseID: OriginalTransactionID(Scene.id),
                failures: 1,
                wantsHistory: true
            )
            try await scene.setPolls([awaited])
            let renewals = try [Scene.id, other].map { try scene.renewal(of: $0) }
            scene.store.addSubscription(others[1], renewal: renewals[1], id: other)
            let items = [(Scene.id, scene.periods[2], renewals[0]), (other, others[1], renewals[1])].map {
                LastTransactionsItem(
                    originalTransactionId: $0,
                    status: .active,
                    signedTransactionInfo: $1,
                    signedRenewalInfo: $2
                )
            }
            let group = SubscriptionGroupIdentifierItem(
                subscriptionGroupIdentifier: "21000001",
                lastTransactions: items
            )
            scene.store.answer(
                "/inApps/v1/subscriptions/\(Scene.id)",
                StatusResponse(environment: .production, bundleId: ServerFixture.bundle, data: [group])
            )
            try await scene.polling().settle()
            #expect(try await scene.polls().filter(\.wantsHistory).contains { $0.purchaseID == awaited.purchaseID })
            #expect(scene.store.requestedPaths.contains(Scene.otherHistoryPath))
        }
    }

    /// One signature that is not Apple's does not cost the other transactions, and the pages are not read again.
    @Test(arguments: TestEngine.allCases)
    func `is stored without the transactions whose signature is refused`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            let forged = try SignedApple().sign(Scene.periods()[1])
            scene.store.addHistory([scene.periods[0], forged, scene.periods[2]], of: Scene.id)
            scene.store.answer(
                Scene.refundPath,
                RefundHistoryResponse(hasMore: false, revision: "r", signedTransactions: [])
            )
            _ = try await scene.server.submit(scene.periods[2], customer: "u")
            let metrics = MetricsRegistry()
            let polling = try scene.polling(metrics: IntakeMetrics(factory: metrics))
            try await polling.settle()
            let counts = metrics.text().split(separator: "\n")
                .filter { $0.hasPrefix(#"perennial_verifications_total{kind="transaction""#) }
            let refused = counts.filter { !$0.contains(#"result="verified""#) }
            #expect(refused.count == 1, "the reason is counted")
            #expect(refused.first?.hasSuffix(" 1") == true)
            let known = [Scene.periods()[0], Scene.periods()[2]].map(\.transactionId)
            #expect(try await scene.ledger().timeline.map(\.id.rawValue) == known)
            let histories = scene.histories
            scene.move(byMilliseconds: 2 * Self.hour)
            try await polling.settle()
            #expect(scene.histories == histories)
            #expect(try await scene.polls().allSatisfy { !$0.wantsHistory })
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `is asked for again if no signature is accepted`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            let stranger = try SignedApple()
            scene.store.addHistory(try Scene.periods().map { try stranger.sign($0) }, of: Scene.id)
            scene.store.answer(
                Scene.refundPath,
                RefundHistoryResponse(hasMore: false, revision: "r", signedTransactions: [])
            )
            _ = try await scene.server.submit(scene.periods[2], customer: "u")
            let polling = try scene.polling()
            try await polling.settle()
            #expect(try await scene.polls().filter(\.wantsHistory).map(\.failures) == [1])
            scene.store.addHistory(scene.periods, of: Scene.id)
            scene.move(byMilliseconds: 2 * Self.hour)
            try await polling.settle()
            #expect(try await scene.ledger().timeline.count == 3)
        }
    }
}
