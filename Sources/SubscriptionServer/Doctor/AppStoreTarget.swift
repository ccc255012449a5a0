import AppStoreClient
import AppStoreModel
import AppStoreSigning
import SubscriptionCore

/// An app in one environment with its keys for the App Store Server API.
struct AppStoreTarget: Sendable {
    private static let deadline = Duration.seconds(10)
    /// A store waits ten seconds for a server that stopped, before it sends a notification.
    private static let deadlineOfStores = Duration.seconds(25)

    let app: AppID
    let bundleID: String
    let environment: AppStoreEnvironment
    let keys: [InAppPurchaseKey]
    let hosts: AppStoreHosts
    /// Whether a local store answers instead of Apple.
    let isLocal: Bool

    /// The targets of an app's keys, one for each environment.
    static func targets(of key: AppStoreKey) -> [AppStoreTarget] {
        key.environments.map { environment in
            AppStoreTarget(
                app: AppID(bundleID: key.bundleID, environment: environment),
                bundleID: key.bundleID,
                environment: environment == .production ? .production : .sandbox,
                keys: key.keys,
                hosts: key.baseURL.map(AppStoreHosts.init(everywhere:)) ?? .apple,
                isLocal: key.baseURL != nil
            )
        }
    }

    /// The calls with some of the keys.
    func api(with keys: [InAppPurchaseKey], _ transport: any HTTPTransport) -> AppStoreServerAPIClient.App {
        let client = AppStoreServerAPIClient(
            transport: transport,
            tokens: CachedBearerTokens(keys: keys),
            // The few calls of a checkup pause on their own, so that they stay below Apple's limits.
            configuration: .init(hosts: hosts, rateLimiting: .off)
        )
        return client.app(bundleID, in: .only(environment)).within(isLocal ? Self.deadlineOfStores : Self.deadline)
    }
}
