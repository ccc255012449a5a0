import SubscriptionCore

/// A grant as the operator knows it.
struct SimulatedGrant: Sendable {
    /// The entitlement of all grants. No product gives it.
    static let entitlement = EntitlementID("gift")

    let id: GrantID
    /// When it expires, milliseconds since 1970.
    let endsAt: Int64
    /// Whether a server acknowledged it.
    var isAcknowledged = false
    /// Whether the operator asked to revoke it.
    var isBeingRevoked = false
    /// When a server acknowledged that it is revoked, milliseconds since 1970; nil if none did.
    var revokedAt: Int64?

    /// Whether it runs: a request that was not acknowledged may have had its effect or not.
    func mustGiveAccess(at time: Int64) -> Bool { isAcknowledged && !isBeingRevoked && time < endsAt }

    /// Whether it can give access.
    ///
    /// - Parameter skew: How far the clock of the server that revoked it may be ahead; milliseconds.
    func mayGiveAccess(at time: Int64, skew: Int64) -> Bool {
        time < endsAt && revokedAt.map { time < $0 + skew } ?? true
    }
}
