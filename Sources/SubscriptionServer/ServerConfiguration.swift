public import AppStoreSigning
public import SubscriptionCore
public import SubscriptionOperations
public import SubscriptionStorage

/// The configuration of a server.
public struct ServerConfiguration: Sendable {
    /// The address to listen on.
    public var host: String
    /// The port to listen on; 0 picks a free one.
    public var port: Int
    /// The database: `sqlite:PATH` or `postgres://…`.
    public var database: String
    /// The apps whose notifications are accepted, in addition to the stored ones.
    public var apps: [AppRecord]
    /// Further trusted roots besides Apple's, for every app.
    public var roots: [TrustedRoot]
    /// Further trusted roots, each for some apps only.
    public var scopedRoots: [ScopedRoot]
    /// The keys for the App Store Server API.
    public var appStoreKeys: [AppStoreKey]
    /// The limits of calls to the App Store Server API.
    public var appStoreLimits = AppStoreLimits()
    /// The number of servers that share Apple's rate limits for the apps.
    public var appStoreServers = 1
    /// Whether Apple's deprecated `/verifyReceipt` is asked about receipts that the App Store Server API cannot help
    /// with.
    public var verifiesReceipts = false
    /// When Apple's notification history is compared with what is held.
    public var recovery = RecoverySettings()
    /// When Apple is asked for the status of subscriptions.
    public var polling = PollingSettings()
    /// How refund requests are answered.
    public var consumption = ConsumptionConfiguration()
    /// Whether the key that drafted an extension campaign may approve it.
    public var approvesOwnCampaigns = false
    /// How people sign in.
    public var operators = OperatorSettings()
    /// How webhooks are delivered.
    public var webhooks = WebhookSettings()
    /// Whether webhooks may go to private and loopback addresses.
    public var allowsPrivateWebhooks = false
    /// The local stores to follow.
    public var storeURLs: [String]
    /// A secret key for scripts for each store, in their order; only with stores.
    public var developmentSecretKeys: [String]
    /// The developer's policy.
    public var policy: AccessPolicy
    /// The options of the database.
    public var databaseOptions: DatabaseOptions
    /// The limits of the server.
    public var limits: ServerLimits
    /// The rate limits of the server.
    public var rateLimits = RateLimits()
    /// Whether apps may request entitlement tokens with a publishable key.
    public var tokensForPublishableKeys = false

    /// Makes a configuration; by default the server listens on loopback.
    public init(
        host: String = "127.0.0.1",
        port: Int = 8080,
        database: String = "sqlite:perennial.db",
        apps: [AppRecord] = [],
        roots: [TrustedRoot] = [],
        scopedRoots: [ScopedRoot] = [],
        appStoreKeys: [AppStoreKey] = [],
        storeURLs: [String] = [],
        developmentSecretKeys: [String] = [],
        policy: AccessPolicy = AccessPolicy(),
        databaseOptions: DatabaseOptions = DatabaseOptions(),
        limits: ServerLimits = ServerLimits()
    ) {
        self.host = host
        self.port = port
        self.database = database
        self.apps = apps
        self.roots = roots
        self.scopedRoots = scopedRoots
        self.appStoreKeys = appStoreKeys
        self.storeURLs = storeURLs
        self.developmentSecretKeys = developmentSecretKeys
        self.policy = policy
        self.databaseOptions = databaseOptions
        self.limits = limits
    }
}
