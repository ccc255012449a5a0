import SubscriptionCore

/// What servers acknowledged, and so must never lose.
struct Acknowledged: Sendable {
    /// The notifications, in order.
    var notifications: [EvidenceID] = []
    /// The purchases that each customer's app submitted, by original transaction id.
    var purchases: [String: Set<String>] = [:]
    /// The grants that the operator asked for, of each customer.
    var grants: [String: [GrantID: SimulatedGrant]] = [:]
}
