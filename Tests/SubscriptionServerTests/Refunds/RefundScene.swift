import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// A server that hears of refunds. Everything is sent on day 50, however old it is.
struct RefundScene {
    let server: ServerFixture

    init(
        _ database: any SubscriptionDatabase = InMemoryDatabase(),
        appStore: ScriptedAppStore? = nil
    ) async throws {
        server = try await ServerFixture(database: database, appStore: appStore)
        server.time.advance(to: Timestamp(milliseconds: Sample.time(50)))
    }

    /// Sends a notification; each has its own number.
    func send(_ notification: SentNotification, number: Int) async throws {
        #expect(try await server.notify(try notification.signed(at: server, number: number)).status == 200)
    }

    func submit(_ payload: JWSTransactionDecodedPayload, customer: String = "u_42") async throws {
        let answer = try await server.submit(try server.apple.sign(payload), customer: customer)
        #expect(answer.status == 200)
    }

    /// What is stored about a purchase.
    func stored(_ purchase: String = Sample.original) async throws -> PurchaseRefunds {
        try await server.database.read { storage throws(StorageError) in
            try storage.refunds(of: OriginalTransactionID(purchase), app: ServerFixture.app)
        }
    }

    /// How far earlier refunds are read.
    func progress() async throws -> RefundProgress {
        try await server.database.read { storage throws(StorageError) in
            try storage.refundProgress(of: ServerFixture.app)
        }
    }

    func list(_ query: String = "") async throws -> [JSONObject] {
        let answer = try await server.send(.get, "/v1/refunds\(query)")
        #expect(answer.status == 200)
        return try answer.objects("data")
    }

    func rates(_ query: String) async throws -> [JSONObject] {
        let answer = try await server.send(.get, "/v1/refunds/rates?\(query)")
        #expect(answer.status == 200)
        return try answer.objects("data")
    }
}

extension RefundScene {
    /// What happens to the money of a purchase: asked for in vain, asked for again, refunded, reversed.
    ///
    /// - Parameter id: Its only transaction, which a period of a subscription is by default.
    static func history(of id: String = Sample.original) -> [SentNotification] {
        func period(signed day: Int64, _ change: (inout JWSTransactionDecodedPayload) -> Void = { _ in })
            -> JWSTransactionDecodedPayload
        {
            Sample.period(0, signed: day) { payload in
                (payload.transactionId, payload.originalTransactionId) = (id, id)
                change(&payload)
            }
        }
        let asked = period(signed: 4)
        let request = SentNotification(.consumptionRequest, day: 4) { server, payload in
            var data = NotificationData(bundleId: ServerFixture.bundle, environment: .production)
            data.appAppleId = ServerFixture.appleID
            data.consumptionRequestReason = .unintendedPurchase
            data.signedTransactionInfo = try server.apple.sign(asked)
            payload.data = data
        }
        return [
            SentNotification(.refundDeclined, day: 3, status: .active, transaction: period(signed: 3)),
            request,
            SentNotification(.refund, day: 5, status: .revoked, transaction: period(signed: 5, refund(onDay: 5))),
            SentNotification(.refundReversed, day: 6, status: .active, transaction: period(signed: 6)),
        ]
    }

    /// Refunds a transaction in full, for an issue with the app.
    static func refund(onDay day: Int64) -> (inout JWSTransactionDecodedPayload) -> Void {
        { payload in
            payload.revocationDate = Sample.time(day)
            payload.revocationReason = .appIssue
            payload.revocationType = .fullRefund
            payload.revocationPercentage = 100_000
        }
    }
}
