import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import LocalAppStore
import Testing

@Suite struct `Receipts of iOS 6` {
    @Test func `a receipt of a single purchase answers single objects`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let bought = try transcript.buy("lifetime")
        let receipt = try transcript.store.transactionReceipt(transactionId: bought.transactionId)
        #expect(ReceiptTransactions.extract(from: receipt).transactions.map(\.transactionId) == [bought.transactionId])
        let answer = transcript.check(receipt)
        #expect(answer.objectValue?.keys == ["receipt", "status"])
        #expect(answer["status"] == 0)
        #expect(answer["receipt"]["bid"] == "com.example.perennial")
        #expect(answer["receipt"]["purchase_date_ms"].stringValue == String(try at("2026-01-15")))
    }

    @Test func `a running subscription answers with its newest period`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let bought = try transcript.buy("pro.weekly")
        let receipt = try transcript.store.transactionReceipt(transactionId: bought.transactionId)
        try transcript.advance(to: try at("2026-01-30"))
        let answer = transcript.check(receipt)
        let newest = try #require(try transcript.account.transactions.last)
        #expect(answer["status"] == 0)
        #expect(answer["auto_renew_status"] == 1)
        #expect(answer["auto_renew_product_id"] == "pro.weekly")
        #expect(answer["receipt"]["transaction_id"].stringValue == bought.transactionId)
        #expect(answer["latest_receipt_info"]["transaction_id"].stringValue == newest.transactionId)
        #expect(answer["latest_receipt_info"]["expires_date"].stringValue == newest.expiresDate.map(String.init))
        #expect(answer["latest_receipt_info"]["expires_date_formatted"] == "2026-02-05 09:30:00 Etc/GMT")
        let latest = ReceiptTransactions.extract(from: answer["latest_receipt"].stringValue ?? "")
        #expect(latest.transactions.map(\.transactionId) == [newest.transactionId])
    }

    @Test func `an ended subscription answers 21006 and its reason`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let bought = try transcript.buy("pro.weekly")
        let receipt = try transcript.store.transactionReceipt(transactionId: bought.transactionId)
        try transcript.store.setAutoRenew(originalTransactionId: bought.transactionId, enabled: false)
        try transcript.advance(to: try at("2026-01-30"))
        let answer = transcript.check(receipt)
        #expect(answer["status"] == 21_006)
        #expect(answer["expiration_intent"] == "1")
        #expect(answer["is_in_billing_retry_period"] == "0")
        #expect(answer["auto_renew_status"] == 0)
        #expect(answer["latest_expired_receipt_info"]["transaction_id"].stringValue == bought.transactionId)
        #expect(answer["latest_receipt_info"] == .null)
    }

    @Test func `a changed receipt is not authentic, and a subscription's needs the secret`() throws {
        var transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        let first = try transcript.buy("pro.weekly")
        let receipt = try transcript.store.transactionReceipt(transactionId: first.transactionId)
        let unasked = transcript.store.verifyReceipt(VerifyReceiptRequest(receiptData: receipt))
        #expect(unasked == ["status": 21_004])

        let foreign = try TestReceiptAuthority(under: TestAuthority()).mintTransactionReceipt(
            InAppPurchaseReceipt(productId: "pro.weekly", transactionId: first.transactionId),
            bundleId: "com.example.perennial",
            environment: .production
        )
        #expect(transcript.check(foreign) == ["status": 21_003])
    }

    @Test func `an unknown transaction has no receipt`() throws {
        let transcript = try StoreTranscript.withAccount(at: try at("2026-01-15"))
        expectRefusal(.transactionNotFound, .notFound) { try transcript.store.transactionReceipt(transactionId: "1") }
    }
}
