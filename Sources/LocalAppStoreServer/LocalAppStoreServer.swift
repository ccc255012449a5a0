import AsyncHTTPClient
public import LocalAppStore
import AppStoreModel
public import AppStoreSigning
import Hummingbird
public import Logging
import NIOCore
import NIOPosix
import NIOSSL
public import ServiceLifecycle

/// The local App Store on a port: Apple's API at Apple's paths, and the store's own calls under `/_store`.
///
/// It posts notifications over HTTP. Servers that follow the store's clock receive each new time.
public struct LocalAppStoreServer: Service, CustomStringConvertible {
    /// The settings of the server, apart from those of the store itself.
    public struct Configuration: Hashable, Sendable {
        /// The address to listen on.
        public var host: String
        /// The port to listen on; 0 picks a free one.
        public var port: Int
        /// How long one delivery of a notification may take, in real time.
        public var deliveryDeadline: Duration
        /// How long a follower may take for one time, in real time.
        public var settleDeadline: Duration
        /// How long the store retries an unreachable follower before it drops it, in real time.
        ///
        /// An attempt that is already running may take ``settleDeadline`` longer. One command waits at most six times
        /// this long for a follower that fails repeatedly. The store waits for all followers concurrently.
        public var followerTimeout: Duration
        /// The pause between two attempts to reach a follower, in real time.
        public var followerRetryPause: Duration

        /// Virtual milliseconds per real millisecond from the start; 0 stops the clock.
        public var clockSpeed: Int64

        /// The allowed clock speeds.
        public static let clockSpeedRange: ClosedRange<Int64> = 0...ClockDrive.speedMax

        /// Additional host names that requests may use. IP addresses, names without a dot, and names under `localhost`,
        /// `internal` and `test` are always allowed.
        public var allowedHosts: [String]

        /// Makes a configuration; without arguments, port 8081 of the loopback address.
        public init(
            host: String = "127.0.0.1",
            port: Int = 8081,
            deliveryDeadline: Duration = .seconds(10),
            settleDeadline: Duration = .seconds(60),
            followerTimeout: Duration = .seconds(10),
            followerRetryPause: Duration = .milliseconds(50),
            clockSpeed: Int64 = 0,
            allowedHosts: [String] = []
        ) {
            self.host = host
            self.port = port
            self.deliveryDeadline = deliveryDeadline
            self.settleDeadline = settleDeadline
            self.followerTimeout = followerTimeout
            self.followerRetryPause = followerRetryPause
            self.clockSpeed = clockSpeed
            self.allowedHosts = allowedHosts
        }
    }

    private var state: CoordinatorState
    private var persistence: StorePersistence?
    private let key: InAppPurchaseKey
    private let rootCertificatePEM: String
    private let configuration: Configuration
    private let logger: Logger
    private let realSeconds: @Sendable () -> Int64
    private let realTime: any RealTimeSource
    private let onListening: @Sendable (Int) async -> Void

    /// Makes a server; ``run()`` starts it.
    ///
    /// - Parameters:
    ///   - store: The store to serve, at its start time.
    ///   - key: The first key that signs the bearer tokens of clients.
    ///   - rootCertificatePEM: The root certificate of the store's signatures.
    ///   - logger: Where the server reports what it does.
    ///   - realSeconds: The real time, seconds since 1970. Tokens and developers' signatures may use it.
    ///   - realTime: The time source of a running clock.
    ///   - onListening: Called with the port once the server accepts requests.
    public init(
        store: LocalAppStore,
        key: InAppPurchaseKey,
        rootCertificatePEM: String,
        configuration: Configuration = Configuration(),
        logger: Logger,
        realSeconds: @escaping @Sendable () -> Int64,
        realTime: any RealTimeSource = SystemTimeSource(),
        onListening: @escaping @Sendable (Int) async -> Void
    ) {
        var store = store
        store.acceptSignatures(by: [key.publicKey])
        state = CoordinatorState(opening: store)
        self.key = key
        self.rootCertificatePEM = rootCertificatePEM
        self.configuration = configuration
        self.logger = logger
        self.realSeconds = realSeconds
        self.realTime = realTime
        self.onListening = onListening
    }

    /// The name of the server; service groups print it. It has nothing of the store, which is large and has keys.
    public var description: String { "LocalAppStoreServer" }

    /// The same server with persistence: it answers a command only after the file contains the change.
    ///
    /// - Parameters:
    ///   - file: The file; a new one is written as soon as the server runs.
    ///   - keys: The keys with which the server was made.
    ///   - saved: The current content of the file; the server continues from it.
    public func kept(in file: StoreFile, keys: StoreKeys, goingOnFrom saved: SavedStore? = nil) -> LocalAppStoreServer {
        var server = self
        server.persistence = StorePersistence(file: file, keys: keys, saved: saved)
        if let saved { server.state = saved.resumed() }
        return server
    }

    /// Serves until the service group stops it, and then completes the current work.
    ///
    /// - Throws: ``ServerStartError`` when it cannot listen.
    public func run() async throws {
        let client = HTTPClient(configuration: clientConfiguration)
        let deliverer = HTTPNotificationDeliverer(
            group: MultiThreadedEventLoopGroup.singleton,
            deadline: configuration.deliveryDeadline
        )
        defer { deliverer.close() }
        do {
            try await serve(client, deliverer)
        } catch let error as IOError {
            try await client.shutdown()
            throw ServerStartError(error, host: configuration.host, port: configuration.port)
        } catch let error as SocketAddressError.UnknownHost {
            try await client.shutdown()
            throw ServerStartError(error, host: configuration.host, port: configuration.port)
        } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
    }

