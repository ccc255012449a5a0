package import SubscriptionCore

// The indexes in these lists are stored. Add new choices at the end; never remove or move one.

extension SubscriptionStatus: CompactChoice {
    /// The choices in stored order.
    package static let inOrder: [SubscriptionStatus] = [
        .active, .inGracePeriod, .inBillingRetry, .expired, .revoked,
    ]
}

extension SubscriptionState.PeriodType: CompactChoice {
    /// The choices in stored order.
    package static let inOrder: [SubscriptionState.PeriodType] = [
        .normal, .trial, .introductory, .promotional, .offerCode, .winBack,
    ]
}

extension SubscriptionState.BillingIssue: CompactChoice {
    /// The choices in stored order.
    package static let inOrder: [SubscriptionState.BillingIssue] = [.paymentFailed]
}

extension SubscriptionState.EndReason: CompactChoice {
    /// The choices in stored order.
    package static let inOrder: [SubscriptionState.EndReason] = [
        .cancelled, .billingError, .priceIncreaseNotAccepted, .productUnavailable, .refunded, .sharingEnded, .unknown,
        .billingRetry, .other,
    ]
}

extension Offer.Kind: CompactChoice {
    /// The choices in stored order.
    package static let inOrder: [Offer.Kind] = [.introductory, .promotional, .offerCode, .winBack, .other]
}

extension Offer.Payment: CompactChoice {
    /// The choices in stored order.
    package static let inOrder: [Offer.Payment] = [.freeTrial, .payAsYouGo, .payUpFront, .oneTime, .other]
}

extension Ownership: CompactChoice {
    /// The choices in stored order.
    package static let inOrder: [Ownership] = [.purchased, .familyShared, .assigned, .other]
}

extension ProductKind: CompactChoice {
    /// The choices in stored order.
    package static let inOrder: [ProductKind] = [.autoRenewable, .nonConsumable, .consumable, .nonRenewing, .unknown]
}

extension Entitlement.Source: CompactChoice {
    /// The choices in stored order.
    package static let inOrder: [Entitlement.Source] = [.subscription, .purchase, .grant]
}

extension Entitlement.InactiveReason: CompactChoice {
    /// The choices in stored order.
    package static let inOrder: [Entitlement.InactiveReason] = [
        .expired, .refunded, .revoked, .billingRetry, .grantEnded, .unknownProductType, .planChanged,
        .definitionChanged,
    ]
}

extension SubscriptionEvent.Kind: CompactChoice {
    /// The choices in stored order.
    package static let inOrder: [SubscriptionEvent.Kind] = [
        .entitlementGranted, .entitlementExtended, .entitlementWithdrawn, .started, .resubscribed, .upgraded, .prorated,
        .renewed, .recovered, .refunded, .refundReversed, .revoked, .extended, .enteredGracePeriod,
        .enteredBillingRetry,
        .expired, .autoRenewOff, .autoRenewOn, .planChanged, .planChangeScheduled, .planChangeCancelled,
        .priceIncreasePending, .priceIncreaseAccepted, .purchaseMade, .purchaseRefunded, .purchaseRefundReversed,
        .refundRequested, .refundDeclined, .purchaseRefundRequested, .purchaseRefundDeclined, .offerRedeemed,
        .extensionFailed, .extensionsFinished, .metadataChanged, .priceChanged, .migrated, .seatsAdded, .seatsChanged,
        .seatsRefunded, .seatsReleased, .externalTokenCreated, .externalTokenReminder, .externalTokenUnreported,
        .consentWithdrawn, .aliased, .priceStated, .purchasePriceStated,
        .commitmentRenewalOff, .commitmentRenewalOn, .clockDisputed, .clockAgreed,
        .recoveryFinished, .recoveryGapFound, .notificationsQuiet, .notificationsResumed, .recoveryFailed,
        .campaignStarted, .campaignProgressed, .campaignFinished, .refundRequestAnswered, .refundRequestUnanswered,
        .webhookEndpointDisabled,
    ]
}

extension Revocation.Kind: CompactChoice {
    /// The choices in stored order.
    package static let inOrder: [Revocation.Kind] = [.refund, .proratedRefund, .sharingEnded]
}

extension RenewalFact.ExpirationReason: CompactChoice {
    /// The choices in stored order.
    package static let inOrder: [RenewalFact.ExpirationReason] = [
        .cancelled, .billingError, .priceIncreaseNotAccepted, .productUnavailable, .other,
    ]
}
