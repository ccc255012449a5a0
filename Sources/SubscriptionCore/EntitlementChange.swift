/// A customer's entitlements before and after a change, and the events that report the difference.
///
/// These events alone are enough to run access control.
public struct EntitlementChange: Sendable {
    private let before: [EntitlementID: Entitlement]
    private let after: [EntitlementID: Entitlement]
    private let purchases: Set<OriginalTransactionID>
    private let now: Timestamp

    /// Describes a change.
    ///
    /// - Parameter purchases: The purchases that the customer has after the change.
    public init(
        before: [EntitlementID: Entitlement],
        after: [EntitlementID: Entitlement],
        purchases: Set<OriginalTransactionID>,
        now: Timestamp
    ) {
        self.before = before
        self.after = after
        self.purchases = purchases
        self.now = now
    }

    /// The events, ordered by entitlement.
    public var events: [SubscriptionEvent] {
        if before == after { return [] }
        return Set(before.keys).union(after.keys).sorted().compactMap { id in
            let previous = before[id]
            // An entitlement without a source has ended.
            guard let present = after[id] ?? previous?.ended(at: now, purchases: purchases),
                let kind = kind(from: previous, to: present)
            else {
                return nil
            }
            return SubscriptionEvent(
                kind: kind,
                occurredAt: now,
                purchaseID: present.purchaseID,
                productID: present.productID,
                entitlement: present
            )
        }
    }

    private func kind(from previous: Entitlement?, to present: Entitlement) -> SubscriptionEvent.Kind? {
        guard let previous, previous.isActive else { return present.isActive ? .entitlementGranted : nil }
        guard present.isActive else { return .entitlementWithdrawn }
        return present.accessEndsAt > previous.accessEndsAt ? .entitlementExtended : nil
    }
}

extension Entitlement {
    /// The entitlement after its last source is gone.
    fileprivate func ended(at now: Timestamp, purchases: Set<OriginalTransactionID>) -> Entitlement {
        var copy = self
        copy.isActive = false
        copy.inactiveReason = inactiveReason ?? reasonOfEnd(purchases)
        copy.expiresAt = expiresAt.map { min($0, now) } ?? now
        copy.graceExpiresAt = nil
        copy.willRenew = false
        return copy
    }

    /// If the customer still has the purchase, the developer's definition changed.
    private func reasonOfEnd(_ purchases: Set<OriginalTransactionID>) -> InactiveReason {
        guard source != .grant else { return .grantEnded }
        return purchaseID.map(purchases.contains) == true ? .definitionChanged : .revoked
    }
}
