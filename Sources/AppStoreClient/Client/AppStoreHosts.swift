public import AppStoreModel

/// The hosts of the environments: base URLs without a path, such as `https://api.storekit.apple.com`.
public struct AppStoreHosts: Hashable, Sendable {
    private let baseURLs: [AppStoreEnvironment: String]

    /// Sets the base URL of each environment; a trailing slash is allowed.
    public init(_ baseURLs: [AppStoreEnvironment: String]) {
        self.baseURLs = baseURLs.mapValues { url in
            var url = Substring(url)
            while url.hasSuffix("/") { url.removeLast() }
            return String(url)
        }
    }

    /// One base URL for both of Apple's environments: a local store, or a proxy.
    public init(everywhere baseURL: String) {
        self.init([.production: baseURL, .sandbox: baseURL])
    }

    /// Apple's hosts since May 2026.
    ///
    /// - Source: App Store Server API changelog, 2026-05-05.
    public static let apple = AppStoreHosts([
        .production: "https://api.storekit.apple.com",
        .sandbox: "https://api.storekit-sandbox.apple.com",
    ])

    /// Apple's older hosts, which still work; the documentation of the Advanced Commerce API uses these.
    public static let appleBefore2026 = AppStoreHosts([
        .production: "https://api.storekit.itunes.apple.com",
        .sandbox: "https://api.storekit-sandbox.itunes.apple.com",
    ])

    /// The base URL of an environment; nil if it has none.
    public subscript(environment: AppStoreEnvironment) -> String? { baseURLs[environment] }
}
