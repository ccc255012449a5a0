public import AppStoreModel

/// An app in one environment: what signed data must name to be accepted.
public struct AppIdentity: Hashable, Sendable {
    /// The bundle identifier.
    public let bundleId: String

    /// The app's number in the App Store; production notifications must name it.
    public let appAppleId: Int64?

    /// Where the app's data comes from.
    public let environment: AppStoreEnvironment

    /// Names an app.
    public init(bundleId: String, appAppleId: Int64? = nil, environment: AppStoreEnvironment) {
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.environment = environment
    }
}
