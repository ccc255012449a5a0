import SubscriptionCore

/// How the events of a kind are translated.
enum RevenueCatRule: Hashable, Sendable {
    /// The first period of a subscription.
    case firstPeriod
    /// A further period.
    case furtherPeriod
    /// A one-time purchase.
    case oneTimePurchase
    /// The end of a period moved.
    case extended
    /// Money was given back.
    case refund
    /// Money that was given back was taken again.
    case refundReversed
    /// The store took a purchase away.
    case revoked
    /// Renewal was turned off.
    case renewalOff
    /// Renewal was turned on.
    case renewalOn
    /// Another product renews.
    case nextProduct
    /// Another product is in force.
    case productInForce
    /// A charge failed, and the store's grace period runs.
    case gracePeriod
    /// A charge failed, and no grace period of the store runs.
    case billingRetry
    /// A subscription ended.
    case ended
    /// Access was given, or lasts longer.
    case accessGiven
    /// Access ended.
    case accessEnded
}

extension SubscriptionEvent.Kind {
    /// How events of this kind are translated; nil if they have no counterpart at RevenueCat.
    ///
    /// A kind that is added must be decided here.
    var revenueCatRule: RevenueCatRule? {
        switch self {
        case .started: .firstPeriod
        // RevenueCat's page of event types and its staff: a lapsed customer who subscribes again in the same group of
        // the App Store gives a RENEWAL. Its page of flows names INITIAL_PURCHASE, in a paragraph about Google Play.
        case .resubscribed, .upgraded, .renewed, .recovered: .furtherPeriod
        case .purchaseMade: .oneTimePurchase
        case .extended: .extended
        case .refunded, .purchaseRefunded: .refund
        case .refundReversed, .purchaseRefundReversed: .refundReversed
        case .revoked: .revoked
        case .autoRenewOff: .renewalOff
        case .autoRenewOn: .renewalOn
        case .planChangeScheduled, .planChangeCancelled: .nextProduct
        case .planChanged: .productInForce
        case .enteredGracePeriod: .gracePeriod
        case .enteredBillingRetry: .billingRetry
        case .expired: .ended
        case .entitlementGranted, .entitlementExtended: .accessGiven
        case .entitlementWithdrawn: .accessEnded
        // Corrections of amounts.
        case .prorated, .priceStated, .purchasePriceStated: nil
        // Questions and announcements of the store.
        case .priceIncreasePending, .priceIncreaseAccepted, .priceChanged, .offerRedeemed, .metadataChanged, .migrated,
            .refundRequested, .refundDeclined, .purchaseRefundRequested, .purchaseRefundDeclined,
            .extensionFailed, .extensionsFinished, .consentWithdrawn:
            nil
        // Plans with a commitment and seats, which RevenueCat's pages do not mention.
        case .commitmentRenewalOff, .commitmentRenewalOn, .seatsAdded, .seatsChanged, .seatsRefunded, .seatsReleased:
            nil
        // Purchases elsewhere.
        case .externalTokenCreated, .externalTokenReminder, .externalTokenUnreported: nil
        // The legacy event SUBSCRIBER_ALIAS is not sent any more: `aliases` of the following events has the identifier.
        case .aliased: nil
        // This server's own work.
        case .clockDisputed, .clockAgreed, .recoveryFinished, .recoveryGapFound, .recoveryFailed, .notificationsQuiet,
            .notificationsResumed, .campaignStarted, .campaignProgressed, .campaignFinished, .refundRequestAnswered,
            .refundRequestUnanswered, .webhookEndpointDisabled:
            nil
        }
    }

    /// Whether events of this kind report a charge.
    var isCharge: Bool { isPeriodCharge || revenueCatRule == .oneTimePurchase }

    /// Whether events of this kind report a charge of a subscription.
    var isPeriodCharge: Bool { revenueCatRule == .firstPeriod || revenueCatRule == .furtherPeriod }
}
