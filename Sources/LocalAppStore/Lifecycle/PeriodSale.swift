import AppStoreModel

/// A period to sell: product, dates, price, and how the following periods are counted.
struct PeriodSale: Hashable, Sendable {
    let productId: String
    /// Milliseconds since 1970.
    let start: Int64
    /// Milliseconds since 1970.
    let end: Int64
    /// The price of all seats, thousandths of the currency unit.
    var price: Int64
    var offer: Transaction.AppliedOffer?
    let reason: TransactionReason
    /// The number of seats.
    var quantity = 1
    /// The billing cycle after the period.
    let cycle: Subscription.BillingCycle
    /// The rest of a pay-as-you-go offer after the period.
    var runningOffer: Subscription.RunningOffer?
    /// Whether it adds to the current period instead of starting one.
    let isAddition: Bool
    /// Whether the customer chooses the product with the sale, which turns the renewal on.
    var isChoice = false
    /// The month of a commitment that the period covers.
    var commitment: Commitment?
    /// The Advanced Commerce items of the period.
    var items: AdvancedCommerceTerms?

    /// A sale within a period, which leaves the billing cycle as it is.
    init(of productId: String, from start: Int64, to end: Int64, price: Int64, cycle: Subscription.BillingCycle) {
        self.productId = productId
        self.cycle = cycle
        self.start = start
        self.end = end
        self.price = price
        reason = .purchase
        isAddition = true
    }

    /// The period that starts at a time.
    ///
    /// A free or prepaid offer is one period of its own length, and the paid periods count from its end. The periods of
    /// a pay-as-you-go offer follow the billing cycle.
    ///
    /// - Parameters:
    ///   - productId: The product.
    ///   - start: The start, milliseconds since 1970.
    ///   - price: The price without an offer, thousandths of the currency unit.
    ///   - cycle: The billing cycle of the period.
    ///   - offer: The offer that starts with the period, or continues.
    ///   - reason: A purchase or a renewal.
    init(
        of productId: String,
        from start: Int64,
        price: Int64,
        cycle: Subscription.BillingCycle,
        offer: UpcomingOffer? = nil,
        reason: TransactionReason
    ) {
        self.productId = productId
        self.start = start
        self.price = offer?.offer.terms.price ?? price
        self.offer = offer.map { Transaction.AppliedOffer($0.offer) }
        self.reason = reason
        isAddition = false
        if case .begins(let offer) = offer, offer.terms.paymentMode != .payAsYouGo {
            end = offer.terms.period.added(to: start, times: offer.terms.numberOfPeriods)
            self.cycle = Subscription.BillingCycle(anchor: end, period: cycle.period)
            return
        }
        end = cycle.nextEnd
        self.cycle = Subscription.BillingCycle(anchor: cycle.anchor, period: cycle.period, count: cycle.count + 1)
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
