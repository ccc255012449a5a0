public import AppStoreSigning
public import SubscriptionCore
public import SubscriptionOperations
public import SubscriptionStorage

/// What a server is started with.
public struct ServerConfiguration: Sendable {
    /// The address to listen on.
    public var host: String
    /// The port to listen on; 0 picks a free one.
    public var port: Int
    /// Where everything is kept: `sqlite:PATH` or `postgres://…`.
    public var database: String
    /// The apps whose notifications are taken, beside those that the database knows.
    public var apps: [AppRecord]
    /// Roots that are trusted beside Apple's, for every app.
    public var roots: [TrustedRoot]
    /// Roots that are trusted beside those, each for some apps only.
    public var scopedRoots: [ScopedRoot]
    /// What the App Store Server API is asked with.
    public var appStoreKeys: [AppStoreKey]
    /// How much the App Store Server API is asked at a time.
    public var appStoreLimits = AppStoreLimits()
    /// A local store to follow.
    public var storeURL: String?
    /// A secret key for scripts; only with a store.
    public var developmentSecretKey: String?
    /// The developer's choices about access.
    public var policy: AccessPolicy
    /// The operator's choices for the database.
    public var databaseOptions: DatabaseOptions
    /// How much the server takes at a time.
    public var limits: ServerLimits
    /// Whether apps may ask for entitlement tokens, with a publishable key.
    public var tokensForPublishableKeys = false

    /// Makes a configuration; the defaults serve on loopback.
    public init(
        host: String = "127.0.0.1",
        port: Int = 8080,
        database: String = "sqlite:perennial.db",
        apps: [AppRecord] = [],
        roots: [TrustedRoot] = [],
        scopedRoots: [ScopedRoot] = [],
        appStoreKeys: [AppStoreKey] = [],
        storeURL: String? = nil,
        developmentSecretKey: String? = nil,
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
        self.storeURL = storeURL
        self.developmentSecretKey = developmentSecretKey
        self.policy = policy
        self.databaseOptions = databaseOptions
        self.limits = limits
    }
}
