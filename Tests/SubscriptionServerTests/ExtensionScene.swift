import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// A server with one subscription, and an App Store that extends it.
struct ExtensionScene {
    static let original = Sample.original
    static let route = "/v1/subscriptions/\(original)/extensions"
    static let applesPath = "/inApps/v1/subscriptions/extend/\(original)"
    static let infoPath = "/inApps/v1/transactions/\(original)"
    static let body = #"{"extend_by_days":7,"reason":"outage"}"#

    let store = ScriptedAppStore()
    let server: ServerFixture

    init(
        at day: Int64 = 10,
        _ change: (inout JWSTransactionDecodedPayload) -> Void = { _ in }
    ) async throws {
        server = try await ServerFixture(appStore: store)
        server.time.advance(to: Timestamp(milliseconds: Sample.time(day)))
        _ = try await server.submit(try server.apple.sign(Sample.period(0, signed: 1, change)), customer: "u_1")
        let answer = ExtendRenewalDateResponse(
            originalTransactionId: Self.original,
            success: true,
            effectiveDate: Sample.time(37)
        )
        store.answer(Self.applesPath, answer)
    }

    /// How often Apple was asked to extend it.
    var asked: Int { store.requestedPaths.count { $0 == Self.applesPath } }

    func extend(
        _ key: String = "k",
        by secret: String = ServerFixture.secret,
        body: String = body
    ) async throws -> Answer {
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        return try await server.send(.post, Self.route, key: secret, headers: [name: key], body: body)
    }

    /// The request without the stored responses, as after their lifetime.
    func extendAgain(
        _ key: String = "k",
        by who: Operator = Operator("test")
    ) async throws(OperationError) -> RenewalExtension {
        let request = Extending.Request(
            id: RenewalExtensionID(rawValue: key),
            transactionID: TransactionID(Self.original),
            days: 7,
            reason: .outage
        )
        return try await server.services.extending.extend(request, app: ServerFixture.app, by: who)
    }

    func list() async throws -> Answer { try await server.send(.get, Self.route) }

    func newest() async throws -> JSONObject { try #require(try await list().objects("data").first) }

    func announce(_ number: Int = 1, end day: Int64 = 37) async throws {
        let notification = SentNotification(
            .renewalExtended,
            day: 10,
            status: .active,
            transaction: Sample.period(0, signed: 10 + Int64(number)) { $0.expiresDate = Sample.time(day) },
            renewal: Sample.renewal(signed: 10, end: day)
        )
        #expect(try await server.notify(try notification.signed(at: server, number: number)).status == 200)
    }

    /// What Apple says about the transaction from now on.
    func know(end day: Int64) throws {
        let payload = Sample.period(0, signed: 10) { $0.expiresDate = Sample.time(day) }
        let signed = try server.apple.sign(payload)
        store.answer(Self.infoPath, TransactionInfoResponse(signedTransactionInfo: signed))
    }

    func check(afterMinutes minutes: Int64) async throws {
        server.time.advance(to: Timestamp(milliseconds: Sample.time(10) + minutes * 60_000))
        try await server.services.extensionChecks.settle()
    }

    func end() async throws -> JSONValue? {
        try await server.send(.get, "/v1/customers/u_1").objects("subscriptions").first?["current_period_ends_at"]
    }

    func entries() async throws -> [AuditEntry] {
        try await server.database.read { storage throws(StorageError) in
            try storage.auditEntries(of: ServerFixture.app, about: "purchase:\(Self.original)", limit: 10)
        }
    }

    func audited() async throws -> [String] { try await entries().map(\.action).sorted() }
}
