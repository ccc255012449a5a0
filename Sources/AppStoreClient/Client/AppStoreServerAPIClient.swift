public import AppStoreModel
public import AppStoreSigning

/// Calls Apple's server APIs: App Store Server API, Retention Messaging, External Purchase and Advanced Commerce.
///
/// One client serves many apps and both environments; ``app(_:in:)`` names the app of a call:
///
/// ```swift
/// let client = AppStoreServerAPIClient(key: key, transport: transport)
/// let app = client.app("com.example.app", in: .productionThenSandbox)
/// let answer = try await app.getTransactionInfo(transactionId: "2000000000000001")
/// ```
///
/// It keeps tokens until shortly before they end, keeps Apple's rate limits of its own accord, repeats what failed for
/// a while, and ends every call by a deadline. It holds no connection: the transport does, and its owner shuts it down.
public struct AppStoreServerAPIClient: Sendable {
    /// What can be set, with the defaults that suit Apple's servers.
    public struct Configuration: Sendable {
        /// Where the environments are.
        public var hosts: AppStoreHosts
        /// How failed calls are repeated, and how long a call may take.
        public var retryPolicy: RetryPolicy
        /// Which rate limits the client keeps of its own accord.
        public var rateLimiting: RateLimiting
        /// The largest answer that is read, in bytes.
        ///
        /// A page of the notification history has 20 notifications of some 20 kB, the answer with all statuses of a
        /// customer some 12 kB for each subscription.
        public var responseBytesMax: Int
        /// Whether a call that Apple does not serve in an environment is refused before it is sent.
        public var checksAvailability: Bool
        /// What the client calls itself.
        public var userAgent: String

        /// Makes a configuration.
        public init(
            hosts: AppStoreHosts = .apple,
            retryPolicy: RetryPolicy = .standard,
            rateLimiting: RateLimiting = .apple,
            responseBytesMax: Int = 4 << 20,
            checksAvailability: Bool = true,
            userAgent: String = "perennial"
        ) {
            self.hosts = hosts
            self.retryPolicy = retryPolicy
            self.rateLimiting = rateLimiting
            self.responseBytesMax = responseBytesMax
            self.checksAvailability = checksAvailability
            self.userAgent = userAgent
        }
    }

    let engine: CallEngine

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests; stays with its owner.
    ///   - tokens: Gives the bearer tokens, such as ``CachedBearerTokens``.
    ///   - configuration: Hosts, retries, limits.
    ///   - clock: The time.
    ///   - jitter: Random numbers from 0 to below 1, for the waits between attempts.
    public init(
        transport: any HTTPTransport,
        tokens: any BearerTokenSource,
        configuration: Configuration = Configuration(),
        clock: any ClientClock = SystemClientClock(),
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        engine = CallEngine(
            configuration: configuration,
            clock: clock,
            jitter: jitter,
            sender: CallSender(transport: transport, tokens: tokens, configuration: configuration, clock: clock)
        )
    }

    /// Makes a client that signs with one key, for every app of its team.
    public init(
        key: InAppPurchaseKey,
        transport: any HTTPTransport,
        configuration: Configuration = Configuration()
    ) {
        self.init(transport: transport, tokens: CachedBearerTokens(key: key), configuration: configuration)
    }

    /// The calls about one app; costs nothing to make.
    ///
    /// - Parameters:
    ///   - bundleId: The app.
    ///   - choice: Where its calls go.
    public func app(_ bundleId: String, in choice: EnvironmentChoice) -> App {
        App(engine: engine, bundleId: bundleId, choice: choice)
    }
}

extension AppStoreServerAPIClient {
    /// The calls about one app, in one environment or in production and then sandbox.
    public struct App: Sendable {
        let engine: CallEngine

        /// The app.
        public let bundleId: String

        /// Where its calls go.
        public let choice: EnvironmentChoice

        /// How long a call may take, nil for what the client's policy says.
        public private(set) var deadline: Duration?

        init(engine: CallEngine, bundleId: String, choice: EnvironmentChoice, deadline: Duration? = nil) {
            self.engine = engine
            self.bundleId = bundleId
            self.choice = choice
            self.deadline = deadline
        }

        /// Makes the calls of a single app, with a client of their own.
        public init(
            _ bundleId: String,
            in choice: EnvironmentChoice,
            key: InAppPurchaseKey,
            transport: any HTTPTransport,
            configuration: Configuration = Configuration()
        ) {
            self = AppStoreServerAPIClient(key: key, transport: transport, configuration: configuration)
                .app(bundleId, in: choice)
        }

        /// The same app with another deadline: `app.within(.seconds(5)).getTransactionInfo(…)`.
        public func within(_ deadline: Duration) -> App {
            App(engine: engine, bundleId: bundleId, choice: choice, deadline: deadline)
        }

        /// The same app in one environment.
        public func only(_ environment: AppStoreEnvironment) -> App {
            App(engine: engine, bundleId: bundleId, choice: .only(environment), deadline: deadline)
        }
    }
}
