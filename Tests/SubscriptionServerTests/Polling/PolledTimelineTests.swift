import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import Testing

/// The timeline of a customer whose facts came by status polling.
@Suite struct `The timeline after status polling` {
    private typealias Scene = `Status polling`.Scene

    /// Apple signs the renewal information of an answer before the transaction.
    @Test(arguments: TestEngine.allCases)
    func `shows in the timeline that a failed charge was made, and no end before it`(engine: TestEngine) async throws {
        try await engine.run(Scene.self) { scene in
            try await scene.buy()
            scene.move(to: `Status polling`.end + 300_000)
            try scene.setAnswer(inRetry: true)
            try await scene.polling().settle()
            #expect(try await scene.entitlement("active") == .bool(false))
            let now = `Status polling`.end + 2 * `Status polling`.day
            scene.move(to: now)
            var period = SignedApple.period(id: "2000000000000002", original: `Status polling`.id, signedAt: now + 5)
            (period.purchaseDate, period.expiresDate) = (now - 3_600_000, now + 30 * `Status polling`.day)
            period.transactionReason = .renewal
            try scene.setAnswer(period: period)
            scene.move(to: now + 10)
            try await scene.polling().settle()
            let answer = try await scene.server.send(.get, "/v1/customers/u/timeline")
            let types = try answer.objects("data").compactMap { $0["type"]?.stringValue }
            #expect(
                types.filter { $0.hasPrefix("subscription.") } == [
                    "subscription.started", "subscription.entered_billing_retry", "subscription.recovered",
                ]
            )
        }
    }
}
