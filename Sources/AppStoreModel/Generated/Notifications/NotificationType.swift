// Generated from Schema/notifications.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The event of a notification.
///
/// - Source: App Store Server Notifications, `notificationType`.
public struct NotificationType: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Bought for the first time, or again after the end.
    public static let subscribed = NotificationType(rawValue: "SUBSCRIBED")
    /// The plan changed, now or from the next renewal on.
    public static let didChangeRenewalPref = NotificationType(rawValue: "DID_CHANGE_RENEWAL_PREF")
    /// Renewal was turned on or off.
    public static let didChangeRenewalStatus = NotificationType(rawValue: "DID_CHANGE_RENEWAL_STATUS")
    /// An active subscriber redeemed an offer.
    public static let offerRedeemed = NotificationType(rawValue: "OFFER_REDEEMED")
    /// Renewed.
    public static let didRenew = NotificationType(rawValue: "DID_RENEW")
    /// Ended.
    public static let expired = NotificationType(rawValue: "EXPIRED")
    /// The charge failed.
    public static let didFailToRenew = NotificationType(rawValue: "DID_FAIL_TO_RENEW")
    /// The grace period ended without a charge; retries continue.
    public static let gracePeriodExpired = NotificationType(rawValue: "GRACE_PERIOD_EXPIRED")
    /// The customer was notified of, or agreed to, a price increase.
    public static let priceIncrease = NotificationType(rawValue: "PRICE_INCREASE")
    /// A refund was made.
    public static let refund = NotificationType(rawValue: "REFUND")
    /// A refund was declined.
    public static let refundDeclined = NotificationType(rawValue: "REFUND_DECLINED")
    /// A refund was reversed.
    public static let refundReversed = NotificationType(rawValue: "REFUND_REVERSED")
    /// A family member or seat holder lost access.
    public static let revoke = NotificationType(rawValue: "REVOKE")
    /// Apple requests consumption information to decide on a refund.
    public static let consumptionRequest = NotificationType(rawValue: "CONSUMPTION_REQUEST")
    /// The end of one subscription's period moved.
    public static let renewalExtended = NotificationType(rawValue: "RENEWAL_EXTENDED")
    /// An extension of many subscriptions finished, or failed for one.
    public static let renewalExtension = NotificationType(rawValue: "RENEWAL_EXTENSION")
    /// A product other than an auto-renewable subscription was bought or shared.
    public static let oneTimeCharge = NotificationType(rawValue: "ONE_TIME_CHARGE")
    /// A token for an external purchase was created or awaits a report.
    public static let externalPurchaseToken = NotificationType(rawValue: "EXTERNAL_PURCHASE_TOKEN")
    /// A guardian withdrew consent to a child's use of the app.
    public static let rescindConsent = NotificationType(rawValue: "RESCIND_CONSENT")
    /// Advanced Commerce: metadata changed.
    public static let metadataUpdate = NotificationType(rawValue: "METADATA_UPDATE")
    /// Advanced Commerce: a subscription migrated.
    public static let migration = NotificationType(rawValue: "MIGRATION")
    /// The same as ``migration``, in the spelling of Apple's change log.
    public static let migrate = NotificationType(rawValue: "MIGRATE")
    /// Advanced Commerce: a price changed.
    public static let priceChange = NotificationType(rawValue: "PRICE_CHANGE")
    /// Multiseat: seats must be released.
    public static let unclaimSeats = NotificationType(rawValue: "UNCLAIM_SEATS")
    /// Requested by the developer.
    public static let test = NotificationType(rawValue: "TEST")

    /// Every value that Apple documents.
    public static let documented: [NotificationType] = [
        .subscribed, .didChangeRenewalPref, .didChangeRenewalStatus, .offerRedeemed, .didRenew, .expired,
        .didFailToRenew, .gracePeriodExpired, .priceIncrease, .refund, .refundDeclined, .refundReversed, .revoke,
        .consumptionRequest, .renewalExtended, .renewalExtension, .oneTimeCharge, .externalPurchaseToken,
        .rescindConsent, .metadataUpdate, .migration, .migrate, .priceChange, .unclaimSeats, .test,
    ]
}
