import AppStoreModel

/// The types of version 1 notifications.
///
/// - Source: App Store Server Notifications V1, `notification_type`.
enum Version1Type: String, Hashable, Sendable, CaseIterable {
    case initialBuy = "INITIAL_BUY"
    case interactiveRenewal = "INTERACTIVE_RENEWAL"
    case didRenew = "DID_RENEW"
    case didRecover = "DID_RECOVER"
    case didFailToRenew = "DID_FAIL_TO_RENEW"
    case didChangeRenewalPreference = "DID_CHANGE_RENEWAL_PREF"
    case didChangeRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
    case priceIncreaseConsent = "PRICE_INCREASE_CONSENT"
    case cancel = "CANCEL"
    case refund = "REFUND"
    case revoke = "REVOKE"
    case consumptionRequest = "CONSUMPTION_REQUEST"

    /// Whether Apple sends it about a customer.
    ///
    /// - Parameters:
    ///   - isFamilyMember: Whether the customer has the purchase through Family Sharing.
    ///   - environment: The sandbox has fewer types, and no families.
    func isSent(toFamilyMember isFamilyMember: Bool, in environment: AppStoreEnvironment) -> Bool {
        guard environment == .production else { return !isFamilyMember && isSentInSandbox }
        return isFamilyMember ? isSentToFamily : self != .revoke
    }

    private var isSentInSandbox: Bool {
        switch self {
        case .initialBuy, .didChangeRenewalPreference, .didChangeRenewalStatus, .didRenew, .interactiveRenewal,
            .cancel, .refund:
            true
        case .didRecover, .didFailToRenew, .priceIncreaseConsent, .revoke, .consumptionRequest: false
        }
    }

    private var isSentToFamily: Bool {
        switch self {
        case .interactiveRenewal, .didRenew, .didRecover, .didFailToRenew, .didChangeRenewalPreference,
            .didChangeRenewalStatus, .revoke:
            true
        case .initialBuy, .priceIncreaseConsent, .cancel, .refund, .consumptionRequest: false
        }
    }
}

/// The data of an event that version 1 needs beside its version 2 name.
struct Version1Event: Hashable, Sendable {
    let type: NotificationType
    let subtype: NotificationSubtype?
    let productType: ProductType
    /// Whether a returning subscription is for its last product.
    var isSameProduct = true
    /// Whether the refund was of the current period.
    var endsSubscription = false
    /// Whether the customer was asked to consent to a price increase.
    var wasAskedForConsent = false

    /// The version 1 notifications of an event, in order; none for types that version 1 does not have.
    ///
    /// - Source: App Store Server Notifications V1, `notification_type`, and its table of events.
    var types: [Version1Type] {
        switch (type, subtype) {
        case (.subscribed, .initialBuy): [.initialBuy]
        case (.subscribed, _):
            isSameProduct ? [.didChangeRenewalStatus] : [.interactiveRenewal, .didChangeRenewalStatus]
        case (.didRenew, .billingRecovery): [.didRecover]
        case (.didRenew, _): [.didRenew]
        case (.didFailToRenew, _): [.didFailToRenew]
        case (.didChangeRenewalPref, .upgrade), (.offerRedeemed, .upgrade):
            [.didChangeRenewalStatus, .interactiveRenewal]
        case (.didChangeRenewalPref, _), (.offerRedeemed, .downgrade): [.didChangeRenewalPreference]
        case (.didChangeRenewalStatus, _), (.expired, .billingRetry): [.didChangeRenewalStatus]
        case (.priceIncrease, .pending): [.priceIncreaseConsent]
        case (.priceIncrease, .accepted): wasAskedForConsent ? [.priceIncreaseConsent] : []
        case (.refund, _) where productType == .autoRenewableSubscription:
            endsSubscription ? [.cancel, .didChangeRenewalStatus] : [.cancel]
        case (.refund, _): [.refund]
        case (.revoke, _): [.revoke]
        case (.consumptionRequest, _): productType == .consumable ? [.consumptionRequest] : []
        default: []
        }
    }
}
