import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import LocalAppStore
import Testing

@Suite struct `Payloads of the store` {
    @Test func `a subscription's notification carries every field that Apple documents for it`() throws {
        let start = try at("2026-01-31")
        var transcript = try StoreTranscript.withAccount(at: start)
        try transcript.buy("plus.monthly")
        let content = try transcript.newestContent()
        #expect(
            content.payload.json.keys
                == ["notificationType", "subtype", "notificationUUID", "version", "signedDate", "data"]
        )
        #expect(content.payload.version == "2.0")
        #expect(
            content.payload.data?.json.keys == [
                "appAppleId", "bundleId", "bundleVersion", "environment", "status", "signedTransactionInfo",
                "signedRenewalInfo",
            ]
        )
        let expiry = try at("2026-02-28")
        let transaction: JSONObject = [
            "transactionId": "2000000000000001", "originalTransactionId": "2000000000000001",
            "webOrderLineItemId": "3000000000000001", "bundleId": "com.example.perennial",
            "productId": "plus.monthly", "subscriptionGroupIdentifier": "21000002",
            "purchaseDate": .integer(start), "originalPurchaseDate": .integer(start + 1_000),
            "expiresDate": .integer(expiry),
            "quantity": 1, "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED",
            "signedDate": .integer(start), "offerType": 1, "offerDiscountType": "PAY_AS_YOU_GO", "offerPeriod": "P1M",
            "environment": "Production", "storefront": "USA", "storefrontId": "143441",
            "transactionReason": "PURCHASE", "price": 1_990, "currency": "USD",
            "appTransactionId": "700000000000000001",
        ]
        #expect(content.transaction?.json == transaction)
        let renewalInfo: JSONObject = [
            "originalTransactionId": "2000000000000001", "productId": "plus.monthly",
            "autoRenewProductId": "plus.monthly", "autoRenewStatus": 1, "offerType": 1,
            "offerDiscountType": "PAY_AS_YOU_GO", "offerPeriod": "P1M", "signedDate": .integer(start),
            "environment": "Production", "recentSubscriptionStartDate": .integer(start),
            "renewalDate": .integer(expiry), "renewalPrice": 1_990, "currency": "USD",
            "appTransactionId": "700000000000000001",
        ]
        #expect(content.renewalInfo?.json == renewalInfo)
    }

    @Test func `the app's Apple ID is in payloads of production only`() throws {
        for (environment, number) in [(AppStoreEnvironment.production, Int64(6_400_000_001)), (.sandbox, nil)] {
            var transcript = try StoreTranscript.withAccount(at: 0, environment: environment)
            let bought = try transcript.buy("pro.weekly")
            #expect(try transcript.newestContent().payload.data?.appAppleId == number)
            let statuses = try transcript.store.subscriptionStatuses(anyTransactionId: bought.transactionId)
            #expect(statuses.appAppleId == number)
            #expect(statuses.environment == environment)
            let history = try transcript.store.transactionHistory(anyTransactionId: bought.transactionId)
            #expect(history.appAppleId == number)
        }
    }

    @Test func `every payload verifies against the authority of the store`() throws {
        let now = try at("2026-01-15")
        let authority = try TestAuthority()
        var transcript = try StoreTranscript(at: now, authority: authority)
        _ = try transcript.store.createAccount(accountId: "a")
        let bought = try transcript.buy("pro.weekly")
        let app = AppIdentity(
            bundleId: "com.example.perennial",
            appAppleId: 6_400_000_001,
            environment: .production
        )
        let verifier = SignedDataVerifier(roots: [authority.trustedRoot], apps: [app])
        let record = try #require(transcript.allRecords().last)
        guard case .verified(let notification) = verifier.verifyNotification(record.signedPayload) else {
            Issue.record("the notification was refused")
            return
        }
        #expect(notification.transaction?.transactionId == bought.transactionId)
        let transaction = verifier.verifyTransaction(bought.signedTransactionInfo)
        guard case .verified = transaction else {
            Issue.record("the transaction was refused: \(transaction)")
            return
        }
    }

    @Test func `payloads with the same signing date have the same content, over a whole lifecycle with reads`() throws {
        let settings = StoreSettings(gracePeriod: .threeDays)
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"), settings: settings)
        let bought = try transcript.buy("pro.weekly")
        let original = bought.originalTransactionId
        var seen = Contents()
        for step in 0..<40 {
            try seen.read(&transcript, original: original)
            switch step % 8 {
            case 1: try? transcript.store.setAutoRenew(originalTransactionId: original, enabled: false)
            case 2: try? transcript.store.setAutoRenew(originalTransactionId: original, enabled: true)
            case 3: try transcript.store.setPayment(accountId: "a", state: .declined)
            case 6: try transcript.store.setPayment(accountId: "a", state: .ok)
            case 7: _ = try? transcript.store.refund(transactionId: bought.transactionId)
            default: try transcript.advance(to: transcript.store.now + 4 * dayLength)
            }
        }
        for record in try transcript.allRecords() { try seen.note(try NotificationContent(record)) }
        #expect(seen.transactions.count > 20)
    }

    /// Every signed content, by identifier and date.
    private struct Contents {
        var transactions: [String: JSONObject] = [:]
        var renewals: [Int64: JSONObject] = [:]

        mutating func read(_ transcript: inout StoreTranscript, original: String) throws {
            let statuses = try transcript.store.subscriptionStatuses(anyTransactionId: original)
            let item = try #require(statuses.data.first?.lastTransactions.first)
            note(try decoded(item.signedTransactionInfo) as JWSTransactionDecodedPayload)
            note(try decoded(item.signedRenewalInfo) as JWSRenewalInfoDecodedPayload)
            let first = try transcript.store.transactionInfo(transactionId: original).signedTransactionInfo
            note(try decoded(first) as JWSTransactionDecodedPayload)
        }

        mutating func note(_ content: NotificationContent) throws {
            if let transaction = content.transaction { note(transaction) }
            if let renewalInfo = content.renewalInfo { note(renewalInfo) }
        }

        private mutating func note(_ payload: JWSTransactionDecodedPayload) {
            let key = "\(payload.transactionId) \(payload.signedDate)"
            #expect(transactions[key] == nil || transactions[key] == payload.json)
            transactions[key] = payload.json
        }

        private mutating func note(_ payload: JWSRenewalInfoDecodedPayload) {
            #expect(renewals[payload.signedDate] == nil || renewals[payload.signedDate] == payload.json)
            renewals[payload.signedDate] = payload.json
        }
    }
}
