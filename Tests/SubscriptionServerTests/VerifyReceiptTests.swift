import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// Receipts that only Apple's deprecated verifyReceipt can help with.
@Suite(.timeLimit(.minutes(5))) struct `Receipts that only verifyReceipt knows` {
    /// Shared by all tests, because generating an RSA key is slow.
    private static let authorities = Result {
        let apple = try SignedApple()
        return (apple: apple, receipts: try TestReceiptAuthority(under: apple.authority))
    }

    private static let known = "2000000000000001"
    private static let forgotten = "2000000000000999"

    private let store = ScriptedAppStore()

    private func server(verifiesReceipts: Bool = true) async throws -> ServerFixture {
        let apple = try Self.authorities.get().apple
        let renewal = JWSRenewalInfoDecodedPayload(
            originalTransactionId: Self.known,
            productId: "pro.monthly",
            autoRenewProductId: "pro.monthly",
            autoRenewStatus: .on,
            signedDate: ServerFixture.now,
            environment: .production
        )
        store.addSubscription(try apple.sign(SignedApple.period()), renewal: try apple.sign(renewal))
        return try await ServerFixture(
            apple: apple,
            access: try store.access(to: ServerFixture.bundle, verifiesReceipts: verifiesReceipts)
        )
    }

    /// A genuine receipt that lists some transactions.
    private static func receipt(_ transactions: [String] = [], createdAt: Int64 = ServerFixture.now) throws -> String {
        var receipt = AppReceipt(bundleId: ServerFixture.bundle, receiptType: .production, creationDate: createdAt)
        receipt.inAppPurchases = transactions.map {
            InAppPurchaseReceipt(
                productId: "pro.monthly",
                transactionId: $0,
                originalTransactionId: $0,
                purchaseDate: ServerFixture.now - 1000
            )
        }
        return try authorities.get().receipts.mintBase64(receipt)
    }

    /// Apple's answer about a receipt with these transactions.
    private static func answer(_ transactions: [String], status: Int64 = 0) -> JSONObject {
        let entries = transactions.map { id -> JSONValue in
            ["transaction_id": .string(id), "original_transaction_id": .string(id)]
        }
        return ["status": .integer(status), "latest_receipt_info": .array(entries)]
    }

    private static func submit(_ receipt: String, for customer: String, to server: ServerFixture) async throws -> Answer
    {
        try await server.send(
            .post,
            "/v1/transactions",
            key: ServerFixture.publishable,
            body: #"{"app_user_id":"\#(customer)","app_receipt":"\#(receipt)"}"#
        )
    }

    @Test func `a receipt that lists no purchase leads to those that Apple names`() async throws {
        let server = try await server()
        store.answerReceipts(Self.answer([Self.known]))
        #expect(try await Self.submit(Self.receipt(), for: "u_1", to: server).status == 200)
        #expect(
            store.requestedPaths == [
                "/verifyReceipt", "/inApps/v2/history/\(Self.known)", "/inApps/v1/subscriptions/\(Self.known)",
            ]
        )
    }

    @Test func `a receipt with transactions that the API does not know leads to those that Apple names`() async throws {
        let server = try await server()
        store.answerReceipts(Self.answer([Self.known]))
        #expect(try await Self.submit(Self.receipt([Self.forgotten]), for: "u_1", to: server).status == 200)
        #expect(store.requestedPaths.prefix(2) == ["/inApps/v2/history/\(Self.forgotten)", "/verifyReceipt"])
    }

    @Test func `verifyReceipt is not asked where the API helps`() async throws {
        let server = try await server()
        #expect(try await Self.submit(Self.receipt([Self.known]), for: "u_1", to: server).status == 200)
        #expect(!store.requestedPaths.contains("/verifyReceipt"))
    }

    @Test func `verifyReceipt is not asked if the developer does not want it`() async throws {
        let server = try await server(verifiesReceipts: false)
        let empty = try await Self.submit(Self.receipt(), for: "u_1", to: server)
        #expect(try empty.errorCode() == "receipt_without_purchases")
        #expect(try empty.string("error", "message")?.contains("restore purchases") == true)
        let unknown = try await Self.submit(Self.receipt([Self.forgotten]), for: "u_1", to: server)
        #expect(try unknown.errorCode() == "transaction_not_found")
        #expect(!store.requestedPaths.contains("/verifyReceipt"))
    }

    @Test func `what verifyReceipt says about a transaction is no evidence`() async throws {
        let server = try await server()
        // Apple's API does not know it, so nothing about it is signed.
        store.answerReceipts(Self.answer([Self.forgotten]))
        let refused = try await Self.submit(Self.receipt(), for: "u_1", to: server)
        #expect(refused.status == 404)
        #expect(try refused.errorCode() == "transaction_not_found")
        let customer = try await server.send(.get, "/v1/customers/u_1")
        #expect(customer.status == 404)
    }

    @Test func `purchases that the answer does not name are stored, and nobody gets them`() async throws {
        let server = try await server()
        let apple = try Self.authorities.get().apple
        let other = SignedApple.period(id: "2000000000000002", original: "2000000000000002")
        store.addHistory([try apple.sign(SignedApple.period()), try apple.sign(other)], of: Self.known)
        store.answerReceipts(Self.answer([Self.known]))
        let answer = try await Self.submit(Self.receipt(), for: "u_1", to: server)
        #expect(answer.status == 200)
        let record = try await server.database.read { storage throws(StorageError) in
            try storage.purchase(OriginalTransactionID("2000000000000002"), of: ServerFixture.app)
        }
        #expect(record != nil && record?.customerID == nil)
    }

    @Test func `two receipts without purchases are not the same receipt`() async throws {
        let server = try await server()
        store.answerReceipts(Self.answer([]))
        let first = try await Self.submit(Self.receipt(), for: "u_1", to: server)
        #expect(try first.errorCode() == "receipt_without_purchases")
        store.answerReceipts(Self.answer([Self.known]))
        let second = try Self.receipt(createdAt: ServerFixture.now - 1000)
        #expect(try await Self.submit(second, for: "u_2", to: server).status == 200)
    }

    @Test(arguments: [
        (status: 21_000, code: "app_store_unavailable", http: 503),
        (status: 21_002, code: "app_store_unavailable", http: 503),
        (status: 21_003, code: "receipt_not_accepted", http: 400),
        (status: 21_004, code: "shared_secret_wrong", http: 503),
        (status: 21_005, code: "app_store_unavailable", http: 503),
        (status: 21_007, code: "receipt_environment_mismatch", http: 400),
        (status: 21_008, code: "receipt_environment_mismatch", http: 400),
        (status: 21_009, code: "app_store_unavailable", http: 503),
        (status: 21_010, code: "receipt_account_not_found", http: 404),
        (status: 21_150, code: "receipt_not_accepted", http: 400),
        (status: 99_999, code: "app_store_unavailable", http: 503),
    ])
    func `each status has its error`(expected: (status: Int64, code: String, http: Int)) async throws {
        let server = try await server()
        store.answerReceipts(Self.answer([Self.known], status: expected.status))
        let refused = try await Self.submit(Self.receipt(), for: "u_1", to: server)
        #expect(refused.status == expected.http)
        #expect(try refused.errorCode() == expected.code)
    }

    @Test func `an internal error that Apple calls retryable is retryable`() async throws {
        let server = try await server()
        store.answerReceipts(["status": 21_150, "is_retryable": true])
        let receipt = try Self.receipt()
        #expect(try await Self.submit(receipt, for: "u_1", to: server).errorCode() == "app_store_unavailable")
        // It is not cached.
        store.answerReceipts(Self.answer([Self.known], status: 21_006))
        #expect(try await Self.submit(receipt, for: "u_1", to: server).status == 200)
    }

    @Test func `an unreachable App Store is reported and nothing is stored`() async throws {
        let server = try await server()
        store.setUnreachable(true)
        let refused = try await Self.submit(Self.receipt(), for: "u_1", to: server)
        #expect(refused.status == 503)
        #expect(try refused.errorCode() == "app_store_unavailable")
    }
}
