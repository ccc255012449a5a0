public import AppStoreModel

/// The filter of the subscription statuses.
///
/// - Source: App Store Server API, Get All Subscription Statuses.
public struct StatusQuery: Hashable, Sendable {
    /// Only subscriptions with one of these statuses; empty for all.
    public var statuses: Set<SubscriptionStatus>

    /// Makes a query; without arguments, for all statuses.
    public init(statuses: Set<SubscriptionStatus> = []) { self.statuses = statuses }

    /// Reads the query of a URL; unknown parameters are ignored.
    ///
    /// - Throws: 4000031 for an invalid status.
    public init(parameters: [(name: String, value: String)]) throws(AppStoreServerAPIError) {
        self.init()
        for (name, value) in parameters where name == "status" {
            guard let number = Int32(value), (1...5).contains(number) else { throw .invalidStatus }
            statuses.insert(SubscriptionStatus(rawValue: number))
        }
    }
}
