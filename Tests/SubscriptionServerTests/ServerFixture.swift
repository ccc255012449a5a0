import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// The complete router of a server on a database, with an app in both environments and a test authority as Apple.
struct ServerFixture: Sendable {
    static let bundle = "com.example.app"
    static let appleID: Int64 = 640_000_0001
    static let secret = "sk_0123456789abcdef0123"
    static let publishable = "pk_0123456789abcdef0123"
    static let sandboxSecret = "sk_sandbox9abcdef012345"
    static let now: Int64 = 1_770_000_000_000
    static let app = AppID(bundleID: bundle, environment: .production)

    let apple: SignedApple
    let database: any SubscriptionDatabase
    let time = FollowedTimeSource(Timestamp(milliseconds: now))
    let services: Services
    let logger: Logger

    init(
        database: any SubscriptionDatabase = InMemoryDatabase(),
        apple: SignedApple? = nil,
        appStore: ScriptedAppStore? = nil,
        appStoreLimits: AppStoreLimits = AppStoreLimits(),
        access: AppStoreAccess? = nil,
        recovery: RecoverySettings = RecoverySettings(),
        polling: PollingSettings = PollingSettings(),
        consumption: ConsumptionSettings = ConsumptionSettings(),
        webhooks: WebhookSettings = WebhookSettings(),
        receivers: any WebhookTransport = ScriptedReceivers(),
        clock: (any TimeSource)? = nil,
        requestTime: any TimeSource = SystemTimeSource(),
        waiting: any Clock<Duration> = ContinuousClock(),
        limits: ServerLimits = ServerLimits(),
        // Most tests send more with one key than a client should.
        rateLimits: RateLimits = RateLimits(requestsPerSecond: 1_000_000, burst: 1_000_000),
        uptime: @escaping @Sendable () -> Int64 = RequestLimits.uptime,
        tokensForPublishableKeys: Bool = false,
        approvesOwnCampaigns: Bool = false,
        passwords: PasswordHashing = PasswordHashing(cost: OperatorScene.cost),
        policy: AccessPolicy = AccessPolicy(),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) async throws {
        self.logger = logger
        let apple = try apple ?? SignedApple()
        self.apple = apple
        self.database = database
        let production = AppRecord(bundleID: Self.bundle, environment: .production, appleID: Self.appleID)
        let sandbox = AppRecord(bundleID: Self.bundle, environment: .sandbox, appleID: nil)
        services = Services(
            database: database,
            verifier: SignedDataVerifier(
                roots: [.appleRootCAG3, apple.authority.trustedRoot],
                apps: [AppIdentity(production), AppIdentity(sandbox)]
            ),
            policy: policy,
            time: clock ?? time,
            receiptRoots: [ReceiptRoot(apple.authority.trustedRoot)],
            appStore: try access ?? appStore?.access(to: Self.bundle, limits: appStoreLimits) ?? AppStoreAccess(),
            recovery: recovery,
            polling: polling,
            requestTime: requestTime,
            consumption: consumption,
            webhooks: webhooks,
            webhookTransport: receivers,
            waiting: waiting,
            limits: limits,
            rateLimits: rateLimits,
            uptime: uptime,
            tokensForPublishableKeys: tokensForPublishableKeys,
            approvesOwnCampaigns: approvesOwnCampaigns,
            passwords: passwords
        )
        let keys = [
            KeyIssuing.record(of: Self.secret, app: production.id, createdAt: time.now()),
            KeyIssuing.record(of: Self.publishable, app: production.id, createdAt: time.now()),
            KeyIssuing.record(of: Self.sandboxSecret, app: sandbox.id, createdAt: time.now()),
        ].compactMap(\.self)
        try await database.write { storage throws(StorageError) in
            try storage.save(production)
            try storage.save(sandbox)
            // Another server on the same database finds them.
            for key in keys where try storage.apiKey(digest: key.digest) == nil { try storage.insert(key) }
            // Nothing was stored before, so a verification of derived data compares refunds too.
            try storage.save(RefundProgress(isFilled: true), of: production.id)
        }
    }

    /// How a request's idempotency key is stored, with the key of the app that sent it.
    static func stored(idempotencyKey text: String, of key: String = secret) -> String? {
        KeyIssuing.record(of: key, app: app, createdAt: Timestamp(milliseconds: now)).map { "\($0.publicID):\(text)" }
    }

