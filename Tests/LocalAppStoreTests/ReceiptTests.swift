import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import LocalAppStore
import Testing

@Suite struct `Receipts of the store` {
    /// The receipt of the account `a`, verified.
    private func receipt(_ transcript: StoreTranscript) throws -> AppReceipt {
        switch try receiptVerifier().verify(try transcript.store.appReceipt(accountId: "a")) {
        case .verified(let receipt): return receipt
        case .refused(let failure): throw failure
        }
    }

    @Test func `a receipt leads to the root of the signed payloads, and names the app and the account`() throws {
        let start = try at("2026-01-15")
        let transcript = try StoreTranscript.withAccount(at: start, environment: .sandbox)
        let receipt = try receipt(transcript)
        #expect(receipt.receiptType == .productionSandbox)
        #expect(receipt.bundleId == "com.example.perennial")
        #expect(receipt.creationDate == start)
        #expect(receipt.opaqueValue == Array(try transcript.account.appTransactionId.utf8))
        #expect(receipt.inAppPurchases.isEmpty)
        #expect(receipt.applicationVersion == "1.0")
        #expect(receipt.originalApplicationVersion == "1.0")
        #expect(receipt.originalPurchaseDate == (try timestamp("2013-08-01T07:00:00Z")))
        #expect([receipt.appItemId, receipt.downloadId, receipt.versionExternalIdentifier] == [0, 0, 0])
    }

    @Test func `in production a receipt has the numbers that the sandbox leaves at zero`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("lifetime")
        let receipt = try receipt(transcript)
        #expect(receipt.receiptType == .production)
        #expect(receipt.appItemId == 6_400_000_001)
        #expect(receipt.applicationVersion == "1")
        #expect(receipt.downloadId == Int64(try transcript.account.appTransactionId))
        #expect(receipt.originalPurchaseDate == (try at("2026-01-15") + 1_000))
    }

    @Test func `a receipt lists every period of a subscription with its dates`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let first = try transcript.buy("pro.monthly")
        try transcript.advance(to: try at("2026-03-01"))
        let purchases = try receipt(transcript).inAppPurchases
        let ledger = try transcript.account.transactions
        #expect(purchases.map(\.transactionId) == ledger.map(\.transactionId))
        #expect(purchases.map(\.purchaseDate) == ledger.map(\.purchaseDate))
        #expect(purchases.map(\.expirationDate) == ledger.map(\.expiresDate))
        #expect(purchases.allSatisfy { $0.originalTransactionId == first.transactionId })
        #expect(purchases.map(\.isTrialPeriod) == [true, false, false])
        #expect(purchases.map(\.isInIntroductoryOfferPeriod) == [false, false, false])
        #expect(purchases.allSatisfy { $0.productType == 3 && $0.webOrderLineItemId != nil })
    }

    @Test func `a period with a paid introductory price is not a trial`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("pro.yearly")
        let purchase = try #require(try receipt(transcript).inAppPurchases.first)
        #expect(purchase.isTrialPeriod == false)
        #expect(purchase.isInIntroductoryOfferPeriod == true)
    }

    @Test func `a refund is a cancellation in receipts made after it, and not in those made before`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let bought = try transcript.buy("lifetime")
        let before = try receipt(transcript)
        try transcript.advance(to: try at("2026-01-20"))
        try transcript.store.refund(transactionId: bought.transactionId, reason: 1)
        #expect(before.inAppPurchases.map(\.cancellationDate) == [nil])
        #expect(try receipt(transcript).inAppPurchases.map(\.cancellationDate) == [try at("2026-01-20")])
    }

    @Test func `a consumable leaves the receipt when the app finishes it, and everything else stays`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let coins = try transcript.buy("coins.100", quantity: 3)
        let lifetime = try transcript.buy("lifetime")
        let pass = try transcript.buy("season.pass")
        #expect(try receipt(transcript).inAppPurchases.map(\.quantity) == [3, 1, 1])
        #expect(try receipt(transcript).inAppPurchases.map(\.isInIntroductoryOfferPeriod) == [nil, nil, nil])
        for outcome in [coins, lifetime, pass, coins] {
            try transcript.store.finishTransaction(transactionId: outcome.transactionId)
        }
        #expect(try receipt(transcript).inAppPurchases.map(\.productId) == ["lifetime", "season.pass"])
        expectRefusal(.transactionNotFound, .notFound) { try transcript.store.finishTransaction(transactionId: "1") }
    }

    @Test func `a receipt made for a device belongs to that device only`() throws {
        let transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let device: [UInt8] = Array(1...16)
        let text = try transcript.store.appReceipt(accountId: "a", forDevice: device)
        guard case .verified(let receipt) = try receiptVerifier().verify(text) else {
            Issue.record("the receipt does not verify")
            return
        }
        #expect(receipt.belongs(toDevice: device))
        #expect(!receipt.belongs(toDevice: Array(2...17)))
    }

    @Test func `the same store makes the same receipt twice, byte for byte`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        try transcript.buy("pro.monthly")
        #expect(try transcript.store.appReceipt(accountId: "a") == transcript.store.appReceipt(accountId: "a"))
    }

    @Test func `the shared secret is 32 hexadecimal digits computed from the seed`() throws {
        let secrets = try [0, 1, 1, .max].map { try StoreTranscript(at: 0, seed: $0).store.sharedSecret }
        #expect(secrets[1] == secrets[2])
        #expect(Set(secrets).count == 3)
        #expect(secrets.allSatisfy { $0.count == 32 && $0.allSatisfy { "0123456789abcdef".contains($0) } })
    }

    @Test func `a store without a receipt authority reports it`() throws {
        var store = LocalAppStore(
            configuration: .init(),
            catalog: try Catalog.example(),
            signer: try TestAuthority().signer,
            now: 0
        )
        _ = try store.createAccount(accountId: "a")
        #expect(!store.makesReceipts && store.receiptRootCertificatePEM == nil)
        expectRefusal(.receiptsNotMade, .unprocessable) { try store.appReceipt(accountId: "a") }
        expectRefusal(.accountNotFound, .notFound) { try store.appReceipt(accountId: "b") }
    }
}
