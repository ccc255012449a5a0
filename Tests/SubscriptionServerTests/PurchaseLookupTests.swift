import AppStoreModel
import AppStoreSigning
import HTTPTypes
import SubscriptionCore
import SubscriptionStorage
import Testing

@Suite struct `Purchases submitted by identifier` {
    private let store = ScriptedAppStore()

    private func server() async throws -> ServerFixture {
        let apple = try SignedApple()
        store.addSubscription(try apple.sign(SignedApple.period()), renewal: try apple.sign(Self.renewal()))
        return try await ServerFixture(apple: apple, appStore: store)
    }

    private func willRenew(_ customer: String, at server: ServerFixture) async throws -> Bool? {
        try await server.send(.get, "/v1/customers/\(customer)").bool("entitlements", "21000001", "will_renew")
    }

    private static func renewal() -> JWSRenewalInfoDecodedPayload {
        JWSRenewalInfoDecodedPayload(
            originalTransactionId: "2000000000000001",
            productId: "pro.monthly",
            autoRenewProductId: "pro.monthly",
            autoRenewStatus: .off,
            signedDate: ServerFixture.now,
            environment: .production
        )
    }

    private static func submission(_ field: String, _ value: String) -> String {
        #"{"app_user_id":"u_1","\#(field)":"\#(value)"}"#
    }

    private static func versionOne(secret: String = ScriptedAppStore.sharedSecret, id: String = "2000000000000001")
        -> String
    {
        """
        {"notification_type":"DID_RENEW","environment":"PROD","bid":"\(ServerFixture.bundle)","password":"\(secret)",
         "original_transaction_id":\(id),"unified_receipt":{"status":0}}
        """
    }

    private func entitlementIsActive(_ server: ServerFixture) async throws -> Bool {
        try await server.send(.get, "/v1/customers/u_1").bool("entitlements", "21000001", "active") == true
    }

