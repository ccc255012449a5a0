import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization
import Testing

/// RESCIND_CONSENT identifies an App Store account by its `appTransactionId` and contains no purchase.
@Suite struct `Withdrawn consent of a guardian` {
    private static let account = "704289572311513293"

    private static func period(_ id: String, account: String = account) -> JWSTransactionDecodedPayload {
        var payload = SignedApple.period(id: id, original: id)
        payload.appTransactionId = account
        return payload
    }

    private static func withdrawal(_ server: ServerFixture, uuid: String = "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a99")
        throws -> String
    {
        var download = JWSAppTransactionDecodedPayload(
            bundleId: ServerFixture.bundle,
            originalApplicationVersion: "1.0",
            originalPurchaseDate: ServerFixture.now - 1000,
            receiptCreationDate: ServerFixture.now
        )
        download.receiptType = .production
        download.appAppleId = ServerFixture.appleID
        download.appTransactionId = account
        var data = NotificationAppData(bundleId: ServerFixture.bundle, environment: .production)
        data.appAppleId = ServerFixture.appleID
        data.signedAppTransactionInfo = try server.apple.sign(download)
        let payload = ResponseBodyV2DecodedPayload(
            notificationType: .rescindConsent,
            notificationUUID: uuid,
            version: "2.0",
            signedDate: ServerFixture.now,
            appData: data
        )
        return try server.apple.sign(payload)
    }

    private static func withdrawals(_ server: ServerFixture) async throws -> [EventRecord] {
        try await server.events().filter { $0.event.kind == .consentWithdrawn }
    }

    @Test func `emits an event for the customer and changes nothing else`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(Self.period("1")), customer: "u_1")
        _ = try await server.submit(try server.apple.sign(Self.period("2", account: "7")), customer: "u_2")
        let before = try await server.send(.get, "/v1/customers/u_1")
        #expect(try before.objects("subscriptions").map { $0["app_transaction_id"] } == [.string(Self.account)])
        #expect(try await server.notify(try Self.withdrawal(server)).status == 200)
        let withdrawals = try await Self.withdrawals(server)
        #expect(withdrawals.map(\.customerID?.rawValue) == ["u_1"])
        #expect(withdrawals.first?.event.details == ["app_transaction_id": Self.account])
        #expect(try await server.send(.get, "/v1/customers/u_1").bytes == before.bytes)
        let timeline = try await server.send(.get, "/v1/customers/u_1/timeline").objects("data")
        #expect(timeline.filter { $0["type"] == .string("customer.consent_withdrawn") }.count == 1)
    }

    @Test func `emits one event per customer of the account, and none for a duplicate`() async throws {
        let server = try await ServerFixture()
        for (id, customer) in [("1", "u_2"), ("2", "u_1"), ("3", "u_1")] {
            _ = try await server.submit(try server.apple.sign(Self.period(id)), customer: customer)
        }
        for _ in 1...2 { _ = try await server.notify(try Self.withdrawal(server)) }
        #expect(try await Self.withdrawals(server).map(\.customerID?.rawValue) == ["u_1", "u_2"])
    }

    @Test func `is a duplicate the second time, although a purchase of the account cannot be read any more`()
        async throws
    {
        let isDamaged = Mutex(false)
        let purchase = OriginalTransactionID("1")
        let database = DamagedDatabase(base: InMemoryDatabase(), unreadable: purchase) { isDamaged.withLock { $0 } }
        let server = try await ServerFixture(database: database)
        _ = try await server.submit(try server.apple.sign(Self.period("1")), customer: "u_1")
        let withdrawal = try Self.withdrawal(server)
        #expect(try await server.notify(withdrawal).bool("duplicate") == false)
        isDamaged.withLock { $0 = true }
        #expect(try await server.notify(withdrawal).bool("duplicate") == true)
        let new = try await server.notify(
            try Self.withdrawal(server, uuid: "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a98")
        )
        #expect(new.status == 503)
        #expect(try new.errorCode() == "storage_corrupt")
        #expect(try await Self.withdrawals(server).map(\.customerID?.rawValue) == ["u_1"])
    }

    @Test func `emits no event for an account without claimed purchases`() async throws {
        let server = try await ServerFixture()
        _ = try await server.notify(try Self.withdrawal(server))
        _ = try await server.notify(try server.apple.notification(transaction: Self.period("1")))
        _ = try await server.notify(try Self.withdrawal(server, uuid: "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a98"))
        #expect(try await Self.withdrawals(server).map(\.customerID) == [nil, nil])
    }

    @Test func `uses the account identifier of a purchase, which may be null`() async throws {
        let server = try await ServerFixture()
        var lifetime = Self.period("1")
        lifetime.type = .nonConsumable
        lifetime.expiresDate = nil
        _ = try await server.submit(try server.apple.sign(lifetime), customer: "u_1")
        _ = try await server.submit(try server.apple.sign(SignedApple.period(id: "2", original: "2")), customer: "u_1")
        let customer = try await server.send(.get, "/v1/customers/u_1")
        #expect(try customer.objects("purchases").map { $0["app_transaction_id"] } == [.string(Self.account)])
        #expect(try customer.objects("subscriptions").map { $0["app_transaction_id"] } == [.null])
    }
}
