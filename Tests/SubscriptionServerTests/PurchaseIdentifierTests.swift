import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import HTTPTypes
import SubscriptionCore
import SubscriptionStorage
import Testing

/// Purchases submitted by identifiers other than a transaction id.
@Suite struct `Purchases submitted by other identifiers` {
    private static let first = "2000000000000001"
    private static let other = "2000000000000050"
    private static let appTransaction = "704000000000000001"
    private static let order = "MK5TTT2S6J"
    private static let fields = [
        "original_transaction_id", "app_transaction_id", "order_id", "transaction_receipt",
    ]

    /// Shared by all tests, because generating an RSA key is slow. Nobody verifies these receipts.
    private static let receipts = Result { try TestReceiptAuthority(under: SignedApple().authority) }

    private let store = ScriptedAppStore()

    private static func purchase(_ id: String) -> InAppPurchaseReceipt {
        InAppPurchaseReceipt(productId: "pro.monthly", transactionId: id, originalTransactionId: id)
    }

    private static func transactionReceipt(of id: String, bundle: String = ServerFixture.bundle) throws -> String {
        try receipts.get().mintTransactionReceipt(purchase(id), bundleId: bundle)
    }

    /// A subscription with one renewal, and a one-time purchase of the same Apple Account.
    private func server() async throws -> ServerFixture {
        let apple = try SignedApple()
        var renewal = SignedApple.period(id: "2000000000000002")
        renewal.purchaseDate = try #require(SignedApple.period().expiresDate)
        renewal.expiresDate = renewal.purchaseDate + 30 * 86_400_000
        var coins = SignedApple.period(id: Self.other, original: Self.other)
        coins.type = .consumable
        coins.productId = "coins"
        coins.expiresDate = nil
        coins.subscriptionGroupIdentifier = nil
        let record = JWSRenewalInfoDecodedPayload(
            originalTransactionId: Self.first,
            productId: "pro.monthly",
            autoRenewProductId: "pro.monthly",
            autoRenewStatus: .off,
            signedDate: ServerFixture.now,
            environment: .production
        )
        store.addSubscription(try apple.sign(renewal), renewal: try apple.sign(record))
        let all = [try apple.sign(SignedApple.period()), try apple.sign(renewal), try apple.sign(coins)]
        for transaction in all { store.addTransaction(transaction) }
        for id in [Self.first, "2000000000000002", Self.appTransaction] { store.addHistory(all, of: id) }
        store.answer(
            "/inApps/v1/lookup/\(Self.order)",
            OrderLookupResponse(status: .valid, signedTransactions: [all[0]])
        )
        store.answer("/inApps/v1/lookup/NOTHERE", OrderLookupResponse(status: .invalid))
        return try await ServerFixture(apple: apple, appStore: store)
    }

    private func send(_ field: String, _ value: String, to server: ServerFixture, key: String? = nil) async throws
        -> Answer
    {
        let body = #"{"app_user_id":"u_1","\#(field)":"\#(value)"}"#
        guard let key else { return try await server.send(.post, "/v1/transactions", body: body) }
        return try await server.send(.post, "/v1/transactions", key: key, body: body)
    }

    /// The purchases of the customer with their number of transactions.
    private func purchases(at server: ServerFixture) async throws -> [String: Int] {
        try await server.database.read { storage throws(StorageError) in
            var counts: [String: Int] = [:]
            for purchase in try storage.purchases(of: CustomerID("u_1"), app: ServerFixture.app) {
                let ledger = try storage.ledger(of: purchase.id, app: ServerFixture.app)
                counts[purchase.id.rawValue] = ledger.timeline.count
            }
            return counts
        }
    }

    @Test func `an original id is of one purchase with its whole history`() async throws {
        let server = try await server()
        #expect(try await send("original_transaction_id", Self.first, to: server).status == 200)
        #expect(try await purchases(at: server) == [Self.first: 2])
    }

    @Test(arguments: ["backfill", "none"])
    func `the history of an original id has the other purchases of its account, which nobody claims`(
        events: String
    ) async throws {
        let server = try await server()
        let body = #"{"app_user_id":"u_1","original_transaction_id":"\#(Self.first)","events":"\#(events)"}"#
        #expect(try await server.send(.post, "/v1/transactions", body: body).status == 200)
        #expect(try await purchases(at: server) == [Self.first: 2])
        let (ledger, record) = try await server.database.read {
            storage throws(StorageError) -> (PurchaseLedger, PurchaseRecord?) in
            let id = OriginalTransactionID(Self.other)
            return (
                try storage.ledger(of: id, app: ServerFixture.app), try storage.purchase(id, of: ServerFixture.app)
            )
        }
        #expect(ledger.timeline.count == 1)
        #expect(record != nil && record?.customerID == nil)
        let feed = try await server.send(.get, "/v1/events")
        #expect(String(decoding: feed.bytes, as: UTF8.self).contains(Self.other) == (events == "backfill"))
    }

