import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import LocalAppStore
import Testing

/// Notifications that are signed outside the store.
@Suite struct `Signing outside the store` {
    private func soldStore() throws -> LocalAppStore {
        var transcript = try StoreTranscript(at: try at("2026-01-15"))
        transcript.store.setSigner(try TestAuthority(seed: 7).deterministicSigner)
        for number in 0..<6 {
            let account = try transcript.store.createAccount(accountId: "c\(number)")
            let request = PurchaseRequest(productId: "pro.weekly")
            _ = try transcript.store.purchase(accountId: account.accountId, request: request)
        }
        return transcript.store
    }

    @Test func `notifications signed outside in any order equal the store's own`() throws {
        var inside = try soldStore()
        var outside = inside
        let time = try at("2026-01-22")
        try inside.step(to: time)
        try outside.play(to: time)
        let unsigned = outside.unsignedNotifications
        #expect(unsigned.count == 6)
        #expect(outside.status.notifications == 6)
        try outside.settle(with: [4..<6, 0..<4].flatMap { try unsigned.part($0).signed() })
        #expect(try outside.notifications() == inside.notifications())
        #expect(outside.status.notifications == 12)
        #expect(outside.unsignedNotifications.isEmpty)
    }

    @Test func `notifications that a concurrent call delivers are not delivered twice`() throws {
        var store = try soldStore()
        try store.play(to: try at("2026-01-22"))
        let unsigned = store.unsignedNotifications
        let token = try store.requestTestNotification().testNotificationToken
        let identifiers = try store.notifications().notifications.map(\.notificationUUID)
        #expect(identifiers.count == 13 && identifiers.last == token)
        try store.settle(with: try unsigned.signed())
        #expect(try store.notifications().notifications.map(\.notificationUUID) == identifiers)
    }

    @Test func `notifications that were not signed outside are signed on completion`() throws {
        var store = try soldStore()
        var serial = store
        try serial.step(to: try at("2026-01-22"))
        try store.play(to: try at("2026-01-22"))
        try store.settle(with: try store.unsignedNotifications.part(0..<2).signed())
        #expect(try store.notifications() == serial.notifications())
    }
}
