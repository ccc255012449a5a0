import AppStoreModel

/// The terms of an offer: payment mode, duration and price.
public struct OfferTerms: Hashable, Sendable, Codable {
    /// How an offer is paid.
    public enum PaymentMode: String, Hashable, Sendable, CaseIterable, Codable {
        /// Free for the whole offer.
        case free
        /// A reduced price for each of several periods.
        case payAsYouGo
        /// One reduced price for the whole offer.
        case payUpFront
    }

    /// How the offer is paid.
    public let paymentMode: PaymentMode

    /// The length of one offer period.
    public internal(set) var period: CalendarPeriod

    /// The number of offer periods.
    public let numberOfPeriods: Int

    /// The price of one charge, thousandths of the currency unit; 0 for a free offer.
    public let price: Int64

    /// The number of transactions of the offer.
    var numberOfTransactions: Int { paymentMode == .payAsYouGo ? numberOfPeriods : 1 }

    /// The payment mode in the notation of payloads.
    var discountType: OfferDiscountType {
        switch paymentMode {
        case .free: .freeTrial
        case .payAsYouGo: .payAsYouGo
        case .payUpFront: .payUpFront
        }
    }
}

/// An offer of one customer.
struct GrantedOffer: Hashable, Sendable, Codable {
    let type: OfferType
    /// Absent for introductory offers.
    var identifier: String?
    let terms: OfferTerms
}

extension Transaction.AppliedOffer {
    /// An offer in the form of its transactions.
    init(_ offer: GrantedOffer) {
        self.init(
            type: offer.type,
            identifier: offer.identifier,
            discountType: offer.terms.discountType,
            period: offer.terms.period
        )
    }
}