    @Test func `the id of a renewal is no original id`() async throws {
        let server = try await server()
        let answer = try await send("original_transaction_id", "2000000000000002", to: server)
        #expect(answer.status == 404)
        #expect(try answer.errorCode() == "transaction_not_found")
        #expect(try answer.string("error", "message")?.contains("send it as transaction_id") == true)
    }

    @Test func `an app transaction id is of all purchases of the Apple Account`() async throws {
        let server = try await server()
        #expect(try await send("app_transaction_id", Self.appTransaction, to: server).status == 200)
        #expect(try await purchases(at: server) == [Self.first: 2, Self.other: 1])
    }

    @Test func `an Apple Account without purchases has none`() async throws {
        let server = try await server()
        store.addHistory([], of: Self.appTransaction)
        let answer = try await send("app_transaction_id", Self.appTransaction, to: server)
        #expect(answer.status == 404)
        #expect(try answer.errorCode() == "no_purchases")
    }

    @Test func `an order is of its own purchases only`() async throws {
        let server = try await server()
        #expect(try await send("order_id", Self.order, to: server).status == 200)
        // The answer about the subscription's status contains its latest transaction.
        #expect(try await purchases(at: server) == [Self.first: 2])
        let unknown = try await send("order_id", "NOTHERE", to: server)
        #expect(unknown.status == 404)
        #expect(try unknown.errorCode() == "order_not_found")
    }

    @Test(arguments: fields)
    func `an unknown identifier is 404, and an absent App Store 503`(_ field: String) async throws {
        let server = try await server()
        let value = field == "transaction_receipt" ? try Self.transactionReceipt(of: "77") : "77"
        let unknown = try await send(field, value, to: server)
        #expect(unknown.status == 404)
        store.setUnreachable(true)
        let silent = try await send(field, value, to: server)
        #expect(silent.status == 503)
        #expect(try silent.errorCode() == "app_store_unavailable")
    }

    @Test(arguments: fields) func `a publishable key may not use identifiers`(_ field: String) async throws {
        let server = try await server()
        let answer = try await send(field, Self.first, to: server, key: ServerFixture.publishable)
        #expect(answer.status == 403)
        #expect(store.requestedPaths.isEmpty)
    }

    @Test(arguments: fields) func `an empty or a huge identifier is refused`(_ field: String) async throws {
        let server = try await server()
        for value in ["", String(repeating: "1", count: 300_000)] {
            let answer = try await send(field, value, to: server)
            #expect(answer.status == 400)
            #expect(try answer.string("error", "param") == field)
        }
        #expect(store.requestedPaths.isEmpty)
    }

    @Test(arguments: ["not base64!", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln", "MIIB", "e30="])
    func `what is no transaction receipt is refused with the reason`(_ receipt: String) async throws {
        let server = try await server()
        let answer = try await send("transaction_receipt", receipt, to: server)
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == "receipt_malformed")
        #expect(store.requestedPaths.isEmpty)
    }

    @Test func `a transaction receipt is of its purchase, if it is of this app`() async throws {
        let server = try await server()
        let other = try Self.transactionReceipt(of: Self.first, bundle: "com.example.other")
        let refused = try await send("transaction_receipt", other, to: server)
        #expect(refused.status == 400)
        #expect(try refused.errorCode() == "bundle_id_mismatch")
        #expect(store.requestedPaths.isEmpty)
        let receipt = try Self.transactionReceipt(of: Self.first)
        #expect(try await send("transaction_receipt", receipt, to: server).status == 200)
        // The first period by its id, and the renewal as the newest.
        #expect(try await purchases(at: server) == [Self.first: 2])
    }

    @Test func `an app receipt is no transaction receipt`() async throws {
        let server = try await server()
        var app = AppReceipt(bundleId: ServerFixture.bundle, receiptType: .production, creationDate: ServerFixture.now)
        app.inAppPurchases = [Self.purchase(Self.first)]
        let answer = try await send("transaction_receipt", try Self.receipts.get().mintBase64(app), to: server)
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == "receipt_form_wrong")
    }

    @Test func `a transaction receipt is no app receipt`() async throws {
        let server = try await server()
        let answer = try await send("app_receipt", try Self.transactionReceipt(of: Self.first), to: server)
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == "receipt_form_wrong")
        #expect(try answer.string("error", "param") == "app_receipt")
        #expect(try answer.string("error", "message")?.contains("Send it as transaction_receipt") == true)
        #expect(store.requestedPaths.isEmpty)
    }

    @Test func `other data than a receipt is refused with what to send`() async throws {
        let server = try await server()
        for field in ["transaction_receipt", "app_receipt"] {
            let answer = try await send(field, "AAAA", to: server)
            #expect(try answer.errorCode() == "receipt_malformed")
            #expect(try answer.string("error", "message")?.contains("send the receipt's bytes") == true)
        }
    }

    @Test func `two identifiers at once are refused`() async throws {
        let server = try await server()
        let body = #"{"app_user_id":"u_1","order_id":"A","original_transaction_id":"1"}"#
        #expect(try await server.send(.post, "/v1/transactions", body: body).status == 400)
    }
}
