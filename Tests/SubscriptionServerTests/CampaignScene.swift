import AppStoreClient
import AppStoreModel
import AppStoreSigning
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// A server with some subscriptions, and an App Store that extends all of them.
struct CampaignScene {
    static let route = "/v1/extension_campaigns"
    static let otherSecret = "sk_another90123456789ab"
    static let draft =
        #"{"product_ids":["pro.monthly"],"extend_by_days":7,"reason":"outage","method":"single"}"#
    static let massDraft = #"{"product_ids":["pro.monthly"],"extend_by_days":7,"reason":"outage"}"#
    static let extendPath = "/inApps/v1/subscriptions/extend"
    static let massPath = "\(extendPath)/mass"

    let store = ScriptedAppStore()
    let server: ServerFixture
    let database: any SubscriptionDatabase

    init(
        subscriptions: Int = 5,
        database: any SubscriptionDatabase = InMemoryDatabase(),
        approvesOwn: Bool = false,
        hasAppStoreKey: Bool = true
    ) async throws {
        self.database = database
        server = try await ServerFixture(
            database: database,
            appStore: hasAppStoreKey ? store : nil,
            approvesOwnCampaigns: approvesOwn
        )
        server.time.advance(to: Timestamp(milliseconds: Sample.time(10)))
        let key = try #require(
            KeyIssuing.record(of: Self.otherSecret, app: ServerFixture.app, createdAt: server.time.now())
        )
        try await database.write { storage throws(StorageError) in try storage.insert(key) }
        for number in 0..<subscriptions { try await subscribe(number) }
    }

    static func id(_ number: Int) -> String { "\(2_000_000_000_000_100 + number)" }

    static func path(_ number: Int) -> String { "\(extendPath)/\(id(number))" }

    static func extensionsRoute(_ number: Int) -> String { "/v1/subscriptions/\(id(number))/extensions" }

    func subscribe(
        _ number: Int,
        _ change: (inout JWSTransactionDecodedPayload) -> Void = { _ in }
    ) async throws {
        let id = Self.id(number)
        let payload = Sample.period(0, signed: 1) { payload in
            (payload.transactionId, payload.originalTransactionId) = (id, id)
            payload.webOrderLineItemId = id
            change(&payload)
        }
        #expect(try await server.submit(try server.apple.sign(payload), customer: "u_\(number)").status == 200)
        confirmExtension(of: id)
    }

    /// Apple confirms from now on each request to extend a subscription.
    ///
    /// - Parameter day: The new end of its period.
    func confirmExtension(of id: String, end day: Int64 = 37) {
        let answer = ExtendRenewalDateResponse(
            originalTransactionId: id,
            success: true,
            effectiveDate: Sample.time(day)
        )
        store.answer("\(Self.extendPath)/\(id)", answer)
    }

    /// Asks to extend a subscription alone, without a campaign. Returns the status of the answer.
    func extendAlone(_ number: Int) async throws -> Int {
        let body = #"{"extend_by_days":7,"reason":"satisfaction"}"#
        return try await server.send(.post, Self.extensionsRoute(number), body: body).status
    }

    /// How often Apple was asked to extend a subscription.
    func asked(_ number: Int) -> Int { store.requestedPaths.count { $0 == Self.path(number) } }

    func call(
        _ step: String,
        of id: String,
        key: String = ServerFixture.secret,
        body: String? = nil
    ) async throws -> Answer {
        try await server.send(.post, "\(Self.route)/\(id)/\(step)", key: key, body: body)
    }

    func show(_ id: String) async throws -> Answer { try await server.send(.get, "\(Self.route)/\(id)") }

    func settle() async throws { try await server.services.campaignRunner.settle() }

    /// Looks up the extensions whose result is not known or not seen.
    func settleChecks() async throws { try await server.services.extensionChecks.settle() }

    func drafted(_ body: String = draft) async throws -> String {
        let answer = try await server.send(.post, Self.route, body: body)
        #expect(answer.status == 201)
        return try #require(try answer.string("id"))
    }

    func approved(_ body: String = draft) async throws -> String {
        let id = try await drafted(body)
        #expect(try await call("dry_run", of: id).status == 202)
        try await settle()
        #expect(try await call("approve", of: id, key: Self.otherSecret).status == 200)
        return id
    }

    func started(_ body: String = draft) async throws -> String {
        let id = try await approved(body)
        #expect(try await call("start", of: id).status == 200)
        return id
    }

    /// A started campaign that has asked about its members, or has tried to.
    func carriedOut(_ body: String = draft) async throws -> String {
        let id = try await started(body)
        try await settle()
        return id
    }

    func members(of id: String, _ state: String) async throws -> [JSONObject] {
        try await server.send(.get, "\(Self.route)/\(id)/members?state=\(state)").objects("data")
    }

    func count(_ name: String, of id: String) async throws -> Int64? {
        try await show(id).integer("counts", name)
    }

    func events(_ prefix: String = "extension_campaign.") async throws -> [String] {
        try await server.events().map(\.event.kind.rawValue).filter { $0.hasPrefix(prefix) }
    }
}

