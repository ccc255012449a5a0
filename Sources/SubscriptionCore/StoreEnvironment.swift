/// The App Store environment.
public enum StoreEnvironment: String, Hashable, Sendable, Codable, CaseIterable {
    /// Real purchases.
    case production
    /// Purchases of testers; never shown under a production key.
    case sandbox
}
