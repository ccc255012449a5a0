/// Something that happened to a customer's purchases or entitlements, as it is told to the developer's systems.
///
/// The sum of ``price`` over all events is net revenue: each transaction counts once when it is first known, and a
/// refund once, negative.
public struct SubscriptionEvent: Hashable, Sendable, Codable {
    /// What happened.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// Access was given.
        case entitlementGranted = "entitlement.granted"
        /// Access lasts longer.
        case entitlementExtended = "entitlement.extended"
        /// Access ended.
        case entitlementWithdrawn = "entitlement.withdrawn"
        /// A first subscription period.
        case started = "subscription.started"
        /// A period bought by the customer after an earlier one.
        case resubscribed = "subscription.resubscribed"
        /// A period charged by the store.
        case renewed = "subscription.renewed"
        /// A period charged after a failed charge.
        case recovered = "subscription.recovered"
        /// The store took a period back.
        case refunded = "subscription.refunded"
        /// The store gave a refunded period back.
        case refundReversed = "subscription.refund_reversed"
        /// Sharing ended.
        case revoked = "subscription.revoked"
        /// The end of a period moved.
        case extended = "subscription.extended"
        /// A charge failed; access stays for the grace period.
        case enteredGracePeriod = "subscription.entered_grace_period"
        /// A charge failed; the store keeps trying.
        case enteredBillingRetry = "subscription.entered_billing_retry"
        /// It ended.
        case expired = "subscription.expired"
        /// It will not renew.
        case autoRenewOff = "subscription.auto_renew_off"
        /// It will renew.
        case autoRenewOn = "subscription.auto_renew_on"
        /// Another product is in force.
        case planChanged = "subscription.plan_changed"
        /// Another product comes into force at the next renewal.
        case planChangeScheduled = "subscription.plan_change_scheduled"
        /// The customer is asked to agree to a higher price.
        case priceIncreasePending = "subscription.price_increase_pending"
        /// The customer agreed to a higher price, or was told of it.
        case priceIncreaseAccepted = "subscription.price_increase_accepted"
        /// A one-time purchase.
        case purchaseMade = "purchase.made"
        /// The store took a one-time purchase back.
        case purchaseRefunded = "purchase.refunded"
        /// The store gave a refunded one-time purchase back.
        case purchaseRefundReversed = "purchase.refund_reversed"
    }

    /// What happened.
    public var kind: Kind
    /// When it happened: the instant the facts give, or the clock's.
    public var occurredAt: Timestamp
    /// The purchase it happened to.
    public var purchaseID: OriginalTransactionID
    /// The transaction, where the event is about one.
    public var transactionID: TransactionID?
    /// The product.
    public var productID: ProductID
    /// What the customer paid (positive) or got back (negative).
    public var price: Money?
    /// The whole entitlement, for events about one.
    public var entitlement: Entitlement?

    /// Makes an event.
    public init(
        kind: Kind,
        occurredAt: Timestamp,
        purchaseID: OriginalTransactionID,
        productID: ProductID,
        transactionID: TransactionID? = nil,
        price: Money? = nil,
        entitlement: Entitlement? = nil
    ) {
        self.kind = kind
        self.occurredAt = occurredAt
        self.purchaseID = purchaseID
        self.productID = productID
        self.transactionID = transactionID
        self.price = price
        self.entitlement = entitlement
    }
}
