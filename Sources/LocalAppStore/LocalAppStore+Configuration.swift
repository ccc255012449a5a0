public import AppStoreModel

extension LocalAppStore {
    /// What is fixed for the life of a store.
    public struct Configuration: Hashable, Sendable, Codable {
        /// The bundle identifier of the app that sells.
        public var bundleId: String

        /// Apple's number of the app; payloads carry it in production only.
        public var appAppleId: Int64

        /// The app's build number, `bundleVersion` of notifications.
        public var bundleVersion: String

        /// Named in every payload; it also picks Apple's rules for delivery and gaps.
        public var environment: AppStoreEnvironment

        /// Where every UUID of the store comes from: the same seed and the same calls give the same payloads.
        public var seed: UInt64

        /// The settings at the start; `nil` takes those of the catalogue.
        public var settings: StoreSettings?

        /// The named behaviour that the store plays; `nil` plays the plain rules of the environment.
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
