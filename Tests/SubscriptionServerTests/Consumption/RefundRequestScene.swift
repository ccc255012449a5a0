import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// A customer who bought coins on day 0 and wants the money back on day 2, and an App Store that takes answers.
struct RefundRequestScene {
    static let coins = "3000000000000001"
    static let path = "/inApps/v2/transactions/consumption/\(coins)"
    static let olderPath = "/inApps/v1/transactions/consumption/\(coins)"
    static let route = "/v1/purchases/\(coins)/consumption"
    static let consent = #"{"customer_consented":true,"delivery_status":"delivered","consumption_percentage":40000}"#
    static let hour: Int64 = 3_600_000

    let store = ScriptedAppStore()
    let server: ServerFixture

    init(
        _ settings: ConsumptionSettings = ConsumptionSettings(policy: .declining),
        database: any SubscriptionDatabase = InMemoryDatabase()
    ) async throws {
        server = try await ServerFixture(database: database, appStore: store, consumption: settings)
        server.time.advance(to: Timestamp(milliseconds: Sample.time(2)))
        let coins = Sample.purchase(.consumable, signed: 0)
        #expect(try await server.submit(try server.apple.sign(coins), customer: "u_1").status == 200)
        store.accept(Self.path)
        store.accept(Self.olderPath)
    }

    /// The customer asks Apple for the money. Apple signs some milliseconds after the beginning of a day.
    func request(
        _ number: Int = 1,
        signed day: Int64 = 2,
        later milliseconds: Int64 = 0,
        purchase id: String = coins
    ) async throws {
        let reason = ConsumptionRequestReason.unintendedPurchase
        let notification = SentNotification(.consumptionRequest, day: day) { server, payload in
            payload.signedDate = Sample.time(day) + milliseconds
            var data = NotificationData(bundleId: ServerFixture.bundle, environment: .production)
            data.appAppleId = ServerFixture.appleID
            data.consumptionRequestReason = reason
            let purchase = Sample.purchase(.consumable, signed: day) { payload in
                (payload.transactionId, payload.originalTransactionId) = (id, id)
            }
            data.signedTransactionInfo = try server.apple.sign(purchase)
            payload.data = data
        }
        #expect(try await server.notify(try notification.signed(at: server, number: number)).status == 200)
    }

    /// Apple decides.
    func decide(_ type: NotificationType, number: Int = 9, day: Int64 = 3) async throws {
        let notification = SentNotification(
            type,
            day: day,
            transaction: Sample.purchase(.consumable, signed: day) { payload in
                guard type == .refund else { return }
                payload.revocationDate = Sample.time(day)
                payload.revocationReason = .other
            }
        )
        #expect(try await server.notify(try notification.signed(at: server, number: number)).status == 200)
    }

    func report(_ body: String = consent, key: String = ServerFixture.secret) async throws -> Answer {
        try await server.send(.put, Self.route, key: key, body: body)
    }

    func settle(afterHours hours: Double = 0) async {
        let now = Sample.time(2) + Int64(hours * Double(Self.hour))
        server.time.advance(to: Timestamp(milliseconds: now))
        // Failures are repeated.
        try? await server.services.consumptionAnswering.settle()
    }

    /// The only refund request.
    func shown() async throws -> JSONObject {
        let list = try await server.send(.get, "/v1/refund_requests")
        #expect(try list.count("data") == 1)
        return try #require(try list.objects("data").first)
    }

    /// The entries of the audit log about the purchase, newest first.
    func entries() async throws -> [AuditEntry] {
        try await server.database.read { storage throws(StorageError) in
            try storage.auditEntries(of: ServerFixture.app, about: "purchase:\(Self.coins)", limit: 10)
        }
    }

    /// How often the server sent Apple something.
    var sent: Int { store.requestedPaths.count { $0.contains("/consumption/") } }

    /// The value of a metric about refund requests in `/metrics`; nil if it has no line.
    func metric(_ name: String, _ result: String) async throws -> Double? {
        let text = String(decoding: try await server.send(.get, "/metrics", key: nil).bytes, as: UTF8.self)
        let line = "\(name){result=\"\(result)\"} "
        return text.split(separator: "\n").first { $0.hasPrefix(line) }.flatMap { Double($0.dropFirst(line.count)) }
    }

    /// The number of refund requests with a result in `/metrics`.
    func counted(_ result: String) async throws -> Double? {
        try await metric("perennial_refund_requests_total", result)
    }

    func events() async throws -> [String] {
        try await server.send(.get, "/v1/events?limit=100").objects("data").compactMap { $0["type"]?.stringValue }
            .filter { $0.hasPrefix("refund_request.") }
    }
}

extension ConsumptionPolicy {
    /// Wants no refund.
    static let declining = ConsumptionPolicy(
        rules: [Rule(kinds: [.consumable], answer: .decline)],
        otherwise: .noPreference
    )
}
