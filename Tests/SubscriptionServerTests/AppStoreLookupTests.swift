import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import HTTPTypes
import Logging
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// When the server sends requests to the App Store. Any holder of a receipt can cause them.
@Suite(.timeLimit(.minutes(5))) struct `Requests to the App Store` {
    /// Shared by all tests, because generating an RSA key is slow.
    private static let receipts = Result { try ReceiptFixture() }

    private struct ReceiptFixture {
        let apple: SignedApple
        let authority: TestReceiptAuthority

        init() throws {
            apple = try SignedApple()
            authority = try TestReceiptAuthority(under: apple.authority)
        }

        /// A receipt with one purchase, created at a time.
        func receipt(_ transaction: String = "2000000000000001", createdAt: Int64 = ServerFixture.now) throws -> String
        {
            var receipt = AppReceipt(
                bundleId: ServerFixture.bundle,
                receiptType: .production,
                creationDate: createdAt
            )
            receipt.inAppPurchases = [
                InAppPurchaseReceipt(
                    productId: "pro.monthly",
                    transactionId: transaction,
                    originalTransactionId: transaction,
                    purchaseDate: ServerFixture.now - 1000
                )
            ]
            return try authority.mintBase64(receipt)
        }
    }

    private let store = ScriptedAppStore()

    private func server(_ limits: AppStoreLimits = AppStoreLimits()) async throws -> (ServerFixture, ReceiptFixture) {
        let receipts = try Self.receipts.get()
        let renewal = JWSRenewalInfoDecodedPayload(
            originalTransactionId: "2000000000000001",
            productId: "pro.monthly",
            autoRenewProductId: "pro.monthly",
            autoRenewStatus: .on,
            signedDate: ServerFixture.now,
            environment: .production
        )
        store.addSubscription(try receipts.apple.sign(SignedApple.period()), renewal: try receipts.apple.sign(renewal))
        let server = try await ServerFixture(apple: receipts.apple, appStore: store, appStoreLimits: limits)
        return (server, receipts)
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

    @Test func `are not repeated for the same receipt within minutes, for any customer`() async throws {
        let (server, receipts) = try await server()
        #expect(try await Self.submit(receipts.receipt(), for: "u_1", to: server).status == 200)
        let asked = store.requestedPaths
        #expect(asked == ["/inApps/v2/history/2000000000000001", "/inApps/v1/subscriptions/2000000000000001"])
        // StoreKit creates a new file each time, with the same content.
        for second in 1...20 {
            let copy = try receipts.receipt(createdAt: ServerFixture.now + Int64(second) * 1000)
            let own = try await Self.submit(copy, for: "u_1", to: server)
            #expect(own.status == 200)
            #expect(try own.count("subscriptions") == 1)
            let foreign = try await Self.submit(copy, for: "stranger_\(second)", to: server)
            #expect(try foreign.errorCode() == "purchase_owned_by_another_customer")
        }
        #expect(store.requestedPaths == asked)
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 300_001))
        #expect(try await Self.submit(receipts.receipt(), for: "u_1", to: server).status == 200)
        #expect(store.requestedPaths.count == 2 * asked.count)
    }

    @Test(arguments: TransferPolicy.allCases)
    func `lead to the same owner as a cached receipt`(policy: TransferPolicy) async throws {
        let (known, receipts) = try await server()
        let (asking, _) = try await server(AppStoreLimits(receiptMilliseconds: 0))
        for server in [known, asking] {
            try await server.database.write { storage throws(StorageError) in
                try storage.save(AppSettings(transferPolicy: policy), of: ServerFixture.app)
            }
        }
        let receipt = try receipts.receipt()
        for day in 0..<3 {
            let now = Timestamp(milliseconds: ServerFixture.now + Int64(day) * 60_000)
            for server in [known, asking] { server.time.advance(to: now) }
            for customer in ["u_1", "u_2", "u_1", "u_3"] {
                let got = try await Self.submit(receipt, for: customer, to: known)
                let expected = try await Self.submit(receipt, for: customer, to: asking)
                #expect(got.status == expected.status)
                #expect(try got.json()["subscriptions"] == expected.json()["subscriptions"])
                if expected.status != 200 { #expect(try got.errorCode() == expected.errorCode()) }
            }
        }
        for customer in ["u_1", "u_2", "u_3"] {
            #expect(try await storedReceipts(of: customer, on: known) == storedReceipts(of: customer, on: asking))
        }
    }

    private func storedReceipts(of customer: String, on server: ServerFixture) async throws -> [ReceiptRecord] {
        try await server.database.read { storage throws(StorageError) in
            try storage.receipts(of: CustomerID(customer), app: ServerFixture.app)
        }
    }

    @Test func `are sent for a receipt with another purchase and after a failed request`() async throws {
        let (server, receipts) = try await server()
        store.setUnreachable(true)
        #expect(try await Self.submit(receipts.receipt(), for: "u_1", to: server).status == 503)
        store.setUnreachable(false)
        #expect(try await Self.submit(receipts.receipt(), for: "u_1", to: server).status == 200)
        #expect(try await Self.submit(receipts.receipt("2000000000000077"), for: "u_1", to: server).status == 404)
    }

    @Test func `are shared by concurrent copies of a receipt`() async throws {
        let (server, receipts) = try await server()
        let receipt = try receipts.receipt()
        store.setSilent(true)
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { try await Self.submit(receipt, for: "u_1", to: server).status }
            try await ServerFixture.until { server.services.lookup.waiting > 0 }
            for number in 0..<20 {
                let copy = try await Self.submit(receipt, for: "u_\(number)", to: server)
                #expect(try copy.errorCode() == "app_store_busy")
                #expect(try copy.bool("error", "retryable") == true)
            }
            #expect(server.services.lookup.waiting == 1)
            store.setSilent(false)
            #expect(try await group.next() == 200)
        }
        #expect(server.services.lookup.waiting == 0)
    }

    @Test func `are limited in number and take no capacity from other requests`() async throws {
        let receipts = try Self.receipts.get()
        let server = try await ServerFixture(
            apple: receipts.apple,
            appStore: store,
            appStoreLimits: AppStoreLimits(lookupsMax: 3),
            limits: ServerLimits(requestsMax: 2, notificationsMax: 1)
        )
        store.setSilent(true)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<3 {
                group.addTask {
                    let body = #"{"app_user_id":"u_\#(number)","transaction_id":"\#(number)"}"#
                    return try await server.send(.post, "/v1/transactions", body: body).status
                }
                try await ServerFixture.until { server.services.lookup.waiting > number }
            }
            let receipt = try await Self.submit(try receipts.receipt(), for: "u_1", to: server)
            #expect(try receipt.errorCode() == "app_store_busy")
            let versionOne = """
                {"notification_type":"DID_RENEW","environment":"PROD","bid":"\(ServerFixture.bundle)",
                 "password":"\(ScriptedAppStore.sharedSecret)","original_transaction_id":1}
                """
            let hint = try await server.send(.post, "/v1/apple/notifications", key: nil, body: versionOne)
            #expect(try hint.errorCode() == "app_store_busy")
            #expect(server.services.admission.requests == 0)
            #expect(try await server.notify(try server.apple.notification()).status == 200)
            #expect(try await server.send(.get, "/v1/entitlements").status == 200)
            store.setSilent(false)
            for _ in 0..<3 { #expect(try await group.next() == 404) }
        }
        #expect(server.services.admission.requests == 0)
        #expect(server.services.admission.bytes == 0)
    }

    @Test func `have one deadline for all pages of a history`() async throws {
        let receipts = try Self.receipts.get()
        let server = try await ServerFixture(
            apple: receipts.apple,
            appStore: store,
            appStoreLimits: AppStoreLimits(lookupMillisecondsMax: 2_000)
        )
        let path = "/inApps/v2/history/2000000000000001"
        store.setEndless(path, transaction: try receipts.apple.sign(SignedApple.period()), pagesMax: 5)
        let start = ContinuousClock.now
        let answer = try await Self.submit(try receipts.receipt(), for: "u_1", to: server)
        #expect(answer.status == 503)
        #expect(try answer.errorCode() == "app_store_unavailable")
        // The usual deadline is 15 seconds.
        #expect(ContinuousClock.now - start < .seconds(12))
        #expect((2..<60).contains(store.requestedPaths.count))
        #expect(server.services.lookup.waiting == 0)
        #expect(try await server.send(.get, "/v1/customers/u_1").status == 404)
    }

    // MARK: Version 1

    private static func versionOne(_ bundle: String, _ environment: String, secret: String) -> String {
        """
        {"notification_type":"DID_RENEW","environment":"\(environment)","bid":"\(bundle)","password":"\(secret)",
         "original_transaction_id":2000000000000001}
        """
    }

    @Test(arguments: [("com.example.other", "PROD"), ("com.example.ap", "SANDBOX"), ("", "PROD")])
    func `are not sent for a version 1 notification of an unserved app`(
        bundle: String,
        environment: String
    ) async throws {
        let (server, _) = try await server()
        let body = Self.versionOne(bundle, environment, secret: ScriptedAppStore.sharedSecret)
        let answer = try await server.send(.post, "/v1/apple/notifications", key: nil, body: body)
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == "app_not_configured")
        #expect(!String(decoding: answer.bytes, as: UTF8.self).contains("com.example"))
        #expect(store.requestedPaths.isEmpty)
    }

    @Test func `are not sent for a forged version 1 notification, which is logged as a notice`() async throws {
        let lines = RecordingLogHandler.Lines()
        let receipts = try Self.receipts.get()
        let server = try await ServerFixture(
            apple: receipts.apple,
            appStore: store,
            logger: Logger(label: "test") { _ in RecordingLogHandler(lines: lines) }
        )
        let body = Self.versionOne("com.example.other", "PROD", secret: "x")
        _ = try await server.send(.post, "/v1/apple/notifications", key: nil, body: body)
        let line = try #require(lines.all.first { $0.contains("app_not_configured") })
        #expect(line.contains("notice"))
        #expect(!line.contains("com.example"))
    }
}
