package import AppStoreModel

extension NotificationType {
    /// The subtypes that Apple documents for the type.
    ///
    /// - Source: App Store Server Notifications, `subtype`.
    package var documentedSubtypes: [NotificationSubtype] {
        switch self {
        case .subscribed: [.initialBuy, .resubscribe]
        case .didChangeRenewalPref: [.upgrade, .downgrade, .increaseQuantity, .decreaseQuantity]
        case .offerRedeemed: [.upgrade, .downgrade]
        case .didChangeRenewalStatus: [.autoRenewEnabled, .autoRenewDisabled]
        case .didRenew: [.billingRecovery]
        case .expired: [.voluntary, .billingRetry, .priceIncrease, .productNotForSale]
        case .didFailToRenew: [.gracePeriod]
        case .priceIncrease: [.pending, .accepted]
        case .refund: [.seats]
        case .renewalExtension: [.summary, .failure]
        case .externalPurchaseToken: [.created, .activeTokenReminder, .unreported]
        default: []
        }
    }
}