    @Test func `are fetched by transaction ID with their renewal record, as signed data`() async throws {
        let server = try await server()
        let answer = try await server.send(
            .post,
            "/v1/transactions",
            body: Self.submission("transaction_id", "2000000000000001")
        )
        #expect(answer.status == 200)
        #expect(try await entitlementIsActive(server))
        let kinds = try await server.database.read { storage throws(StorageError) in
            try storage.evidence(
                about: OriginalTransactionID("2000000000000001"),
                of: ServerFixture.app,
                after: 0,
                limit: 10
            )
            .map(\.record.kind)
        }
        #expect(Set(kinds) == [.transaction, .renewal])
        #expect(
            store.requestedPaths == [
                "/inApps/v1/transactions/2000000000000001", "/inApps/v1/subscriptions/2000000000000001",
            ]
        )
        // Only the renewal record shows that renewal is turned off.
        #expect(try await willRenew("u_1", at: server) == false)
    }

    @Test func `require a secret key, since an ID can be guessed`() async throws {
        let server = try await server()
        let answer = try await server.send(
            .post,
            "/v1/transactions",
            key: ServerFixture.publishable,
            body: Self.submission("transaction_id", "2000000000000001")
        )
        #expect(answer.status == 403)
        #expect(store.requestedPaths.isEmpty)
    }

    @Test func `are 404 for an unknown ID, and 503 without a change if the App Store does not answer`() async throws {
        let server = try await server()
        let unknown = try await server.send(.post, "/v1/transactions", body: Self.submission("transaction_id", "77"))
        #expect(unknown.status == 404)
        #expect(try unknown.errorCode() == "transaction_not_found")
        store.setUnreachable(true)
        let body = Self.submission("transaction_id", "2000000000000001")
        let silent = try await server.send(.post, "/v1/transactions", body: body)
        #expect(silent.status == 503)
        #expect(try silent.errorCode() == "app_store_unavailable")
        #expect(try await server.send(.get, "/v1/customers/u_1").status == 404)
    }

    @Test func `fail permanently without a key for the App Store`() async throws {
        let server = try await ServerFixture()
        let answer = try await server.send(.post, "/v1/transactions", body: Self.submission("transaction_id", "77"))
        #expect(answer.status == 503)
        #expect(try answer.errorCode() == "app_store_api_not_configured")
        #expect(try answer.bool("error", "retryable") == false)
    }

    @Test func `are not transferred from another customer`() async throws {
        let server = try await server()
        let signed = try server.apple.sign(SignedApple.period())
        _ = try await server.submit(signed, customer: "u_0")
        let body = Self.submission("transaction_id", "2000000000000001")
        let answer = try await server.send(.post, "/v1/transactions", body: body)
        #expect(answer.status == 409)
        #expect(try answer.errorCode() == "purchase_owned_by_another_customer")
        #expect(try await willRenew("u_0", at: server) == false)
    }

    @Test func `are accepted in one form per request`() async throws {
        let server = try await server()
        let body = #"{"app_user_id":"u_1","transaction_id":"1","app_receipt":"MII="}"#
        let answer = try await server.send(.post, "/v1/transactions", body: body)
        #expect(answer.status == 400)
        let nothing = try await server.send(.post, "/v1/transactions", body: #"{"app_user_id":"u_1"}"#)
        #expect(try nothing.errorCode() == "parameter_missing")
    }

    @Test(arguments: ["", "MIIB", "not base64!", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln"])
    func `reject a receipt that the App Store did not sign with the verifier's reason`(_ receipt: String) async throws {
        let server = try await server()
        let answer = try await server.send(.post, "/v1/transactions", body: Self.submission("app_receipt", receipt))
        #expect(answer.status == 400)
        #expect(try answer.string("error", "param") == "app_receipt")
        #expect(store.requestedPaths.isEmpty)
    }

    // MARK: Version 1

    @Test func `are fetched for a version 1 notification with the app's secret`() async throws {
        let server = try await server()
        _ = try await server.submit(
            try server.apple.sign(SignedApple.period(signedAt: ServerFixture.now - 5)),
            customer: "u_1"
        )
        let answer = try await server.send(.post, "/v1/apple/notifications", key: nil, body: Self.versionOne())
        #expect(answer.status == 200)
        #expect(
            store.requestedPaths == [
                "/inApps/v2/history/2000000000000001", "/inApps/v1/subscriptions/2000000000000001",
            ]
        )
        #expect(try await willRenew("u_1", at: server) == false)
    }

    @Test(arguments: ["", "0123456789abcdef0123456789abcdeF", "0123456789abcdef0123456789abcde"])
    func `are not fetched without the secret, and Apple is asked to retry`(_ secret: String) async throws {
        let server = try await server()
        let body = Self.versionOne(secret: secret)
        let answer = try await server.send(.post, "/v1/apple/notifications", key: nil, body: body)
        #expect(answer.status == 503)
        #expect(try answer.errorCode() == "shared_secret_wrong")
        #expect(store.requestedPaths.isEmpty)
    }

    @Test func `are retried for version 1 while the App Store does not know the transaction`() async throws {
        let server = try await server()
        let body = Self.versionOne(id: "99")
        let answer = try await server.send(.post, "/v1/apple/notifications", key: nil, body: body)
        #expect(answer.status == 503)
        #expect(try answer.errorCode() == "transaction_not_found")
    }

    @Test(arguments: [
        #"{"notification_type":"DID_RENEW"}"#,
        #"{"notification_type":"DID_RENEW","bid":"com.example.app","environment":"XCODE"}"#,
        #"{"notification_type":"DID_RENEW","bid":"com.example.app","environment":"PROD","unified_receipt":[]}"#,
    ])
    func `reject an incomplete version 1 notification with the missing field`(_ body: String) async throws {
        let server = try await server()
        let answer = try await server.send(.post, "/v1/apple/notifications", key: nil, body: body)
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == "notification_malformed")
    }
}
