/// An offer that the developer set up for a subscription, under an identifier that apps name.
public struct PromotionalOfferPlan: Hashable, Sendable {
    /// The offer's identifier, as apps and signatures name it.
    public let offerId: String

    /// What the offer gives.
    public internal(set) var terms: OfferTerms
}

/// An offer for which customers redeem a code.
public struct CodeOfferPlan: Hashable, Sendable {
    /// What a customer is to a subscription group.
    public enum Customer: String, Hashable, Sendable, CaseIterable {
        /// Never subscribed in the group.
        case new
        /// Subscribed in the group.
        case existing
        /// Was subscribed in the group.
        case expired
    }

    /// The offer's name; payloads carry it as the offer's identifier.
    public let referenceName: String

    /// What the offer gives.
    public internal(set) var terms: OfferTerms

    /// Who may redeem it.
    public let eligibility: Set<Customer>

    /// Whether it follows an introductory offer, rather than taking its place.
    public let isStackable: Bool
}

/// A code that makes a product other than a subscription cheaper, once.
public struct OneTimeCodeOfferPlan: Hashable, Sendable {
    /// The offer's name; payloads carry it as the offer's identifier.
    public let referenceName: String

    /// The price of one piece, thousandths of the currency unit.
    public let price: Int64
}

/// An offer for customers who paid and left.
public struct WinBackOfferPlan: Hashable, Sendable {
    /// How much the App Store shows an offer.
    public enum Priority: String, Hashable, Sendable, CaseIterable {
        /// Before others.
        case high
        /// After those of high priority.
        case normal
    }

    /// The offer's identifier.
    public let offerId: String

    /// The product that it is for.
    public let productId: String

    /// What the offer gives.
    public internal(set) var terms: OfferTerms

    /// How long the customer must have paid in all, months.
    public let paidMonthsMin: Int

    /// How long ago the subscription must have ended at least, months.
    public let monthsSinceEndMin: Int

    /// How long ago the subscription may have ended at most, months; absent without a limit.
    public let monthsSinceEndMax: Int?

    /// How long after a redemption the customer may redeem the offer again, months.
    public let monthsBetweenOffersMin: Int

    /// From when on it may be redeemed, milliseconds since 1970; absent without a limit.
    public let startDate: Int64?

    /// Until when it may be redeemed, milliseconds since 1970; absent without a limit.
    public let endDate: Int64?

    /// Which offers come first.
    public let priority: Priority
}
