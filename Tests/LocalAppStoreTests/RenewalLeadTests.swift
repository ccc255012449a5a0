import AppStoreModel
import Foundation
import LocalAppStore
import Testing

/// The setting `renewalLeadMilliseconds`.
@Suite struct `A renewal that is charged before the end of its period` {
    private static let hour: Int64 = 3_600_000

    private static func subscribed(leadHours: Int64 = 6) throws -> StoreTranscript {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        var settings = transcript.store.settings
        settings.renewalLeadMilliseconds = leadHours * hour
        try transcript.store.replaceSettings(settings)
        try transcript.buy("plus.monthly")
        _ = try transcript.newNotifications()
        return transcript
    }

    @Test func `begins when the old period ends, and is announced before`() throws {
        var transcript = try Self.subscribed()
        let end = try transcript.subscription.expiresDate
        try transcript.advance(to: end - 6 * Self.hour - 1)
        #expect(try transcript.newNotifications() == [])
        try transcript.advance(to: end - 6 * Self.hour)
        #expect(try transcript.newNotifications() == ["DID_RENEW 1"])
        let renewed = try transcript.subscription
        #expect(renewed.purchaseDate == end && renewed.expiresDate > end && renewed.status == .active)
        try transcript.advance(to: end + Self.hour)
        #expect(try transcript.newNotifications() == [])
        try transcript.advance(to: renewed.expiresDate - 6 * Self.hour)
        #expect(try transcript.newNotifications() == ["DID_RENEW 1"])
        #expect(try transcript.account.transactions.count == 3)
    }

    @Test func `waits for the end if the setting has become zero`() throws {
        var transcript = try Self.subscribed()
        var settings = transcript.store.settings
        settings.renewalLeadMilliseconds = 0
        try transcript.store.replaceSettings(settings)
        let end = try transcript.subscription.expiresDate
        try transcript.advance(to: end - 1)
        #expect(try transcript.newNotifications() == [])
        try transcript.advance(to: end)
        #expect(try transcript.newNotifications() == ["DID_RENEW 1"])
    }

    @Test func `is tried at the end if it would fail`() throws {
        var transcript = try Self.subscribed()
        let end = try transcript.subscription.expiresDate
        try transcript.store.setPayment(accountId: "a", state: .declined)
        try transcript.advance(to: end - 1)
        #expect(try transcript.newNotifications() == [])
        try transcript.advance(to: end)
        #expect(try transcript.newNotifications() == ["DID_FAIL_TO_RENEW 3"])
    }

    @Test func `does not happen without automatic renewal`() throws {
        var transcript = try Self.subscribed()
        let subscription = try transcript.subscription
        try transcript.store.setAutoRenew(
            originalTransactionId: subscription.originalTransactionId,
            enabled: false
        )
        _ = try transcript.newNotifications()
        try transcript.advance(to: subscription.expiresDate - 1)
        #expect(try transcript.newNotifications() == [])
        try transcript.advance(to: subscription.expiresDate)
        #expect(try transcript.newNotifications() == ["EXPIRED/VOLUNTARY 2"])
    }

    @Test func `is at most a quarter of the period early, so that short periods do not run ahead`() throws {
        var transcript = try StoreTranscript.withAccount(
            at: try at("2026-01-15"),
            environment: .sandbox,
            profile: .sandbox
        )
        var settings = transcript.store.settings
        settings.renewalLeadMilliseconds = 24 * Self.hour
        try transcript.store.replaceSettings(settings)
        try transcript.buy("plus.monthly")
        for minute: Int64 in 1...20 {
            try transcript.advance(to: try at("2026-01-15") + minute * 60_000)
            let ahead = try transcript.subscription.purchaseDate - transcript.store.now
            #expect(ahead <= 75_000)
        }
    }

    @Test(arguments: StoreProfile.allCases)
    func `is a day early by default in the profile production only`(profile: StoreProfile) throws {
        let environment = profile.environment ?? .production
        let transcript = try StoreTranscript(at: 0, environment: environment, profile: profile)
        #expect(transcript.store.renewalLeadMilliseconds == (profile == .production ? 24 * Self.hour : 0))
    }

    @Test(arguments: [(nil, 24), (0, 0), (6, 6)] as [(Int64?, Int64)])
    func `has the time of the setting in the profile production`(setting: Int64?, hours: Int64) throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), profile: .production)
        var settings = transcript.store.settings
        settings.renewalLeadMilliseconds = setting.map { $0 * Self.hour }
        try transcript.store.replaceSettings(settings)
        #expect(transcript.store.renewalLeadMilliseconds == hours * Self.hour)
        try transcript.buy("plus.monthly")
        _ = try transcript.newNotifications()
        let end = try transcript.subscription.expiresDate
        try transcript.advance(to: end - hours * Self.hour - 1)
        #expect(try transcript.newNotifications() == [])
        try transcript.advance(to: end - hours * Self.hour)
        #expect(try transcript.newNotifications() == ["DID_RENEW 1"])
        #expect(try transcript.subscription.purchaseDate == end)
    }

    @Test func `has the default of the profile in a store of an older version`() throws {
        let encoded = try JSONEncoder().encode(StoreSettings())
        #expect(!String(decoding: encoded, as: UTF8.self).contains("renewalLead"))
        #expect(try JSONDecoder().decode(StoreSettings.self, from: encoded).renewalLeadMilliseconds == nil)
    }
}
