import AppStoreModel
import SubscriptionCore

extension RenewalFact {
    init(_ payload: JWSRenewalInfoDecodedPayload, evidence: EvidenceID) {
        self.init(
            originalID: OriginalTransactionID(payload.originalTransactionId),
            productID: ProductID(payload.productId),
            nextProductID: ProductID(payload.autoRenewProductId),
            autoRenew: payload.autoRenewStatus == .on,
            signedAt: Timestamp(milliseconds: payload.signedDate),
            evidence: evidence,
            expirationReason: payload.expirationIntent.map(ExpirationReason.init(apple:)),
            isInBillingRetry: payload.isInBillingRetryPeriod ?? false,
            graceExpiresAt: payload.gracePeriodExpiresDate.map(Timestamp.init(milliseconds:)),
            priceIncreaseAccepted: payload.priceIncreaseStatus.map { $0 == .accepted },
            offer: Offer(
                type: payload.offerType,
                discountType: payload.offerDiscountType,
                identifier: payload.offerIdentifier,
                period: payload.offerPeriod
            ),
            renewsAt: payload.renewalDate.map(Timestamp.init(milliseconds:)),
            renewalPrice: Money(milliunits: payload.totalRenewalPrice, currency: payload.currency),
            recentStartAt: payload.recentSubscriptionStartDate.map(Timestamp.init(milliseconds:)),
            accountToken: payload.appAccountToken?.lowercased(),
            winBackOfferIDs: payload.eligibleWinBackOfferIds ?? [],
            isCommitted: payload.commitmentInfo != nil
        )
    }
}

extension RenewalFact.ExpirationReason {
    fileprivate init(apple intent: ExpirationIntent) {
        switch intent {
        case .customerCancelled: self = .cancelled
        case .billingError: self = .billingError
        case .priceIncreaseNotConsented: self = .priceIncreaseNotAccepted
        case .productUnavailable: self = .productUnavailable
        default: self = .other
        }
    }
}

extension SubscriptionCore.SubscriptionStatus {
    /// The status by Apple's number; nil for numbers that this version does not know.
    init?(apple status: AppStoreModel.SubscriptionStatus) {
        switch status {
        case .active: self = .active
        case .expired: self = .expired
        case .billingRetry: self = .inBillingRetry
        case .billingGracePeriod: self = .inGracePeriod
        case .revoked: self = .revoked
        default: return nil
        }
    }
}

extension Offer {
    /// Reads the four offer fields of transactions and renewal records; nil if no offer applies.
    init?(type: OfferType?, discountType: OfferDiscountType?, identifier: String?, period: String?) {
        guard let type else { return nil }
        let kind: Kind =
            switch type {
            case .introductory: .introductory
            case .promotional: .promotional
            case .offerCode: .offerCode
            case .winBack: .winBack
            default: .other
            }
        self.init(kind: kind, payment: discountType.map(Payment.init(apple:)), identifier: identifier, period: period)
    }
}

extension Offer.Payment {
    fileprivate init(apple type: OfferDiscountType) {
        switch type {
        case .freeTrial: self = .freeTrial
        case .payAsYouGo: self = .payAsYouGo
        case .payUpFront: self = .payUpFront
        case .oneTime: self = .oneTime
        default: self = .other
        }
    }
}

extension Money {
    /// 10¹² currency units: far above any price of the App Store, and small enough that no sum or product overflows 64
    /// bits.
    private static let priceMilliunitsMax: Int64 = 1_000_000_000_000_000

    /// A price with a number and a currency; nil if either is missing or the number is out of range. The signed input
    /// still contains the number.
    init?(milliunits: Int64?, currency: String?) {
        guard let milliunits, let currency, (0...Self.priceMilliunitsMax).contains(milliunits) else { return nil }
        self.init(milliunits: milliunits, currency: currency)
    }
}
