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

/// A period to sell, and the billing cycle of the following ones.
struct NextPeriod {
    let end: Int64
    let price: Int64
    let offer: GrantedOffer?
    let cycle: Subscription.BillingCycle
    let runningOffer: Subscription.RunningOffer?

    /// Computes the period that starts at a time.
    ///
    /// A free or prepaid offer is one period of its own length, and the paid periods count from its end. The periods of
    /// a pay-as-you-go offer follow the billing cycle.
    ///
    /// - Parameters:
    ///   - start: The start, milliseconds since 1970.
    ///   - price: The price without an offer, thousandths of the currency unit.
    ///   - cycle: The billing cycle of the period.
    ///   - offer: The offer that starts with the period, or continues.
    init(start: Int64, price: Int64, cycle: Subscription.BillingCycle, offer: UpcomingOffer?) {
        self.offer = offer?.offer
        self.price = offer?.offer.terms.price ?? price
        if case .begins(let offer) = offer, offer.terms.paymentMode != .payAsYouGo {
            end = offer.terms.period.added(to: start, times: offer.terms.numberOfPeriods)
            self.cycle = Subscription.BillingCycle(anchor: end, period: cycle.period)
            runningOffer = nil
            return
        }
        end = cycle.nextEnd
        var counted = cycle
        counted.count += 1
        self.cycle = counted
        let periodsLeft =
            switch offer {
            case .begins(let offer): offer.terms.numberOfPeriods - 1
            case .goesOn(let running): running.periodsLeft - 1
            case nil: 0
            }
        runningOffer = offer.flatMap { offer in
            periodsLeft > 0 ? Subscription.RunningOffer(offer: offer.offer, periodsLeft: periodsLeft) : nil
        }
    }
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
