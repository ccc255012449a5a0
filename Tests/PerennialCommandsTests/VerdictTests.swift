import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Testing

@testable import PerennialCommands

/// The results of `verify` and `receipt` match the libraries, and show only permitted data.
@Suite struct `Verdicts of perennial verify` {
    private let authority: TestAuthority
    private let verifier: SignedDataVerifier

    init() throws {
        authority = try TestAuthority()
        verifier = SignedDataVerifier(
            roots: [authority.trustedRoot],
            expecting: AppIdentity(bundleId: "com.example.app", environment: .sandbox)
        )
    }

    private func renewal(environment: String = "Sandbox") throws -> [UInt8] {
        let payload = """
            {"originalTransactionId":"1","productId":"pro","autoRenewProductId":"pro","autoRenewStatus":1,\
            "signedDate":1790000000000,"environment":"\(environment)","recentSubscriptionStartDate":1,"new":"field"}
            """
        return Array(try authority.signer.sign(payload: Array(payload.utf8)).utf8)
    }

    @Test func `a verified text shows its payload as it was signed`() throws {
        let verdict = SignedTextVerdict(try renewal(), kind: nil, verifier: verifier, explains: false)
        #expect(verdict.json.keys == ["verified", "kind", "payload"])
        #expect(verdict.json["verified"] == true && verdict.json["kind"] == "renewal")
        #expect(verdict.payload?["new"] == "field")
        #expect(verdict.text.hasPrefix("verified: renewal\n"))
    }

    @Test func `a refused text shows the reason without its payload`() throws {
        let jws = try renewal(environment: "Production")
        let verdict = SignedTextVerdict(jws, kind: nil, verifier: verifier, explains: false)
        #expect(verdict.json.keys == ["verified", "kind", "reason", "message"])
        #expect(verdict.json["reason"] == "environment_mismatch")
        #expect(!verdict.text.contains("field"))
    }

    @Test func `a requested kind has priority over the detected one`() throws {
        let verdict = SignedTextVerdict(try renewal(), kind: .notification, verifier: verifier, explains: false)
        #expect(verdict.kind == .notification)
        #expect(verdict.failure?.code == .payloadMalformed)
    }

    @Test func `garbage has no kind, but a reason`() {
        let verdict = SignedTextVerdict(Array("x".utf8), kind: nil, verifier: verifier, explains: false)
        #expect(verdict.json["kind"] == .null)
        #expect(verdict.failure?.code == .malformedJWS)
    }

    @Test func `an explained verdict has the steps`() throws {
        let verdict = SignedTextVerdict(try renewal(), kind: nil, verifier: verifier, explains: true)
        let steps = try #require(verdict.json["steps"]?.arrayValue)
        #expect(steps.allSatisfy { $0.objectValue?["outcome"] == "passed" } && steps.count > 5)
    }

    @Test func `a receipt of the test authority verifies, and its ids are listed`() throws {
        let receipts = try TestReceiptAuthority()
        var receipt = AppReceipt(
            bundleId: "com.example.app",
            receiptType: .productionSandbox,
            creationDate: 1_790_000_000_000
        )
        receipt.inAppPurchases = [
            InAppPurchaseReceipt(productId: "pro", transactionId: "7", originalTransactionId: "5")
        ]
        let bytes = try receipts.mint(receipt)
        let report = ReceiptReport(.bytes(bytes), verifier: ReceiptVerifier(roots: [receipts.receiptRoot]))
        #expect(report.json.keys == ["verified", "bundleId", "environment", "transactionIds"])
        #expect(
            report.json["transactionIds"]
                == [["transactionId": "7", "originalTransactionId": "5", "productId": "pro"]]
        )
        let refused = ReceiptReport(.bytes(bytes), verifier: ReceiptVerifier())
        #expect(refused.json["reason"] == "chain_not_trusted" && refused.json["bundleId"] == "com.example.app")
        #expect(refused.text.contains("not trustworthy"))
    }

    @Test func `unreadable purchases are counted`() throws {
        let content = TestReceiptContent.set([TestReceiptContent.attribute(17, [0xFF])])
        let bytes = try TestReceiptAuthority().mint(content: content)
        let report = ReceiptReport(.bytes(bytes), verifier: ReceiptVerifier())
        #expect(report.json["unreadablePurchases"] == 1)
        #expect(report.json["absence"]?.objectValue?["reason"] == "unreadable_purchases")
        #expect(report.text.contains("purchases that could not be read in full: 1"))
    }

    @Test func `other data than a receipt has a reason for the missing id`() {
        let report = ReceiptReport(.text("hello, world"), verifier: ReceiptVerifier())
        #expect(report.json["bundleId"] == .null && report.json["transactionIds"] == [])
        #expect(report.json["absence"]?.objectValue?["reason"] == "not_base64")
    }
}
