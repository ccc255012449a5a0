public import SubscriptionCore

/// An app in one environment that the server takes notifications for.
public struct AppRecord: Hashable, Sendable {
    /// The distribution key.
    public var id: AppID
    /// The bundle identifier.
    public var bundleID: String
    /// The environment.
    public var environment: StoreEnvironment
    /// Apple's number of the app; required in production.
    public var appleID: Int64?

    /// Makes a record; the identifier follows from bundle and environment.
    public init(bundleID: String, environment: StoreEnvironment, appleID: Int64?) {
        self.id = AppID(bundleID: bundleID, environment: environment)
        self.bundleID = bundleID
        self.environment = environment
        self.appleID = appleID
    }
}
