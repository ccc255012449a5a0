public import AppStoreModel

/// An app in one environment: the values that accepted signed data must contain.
public struct AppIdentity: Hashable, Sendable {
    /// The bundle identifier.
    public let bundleId: String

    /// The app's Apple ID; production notifications must contain it.
    public let appAppleId: Int64?

    /// The environment of the app's data.
    public let environment: AppStoreEnvironment

    /// Names an app.
    public init(bundleId: String, appAppleId: Int64? = nil, environment: AppStoreEnvironment) {
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.environment = environment
    }
}
