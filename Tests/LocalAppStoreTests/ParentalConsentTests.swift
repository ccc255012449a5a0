import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Withdrawn consent` {
    @Test(arguments: [AppStoreEnvironment.sandbox, .production])
    func `a parent's withdrawal of consent is announced with the app transaction, once`(
        environment: AppStoreEnvironment
    ) throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), environment: environment)
        try transcript.store.rescindConsent(accountId: "a")
        #expect(try transcript.newNotifications() == ["RESCIND_CONSENT"])
        let payload = try transcript.newestContent().payload
        #expect(payload.data == nil)
        let appData = try #require(payload.appData)
        #expect(appData.environment == environment && appData.bundleId == transcript.store.configuration.bundleId)
        #expect((appData.appAppleId == nil) == (environment == .sandbox))
        let download: JWSAppTransactionDecodedPayload = try decoded(try #require(appData.signedAppTransactionInfo))
        #expect(download.appTransactionId == (try transcript.account.appTransactionId))
        #expect(download.originalPurchaseDate == (try at("2026-01-15")))
        expectRefusal(.consentRescinded, .conflict) { try transcript.store.rescindConsent(accountId: "a") }
        expectRefusal(.accountNotFound, .notFound) { try transcript.store.rescindConsent(accountId: "b") }
    }
}
