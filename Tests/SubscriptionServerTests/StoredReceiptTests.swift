import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import Foundation
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// A receipt is a signed input. It is stored with the customer whose purchases it identified, and erased with them.
@Suite struct `Stored receipts` {
    private let store = ScriptedAppStore()

    private func server() async throws -> ServerFixture {
        let apple = try SignedApple()
        let renewal = JWSRenewalInfoDecodedPayload(
            originalTransactionId: "2000000000000001",
            productId: "pro.monthly",
            autoRenewProductId: "pro.monthly",
            autoRenewStatus: .on,
            signedDate: ServerFixture.now,
            environment: .production
        )
        store.addSubscription(try apple.sign(SignedApple.period()), renewal: try apple.sign(renewal))
        return try await ServerFixture(apple: apple, appStore: store)
    }

    /// The receipt of an app, in base64.
    private func receipt(_ server: ServerFixture, purchases: Int = 1) throws -> String {
        var receipt = AppReceipt(
            bundleId: ServerFixture.bundle,
            receiptType: .production,
            creationDate: ServerFixture.now
        )
        receipt.inAppPurchases = (0..<purchases).map { number in
            InAppPurchaseReceipt(
                productId: "pro.monthly",
                transactionId: number == 0 ? "2000000000000001" : "20000000000\(10_000 + number)",
                originalTransactionId: "2000000000000001",
                purchaseDate: ServerFixture.now - Int64(number) * 2_592_000_000
            )
        }
        return Data(try TestReceiptAuthority(under: server.apple.authority).mint(receipt)).base64EncodedString()
    }

    private func submit(_ receipt: String, _ customer: String, _ server: ServerFixture) async throws -> Answer {
        let body = #"{"app_user_id":"\#(customer)","app_receipt":"\#(receipt)"}"#
        return try await server.send(.post, "/v1/transactions", key: ServerFixture.publishable, body: body)
    }

    private func stored(_ server: ServerFixture, of customer: String = "u_1") async throws -> [ReceiptRecord] {
        try await server.database.read { storage throws(StorageError) in
            try storage.receipts(of: CustomerID(customer), app: ServerFixture.app)
        }
    }

    @Test func `are stored once and exported byte for byte`() async throws {
        let server = try await server()
        let receipt = try receipt(server)
        for _ in 1...2 { #expect(try await submit(receipt, "u_1", server).status == 200) }
        #expect(try await stored(server).count == 1)
        let export = try await server.send(.get, "/v1/customers/u_1/export").objects("receipts")
        #expect(export.map { $0["app_receipt"] } == [.string(receipt)])
    }

    /// Otherwise, one genuine receipt in many spellings could fill the database.
    @Test func `are stored once for every base64 spelling`() async throws {
        let server = try await server()
        let receipt = try receipt(server)
        let lines = receipt.map(String.init).joined().replacing("A", with: "A\\n")
        for text in [receipt, lines, "-----BEGIN PKCS7-----\\n\(receipt)\\n-----END PKCS7-----"] {
            #expect(try await submit(text, "u_1", server).status == 200)
        }
        #expect(try await submit(try self.receipt(server), "u_1", server).status == 200, "signed again")
        #expect(try await stored(server).count == 1)
        // Lines that only look like PEM are not part of a receipt.
        for junk in [
            "-----BEGIN X\\n-----junk\\n\(receipt)", "-----BEGIN \(String(repeating: "x", count: 999))\\n\(receipt)",
        ] {
            #expect(try await submit(junk, "u_1", server).status == 400)
        }
    }

    @Test func `do not include refused or forged receipts`() async throws {
        let server = try await server()
        let receipt = try receipt(server)
        _ = try await submit(receipt, "u_1", server)
        #expect(try await submit(receipt, "u_2", server).status == 409)
        #expect(try await submit(String(receipt.dropLast(8)), "u_3", server).status == 400)
        for customer in ["u_2", "u_3"] { #expect(try await stored(server, of: customer).isEmpty) }
    }

    @Test func `are erased with the customer under each identifier`() async throws {
        let server = try await server()
        _ = try await submit(try receipt(server), "anonymous", server)
        _ = try await server.send(.post, "/v1/customers/u_1/aliases", body: #"{"alias":"anonymous"}"#)
        #expect(try await server.send(.get, "/v1/customers/u_1/export").count("receipts") == 1)
        #expect(try await server.send(.delete, "/v1/customers/u_1").status == 200)
        for customer in ["u_1", "anonymous"] { #expect(try await stored(server, of: customer).isEmpty) }
    }

    @Test func `are smaller than the receipt, more so with more purchases`() async throws {
        let server = try await server()
        for purchases in [1, 100] {
            let text = try receipt(server, purchases: purchases)
            let compressed = try CompressedReceipt(text)
            #expect(try compressed.text() == text)
            #expect(compressed.bytes.count < text.utf8.count * (purchases == 1 ? 80 : 40) / 100)
        }
    }

    @Test(arguments: [
        "", "MII", "MII=", "TUlJ", "TUlJ\nTUlJ", "TUlJTUlJ\r\n", "not base64 at all", "é\u{0}", "AB==",
        String(repeating: "A", count: 100_000),
    ])
    func `are restored in the form in which they were sent`(text: String) throws {
        #expect(Array(try CompressedReceipt(text).text().utf8) == Array(text.utf8))
    }

    @Test func `throw an error when damaged, and never trap`() throws {
        let good = try CompressedReceipt("TUlJTUlJ").bytes
        for index in good.indices {
            for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                var bytes = good
                bytes[index] = value
                guard bytes != good else { continue }
                // The number of another valid encoding gives another text.
                if index == 0, value <= 1 { continue }
                do throws(StorageError) {
                    // Some bits of the zlib header contain only the compression level.
                    #expect(try CompressedReceipt(bytes: bytes).text() == "TUlJTUlJ")
                } catch {
                    #expect(error.code == .corrupt)
                }
            }
            #expect(throws: StorageError.self) { _ = try CompressedReceipt(bytes: Array(good.prefix(index))).text() }
        }
    }
}
