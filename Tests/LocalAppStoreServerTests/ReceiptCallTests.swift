import AppStoreModel
import AppStoreSigning
import Testing

@Suite struct `Receipts over HTTP` {
    @Test func `a purchase returns a receipt that verifies with the store's only root`() async throws {
        try await withStore { store in
            let bought = try await store.buy("pro.monthly")
            guard case .verified(let receipt) = store.receiptVerifier.verify(bought["receipt"].stringValue ?? "") else {
                Issue.record("the receipt does not verify")
                return
            }
            #expect(receipt.inAppPurchases.map(\.transactionId) == [bought["transactionId"].stringValue])
        }
    }

    @Test func `a current receipt is available at any time, and for a device`() async throws {
        try await withStore { store in
            _ = try await store.buy("pro.monthly")
            _ = try await store.advance(by: "P1M")
            let path = "/_store/accounts/anna/receipt?deviceIdentifier=01020304-0506-0708-090a-0B0C0D0E0F10"
            let answer = try await store.get(path)
            guard case .verified(let receipt) = store.receiptVerifier.verify(answer.json["receipt"].stringValue ?? "")
            else {
                Issue.record("the receipt does not verify: \(answer.text)")
                return
            }
            #expect(receipt.inAppPurchases.count == 2)
            #expect(receipt.belongs(toDevice: Array(1...16)))
        }
    }

    @Test func `a finished consumable is in no later receipt`() async throws {
        try await withStore { store in
            let id = try await store.buy("coins.100")["transactionId"].stringValue ?? ""
            #expect(try await store.post("/_store/transactions/\(id)/finish").status == 200)
            let text = try await store.get("/_store/accounts/anna/receipt").json["receipt"].stringValue ?? ""
            #expect(ReceiptTransactions.extract(from: text).absence?.code == .noPurchases)
        }
    }

    @Test func `the credentials have the shared secret, and one root for payloads and receipts`() async throws {
        try await withStore { store in
            let credentials = try await store.get("/_store/credentials").json
            #expect(credentials["sharedSecret"].stringValue?.count == 32)
            #expect(credentials["receiptRootCertificate"] == .null)
        }
    }

    @Test(arguments: [
        ("/_store/accounts/nobody/receipt", 404, "account_not_found"),
        ("/_store/accounts/nobody/receipt?device=1", 400, "unknown_parameter"),
        ("/_store/accounts/nobody/receipt?deviceIdentifier=1", 400, "device_identifier_invalid"),
        (
            "/_store/accounts/nobody/receipt?deviceIdentifier=0102030g-0506-0708-090a-0b0c0d0e0f10", 400,
            "device_identifier_invalid"
        ),
    ])
    func `a receipt of an unknown account or for an invalid device is refused`(path: String, status: Int, code: String)
        async throws
    {
        try await withStore { store in
            let answer = try await store.get(path)
            #expect(answer.status == status)
            #expect(answer.errorCode == code)
        }
    }
}
