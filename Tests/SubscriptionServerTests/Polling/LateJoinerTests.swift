import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import HTTPTypes
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import Testing

@testable import SubscriptionOperations

/// Subscriptions that began before the server heard of them, on every engine.
@Suite(.timeLimit(.minutes(5)))
struct `Subscriptions from before the server` {
    private typealias Scene = LateJoinerScene

    private static let id = Scene.id
    private static let month = Scene.month
    private static let refundPath = Scene.refundPath

    @Test(arguments: TestEngine.allCases)
    func `have all periods, revenue and refunds soon, as if the server had heard everything`(
        engine: TestEngine
    ) async throws {
        let informed = try await Scene(TestEngine.memory.open().database)
        for period in informed.periods { _ = try await informed.server.submit(period, customer: "u") }
        try await informed.polling().settle()
        try await engine.run(Scene.self) { scene in
            _ = try await scene.server.submit(scene.periods[2], customer: "u")
            #expect(try await scene.polls().contains { $0.wantsHistory })
            let polling = try scene.polling()
            try await polling.settle()
            #expect(try await scene.ledger().timeline.count == 3)
            let (late, known) = (try await scene.subscription(), try await informed.subscription())
            #expect(late == known)
            let charges = try await scene.charges()
            let all = try await informed.charges()
            #expect(charges == all)
            #expect(scene.histories == 1)
            #expect(informed.histories == 0, "the beginning is known")
            // Nothing is asked again.
            try await polling.settle()
            scene.server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 3_600_000))
            try await polling.settle()
            #expect(scene.histories == 1)
            #expect(try await scene.polls().allSatisfy { !$0.wantsHistory })
        }
    }

    /// What Apple answers about the first period's id is the first period; the statuses add the newest.
    @Test(arguments: TestEngine.allCases)
    func `whose first period comes first have all periods, revenue and refunds too`(engine: TestEngine) async throws {
        let informed = try await Scene(TestEngine.memory.open().database)
        for period in informed.periods { _ = try await informed.server.submit(period, customer: "u") }
        try await informed.polling().settle()
        for way in FirstPeriod.allCases {
            try await engine.run(Scene.self) { scene in
                switch way {
                case .transactionID:
                    let body = #"{"app_user_id":"u","transaction_id":"\#(Self.id)"}"#
                    #expect(try await scene.server.send(.post, "/v1/transactions", body: body).status == 200)
                case .signedAndAnswer:
                    _ = try await scene.server.submit(scene.periods[0], customer: "u")
                    scene.server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 300_000))
                case .signedAndNotification:
                    _ = try await scene.server.submit(scene.periods[0], customer: "u")
                    let payload = try scene.server.apple.notification(type: .didRenew, transaction: Scene.periods()[2])
                    #expect(try await scene.server.notify(payload).status == 200)
                }
                try await scene.polling().settle()
                #expect(try await scene.ledger().timeline.count == 3, "\(way)")
                let charges = try await scene.charges()
                let all = try await informed.charges()
                #expect(charges == all, "\(way)")
                #expect(scene.histories == 1, "\(way)")
                #expect(try await scene.polls().allSatisfy { !$0.wantsHistory })
            }
        }
    }

    private enum FirstPeriod: CaseIterable {
        case transactionID, signedAndAnswer, signedAndNotification
    }

    /// Neither the id nor the receipt names the finished consumable.
    @Test(arguments: TestEngine.allCases)
    func `that an app receipt names come with the finished consumables and their refunds, as those that an id names`(
        engine: TestEngine
    ) async throws {
        let ofID = try await chargesAfterSubmission(of: "original_transaction_id", on: .memory)
        let ofReceipt = try await chargesAfterSubmission(of: "app_receipt", on: engine)
        #expect(ofReceipt == ofID)
        #expect(ofReceipt.filter { $0.hasSuffix(Scene.otherID) }.count == 2)
    }

    /// The charges after a customer was submitted by one call, whose history has a refunded consumable.
    private func chargesAfterSubmission(of field: String, on engine: TestEngine) async throws -> [String] {
        try await engine.run { database in
            let scene = try await Scene(database)
            try scene.addRefundedConsumable()
            let value = field == "app_receipt" ? try scene.receipt() : Self.id
            let body = #"{"app_user_id":"u","\#(field)":"\#(value)"}"#
            #expect(try await scene.server.send(.post, "/v1/transactions", body: body).status == 200)
            #expect(try await scene.server.send(.get, "/v1/customers/u").count("purchases") == 0)
            try await scene.polling().settle()
            #expect(try await scene.ledger().timeline.count == 3)
            #expect(scene.histories == 1)
            return try await scene.charges()
        }
    }

    /// The customer was not subscribed between the periods, so Apple's history closes no gap.
    @Test(arguments: TestEngine.allCases)
    func `with a real gap are asked for once, and once more for the next gap`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            scene.store.addHistory([scene.periods[0], scene.periods[2]], of: Self.id)
            _ = try await scene.server.submit(scene.periods[0], customer: "u")
            _ = try await scene.server.submit(scene.periods[2], customer: "u")
            let polling = try scene.polling()
            for minutes in [0, 1, 60, 1_440] as [Int64] {
                scene.server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + minutes * 60_000))
                try await polling.settle()
            }
            #expect(scene.histories == 1)
            // The same facts again, and a renewal without a gap.
            var renewal = Scene.periods()[2]
            renewal.transactionId = "2000000000000004"
            renewal.purchaseDate = try #require(renewal.expiresDate)
            renewal.expiresDate = renewal.purchaseDate + Self.month
            scene.server.time.advance(to: Timestamp(milliseconds: renewal.purchaseDate))
            _ = try await scene.server.submit(scene.periods[2], customer: "u")
            _ = try await scene.server.submit(try scene.server.apple.sign(renewal), customer: "u")
            try await polling.settle()
            #expect(scene.histories == 1)
            // The customer comes back after a lapse.
            var again = renewal
            again.transactionId = "2000000000000005"
            again.purchaseDate = try #require(renewal.expiresDate) + Self.month
            again.expiresDate = again.purchaseDate + Self.month
            scene.server.time.advance(to: Timestamp(milliseconds: again.purchaseDate))
            _ = try await scene.server.submit(try scene.server.apple.sign(again), customer: "u")
            for _ in 0..<3 { try await polling.settle() }
            #expect(scene.histories == 2)
        }
    }

    /// The second entry was planned before Apple's whole history showed that the gap is real.
    @Test(arguments: TestEngine.allCases)
    func `with a real gap are not asked for again by an entry from before the answer`(
        engine: TestEngine
    ) async throws {
        try await engine.run(Scene.self) { scene in
            scene.store.addHistory([scene.periods[0], scene.periods[2]], of: Self.id)
            _ = try await scene.server.submit(scene.periods[0], customer: "u")
            _ = try await scene.server.submit(scene.periods[2], customer: "u")
            let now = scene.server.time.now()
            let purchase = OriginalTransactionID(Self.id)
            try await scene.setPolls([
                StatusPoll(dueAt: now, purchaseID: purchase, wantsHistory: true),
                StatusPoll(
                    dueAt: now.adding(milliseconds: 60_000),
                    purchaseID: purchase,
                    failures: 1,
                    wantsHistory: true
                ),
            ])
            let polling = try scene.polling()
            try await polling.settle()
            #expect(scene.histories == 1)
            #expect(try await scene.polls().contains { $0.wantsHistory })
            scene.move(byMilliseconds: 60_000)
            try await polling.settle()
            #expect(scene.histories == 1)
            #expect(try await scene.polls().allSatisfy { !$0.wantsHistory })
        }
    }

    /// The status that comes with the failed history shows the gap.
    @Test(arguments: TestEngine.allCases)
    func `have one entry for a history that fails while a status shows a gap`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            var old = SignedApple.period(id: "2000000000000009")
            old.purchaseDate = ServerFixture.now - 1_000 - 5 * Self.month
            old.originalPurchaseDate = ServerFixture.now - 1_000 - 6 * Self.month
            old.expiresDate = old.purchaseDate + Self.month
            old.transactionReason = .renewal
            _ = try await scene.server.submit(try scene.server.apple.sign(old), customer: "u")
            // An answer without a body.
            scene.store.accept(Scene.historyPath)
            scene.move(byMilliseconds: 1_000)
            try await scene.polling().settle()
            #expect(scene.store.requestedPaths.count { $0.hasPrefix("/inApps/v1/subscriptions/") } == 1)
            #expect(try await scene.ledger().lastGapEnd != nil)
            #expect(try await scene.polls().filter(\.wantsHistory).map(\.failures) == [1])
        }
    }

    /// The history contains a second subscription of the account, with a gap of its own.
    @Test(arguments: TestEngine.allCases)
    func `cause no second history where the first one was whole`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            let others = try scene.otherPeriods()
            scene.store.addHistory(scene.periods + others, of: Self.id)
            scene.store.addHistory(others, of: Scene.otherID)
            _ = try await scene.server.submit(scene.periods[2], customer: "u")
            let polling = try scene.polling()
            for _ in 0..<3 { try await polling.settle() }
            #expect(scene.store.requestedPaths.count { $0.hasPrefix("/inApps/v2/history/") } == 1)
        }
    }

    /// What came meanwhile makes the history unnecessary.
    @Test(arguments: TestEngine.allCases)
    func `are not asked for if the missing period arrives before the entry is due`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            _ = try await scene.server.submit(scene.periods[0], customer: "u")
            _ = try await scene.server.submit(scene.periods[2], customer: "u")
            #expect(try await scene.polls().contains { $0.wantsHistory })
            _ = try await scene.server.submit(scene.periods[1], customer: "u")
            try await scene.polling().settle()
            #expect(scene.histories == 0)
            #expect(try await scene.polls().allSatisfy { !$0.wantsHistory })
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `are completed after a notification, without a customer`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            let payload = try scene.server.apple.notification(type: .didRenew, transaction: Scene.periods()[2])
            #expect(try await scene.server.notify(payload).status == 200)
            try await scene.polling().settle()
            #expect(try await scene.ledger().isBeginningKnown)
            #expect(scene.store.requestedPaths.contains(Self.refundPath))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `that were submitted without events have no events of their past`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            let body = #"{"app_user_id":"u","transaction_id":"\#(Self.id)","events":"none"}"#
            #expect(try await scene.server.send(.post, "/v1/transactions", body: body).status == 200)
            scene.store.setUnreachable(true)
            try await scene.polling().settle()
            scene.store.setUnreachable(false)
            scene.server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 3_600_000))
            try await scene.polling().settle()
            #expect(try await scene.ledger().timeline.count == 3)
            #expect(try await scene.server.events().isEmpty)
            // What happens later has events.
            var renewal = Scene.periods()[2]
            renewal.transactionId = "2000000000000004"
            renewal.purchaseDate = try #require(renewal.expiresDate)
            renewal.expiresDate = renewal.purchaseDate + Self.month
            let payload = try scene.server.apple.notification(type: .didRenew, transaction: renewal)
            #expect(try await scene.server.notify(payload).status == 200)
            #expect(try await !scene.server.events().isEmpty)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `are completed later if Apple is away, and the entry is kept`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            _ = try await scene.server.submit(scene.periods[2], customer: "u")
            scene.store.setUnreachable(true)
            try await scene.polling().settle()
            let waiting = try await scene.polls().filter(\.wantsHistory)
            #expect(waiting.map(\.failures) == [1])
            scene.store.setUnreachable(false)
            scene.server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 3_600_000))
            try await scene.polling().settle()
            #expect(try await scene.ledger().timeline.count == 3)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `whose beginning Apple does not have are not asked for again and again`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            scene.store.addHistory([scene.periods[2]], of: Self.id)
            _ = try await scene.server.submit(scene.periods[2], customer: "u")
            let polling = try scene.polling()
            for _ in 0..<3 { try await polling.settle() }
            #expect(scene.histories == 1)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `of a database that did not ask for histories are found`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            _ = try await scene.server.submit(scene.periods[2], customer: "u")
            // As schema step 17 left it.
            let entries = try await scene.polls()
            try await scene.server.database.write { storage throws(StorageError) in
                for entry in entries { try storage.remove(entry, of: ServerFixture.app) }
                let progress = PollingProgress(isFilled: true, wantsHistories: false)
                try storage.save(progress, of: ServerFixture.app)
            }
            try await scene.polling().settle()
            #expect(try await scene.ledger().timeline.count == 3)
        }
    }
}
