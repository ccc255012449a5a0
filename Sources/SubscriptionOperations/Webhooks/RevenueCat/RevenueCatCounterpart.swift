import SubscriptionCore
import SubscriptionStorage

/// What an event of the feed is at RevenueCat.
///
/// RevenueCat sends several webhooks for some changes, and a delivery has one body. The choices:
///
/// - A failed charge: BILLING_ISSUE when the store's grace period begins, because only it has the end of that period.
///   RevenueCat also sends CANCELLATION with BILLING_ERROR; but the subscription still renews, and receivers that
///   ignore the reason would take it for unsubscribed.
/// - Billing retry: EXPIRATION, because access ends. RevenueCat also sends it then, and not when the retries end.
/// - An upgrade: `subscription.upgraded` is the RENEWAL and `subscription.plan_changed` the PRODUCT_CHANGE.
/// - A refund: `subscription.refunded` is the CANCELLATION. The end of access is the EXPIRATION.
struct RevenueCatCounterpart: Hashable, Sendable {
    /// The type of the event.
    var type: RevenueCatEventType
    /// The reason, of a CANCELLATION and of an EXPIRATION.
    var reason: RevenueCatReason?
    /// The transaction whose fields it has; nil if none is known.
    var transaction: TransactionFact?
    /// The operator's grant, instead of a transaction.
    var grant: PromotionalGrant?
    /// Whether it reports money that was paid or given back; all others have the price 0, as at RevenueCat.
    var hasMoney = false
    /// The product that the customer changes to, of a PRODUCT_CHANGE.
    var newProductID: ProductID?
    /// The end of the grace period, of a BILLING_ISSUE.
    var graceEndsAt: Timestamp?
    /// The entitlements, if they are not those of the product.
    var entitlementIDs: [EntitlementID]?
    /// When access ended, if it is not the end of the transaction.
    var endedAt: Timestamp?

    /// A granted entitlement.
    struct PromotionalGrant: Hashable, Sendable {
        /// The entitlement.
        var entitlementID: EntitlementID
        /// The grant; nil if it is not known.
        var id: GrantID?
        /// When it was given; nil if the grant is not known.
        var grantedAt: Timestamp?
        /// When it expires; absent if it does not.
        var expiresAt: Timestamp?
    }

    /// Makes a counterpart without the fields of single types.
    private init(
        _ type: RevenueCatEventType,
        _ transaction: TransactionFact? = nil,
        reason: RevenueCatReason? = nil,
        hasMoney: Bool = false
    ) {
        self.type = type
        self.transaction = transaction
        self.reason = reason
        self.hasMoney = hasMoney
    }

    /// The counterpart of an event; nil if it has none.
    init?(of record: EventRecord, _ facts: RevenueCatFacts) {
        let event = record.event
        guard let rule = event.kind.revenueCatRule, let found = Self.make(rule, record, facts) else { return nil }
        self = found
    }

    /// The counterpart by the rule of the event's kind.
    private static func make(_ rule: RevenueCatRule, _ record: EventRecord, _ facts: RevenueCatFacts) -> Self? {
        let event = record.event
        switch rule {
        case .firstPeriod: return Self(.initialPurchase, facts.transaction(of: event), hasMoney: true)
        case .furtherPeriod: return Self(.renewal, facts.transaction(of: event), hasMoney: true)
        case .oneTimePurchase: return Self(.nonRenewingPurchase, facts.transaction(of: event), hasMoney: true)
        case .extended: return Self(.subscriptionExtended, facts.transaction(of: event))
        case .refund: return refund(event, facts)
        case .refundReversed: return Self(.refundReversed, facts.transaction(of: event), hasMoney: true)
        case .revoked: return revocation(event, facts)
        case .renewalOff: return cancellation(event, facts)
        case .renewalOn: return uncancellation(event, facts)
        case .nextProduct: return nextProduct(event, facts)
        case .productInForce: return productInForce(event, facts)
        case .gracePeriod: return gracePeriod(event, facts)
        case .billingRetry: return billingRetry(event, facts)
        case .ended: return expiration(record, facts)
        case .accessGiven: return accessGiven(record, facts)
        case .accessEnded: return accessEnded(record, facts)
        }
    }
}

// MARK: Money that was given back

