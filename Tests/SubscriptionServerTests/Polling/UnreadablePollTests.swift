import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// One purchase whose row is damaged does not stop status polling.
@Suite struct `Status polling of a purchase that cannot be read` {
    private typealias Scene = `Status polling`.Scene

    @Test(arguments: TestEngine.allCases)
    func `is tried again later, and the others are asked about now`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            let damaged = "2000000000000050"
            try await scene.buy()
            // Of another customer: an answer is not stored while a purchase of its customer cannot be read.
            try scene.setAnswer(damaged)
            let body = #"{"app_user_id":"v","transaction_id":"\#(damaged)"}"#
            #expect(try await scene.server.send(.post, "/v1/transactions", body: body).status == 200)
            try await scene.polling().settle()
            scene.move(to: `Status polling`.end - `Status polling`.day)
            try scene.setAnswer(autoRenew: false)
            let polling = try scene.polling(unreadable: OriginalTransactionID(damaged), damagesReads: true)
            try await polling.settle()
            let ledger = try await scene.server.database.read { storage throws(StorageError) in
                try storage.ledger(of: OriginalTransactionID(`Status polling`.id), app: ServerFixture.app)
            }
            #expect(ledger.renewal?.autoRenew == false)
            let entry = try #require(try await scene.polls().first { $0.purchaseID.rawValue == damaged })
            #expect(entry.failures == 1)
            #expect(entry.dueAt > scene.server.time.now())
            let queries = scene.queries
            try await polling.settle()
            #expect(scene.queries == queries, "nothing is asked twice at once")
            // After a repair it is asked about as before.
            scene.move(to: entry.dueAt.milliseconds)
            try await scene.polling().settle()
            #expect(scene.queries > queries)
        }
    }
}
