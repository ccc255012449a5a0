public import AppStoreModel

extension LocalAppStore {
    /// The fixed configuration of a store.
    public struct Configuration: Hashable, Sendable, Codable {
        /// The bundle identifier of the app.
        public var bundleId: String

        /// Apple's number of the app; payloads carry it in production only.
        public var appAppleId: Int64

        /// The app's build number, `bundleVersion` of notifications.
        public var bundleVersion: String

        /// The environment in every payload; it also selects Apple's rules for delivery and gaps.
        public var environment: AppStoreEnvironment

        /// The seed of all UUIDs: equal seeds and calls give equal payloads.
        public var seed: UInt64

        /// The initial settings; `nil` uses those of the catalogue.
        public var settings: StoreSettings?

        /// The profile of the store; `nil` uses the default rules of the environment.
        public var profile: StoreProfile?

        /// Makes a configuration; without arguments, the example app in the sandbox.
        public init(
            bundleId: String = "com.example.perennial",
            appAppleId: Int64 = 6_400_000_001,
            bundleVersion: String = "1",
            environment: AppStoreEnvironment = .sandbox,
            seed: UInt64 = 0,
            settings: StoreSettings? = nil,
            profile: StoreProfile? = nil
        ) {
            self.bundleId = bundleId
            self.appAppleId = appAppleId
            self.bundleVersion = bundleVersion
            self.environment = environment
            self.seed = seed
            self.settings = settings
            self.profile = profile
        }
    }
}