extension RevenueCatCounterpart {
    /// As at RevenueCat, the refund of an earlier period than the latest is not reported: receivers end access by it.
    private static func refund(_ event: SubscriptionEvent, _ facts: RevenueCatFacts) -> Self? {
        let transaction = facts.transaction(of: event)
        if let transaction, transaction.kind == .autoRenewable, !facts.isLatest(transaction, at: event.occurredAt) {
            return nil
        }
        return Self(.cancellation, transaction, reason: .customerSupport, hasMoney: true)
    }

    /// RevenueCat's pages do not mention the end of sharing, so its reason and type are unverified.
    private static func revocation(_ event: SubscriptionEvent, _ facts: RevenueCatFacts) -> Self? {
        guard let transaction = facts.transaction(of: event) else { return nil }
        guard transaction.kind == .autoRenewable else { return Self(.cancellation, transaction, reason: .unknown) }
        guard facts.isLatest(transaction, at: event.occurredAt) else { return nil }
        // A status of the store reports a refund before its transaction does. The end of access is an event of its own.
        let isRefund = transaction.ownership == .purchased && transaction.revocation?.kind != .sharingEnded
        return isRefund
            ? Self(.cancellation, transaction, reason: .customerSupport)
            : Self(.expiration, transaction, reason: .unknown)
    }
}

// MARK: Renewal settings

extension RevenueCatCounterpart {
    /// A CANCELLATION without money.
    private static func cancellation(_ event: SubscriptionEvent, _ facts: RevenueCatFacts) -> Self? {
        guard let reason = cancelReason(event) else { return nil }
        return Self(.cancellation, facts.period(startedBy: event.occurredAt), reason: reason)
    }

    /// Nil if another event reported the end that turned off renewal.
    private static func cancelReason(_ event: SubscriptionEvent) -> RevenueCatReason? {
        guard let cause = event.details?["ended_because"] else { return .unsubscribe }
        switch SubscriptionState.EndReason(rawValue: cause) {
        case .cancelled: return .unsubscribe
        case .billingError, .billingRetry, .refunded, .sharingEnded: return nil
        case .priceIncreaseNotAccepted: return .priceIncrease
        case .productUnavailable: return .developerInitiated
        case .other, .unknown, nil: return .unknown
        }
    }

    /// RevenueCat reports it for subscriptions that have not expired. A purchase that turned renewal on is a RENEWAL.
    private static func uncancellation(_ event: SubscriptionEvent, _ facts: RevenueCatFacts) -> Self? {
        guard let period = facts.period(startedBy: event.occurredAt), let end = period.expiresAt,
            end > event.occurredAt
        else { return nil }
        // The store signs the renewal record within seconds of the purchase.
        let delayMax: Int64 = 60_000
        let isBoughtNow = event.occurredAt <= period.purchasedAt.adding(milliseconds: delayMax)
        if !period.isRenewal, isBoughtNow, facts.predecessor(of: period) != nil { return nil }
        return Self(.uncancellation, period)
    }

    /// If the customer keeps the present product after all, it is the new product too: receivers that stored the other
    /// one replace it. That RevenueCat does the same is unverified.
    private static func nextProduct(_ event: SubscriptionEvent, _ facts: RevenueCatFacts) -> Self? {
        var change = Self(.productChange, facts.period(startedBy: event.occurredAt))
        change.newProductID = event.productID
        return change
    }

    /// Only for a product that was bought while the old one ran. A change at a renewal was reported when it was
    /// scheduled, and another product after a lapse is only a RENEWAL.
    private static func productInForce(_ event: SubscriptionEvent, _ facts: RevenueCatFacts) -> Self? {
        guard let bought = facts.period(startedBy: event.occurredAt), bought.productID == event.productID,
            !bought.isRenewal, let old = facts.predecessor(of: bought), old.productID != bought.productID
        else { return nil }
        guard let end = old.expiresAt, end > bought.purchasedAt else { return nil }
        var change = Self(.productChange, old)
        change.newProductID = bought.productID
        return change
    }
}

// MARK: Failed charges and the end

extension RevenueCatCounterpart {
    /// The store's own grace period.
    private static func gracePeriod(_ event: SubscriptionEvent, _ facts: RevenueCatFacts) -> Self? {
        let period = facts.period(endedBy: event.occurredAt)
        var issue = Self(.billingIssue, period)
        // A status of the store does not contain the end, and a newer record may be about another period.
        if let end = facts.ledger?.renewal?.graceExpiresAt, end > event.occurredAt { issue.graceEndsAt = end }
        return issue
    }

