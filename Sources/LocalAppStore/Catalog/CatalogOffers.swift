/// A promotional offer of a subscription, which apps request by its identifier.
public struct PromotionalOfferPlan: Hashable, Sendable {
    /// The offer's identifier in apps and signatures.
    public let offerId: String

    /// The terms of the offer.
    public internal(set) var terms: OfferTerms
}

/// An offer that customers redeem with a code.
public struct CodeOfferPlan: Hashable, Sendable {
    /// The status of a customer in a subscription group.
    public enum Customer: String, Hashable, Sendable, CaseIterable {
        /// Never subscribed in the group.
        case new
        /// Subscribed in the group now.
        case existing
        /// Formerly subscribed in the group.
        case expired
    }

    /// The offer's name, which payloads carry as the offer identifier.
    public let referenceName: String

    /// The terms of the offer.
    public internal(set) var terms: OfferTerms

    /// The customers who may redeem it.
    public let eligibility: Set<Customer>

    /// Whether it follows an introductory offer instead of replacing it.
    public let isStackable: Bool
}

/// An offer code for one discounted purchase of a product other than a subscription.
public struct OneTimeCodeOfferPlan: Hashable, Sendable {
    /// The offer's name, which payloads carry as the offer identifier.
    public let referenceName: String

    /// The unit price, thousandths of the currency unit.
    public let price: Int64
}

/// An offer for former paying customers.
public struct WinBackOfferPlan: Hashable, Sendable {
    /// The display priority of an offer in the App Store.
    public enum Priority: String, Hashable, Sendable, CaseIterable {
        /// Before others.
        case high
        /// After those of high priority.
        case normal
    }

    /// The offer's identifier.
    public let offerId: String

    /// The product of the offer.
    public let productId: String

    /// The terms of the offer.
    public internal(set) var terms: OfferTerms

    /// The minimum paid time of the customer, in months.
    public let paidMonthsMin: Int

    /// The minimum time since the end of the subscription, in months.
    public let monthsSinceEndMin: Int

    /// The maximum time since the end of the subscription, in months; absent without a limit.
    public let monthsSinceEndMax: Int?

    /// The minimum time between two redemptions, in months.
    public let monthsBetweenOffersMin: Int

    /// The start of the redemption period, milliseconds since 1970; absent without a limit.
    public let startDate: Int64?

    /// The end of the redemption period, milliseconds since 1970; absent without a limit.
    public let endDate: Int64?

    /// The priority of the offer.
    public let priority: Priority
}
