import AppStoreClient
import AppStoreSigning
import AsyncHTTPClient
import Foundation
import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import ServiceLifecycle
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// The subscription server as a service: opens its database, joins its store, listens, and processes due work.
public struct PerennialServer: Service, CustomStringConvertible {
    /// The information about a running server.
    public struct Listening: Sendable {
        /// The address, such as `http://127.0.0.1:8080`.
        public let url: String
        /// Keys that were made at this start; they are shown once and not stored.
        public let newKeys: [String]
    }

    private enum Part { case application, webhooks, other }

    let configuration: ServerConfiguration
    let logger: Logger
    private let onListening: @Sendable (Listening) async -> Void

    /// Makes the service.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - logger: The log.
    ///   - onListening: Called once the server accepts requests.
    public init(
        configuration: ServerConfiguration,
        logger: Logger,
        onListening: @escaping @Sendable (Listening) async -> Void
    ) {
        self.configuration = configuration
        self.logger = logger
        self.onListening = onListening
    }

    /// The name of the server; service groups print it. It has nothing of the configuration, which may have secrets.
    public var description: String { "PerennialServer" }

    /// Serves until the service group stops it.
    ///
    /// - Throws: ``StartError`` when it cannot start.
    public func run() async throws {
        let isNew = try DatabaseAddress.isMissing(configuration.database)
        let log = MigrationLog(logger)
        let database = try await DatabaseAddress.open(
            configuration.database,
            options: configuration.databaseOptions
        ) { log.take($0) }
        if isNew {
            logger.notice(
                "A new, empty database was created. If it should contain customers, check the address",
                metadata: ["database": "\(configuration.database)"]
            )
        }
        for warning in try DatabaseAddress.warnings(configuration.database) { logger.warning("\(warning)") }
        let client = HTTPClient(configuration: .init(redirectConfiguration: .disallow))
        // A call without a connection fails at once: nothing was sent.
        let transport = AsyncHTTPClientTransport()
        let webhooks = WebhookHTTPClient(
            allowsPrivateAddresses: configuration.allowsPrivateWebhooks || !configuration.storeURLs.isEmpty
        )
        let outcome: Result<Void, any Error>
        do {
            try await serve(database: database, client: client, transport: transport, webhooks: webhooks)
            outcome = .success(())
        } catch is CancellationError where Task.isShuttingDownGracefully {
            // The shutdown began before the start was complete.
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await webhooks.shutdown()
        try await transport.shutdown()
        try await client.shutdown()
        try await database.close()
        try outcome.get()
    }

    private func serve(
        database: any SubscriptionDatabase,
        client: HTTPClient,
        transport: AsyncHTTPClientTransport,
        webhooks: WebhookHTTPClient
    ) async throws {
        guard !configuration.storeURLs.isEmpty else {
            return try await serve(database: database, transport: transport, webhooks: webhooks, following: nil)
        }
        let followed = try await FollowedStores.find(configuration.storeURLs, client: client, logger: logger)
        try await serve(database: database, transport: transport, webhooks: webhooks, following: followed)
    }

    private func serve(
        database: any SubscriptionDatabase,
        transport: AsyncHTTPClientTransport,
        webhooks: WebhookHTTPClient,
        following followed: FollowedStores?
    ) async throws {
        let stores = followed?.stores ?? []
        let checked = followed == nil ? CheckedTimeSource() : nil
        let time: any TimeSource = followed?.time ?? checked ?? SystemTimeSource()
        let claim = DatabaseClaim(
            stores: stores.map {
                DatabaseClaim.Store(app: $0.credentials.app.id, root: $0.credentials.root, now: time.now())
            }
        )
        let apps = try await save(configuration.apps + stores.map(\.credentials.app), in: database, as: claim)
        report(apps)
        let keys = stores.enumerated().map { index, store in
            DevelopmentKeys(
                app: store.credentials.app.id,
                given: configuration.developmentSecretKeys.dropFirst(index).first,
                now: time.now()
            )
        }
        // The store's root is trusted only for the store's app and environment.
        let ofStores = stores.map { ScopedRoot($0.credentials.root, for: [$0.credentials.identity]) }
        let scopedRoots = configuration.scopedRoots + ofStores
        let appStoreKeys = configuration.appStoreKeys + stores.map(\.credentials.key)
        let services = Services(
            database: database,
            verifier: SignedDataVerifier(
                roots: [TrustedRoot.appleRootCAG3] + configuration.roots,
                scopedRoots: scopedRoots,
                apps: apps.map(AppIdentity.init)
            ),
            policy: configuration.policy,
            time: time,
            receiptRoots: [.appleRootCA] + configuration.roots.map(ReceiptRoot.init),
            scopedReceiptRoots: Self.receiptRoots(scopedRoots, of: apps),
            appStore: AppStoreAccess(
                appStoreKeys,
                transport: transport,
                limits: configuration.appStoreLimits,
                servers: configuration.appStoreServers,
                verifiesReceipts: configuration.verifiesReceipts,
                onRefusedKey: RefusedKeyLog(logger).note
            ),
            recovery: configuration.recovery.forClock(isFollowed: followed != nil),
            polling: configuration.polling.forClock(isFollowed: followed != nil),
            consumption: configuration.consumption.settings(by: transport),
            webhooks: configuration.webhooks,
            webhookTransport: webhooks,
            limits: configuration.limits,
            rateLimits: configuration.rateLimits,
            tokensForPublishableKeys: configuration.tokensForPublishableKeys,
            approvesOwnCampaigns: configuration.approvesOwnCampaigns,
            operators: configuration.operators
        )
        let check = checked.map { ClockCheck(time: $0, database: services.database, logger: logger) }
        // The clock is checked before any request is processed.
        await check?.run()
        if let checked, checked.dispute == nil {
            do {
                try await services.duePurchases.noteStart(at: checked.now())
            } catch  where error.code == .full || error.code == .readOnly {
                // The full disk was logged at the start. Due states are derived for each response until there is space
                // again.
            } catch {
                throw StartError(error)
            }
        }
        let clock = followed.map {
            ClockController(
                time: $0.time,
                duePurchases: services.duePurchases,
                works: services.settledWork,
                webhooks: services.webhookDispatcher,
                tokens: $0.stores.map(\.token)
            )
        }
        let router = buildRouter(
            services: services,
            clock: clock,
            developmentKeys: try keys.compactMap { key throws(StartError) in try key.givenKey() },
            logger: logger
        )
        try await listen(router, services: services, followed: followed, check: check, keys: keys)
    }

    private func listen(
        _ router: Router<ServerRequestContext>,
        services: Services,
        followed: FollowedStores?,
        check: ClockCheck?,
        keys: [DevelopmentKeys]
    ) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let connectionsMax = MaximumAvailableConnections(services.limits.connectionsMax, logger: logger)
        let application = Application(
            router: router,
            server: .limited(services.limits, connections: services.metrics.connections),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: "perennial",
                availableConnectionsDelegate: connectionsMax
            ),
            onServerRunning: { channel in
                port.yield(channel.localAddress?.port ?? 0)
                port.finish()
            },
            logger: logger
        )
        let dueService = DuePurchasesService(
            duePurchases: services.duePurchases,
            time: services.time,
            clock: check,
            mayBegin: { services.recovery.hasEndedRound },
            logger: logger
        )
        let recoveryService = RecoveryService(recovery: services.recovery, logger: logger)
        let settled: [any SettledWork] = [
            services.polling, services.extensionChecks, services.campaignRunner, services.consumptionAnswering,
            services.refundFilling, services.keys,
        ]
        let settlingServices = settled.map { work in
            SettlingService(logger: logger) { await work.settle(reportingTo: $0) }
        }
        try await withThrowingTaskGroup(of: Part.self) { group in
            group.addTask {
                try await run(application)
                return .application
            }
            group.addTask {
                for await port in ports {
                    if let followed { try await join(followed, port: port, services: services) }
                    var newKeys: [String] = []
                    for app in keys {
                        let made = try await app.make(in: services.database)
                        newKeys += keys.count == 1 ? made : made.map { "\($0) (\(app.app))" }
                    }
                    let address = ServerAddress(host: configuration.host, port: port)
                    await onListening(Listening(url: address.url, newKeys: newKeys))
                }
                return .other
            }
            // A followed store reports the movements of its clock, and what is due then.
            if followed == nil {
                group.addTask {
                    try await dueService.run()
                    return .other
                }
            }
            group.addTask {
                try await recoveryService.run()
                return .other
            }
            group.addTask {
                await services.webhookDispatcher.run(reportingTo: logger)
                return .webhooks
            }
            for service in settlingServices {
                group.addTask {
                    try await service.run()
                    return .other
                }
            }
            var ended: Set<Part> = []
            while let part = try await group.next() {
                ended.insert(part)
                // At a graceful shutdown, webhooks in flight get a short time.
                let awaitsWebhooks = Task.isShuttingDownGracefully && !ended.contains(.webhooks)
                if ended.contains(.application), !awaitsWebhooks { group.cancelAll() }
            }
        }
    }

    /// Registers with the stores and processes what became due since their clocks were last read.
    private func join(_ followed: FollowedStores, port: Int, services: Services) async throws {
        let address = ServerAddress(host: configuration.host, port: port)
        try await followed.join(serverURL: address.callbackURL)
        for work in services.settledWork { await work.settle(reportingTo: logger) }
        do {
            _ = try await services.duePurchases.settle(until: followed.time.now())
        } catch {
            throw StartError(error.code, error.message, kind: .surroundings)
        }
    }

    private func run(_ application: some ApplicationProtocol) async throws {
        do {
            try await application.run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw StartError.portInUse(configuration.port)
        } catch let error as IOError {
            let reason = StartError.reason(ofListeningError: error.errnoCode)
            throw StartError.addressUnusable(configuration.host, port: configuration.port, reason)
        } catch is SocketAddressError.UnknownHost {
            let reason = "no address has this name; use --host 127.0.0.1"
            throw StartError.addressUnusable(configuration.host, port: configuration.port, reason)
        }
    }
}
