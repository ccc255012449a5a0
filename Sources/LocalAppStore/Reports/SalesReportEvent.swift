/// The events of the report SUBSCRIPTION_EVENT, by App Store Connect's names, as far as this store supports them.
///
/// Marketing opt-ins and contingent prices are not simulated.
///
/// - Source: App Store Connect Help, Subscription events. The names of offer renewals are not published exactly.
public enum SalesReportEvent: String, Hashable, Sendable, CaseIterable {
    // Start
    case subscribe = "Subscribe"
    case startIntroductoryOffer = "Start Introductory Offer"
    case startPromotionalOffer = "Start Promotional Offer"
    case startOfferCode = "Start Offer Code"
    case startWinBackOffer = "Start Win-back Offer"

    // Conversion to the standard price
    case paidFromIntroductoryOffer = "Paid Subscription from Introductory Offer"
    case paidFromPromotionalOffer = "Paid Subscription from Promotional Offer"
    case paidFromOfferCode = "Paid Subscription from Offer Code"
    case paidFromWinBackOffer = "Paid Subscription from Win-back Offer"

    // Renewal
    case renew = "Renew"
    case renewalFromBillingRetry = "Renewal from Billing Retry"
    case renewalFromGracePeriod = "Renewal from Grace Period"
    case introductoryOfferRenewal = "Introductory Offer Renewal"
    case promotionalOfferRenewal = "Promotional Offer Renewal"
    case offerCodeRenewal = "Offer Code Renewal"
    case winBackOfferRenewal = "Win-back Offer Renewal"

    // Change of plan
    case upgrade = "Upgrade"
    case downgrade = "Downgrade"
    case crossgrade = "Crossgrade"
    case upgradeFromIntroductoryOffer = "Upgrade from Introductory Offer"
    case downgradeFromIntroductoryOffer = "Downgrade from Introductory Offer"
    case crossgradeFromIntroductoryOffer = "Crossgrade from Introductory Offer"
    case upgradeFromBillingRetry = "Upgrade from Billing Retry"
    case downgradeFromBillingRetry = "Downgrade from Billing Retry"
    case crossgradeFromBillingRetry = "Crossgrade from Billing Retry"

    // Return
    case reactivate = "Reactivate"
    case reactivateWithUpgrade = "Reactivate with Upgrade"
    case reactivateWithDowngrade = "Reactivate with Downgrade"
    case reactivateWithCrossgrade = "Reactivate with Crossgrade"

    // Trouble
    case billingRetryFromPaidSubscription = "Billing Retry from Paid Subscription"
    case billingRetryFromIntroductoryOffer = "Billing Retry from Introductory Offer"
    case gracePeriodFromPaidSubscription = "Grace Period from Paid Subscription"
    case gracePeriodFromIntroductoryOffer = "Grace Period from Introductory Offer"

    // End
    case cancel = "Cancel"
    case canceledFromBillingRetry = "Canceled from Billing Retry"
    case canceledFromBillingGracePeriod = "Canceled from Billing Grace Period"
    case canceledAfterRenewalExtension = "Canceled After Renewal Extension"
    case refund = "Refund"
}

/// The direction of a plan change, by the levels of the two products.
enum PlanStep: Hashable, Sendable {
    case upgrade
    case downgrade
    case crossgrade
}

extension SalesReportEvent {
    /// A plan change of an active subscription.
    init(_ step: PlanStep, fromBillingRetry: Bool, fromIntroductoryOffer: Bool) {
        switch step {
        case .upgrade:
            self =
                fromBillingRetry
                ? .upgradeFromBillingRetry : fromIntroductoryOffer ? .upgradeFromIntroductoryOffer : .upgrade
        case .downgrade:
            self =
                fromBillingRetry
                ? .downgradeFromBillingRetry : fromIntroductoryOffer ? .downgradeFromIntroductoryOffer : .downgrade
        case .crossgrade:
            self =
                fromBillingRetry
                ? .crossgradeFromBillingRetry : fromIntroductoryOffer ? .crossgradeFromIntroductoryOffer : .crossgrade
        }
    }

    /// The name of the event in a report version; 1_3 has no win-back offers.
    func name(inVersion version: String) -> String {
        guard version == "1_3" else { return rawValue }
        switch self {
        case .startWinBackOffer: return SalesReportEvent.reactivate.rawValue
        case .paidFromWinBackOffer, .winBackOfferRenewal: return SalesReportEvent.renew.rawValue
        default: return rawValue
        }
    }
}
