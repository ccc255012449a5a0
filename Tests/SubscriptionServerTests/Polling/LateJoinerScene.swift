import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import HTTPTypes
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage

@testable import SubscriptionOperations

/// A server and Apple, which knows a subscription from before the server heard of it.
struct LateJoinerScene: EngineScene {
    static let id = "2000000000000001"
    static let month: Int64 = 30 * 86_400_000
    static let historyPath = "/inApps/v2/history/\(id)"
    static let refundPath = "/inApps/v2/refund/lookup/\(id)"
    /// Another subscription of the store account.
    static let otherID = "2000000000000050"
    static let otherHistoryPath = "/inApps/v2/history/\(otherID)"

    /// Three periods, of which the last one is current; the second one was refunded.
    static func periods() -> [JWSTransactionDecodedPayload] {
        (0..<3).map { number in
            var period = SignedApple.period(id: "200000000000000\(number + 1)")
            let start = ServerFixture.now - 1_000 - Int64(2 - number) * month
            period.purchaseDate = start
            period.originalPurchaseDate = ServerFixture.now - 1_000 - 2 * month
            period.expiresDate = start + month
            period.transactionReason = number == 0 ? .purchase : .renewal
            if number == 1 {
                period.revocationDate = start + 1_000
                period.revocationReason = .other
            }
            return period
        }
    }

    let store = ScriptedAppStore()
    let server: ServerFixture
    let periods: [String]

    init(_ database: any SubscriptionDatabase) async throws {
        server = try await ServerFixture(
            database: database,
            appStore: store,
            recovery: RecoverySettings(isAutomatic: false),
            polling: PollingSettings(queriesPerSecond: 0)
        )
        let apple = server.apple
        periods = try Self.periods().map { try apple.sign($0) }
        try setStatus(autoRenew: .on)
        for period in periods { store.addTransaction(period) }
        store.addHistory(periods, of: Self.id)
        store.answer(
            Self.refundPath,
            RefundHistoryResponse(hasMore: false, revision: "r", signedTransactions: [periods[1]])
        )
    }

    /// Sets the status of the subscription, with a renewal record that is signed now. The history becomes the newest
    /// period alone.
    func setStatus(autoRenew: AutoRenewStatus) throws {
        store.addSubscription(periods[2], renewal: try renewal(of: Self.id, autoRenew: autoRenew))
    }

    /// A renewal record that is signed now.
    func renewal(of id: String, autoRenew: AutoRenewStatus = .on) throws -> String {
        let renewal = JWSRenewalInfoDecodedPayload(
            originalTransactionId: id,
            productId: "pro.monthly",
            autoRenewProductId: "pro.monthly",
            autoRenewStatus: autoRenew,
            signedDate: server.time.now().milliseconds,
            environment: .production
        )
        return try server.apple.sign(renewal)
    }

    /// The first and the last period of the other subscription: there is a gap between them.
    func otherPeriods() throws -> [String] {
        try [0, 2].map { index in
            var period = Self.periods()[index]
            period.transactionId = index == 0 ? Self.otherID : "2000000000000052"
            period.originalTransactionId = Self.otherID
            return try server.apple.sign(period)
        }
    }

    /// A receipt that lists the subscription only.
    func receipt() throws -> String {
        var receipt = AppReceipt(
            bundleId: ServerFixture.bundle,
            receiptType: .production,
            creationDate: ServerFixture.now
        )
        receipt.inAppPurchases = [
            InAppPurchaseReceipt(
                productId: "pro.monthly",
                transactionId: Self.id,
                originalTransactionId: Self.id,
                purchaseDate: ServerFixture.now - 1_000 - 2 * Self.month
            )
        ]
        return try TestReceiptAuthority(under: server.apple.authority).mintBase64(receipt)
    }

    /// Adds a refunded consumable to the history.
    func addRefundedConsumable() throws {
        var coins = SignedApple.period(id: Self.otherID, original: Self.otherID)
        coins.productId = "coins.100"
        coins.type = .consumable
        coins.subscriptionGroupIdentifier = nil
        coins.expiresDate = nil
        coins.revocationDate = ServerFixture.now - 500
        coins.revocationReason = .other
        store.addHistory(periods + [try server.apple.sign(coins)], of: Self.id)
    }

    func move(to time: Int64) { server.time.advance(to: Timestamp(milliseconds: time)) }

    func move(byMilliseconds pause: Int64) { move(to: server.time.now().milliseconds + pause) }

    /// Replaces all entries of status polling.
    func setPolls(_ polls: [StatusPoll]) async throws {
        let before = try await self.polls()
        try await server.database.write { storage throws(StorageError) in
            for poll in before { try storage.remove(poll, of: ServerFixture.app) }
            for poll in polls { try storage.save(poll, of: ServerFixture.app) }
        }
    }

    func polling(metrics: IntakeMetrics = IntakeMetrics()) throws -> StatusPolling {
        let app = AppIdentity(
            bundleId: ServerFixture.bundle,
            appAppleId: ServerFixture.appleID,
            environment: .production
        )
        return StatusPolling(
            database: server.database,
            verifier: SignedDataVerifier(roots: [server.apple.authority.trustedRoot], apps: [app]),
            access: try store.access(to: ServerFixture.bundle),
            policy: AccessPolicy(),
            settings: PollingSettings(queriesPerSecond: 0),
            time: server.time,
            metrics: metrics
        )
    }

    var histories: Int { store.requestedPaths.count { $0 == Self.historyPath } }

    func ledger() async throws -> PurchaseLedger {
        try await server.database.read { storage throws(StorageError) in
            try storage.ledger(of: OriginalTransactionID(Self.id), app: ServerFixture.app)
        }
    }

    func polls() async throws -> [StatusPoll] {
        try await server.database.read { storage throws(StorageError) in
            try storage.statusPolls(of: ServerFixture.app, until: Timestamp(milliseconds: .max), limit: 100)
        }
    }

    /// The customer's subscription as the API shows it.
    func subscription() async throws -> JSONValue? {
        try await server.send(.get, "/v1/customers/u").json()["subscriptions"]
    }

    /// The charges in the feed, as an unordered list.
    func charges() async throws -> [String] {
        try await server.events().filter { $0.event.price != nil }
            .map { "\($0.event.kind) \($0.event.transactionID?.rawValue ?? "")" }.sorted()
    }
}