extension CampaignScene {
    func advance(minutes: Int64) {
        server.time.advance(to: server.time.now().adding(milliseconds: minutes * 60_000))
    }

    /// Apple's `requestIdentifier` of the first order of a campaign: a UUID with the digits of the campaign.
    static func requestID(of id: String) -> String {
        let digits = id.dropFirst(3)
        return "\(digits.prefix(8))-\(digits.dropFirst(8).prefix(4))-4001-8000-\(digits.suffix(12))"
    }

    /// Apple's path of the status of the first order of a campaign.
    static func statusPath(of id: String) -> String { "\(massPath)/pro.monthly/\(requestID(of: id))" }

    /// What Apple says about the order of a campaign from now on.
    func setStatus(of id: String, complete: Bool, succeeded: Int64 = 2, failed: Int64 = 1) {
        store.answer(
            Self.statusPath(of: id),
            MassExtendRenewalDateStatusResponse(
                requestIdentifier: Self.requestID(of: id),
                complete: complete,
                completeDate: complete ? server.time.now().milliseconds : nil,
                succeededCount: complete ? succeeded : nil,
                failedCount: complete ? failed : nil
            )
        )
    }

    /// What Apple says about a subscription from now on.
    ///
    /// - Parameters:
    ///   - period: The number of its newest period.
    ///   - product: The product of that period.
    func know(_ number: Int, end day: Int64, period: Int64 = 0, product: String = "pro.monthly") throws {
        let id = Self.id(number)
        let payload = Sample.period(period, signed: 10) { payload in
            payload.transactionId = period == 0 ? id : "\(id)\(period)"
            payload.originalTransactionId = id
            payload.webOrderLineItemId = payload.transactionId
            payload.productId = product
            payload.expiresDate = Sample.time(day)
        }
        let renewal = Sample.renewal(signed: 10, end: day) { payload in
            payload.originalTransactionId = id
            (payload.productId, payload.autoRenewProductId) = (product, product)
        }
        let (signed, signedRenewal) = (try server.apple.sign(payload), try server.apple.sign(renewal))
        store.addSubscription(signed, renewal: signedRenewal, id: id)
    }

    /// A campaign of day 10 that no database has.
    static let unstored = ExtensionCampaign(
        id: ExtensionCampaignID(rawValue: "xc_1"),
        createdAt: Timestamp(milliseconds: Sample.time(10)),
        terms: ExtensionCampaign.Terms(productIDs: [ProductID("pro.monthly")], days: 7, reason: .outage),
        draftedBy: "key"
    )

    /// Apple knows no order of a campaign.
    func forgetOrder(of id: String) {
        store.refuse(Self.statusPath(of: id), status: 404, code: 4_040_009)
    }

    func announce(
        _ number: Int,
        _ type: NotificationType,
        _ subtype: NotificationSubtype? = nil,
        end day: Int64,
        signed: Int64 = 11
    ) async throws {
        let id = Self.id(number)
        let notification = SentNotification(
            type,
            subtype,
            day: signed,
            status: .active,
            transaction: Sample.period(0, signed: signed) { payload in
                (payload.transactionId, payload.originalTransactionId) = (id, id)
                payload.webOrderLineItemId = id
                payload.expiresDate = Sample.time(day)
            },
            renewal: Sample.renewal(signed: 10, end: day) { $0.originalTransactionId = id }
        )
        #expect(try await server.notify(try notification.signed(at: server, number: number)).status == 200)
    }

    /// A runner on a database, as of another server.
    ///
    /// - Parameter repeatsCalls: Whether its client repeats failed calls, for which it waits in real time.
    func runner(
        _ database: any SubscriptionDatabase,
        _ realTime: any TimeSource,
        stopPatience: Duration = .seconds(10),
        repeatsCalls: Bool = true
    ) throws -> CampaignRunner {
        CampaignRunner(
            database: database,
            access: try repeatsCalls ? store.access(to: ServerFixture.bundle) : accessWithoutRepetition(),
            policy: AccessPolicy(),
            time: server.time,
            realTime: realTime,
            stopPatience: stopPatience
        )
    }

    private func accessWithoutRepetition() -> AppStoreAccess {
        let client = AppStoreServerAPIClient(
            key: .generate(keyId: "K1"),
            transport: store,
            configuration: .init(
                hosts: AppStoreHosts(everywhere: "https://store.test"),
                retryPolicy: .never,
                rateLimiting: .off
            )
        )
        let api = client.app(ServerFixture.bundle, in: .only(.production))
        return AppStoreAccess([ServerFixture.app: AppStoreAccess.Entry(api: api)])
    }
}
