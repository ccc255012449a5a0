// Generated from Schema/notifications.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The subtype of an event.
///
/// - Source: App Store Server Notifications, `subtype`.
public struct NotificationSubtype: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The first subscription in its group.
    public static let initialBuy = NotificationSubtype(rawValue: "INITIAL_BUY")
    /// Subscribed again after the end.
    public static let resubscribe = NotificationSubtype(rawValue: "RESUBSCRIBE")
    /// To a higher level, immediately.
    public static let upgrade = NotificationSubtype(rawValue: "UPGRADE")
    /// To a lower level, from the next renewal on.
    public static let downgrade = NotificationSubtype(rawValue: "DOWNGRADE")
    /// Renewal on.
    public static let autoRenewEnabled = NotificationSubtype(rawValue: "AUTO_RENEW_ENABLED")
    /// Renewal off.
    public static let autoRenewDisabled = NotificationSubtype(rawValue: "AUTO_RENEW_DISABLED")
    /// A charge succeeded after one had failed.
    public static let billingRecovery = NotificationSubtype(rawValue: "BILLING_RECOVERY")
    /// The customer had turned renewal off.
    public static let voluntary = NotificationSubtype(rawValue: "VOLUNTARY")
    /// No charge succeeded.
    public static let billingRetry = NotificationSubtype(rawValue: "BILLING_RETRY")
    /// The customer did not agree to a higher price.
    public static let priceIncrease = NotificationSubtype(rawValue: "PRICE_INCREASE")
    /// The product was not for sale.
    public static let productNotForSale = NotificationSubtype(rawValue: "PRODUCT_NOT_FOR_SALE")
    /// Access continues for the grace period.
    public static let gracePeriod = NotificationSubtype(rawValue: "GRACE_PERIOD")
    /// The customer has not answered yet.
    public static let pending = NotificationSubtype(rawValue: "PENDING")
    /// The customer agreed, or no consent was needed.
    public static let accepted = NotificationSubtype(rawValue: "ACCEPTED")
    /// An extension of many subscriptions finished.
    public static let summary = NotificationSubtype(rawValue: "SUMMARY")
    /// An extension failed for this subscription.
    public static let failure = NotificationSubtype(rawValue: "FAILURE")
    /// A token without a report.
    public static let unreported = NotificationSubtype(rawValue: "UNREPORTED")
    /// A token was created.
    public static let created = NotificationSubtype(rawValue: "CREATED")
    /// A token is still active.
    public static let activeTokenReminder = NotificationSubtype(rawValue: "ACTIVE_TOKEN_REMINDER")
    /// Multiseat: some seats were refunded.
    public static let seats = NotificationSubtype(rawValue: "SEATS")
    /// Multiseat: seats were added.
    public static let increaseQuantity = NotificationSubtype(rawValue: "INCREASE_QUANTITY")
    /// Multiseat: fewer seats from the next renewal on.
    public static let decreaseQuantity = NotificationSubtype(rawValue: "DECREASE_QUANTITY")

    /// Every value that Apple documents.
    public static let documented: [NotificationSubtype] = [
        .initialBuy, .resubscribe, .upgrade, .downgrade, .autoRenewEnabled, .autoRenewDisabled, .billingRecovery,
        .voluntary, .billingRetry, .priceIncrease, .productNotForSale, .gracePeriod, .pending, .accepted, .summary,
        .failure, .unreported, .created, .activeTokenReminder, .seats, .increaseQuantity, .decreaseQuantity,
    ]
}
