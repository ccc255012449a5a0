import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `The developer's updates of a purchase` {
    private static let token = "6E0E2A4C-AAAA-4BBB-8CCC-0123456789AB"

    @Test func `a token applies to a subscription's newest transaction and later ones`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), catalog: try plainCatalog())
        let id = try transcript.buy("monthly").originalTransactionId
        try transcript.advance(to: try at("2026-02-20"))
        try transcript.store.setAppAccountToken(originalTransactionId: id, token: Self.token)
        try transcript.advance(to: try at("2026-03-20"))
        let tokens = try transcript.account.transactions.map { report in
            let info = try transcript.store.transactionInfo(transactionId: report.transactionId)
            return (try decoded(info.signedTransactionInfo) as JWSTransactionDecodedPayload).appAccountToken
        }
        #expect(tokens == [nil, Self.token.lowercased(), Self.token.lowercased()])
        #expect(try transcript.subscription.appAccountToken == Self.token.lowercased())
    }

    @Test func `a token can be replaced, and the history shows the purchase again`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        let id = try transcript.buy("coins.100").transactionId
        let before = try transcript.store.transactionHistory(anyTransactionId: id)
        let other = "00000000-0000-4000-8000-000000000000"
        for token in [Self.token, other] {
            try transcript.store.setAppAccountToken(originalTransactionId: id, token: token)
        }
        let query = HistoryQuery(revision: before.revision)
        let after = try transcript.store.transactionHistory(anyTransactionId: id, query: query)
        let payloads: [JWSTransactionDecodedPayload] = try after.signedTransactions.map { try decoded($0) }
        #expect(payloads.map(\.appAccountToken) == [other])
        let old: JWSTransactionDecodedPayload = try decoded(try #require(before.signedTransactions.first))
        #expect(payloads[0].signedDate > old.signedDate)
    }

    @Test func `a token is refused for purchases that are not the customer's own, with Apple's errors`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), catalog: try plainCatalog())
        let id = try transcript.buy("monthly").originalTransactionId
        try transcript.advance(to: try at("2026-02-20"))
        let renewal = try transcript.account.transactions[1].transactionId
        let table: [(String, String, AppStoreServerAPIError)] = [
            ("x", Self.token, .invalidTransactionId), (id, "token", .invalidAppAccountTokenUUID),
            (try transcript.account.appTransactionId, Self.token, .appTransactionIdNotSupported),
            ("2000000000009999", Self.token, .originalTransactionIdNotFound),
            (renewal, Self.token, .transactionIdIsNotOriginalTransactionId),
        ]
        for (id, token, error) in table {
            #expect(throws: error) {
                try transcript.store.setAppAccountToken(originalTransactionId: id, token: token)
            }
        }
    }

    @Test func `finishing names one transaction`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        let app = try transcript.account.appTransactionId
        let table: [(String, AppStoreServerAPIError)] = [
            ("x", .invalidTransactionId), (app, .appTransactionIdNotSupported),
            ("2000000000009999", .transactionIdNotFound),
        ]
        for (id, error) in table { #expect(throws: error) { try transcript.store.finish(transactionId: id) } }
    }

    @Test func `the newest consumption information of a transaction is kept`() throws {
        var transcript = try StoreTranscript.withAccount(at: 5)
        let id = try transcript.buy("coins.100").transactionId
        #expect(try transcript.store.consumptionInformation(transactionId: id) == nil)
        for percentage in [Int32(0), 50_000] {
            var request = Self.request
            request.consumptionPercentage = percentage
            try transcript.store.sendConsumptionInformation(transactionId: id, request: request)
            let kept = try #require(try transcript.store.consumptionInformation(transactionId: id))
            #expect(kept.content == .current(request) && kept.receivedAt == 5)
        }
    }

    @Test(
        arguments: [
            (["customerConsented": false], AppStoreServerAPIError.invalidCustomerConsented),
            (["customerConsented": nil], .invalidCustomerConsented), (["deliveryStatus": 0], .invalidDeliveryStatus),
            (["deliveryStatus": "SOON"], .invalidDeliveryStatus),
            (["sampleContentProvided": nil], .invalidSampleContentProvided),
            (["refundPreference": "MAYBE"], .invalidRefundPreference),
            (["consumptionPercentage": 100_001], .generalBadRequest),
            (["consumptionPercentage": -1], .generalBadRequest),
            (["consumptionPercentage": 1, "deliveryStatus": "UNDELIVERED_OTHER"], .generalBadRequest),
            (["refundPreference": "GRANT_PRORATED"], .invalidRefundPreference),
            (["refundPreference": "GRANT_PRORATED", "consumptionPercentage": 100_000], .invalidRefundPreference),
        ] as [([String: JSONValue?], AppStoreServerAPIError)]
    )
    func `consumption information that breaks a rule has the error of its field`(
        change: [String: JSONValue?],
        error: AppStoreServerAPIError
    ) throws {
        var body = Self.request.json
        for (key, value) in change { body[key] = value }
        var transcript = try StoreTranscript.withAccount(at: 0)
        let id = try transcript.buy("coins.100").transactionId
        #expect(throws: error) {
            let request = try ConsumptionRequest(appleBody: body)
            try transcript.store.sendConsumptionInformation(transactionId: id, request: request)
        }
        #expect(try transcript.store.consumptionInformation(transactionId: id) == nil)
    }

    @Test func `a percentage is refused for a subscription, whose prorated refund needs none`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        let id = try transcript.buy("pro.weekly").transactionId
        var request = Self.request
        request.refundPreference = .grantProrated
        try transcript.store.sendConsumptionInformation(transactionId: id, request: request)
        request.consumptionPercentage = 0
        #expect(throws: AppStoreServerAPIError.consumptionPercentageAutoRenewableSubscription) {
            try transcript.store.sendConsumptionInformation(transactionId: id, request: request)
        }
    }

    @Test(
        arguments: [
            ("customerConsented", false, AppStoreServerAPIError.invalidCustomerConsented),
            ("consumptionStatus", 4, .invalidConsumptionStatus), ("platform", 3, .invalidPlatform),
            ("sampleContentProvided", 1, .invalidSampleContentProvided), ("deliveryStatus", 6, .invalidDeliveryStatus),
            ("appAccountToken", "anna", .invalidAppAccountToken), ("accountTenure", 8, .invalidAccountTenure),
            ("playTime", -1, .invalidPlayTime), ("lifetimeDollarsRefunded", 8, .invalidLifetimeDollarsRefunded),
            ("lifetimeDollarsPurchased", "0", .invalidLifetimeDollarsPurchased), ("userStatus", 5, .invalidUserStatus),
            ("refundPreference", 4, .invalidRefundPreference),
        ] as [(String, JSONValue, AppStoreServerAPIError)]
    )
    func `each field of the older form has its own error`(
        field: String,
        value: JSONValue,
        error: AppStoreServerAPIError
    ) throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        let id = try transcript.buy("coins.100").transactionId
        let good = try ConsumptionRequestV1(appleBody: Self.version1)
        try transcript.store.sendConsumptionInformationV1(transactionId: id, request: good)
        #expect(try transcript.store.consumptionInformation(transactionId: id)?.content == .version1(good))
        var body = Self.version1
        body[field] = value
        #expect(throws: error) {
            let request = try ConsumptionRequestV1(appleBody: body)
            try transcript.store.sendConsumptionInformationV1(transactionId: id, request: request)
        }
    }

    @Test func `the older form accepts consumables and subscriptions only`() throws {
        var transcript = try StoreTranscript.withAccount(at: 0)
        let request = try ConsumptionRequestV1(appleBody: Self.version1)
        let weekly = try transcript.buy("pro.weekly").transactionId
        try transcript.store.sendConsumptionInformationV1(transactionId: weekly, request: request)
        let lifetime = try transcript.buy("lifetime").transactionId
        #expect(throws: AppStoreServerAPIError.invalidTransactionTypeNotSupported) {
            try transcript.store.sendConsumptionInformationV1(transactionId: lifetime, request: request)
        }
    }

    private static let request = ConsumptionRequest(
        customerConsented: true,
        deliveryStatus: .delivered,
        sampleContentProvided: false
    )

    private static let version1: JSONObject = [
        "customerConsented": true, "consumptionStatus": 1, "platform": 1, "sampleContentProvided": false,
        "deliveryStatus": 0, "appAccountToken": "", "accountTenure": 0, "playTime": 0, "lifetimeDollarsRefunded": 0,
        "lifetimeDollarsPurchased": 0, "userStatus": 0, "refundPreference": 0,
    ]
}
