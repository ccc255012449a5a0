import AppStoreModel
import AppStoreSigning
import LocalAppStoreServer
import Testing

/// Many deliveries at the same time.
@Suite struct `Deliveries of a crowd` {
    private static let customers = 24

    @Test func `many concurrent deliveries arrive once, and in order for each subscription`() async throws {
        try await withStore(environment: .production) { store in
            try await withDeveloperServer { developer in
                _ = try await store.put("/_store/notification-endpoint", ["url": .string(developer.notificationURL)])
                // All first attempts fail, so that every notification is due again at the same time.
                await developer.log.answerNotifications(Array(repeating: 503, count: 3 * Self.customers))
                for number in 0..<Self.customers {
                    let bought = try await store.buy("pro.monthly", account: "c\(number)")
                    let id = try #require(bought["originalTransactionId"].stringValue)
                    for enabled in [false, true] {
                        let path = "/_store/subscriptions/\(id)/auto-renew"
                        #expect(try await store.post(path, ["enabled": .bool(enabled)]).status == 200)
                    }
                }
                await developer.log.forgetEvents()
                let report = try await store.advance(by: "PT1H")
                #expect(report["notifications"]["sent"] == .integer(Int64(3 * Self.customers)))
                #expect(report["steps"] == 1)

                let arrived = try await developer.log.payloads.map { try store.verifier.verifyNotification($0).get() }
                #expect(Set(arrived.map(\.payload.notificationUUID)).count == 3 * Self.customers)
                let bySubscription = Dictionary(grouping: arrived) { $0.transaction?.originalTransactionId }
                #expect(bySubscription.count == Self.customers)
                for received in bySubscription.values {
                    #expect(received.map(\.payload.subtype) == [.initialBuy, .autoRenewDisabled, .autoRenewEnabled])
                }
            }
        }
    }
}
