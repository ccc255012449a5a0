public import AppStoreModel
public import AppStoreSigning

/// Calls Apple's server APIs: App Store Server API, Retention Messaging, External Purchase and Advanced Commerce.
///
/// One client serves many apps and both environments; ``app(_:in:)`` selects the app of a call:
///
/// ```swift
/// let client = AppStoreServerAPIClient(key: key, transport: transport)
/// let app = client.app("com.example.app", in: .productionThenSandbox)
/// let answer = try await app.getTransactionInfo(transactionId: "2000000000000001")
/// ```
///
/// It reuses tokens until shortly before they expire, respects Apple's rate limits, retries failed calls, and ends
/// every call at a deadline. It holds no connections: the transport does, and its owner shuts it down.
public struct AppStoreServerAPIClient: Sendable {
    /// The options, with defaults for Apple's servers.
    public struct Configuration: Sendable {
        /// The hosts of the environments.
        public var hosts: AppStoreHosts
        /// How failed calls are retried, and how long a call may take.
        public var retryPolicy: RetryPolicy
        /// The rate limits that the client respects.
        public var rateLimiting: RateLimiting
        /// The maximum size of an answer, in bytes.
        ///
        /// A page of the notification history has 20 notifications of about 20 kB. The answer with all statuses of a
        /// customer has about 12 kB per subscription.
        public var responseBytesMax: Int
        /// Whether a call that Apple does not offer in an environment is refused before it is sent.
        public var checksAvailability: Bool
        /// The `User-Agent` of the client.
        public var userAgent: String
        /// Called for each key that Apple refuses with 401; it must not block.
        public var onRefusedKey: (@Sendable (RefusedKey) -> Void)?

        /// Makes a configuration.
        public init(
            hosts: AppStoreHosts = .apple,
            retryPolicy: RetryPolicy = .standard,
            rateLimiting: RateLimiting = .apple,
            responseBytesMax: Int = 4 << 20,
            checksAvailability: Bool = true,
            userAgent: String = "perennial",
            onRefusedKey: (@Sendable (RefusedKey) -> Void)? = nil
        ) {
            self.hosts = hosts
            self.retryPolicy = retryPolicy
            self.rateLimiting = rateLimiting
            self.responseBytesMax = responseBytesMax
            self.checksAvailability = checksAvailability
            self.userAgent = userAgent
            self.onRefusedKey = onRefusedKey
        }
    }

    let engine: CallEngine

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests; its owner shuts it down.
    ///   - tokens: Provides the bearer tokens, for example ``CachedBearerTokens``.
    ///   - configuration: Hosts, retries, limits.
    ///   - clock: The time source.
    ///   - jitter: Random numbers from 0 up to, but not including, 1, for the waits between attempts.
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

    /// The calls for one app; cheap to create.
    ///
    /// - Parameters:
    ///   - bundleId: The app.
    ///   - choice: The environments of its calls.
    public func app(_ bundleId: String, in choice: EnvironmentChoice) -> App {
        App(engine: engine, bundleId: bundleId, choice: choice)
    }
}

extension AppStoreServerAPIClient {
    /// The calls for one app, in one environment or in production and then sandbox.
    public struct App: Sendable {
        let engine: CallEngine

        /// The app.
        public let bundleId: String

        /// The environments of its calls.
        public let choice: EnvironmentChoice

        /// The deadline of a call; nil for that of the client's policy.
        public private(set) var deadline: Duration?

        init(engine: CallEngine, bundleId: String, choice: EnvironmentChoice, deadline: Duration? = nil) {
            self.engine = engine
            self.bundleId = bundleId
            self.choice = choice
            self.deadline = deadline
        }

        /// Creates the calls of a single app, with a separate client.
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