    /// Sends a request to the router, without a port.
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        key: String? = secret,
        headers: HTTPFields = [:],
        body: String? = nil
    ) async throws -> Answer {
        var fields = headers
        if let key { fields[.authorization] = "Bearer \(key)" }
        let request = fields
        let router = buildRouter(services: services, clock: nil, logger: logger)
        return try await Application(router: router).test(.router) { client in
            try await client.execute(
                uri: path,
                method: method,
                headers: request,
                body: body.map(ByteBuffer.init(string:))
            ) { response in
                Answer(status: response.status.code, headers: response.headers, bytes: Array(buffer: response.body))
            }
        }
    }

    /// The server on a free port.
    func application(logger: Logger, onPort: @escaping @Sendable (Int) -> Void) -> some ApplicationProtocol {
        Application(
            router: buildRouter(services: services, clock: nil, logger: logger),
            server: .limited(services.limits, connections: services.metrics.connections),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { onPort($0.localAddress?.port ?? 0) },
            logger: logger
        )
    }

    /// The number of waiting feed readers.
    var waitingForEvents: Int { services.events.waiting }

    /// The number of requests in progress.
    var requestsInProgress: Int { services.metrics.requests.inProgress }

    /// Posts a notification as Apple does.
    func notify(_ signedPayload: String) async throws -> Answer {
        try await send(.post, "/v1/apple/notifications", key: nil, body: #"{"signedPayload":"\#(signedPayload)"}"#)
    }

    /// Submits a transaction as an app does.
    func submit(_ transaction: String, customer: String, key: String = publishable) async throws -> Answer {
        try await send(
            .post,
            "/v1/transactions",
            key: key,
            body: #"{"app_user_id":"\#(customer)","signed_transaction":"\#(transaction)"}"#
        )
    }

    /// All events of the app, in order.
    func events() async throws -> [EventRecord] {
        try await database.read { storage throws(StorageError) in
            try storage.events(of: Self.app, after: 0, limit: 10_000)
        }
    }

    /// What a verification of derived data finds.
    func rebuildDifferences() async throws -> [RebuildDifference] {
        var found: [RebuildDifference] = []
        let verification = RebuildVerification(database: database, policy: AccessPolicy())
        _ = try await verification.verify(Self.app) { found += $0 }
        return found
    }

    /// The stored customer.
    func customer(_ id: CustomerID) async throws -> CustomerRecord {
        let record = try await database.read { storage throws(StorageError) in try storage.customer(id, of: Self.app) }
        return try #require(record)
    }

    /// The identifiers of all stored notifications.
    func storedNotifications() async throws -> [String] {
        let lines = try await database.read { storage throws(StorageError) in
            try storage.evidence(.notification, of: Self.app, after: 0, limit: 1000)
        }
        return lines.compactMap(\.summary?.id.rawValue)
    }
}

/// A response, with accessors for tests.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPFields
    let bytes: [UInt8]

    /// The body as JSON.
    func json() throws -> JSONObject { try JSONParser.parseObject(bytes) }

    /// The error code.
    func errorCode() throws -> String? { try string("error", "code") }

    /// The string at a path of the body.
    func string(_ path: String...) throws -> String? {
        guard case .string(let text)? = try value(path) else { return nil }
        return text
    }

    /// The Boolean at a path of the body.
    func bool(_ path: String...) throws -> Bool? {
        guard case .bool(let value)? = try value(path) else { return nil }
        return value
    }

    /// The length of the array at a path of the body.
    func count(_ path: String...) throws -> Int? {
        guard case .array(let values)? = try value(path) else { return nil }
        return values.count
    }

    /// The integer at a path of the body.
    func integer(_ path: String...) throws -> Int64? {
        guard case .integer(let number)? = try value(path) else { return nil }
        return number
    }

    /// The objects of the array at a path of the body.
    func objects(_ path: String...) throws -> [JSONObject] {
        guard case .array(let values)? = try value(path) else { return [] }
        return values.compactMap { value in
            guard case .object(let object) = value else { return nil }
            return object
        }
    }

    private func value(_ path: [String]) throws -> JSONValue? {
        path.reduce(JSONValue.object(try json())) { value, name in
            guard case .object(let object)? = value else { return nil }
            return object[name]
        }
    }
}