    private var clientConfiguration: HTTPClient.Configuration {
        var client = HTTPClient.Configuration(
            // A redirect would turn the POST into a GET of another resource.
            redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(configuration.deliveryDeadline))
        )
        client.httpVersion = .http1Only
        client.tlsConfiguration = .makeClientConfiguration()
        client.tlsConfiguration?.minimumTLSVersion = .tlsv12
        // A refused connection is an answer. The delivery schedule or the follower timeouts decide what happens next.
        client.connectionPool.retryConnectionEstablishment = false
        return client
    }

    private func serve(_ client: HTTPClient, _ deliverer: HTTPNotificationDeliverer) async throws {
        for path in state.store.catalog.ignored {
            logger.notice("the catalogue has members that the store does not simulate", metadata: ["path": "\(path)"])
        }
        let coordinator = StoreCoordinator(
            state: state,
            firstKey: key,
            deliverer: deliverer,
            caller: HTTPFollowerCaller(client: client, deadline: configuration.settleDeadline),
            realtimeCaller: HTTPRealtimeCaller(client: client),
            timeouts: FollowerTimeouts(
                pause: configuration.followerRetryPause,
                limit: configuration.followerTimeout
            ),
            realTime: realTime,
            realSeconds: realSeconds,
            clockSpeed: configuration.clockSpeed,
            logger: logger
        )
        let fileWriter = try persistence.map { try StoreFileWriter($0, coordinator: coordinator) }
        try await fileWriter?.save()
        let application = Application(
            router: router(coordinator, fileWriter: fileWriter),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: "perennial-store"
            ),
            onServerRunning: { [onListening] channel in await onListening(channel.localAddress?.port ?? 0) },
            logger: logger
        )
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await coordinator.runClock(afterStep: { await fileWriter?.saveAfterTick(logger) }) }
                try await application.run()
                group.cancelAll()
            }
        } catch {
            try await fileWriter?.close()
            throw error
        }
        try await fileWriter?.close()
    }

    private func router(_ coordinator: StoreCoordinator, fileWriter: StoreFileWriter?) -> Router<StoreContext> {
        let bearer = BearerGate(
            keyring: coordinator.keyring,
            bundleId: state.origin.configuration.bundleId,
            realSeconds: realSeconds
        )
        let gate = AppleGate(coordinator: coordinator, bearer: bearer)
        var routes = RouteTable()
        AppleAPIController(coordinator: coordinator, gate: gate).addRoutes(to: &routes)
        ApplePurchaseUpdatesController(coordinator: coordinator, gate: gate).addRoutes(to: &routes)
        AppleExtensionController(coordinator: coordinator, gate: gate).addRoutes(to: &routes)
        AppleNotificationsController(coordinator: coordinator, gate: gate).addRoutes(to: &routes)
        ExternalPurchaseController(coordinator: coordinator, gate: gate).addRoutes(to: &routes)
        AdvancedCommerceController(coordinator: coordinator, gate: gate).addRoutes(to: &routes)
        StoreAdvancedCommerceController(coordinator: coordinator).addRoutes(to: &routes)
        AppleRetentionController(coordinator: coordinator, gate: gate).addRoutes(to: &routes)
        AppleRealtimeController(coordinator: coordinator, gate: gate).addRoutes(to: &routes)
        AppleCustomerGroupsController(coordinator: coordinator, gate: gate).addRoutes(to: &routes)
        VerifyReceiptController(coordinator: coordinator).addRoutes(to: &routes)
        SalesReportsController(coordinator: coordinator, bearer: bearer).addRoutes(to: &routes)
        StoreStatusController(coordinator: coordinator, rootCertificatePEM: rootCertificatePEM)
            .addRoutes(to: &routes)
        StoreKeysController(coordinator: coordinator).addRoutes(to: &routes)
        StoreCatalogController(coordinator: coordinator).addRoutes(to: &routes)
        StoreAccountsController(coordinator: coordinator).addRoutes(to: &routes)
        StorePriceController(coordinator: coordinator).addRoutes(to: &routes)
        StoreOfferCodesController(coordinator: coordinator).addRoutes(to: &routes)
        StorePendingPurchaseController(coordinator: coordinator).addRoutes(to: &routes)
        StoreFamilyController(coordinator: coordinator).addRoutes(to: &routes)
        StoreSeatsController(coordinator: coordinator).addRoutes(to: &routes)
        StoreRefundController(coordinator: coordinator).addRoutes(to: &routes)
        StorePlanController(coordinator: coordinator).addRoutes(to: &routes)
        StoreReceiptsController(coordinator: coordinator).addRoutes(to: &routes)
        StoreRetentionController(coordinator: coordinator).addRoutes(to: &routes)
        StoreCancelPageController(coordinator: coordinator).addRoutes(to: &routes)
        StoreCustomerGroupsController(coordinator: coordinator).addRoutes(to: &routes)
        StoreClockController(coordinator: coordinator).addRoutes(to: &routes)
        StoreSnapshotController(coordinator: coordinator).addRoutes(to: &routes)
        StoreFaultsController(coordinator: coordinator).addRoutes(to: &routes)
        StoreDeliveryController(coordinator: coordinator).addRoutes(to: &routes)
        StorePopulationController(coordinator: coordinator).addRoutes(to: &routes)
        StoreDocumentController().addRoutes(to: &routes)
        let calls = (["GET /_store"] + routes.calls).map(JSONValue.string)
        routes.get("/_store") { _, _ in .json(["calls": .array(calls)]) }

        let router = Router(context: StoreContext.self)
        if let fileWriter { router.add(middleware: PersistenceMiddleware(fileWriter: fileWriter)) }
        router.add(middleware: UpgradeMiddleware())
        router.add(middleware: ErrorMiddleware())
        router.add(middleware: CallerMiddleware(host: configuration.host, allowedHosts: configuration.allowedHosts))
        routes.register(in: router)
        return router
    }
}
