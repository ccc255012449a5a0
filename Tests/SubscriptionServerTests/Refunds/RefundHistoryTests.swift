import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionStorage
import Testing

/// Get Refund History, which a refresh of a customer reads.
@Suite struct `Apple's refund history` {
    private static let refunds = "/inApps/v2/refund/lookup/"

    @Test func `is read by a refresh, also for periods before the current one`() async throws {
        let store = ScriptedAppStore()
        let scene = try await RefundScene(appStore: store)
        let apple = scene.server.apple
        for number in 0...1 as ClosedRange<Int64> {
            try await scene.submit(Sample.period(number, signed: 30 * number))
        }
        let renewal = try apple.sign(Sample.renewal(signed: 30, end: 60))
        store.addSubscription(try apple.sign(Sample.period(1, signed: 50)), renewal: renewal)
        let refunded = Sample.period(0, signed: 50, RefundScene.refund(onDay: 31))
        let history = RefundHistoryResponse(
            hasMore: false,
            revision: "r",
            signedTransactions: [try apple.sign(refunded)]
        )
        store.answer(Self.refunds + Sample.original, history)
        #expect(try await scene.list().isEmpty)
        #expect(try await scene.server.send(.post, "/v1/customers/u_42/refresh").status == 200)
        #expect(try await scene.list().map { $0["refunded_at"] } == [.integer(Sample.time(31))])
        let events = try await scene.server.events().map(\.event.kind)
        #expect(events.contains(.refunded))
        let customer = try await scene.server.send(.get, "/v1/customers/u_42")
        #expect(try customer.bool("entitlements", "21000001", "active") == true, "the current period was not refunded")
        #expect(try await scene.server.rebuildDifferences() == [])
    }

    @Test func `is asked for once for each store account, and for five of them at most`() async throws {
        let store = ScriptedAppStore()
        let scene = try await RefundScene(appStore: store)
        for number in 0..<9 {
            let id = "300000000000000\(number)"
            let payload = Sample.purchase(.consumable, signed: 1) { payload in
                (payload.transactionId, payload.originalTransactionId) = (id, id)
                // Three purchases of one account, and others of unknown accounts.
                payload.appTransactionId = number < 3 ? "7" : nil
            }
            try await scene.submit(payload)
            let signed = try scene.server.apple.sign(payload)
            store.answer("/inApps/v1/transactions/\(id)", TransactionInfoResponse(signedTransactionInfo: signed))
        }
        #expect(try await scene.server.send(.post, "/v1/customers/u_42/refresh").status == 200)
        let asked = store.requestedPaths
        #expect(asked.count { $0.hasPrefix("/inApps/v1/transactions/") } == 9)
        let histories = asked.filter { $0.hasPrefix(Self.refunds) }
        #expect(histories.count == 5)
        #expect(histories.count { ["0", "1", "2"].contains($0.last) } <= 1)
        // No history delays what Apple says about the purchases themselves.
        let first = try #require(asked.firstIndex { $0.hasPrefix(Self.refunds) })
        #expect(asked[first...].allSatisfy { $0.hasPrefix(Self.refunds) })
    }

    @Test func `that Apple refuses does not stop a refresh, and one that fails is reported`() async throws {
        let store = ScriptedAppStore()
        let scene = try await RefundScene(appStore: store)
        try await scene.submit(Sample.period(1, signed: 30))
        let apple = scene.server.apple
        store.addSubscription(
            try apple.sign(Sample.period(1, signed: 50)),
            renewal: try apple.sign(Sample.renewal(signed: 50, end: 60) { $0.autoRenewStatus = .off })
        )
        func refresh() async throws -> Answer { try await scene.server.send(.post, "/v1/customers/u_42/refresh") }
        store.refuse(Self.refunds + Sample.original, status: 400, code: 4_000_006)
        let refreshed = try await refresh()
        #expect(refreshed.status == 200)
        #expect(try refreshed.objects("subscriptions").first?["auto_renew"] == false)
        store.refuse(Self.refunds + Sample.original, status: 500, code: 5_000_000)
        let failed = try await refresh()
        #expect(try failed.errorCode() == "app_store_unavailable")
        // The statuses of the same request are stored.
        #expect(try failed.string("error", "message")?.contains("What it had answered before is stored") == true)
    }
}