    /// Entitlements with a grace period of the developer's own stay active. Their EXPIRATION follows when it ends.
    private static func billingRetry(_ event: SubscriptionEvent, _ facts: RevenueCatFacts) -> Self? {
        let period = facts.period(endedBy: event.occurredAt)
        var expiration = Self(.expiration, period, reason: .billingError)
        guard let period else { return expiration }
        let graceEnds = facts.ownGraceEnds(after: period, at: event.occurredAt)
        guard !graceEnds.isEmpty else { return expiration }
        let ended = facts.entitlementIDs(of: period).filter { graceEnds[$0] == nil }
        guard ended.isEmpty else {
            expiration.entitlementIDs = ended
            return expiration
        }
        var issue = Self(.billingIssue, period)
        issue.graceEndsAt = graceEnds.values.max()
        return issue
    }

    /// After billing retry or a refund the end of access was already reported, unless the period itself is new.
    private static func expiration(_ record: EventRecord, _ facts: RevenueCatFacts) -> Self? {
        let event = record.event
        let period = facts.period(endedBy: event.occurredAt)
        let reason = facts.endReason
        if let period, !facts.isNew(period) {
            if let revocation = period.revocation, revocation.at <= event.occurredAt { return nil }
            if reason == .billingError { return nil }
        }
        return Self(.expiration, period, reason: reason)
    }
}

// MARK: Entitlements

extension RevenueCatCounterpart {
    /// A grant is a purchase at RevenueCat. A purchase that another customer had is a transfer. One that the store
    /// reported before the app submitted it is a first purchase. Other purchases have events of their own.
    private static func accessGiven(_ record: EventRecord, _ facts: RevenueCatFacts) -> Self? {
        guard let entitlement = record.event.entitlement else { return nil }
        guard entitlement.source == .grant else {
            guard facts.formerOwner == nil else { return Self(.transfer) }
            guard facts.isLateFirstPurchase(record), let bought = facts.transaction(of: record.event) else {
                return nil
            }
            let isSubscription = bought.kind == .autoRenewable
            return Self(isSubscription ? .initialPurchase : .nonRenewingPurchase, bought, hasMoney: true)
        }
        var purchase = Self(.nonRenewingPurchase)
        purchase.grant = PromotionalGrant(entitlement, facts.grant, at: record.event.occurredAt)
        return purchase
    }

    /// An EXPIRATION, if no event about the purchase reports the end of access: for each entitlement that a refund or
    /// the end of an own grace period takes, and for each customer who shares the purchase.
    private static func accessEnded(_ record: EventRecord, _ facts: RevenueCatFacts) -> Self? {
        guard let entitlement = record.event.entitlement,
            let reason = endReason(of: entitlement, record, facts)
        else { return nil }
        var end = Self(.expiration, reason: reason)
        end.entitlementIDs = [entitlement.id]
        end.endedAt = entitlement.expiresAt
        if entitlement.source == .grant {
            end.grant = PromotionalGrant(entitlement, facts.grant, at: nil)
        } else {
            end.transaction = facts.transaction(of: record.event)
        }
        return end
    }

    /// Why access ended; nil if no message is sent.
    private static func endReason(
        of entitlement: Entitlement,
        _ record: EventRecord,
        _ facts: RevenueCatFacts
    ) -> RevenueCatReason? {
        switch entitlement.inactiveReason {
        // The only reason that RevenueCat's page has for what it granted itself.
        case .grantEnded: return .developerInitiated
        case .billingRetry: return facts.isRecordedWith(.enteredBillingRetry, record) ? nil : .billingError
        case .expired:
            // The end of billing retry itself is not reported, but an own grace period may last until then.
            let reason = facts.endReason
            return facts.isRecordedWith(.expired, record) && reason != .billingError ? nil : reason
        case .refunded: return entitlement.source == .subscription ? .customerSupport : nil
        case .revoked:
            return facts.isPassedOn(record) || facts.isRecordedWith(.revoked, record) ? nil : .unknown
        // Another product, the developer's definition, or nothing that gave access: no purchase ended.
        case .planChanged, .definitionChanged, .unknownProductType, nil: return nil
        }
    }
}

extension RevenueCatCounterpart.PromotionalGrant {
    /// The grant of an entitlement.
    ///
    /// - Parameter time: When access was given; nil if the event is about its end.
    fileprivate init(_ entitlement: Entitlement, _ grant: Grant?, at time: Timestamp?) {
        self.init(
            entitlementID: entitlement.id,
            id: entitlement.grantID,
            grantedAt: grant?.grantedAt ?? time,
            expiresAt: grant == nil ? entitlement.expiresAt : grant?.expiresAt
        )
    }
}
