package import AppStoreClient
import AppStoreModel
public import AppStoreSigning
public import SubscriptionCore
package import SubscriptionOperations

/// The keys of one app for the App Store Server API.
public struct AppStoreKey: Sendable {
    /// The app.
    public let bundleID: String
    /// The environments to query; a real app has both, a local store has one.
    public let environments: Set<StoreEnvironment>
    /// The In-App Purchase keys of App Store Connect. The first one is used unless Apple refuses it.
    public let keys: [InAppPurchaseKey]
    /// The app's shared secret, for version 1 notifications.
    public let sharedSecret: String?
    /// The base URL of the API, instead of Apple's hosts.
    public let baseURL: String?

    /// Makes the keys of an app.
    public init(
        bundleID: String,
        environments: Set<StoreEnvironment> = [.production, .sandbox],
        keys: [InAppPurchaseKey],
        sharedSecret: String? = nil,
        baseURL: String? = nil
    ) {
        self.bundleID = bundleID
        self.environments = environments
        self.keys = keys
        self.sharedSecret = sharedSecret
        self.baseURL = baseURL
    }
}

extension AppStoreAccess {
    /// Makes clients of the API with these keys; the last entry of an app is used.
    ///
    /// - Parameters:
    ///   - servers: The number of servers that share Apple's rate limits for the apps; at least one.
    ///   - verifiesReceipts: Whether Apple's deprecated `/verifyReceipt` may be asked about receipts.
    ///   - onRefusedKey: Called for each key that Apple refuses.
    package init(
        _ keys: [AppStoreKey],
        transport: any HTTPTransport,
        limits: AppStoreLimits = AppStoreLimits(),
        servers: Int = 1,
        verifiesReceipts: Bool = false,
        onRefusedKey: (@Sendable (RefusedKey) -> Void)? = nil
    ) {
        // The time limit of all calls is also the limit of each call.
        let deadline = Duration.milliseconds(limits.lookupMillisecondsMax)
        var entries: [AppID: Entry] = [:]
        for key in keys {
            let client = AppStoreServerAPIClient(
                transport: transport,
                tokens: CachedBearerTokens(keys: key.keys),
                configuration: .init(
                    hosts: key.baseURL.map(AppStoreHosts.init(everywhere:)) ?? .apple,
                    // A local store has Apple's limits on its virtual clock.
                    rateLimiting: key.baseURL == nil ? .apple(sharedBy: servers) : .off,
                    onRefusedKey: onRefusedKey
                ),
                clock: SystemClientClock(isRealTime: key.baseURL == nil)
            )
            for environment in key.environments {
                let appleEnvironment: AppStoreEnvironment = environment == .production ? .production : .sandbox
                let app = client.app(key.bundleID, in: .only(appleEnvironment))
                let call = VerifyReceiptCall(
                    transport: transport,
                    hosts: key.baseURL.map(AppStoreHosts.init(everywhere:)) ?? VerifyReceiptCall.appleHosts,
                    in: appleEnvironment,
                    sharedSecret: key.sharedSecret
                )
                entries[AppID(bundleID: key.bundleID, environment: environment)] = Entry(
                    api: app.within(deadline),
                    sharedSecret: key.sharedSecret,
                    receipts: verifiesReceipts ? call.map(ReceiptInquiry.init) : nil
                )
            }
        }
        self.init(entries, limits: limits)
    }
}
