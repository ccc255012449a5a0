import AppStoreModel

/// What an offer gives: how it is paid, for how long, at which price.
public struct OfferTerms: Hashable, Sendable, Codable {
    /// How an offer is paid.
    public enum PaymentMode: String, Hashable, Sendable, CaseIterable, Codable {
        /// Nothing for the whole offer.
        case free
        /// A lower price for each of several periods.
        case payAsYouGo
        /// One lower price for the whole offer.
        case payUpFront
    }

    /// How the offer is paid.
    public let paymentMode: PaymentMode

    /// The length of one of its periods.
    public internal(set) var period: CalendarPeriod

    /// How many periods it has.
    public let numberOfPeriods: Int

    /// What one charge costs, thousandths of the currency unit; 0 for a free offer.
    public let price: Int64

    /// How many transactions the offer makes.
    var numberOfTransactions: Int { paymentMode == .payAsYouGo ? numberOfPeriods : 1 }

    /// The payment mode as payloads name it.
    var discountType: OfferDiscountType {
        switch paymentMode {
        case .free: .freeTrial
        case .payAsYouGo: .payAsYouGo
        case .payUpFront: .payUpFront
        }
    }
}

/// An offer that one customer has.
struct GrantedOffer: Hashable, Sendable, Codable {
    let type: OfferType
    /// Absent for introductory offers.
    var identifier: String?
    let terms: OfferTerms
}

/// A period to be sold, and the cycle that the following ones count in.
struct NextPeriod {
    let end: Int64
    let price: Int64
    let offer: GrantedOffer?
    let cycle: Subscription.BillingCycle
    let runningOffer: Subscription.RunningOffer?

    /// Lays out the period that begins at an instant.
    ///
    /// An offer that is free or paid up front is one period of its own length, and the paid ones count from its end;
    /// the periods of one that is paid as you go are those of the cycle.
    ///
    /// - Parameters:
    ///   - start: The first instant, milliseconds since 1970.
    ///   - price: The price without an offer, thousandths of the currency unit.
    ///   - cycle: The cycle that the period belongs to.
    ///   - offer: The offer that begins with the period, or goes on.
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
    /// An offer as it stands in the transactions it makes.
    init(_ offer: GrantedOffer) {
        self.init(
            type: offer.type,
            identifier: offer.identifier,
            discountType: offer.terms.discountType,
            period: offer.terms.period
        )
    }
}
