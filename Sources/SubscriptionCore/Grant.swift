/// An operator's decision that a customer has an entitlement regardless of purchases.
public struct Grant: Hashable, Sendable {
    /// The grant.
    public let id: GrantID
    /// What the customer may use.
    public let entitlementID: EntitlementID
    /// Why, in the operator's words.
    public let reason: String?
    /// When it was given.
    public let grantedAt: Timestamp
    /// When it expires; absent if it does not.
    public let expiresAt: Timestamp?
    /// When an operator took it back.
    public var revokedAt: Timestamp?

    /// Makes a grant.
    public init(
        id: GrantID,
        entitlementID: EntitlementID,
        reason: String?,
        grantedAt: Timestamp,
        expiresAt: Timestamp?,
        revokedAt: Timestamp? = nil
    ) {
        self.id = id
        self.entitlementID = entitlementID
        self.reason = reason
        self.grantedAt = grantedAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }

    /// When it ends or ended; absent if it does not end.
    public var endsAt: Timestamp? {
        guard let revokedAt else { return expiresAt }
        return expiresAt.map { min($0, revokedAt) } ?? revokedAt
    }

    /// The state of the grant at a time.
    public func state(at now: Timestamp) -> GrantState {
        GrantState(grant: self, isActive: endsAt.map { $0 > now } ?? true)
    }
}

/// The state of a grant at a time.
public struct GrantState: Hashable, Sendable {
    /// The grant.
    public let grant: Grant
    /// Whether it gives access.
    public let isActive: Bool

    /// A grant as it was recorded.
    public init(grant: Grant, isActive: Bool) {
        self.grant = grant
        self.isActive = isActive
    }

    /// The next time at which the state changes without a new fact.
    public var nextChangeAt: Timestamp? { isActive ? grant.endsAt : nil }
}
