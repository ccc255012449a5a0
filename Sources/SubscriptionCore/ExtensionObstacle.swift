/// Why the store does not extend the period of a subscription, as far as the ledger shows it.
///
/// - Source: Apple, Extending the renewal date for auto-renewable subscriptions; App Store Server API, Extend a
///   Subscription Renewal Date.
public enum ExtensionObstacle: String, Hashable, Sendable, CaseIterable {
    /// The purchase is not an auto-renewable subscription.
    case notASubscription = "not_a_subscription"
    /// A family member's copy. The purchaser's subscription can be extended, and the copies follow it.
    case familyShared = "family_shared"
    /// A seat that somebody else pays. The purchaser's subscription can be extended, and the seats follow it.
    case assigned
    /// The store took the period back.
    case revoked
    /// It ended.
    case expired
    /// A charge failed, and the store's grace period runs.
    case gracePeriod = "grace_period"
    /// A charge failed, and the store retries it.
    case billingRetry = "billing_retry"
    /// The period is over, and the store has not said yet whether it was renewed.
    case renewalAwaited = "renewal_awaited"
    /// The period is free. Only a paid period can be extended. A copy or a seat has no price, so it never has this.
    case freePeriod = "free_period"
    /// It was extended twice within 365 days.
    case limitReached = "limit_reached"
}

extension ExtensionObstacle {
    /// How often a subscription may be extended within ``countedMilliseconds``.
    public static let extensionsMax = 2
    /// How long an extension counts: 365 days.
    ///
    /// - Units: milliseconds.
    public static let countedMilliseconds: Int64 = 365 * 86_400_000
}

extension PurchaseLedger {
    /// The period that an extension lengthens: the last one. Nil if there is no subscription.
    ///
    /// Unverified: Apple does not document which period it extends if the next one is paid already.
    public func extendablePeriod(at now: Timestamp) -> (id: TransactionID, end: Timestamp)? {
        guard let period = lastPeriod(at: now), period.kind == .autoRenewable else { return nil }
        return (period.id, period.end)
    }

    /// Why the store does not extend the last period, the most important reason first; empty if nothing is known
    /// against it.
    ///
    /// - Parameters:
    ///   - now: The time of the question.
    ///   - policy: The developer's policy.
    ///   - extensions: When the subscription was extended before.
    public func extensionObstacles(
        at now: Timestamp,
        policy: AccessPolicy,
        extensions: [Timestamp]
    ) -> [ExtensionObstacle] {
        guard case .subscription(let state)? = state(at: now, policy: policy), let period = lastPeriod(at: now) else {
            return [.notASubscription]
        }
        let copy: ExtensionObstacle? =
            switch period.ownership {
            case .purchased, .other: nil
            case .familyShared: .familyShared
            case .assigned: .assigned
            }
        let ofStatus: ExtensionObstacle? =
            switch state.status {
            case .active where period.end <= now: .renewalAwaited
            case .active: nil
            case .inGracePeriod: .gracePeriod
            case .inBillingRetry: .billingRetry
            case .expired: .expired
            case .revoked: .revoked
            }
        // An extension of the purchaser's subscription does not reach a copy that has ended.
        let hasEnded = state.status == .expired || state.status == .revoked
        var obstacles = (hasEnded ? [ofStatus, copy] : [copy, ofStatus]).compactMap(\.self)
        // Somebody else pays for a copy or a seat.
        let isFree = period.offer?.payment == .freeTrial || period.price?.milliunits == 0
        if isFree, copy == nil { obstacles.append(.freePeriod) }
        let start = now.adding(milliseconds: -ExtensionObstacle.countedMilliseconds)
        if extensions.count(where: { $0 > start }) >= ExtensionObstacle.extensionsMax {
            obstacles.append(.limitReached)
        }
        return obstacles
    }
}
