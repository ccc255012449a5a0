import AppStoreModel

extension LocalAppStore {
    /// The kind of a period's sale in reports.
    func saleEvent(
        of transaction: Transaction,
        after previous: Transaction?,
        condition: SubscriptionReplay.Condition
    ) -> SalesReportEvent {
        guard let previous else { return transaction.offer.map(Self.start) ?? .subscribe }
        let isSameProduct = previous.productId == transaction.productId
        let step = planStep(from: previous.productId, to: transaction.productId)
        switch condition {
        case .unsold, .ended:
            if let offer = transaction.offer { return Self.start(of: offer) }
            guard !isSameProduct else { return .reactivate }
            switch step {
            case .upgrade: return .reactivateWithUpgrade
            case .downgrade: return .reactivateWithDowngrade
            case .crossgrade: return .reactivateWithCrossgrade
            }
        case .gracePeriod where isSameProduct: return .renewalFromGracePeriod
        case .billingRetry where isSameProduct: return .renewalFromBillingRetry
        case .gracePeriod, .billingRetry:
            return SalesReportEvent(step, fromBillingRetry: true, fromIntroductoryOffer: false)
        case .active where isSameProduct: return Self.renewal(of: transaction.offer, after: previous.offer)
        case .active:
            let isIntroductory = previous.offer?.type == .introductory
            return SalesReportEvent(step, fromBillingRetry: false, fromIntroductoryOffer: isIntroductory)
        }
    }

    private static func renewal(
        of offer: Transaction.AppliedOffer?,
        after previous: Transaction.AppliedOffer?
    ) -> SalesReportEvent {
        guard let offer else {
            switch previous?.type {
            case OfferType.introductory: return .paidFromIntroductoryOffer
            case OfferType.promotional: return .paidFromPromotionalOffer
            case OfferType.offerCode: return .paidFromOfferCode
            case OfferType.winBack: return .paidFromWinBackOffer
            default: return .renew
            }
        }
        guard offer.type == previous?.type, offer.identifier == previous?.identifier else { return start(of: offer) }
        switch offer.type {
        case .introductory: return .introductoryOfferRenewal
        case .promotional: return .promotionalOfferRenewal
        case .offerCode: return .offerCodeRenewal
        default: return .winBackOfferRenewal
        }
    }

    private static func start(of offer: Transaction.AppliedOffer) -> SalesReportEvent {
        switch offer.type {
        case .introductory: .startIntroductoryOffer
        case .promotional: .startPromotionalOffer
        case .offerCode: .startOfferCode
        default: .startWinBackOffer
        }
    }

    /// By the current levels of the catalogue; a removed product has none and counts as a crossgrade.
    private func planStep(from old: String, to new: String) -> PlanStep {
        guard let before = catalog.products[old]?.terms?.level, let after = catalog.products[new]?.terms?.level,
            before != after
        else { return .crossgrade }
        return after < before ? .upgrade : .downgrade
    }
}
