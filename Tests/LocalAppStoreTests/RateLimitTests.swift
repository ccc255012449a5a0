import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Rate limits of the local store` {
    @Test(arguments: [
        (AppStoreEnvironment.production, AppStoreServerCall.Identifier.getTransactionInfo, 180_000),
        (.sandbox, .getTransactionInfo, 18_000), (.sandbox, .extendSubscriptionRenewalDate, 7_200),
        (.sandbox, .getRefundHistory, 3_600), (.sandbox, .cancelSubscription, 1_800),
        (.sandbox, .requestTestNotification, 360), (.production, .requestTestNotification, 3_600),
    ])
    func `an hour allows Apple's number of calls, and in the sandbox a tenth of it`(
        environment: AppStoreEnvironment,
        endpoint: AppStoreServerCall.Identifier,
        calls: Int
    ) throws {
        var store = try StoreTranscript(at: 5_000, environment: environment).store
        for _ in 0..<calls where store.admit(endpoint) != nil { Issue.record("a call within the limit is refused") }
        #expect(store.admit(endpoint) == 5_000 + hourLength)
    }

    @Test func `calls are accepted again an hour after the first one`() throws {
        var store = try StoreTranscript(at: 0, environment: .sandbox).store
        for _ in 0..<360 { #expect(store.admit(.requestTestNotification) == nil) }
        try store.step(to: hourLength - 1)
        #expect(store.admit(.requestTestNotification) == hourLength)
        try store.step(to: hourLength)
        #expect(store.admit(.requestTestNotification) == nil)
    }

    @Test func `each endpoint has its own count`() throws {
        var store = try StoreTranscript(at: 0, environment: .sandbox).store
        for _ in 0..<360 { _ = store.admit(.requestTestNotification) }
        #expect(store.admit(.requestTestNotification) != nil)
        #expect(store.admit(.getTestNotificationStatus) == nil)
    }

    @Test func `nothing is refused with limits off, or without a limit of Apple's`() throws {
        var store = try StoreTranscript(at: 0, environment: .sandbox).store
        for _ in 0..<100_000 where store.admit(.sendExternalPurchaseReport) != nil { Issue.record("refused") }
        var settings = store.settings
        settings.rateLimits = .off
        try store.replaceSettings(settings)
        for _ in 0..<1_000 where store.admit(.requestTestNotification) != nil { Issue.record("refused") }
    }
}
