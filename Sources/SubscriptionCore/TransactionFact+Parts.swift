/// The kinds of product the store sells.
public enum ProductKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Renews until it is cancelled.
    case autoRenewable = "auto_renewable"
    /// Bought once, without an end.
    case nonConsumable = "non_consumable"
    /// Bought, used up, bought again.
    case consumable
    /// Bought for a duration that only the developer knows.
    case nonRenewing = "non_renewing"
    /// A kind that this version does not know; it is stored and gives no access.
    case unknown
}

/// How a customer came to own a purchase.
public enum Ownership: String, Hashable, Sendable, Codable, CaseIterable {
    /// The customer paid.
    case purchased = "PURCHASED"
    /// A family member paid.
    case familyShared = "FAMILY_SHARED"
    /// An organisation or group assigned a seat.
    case assigned = "ASSIGNED"
    /// A way this version does not know.
    case other = "OTHER"
}

/// The revocation of a transaction by the store.
public struct Revocation: Hashable, Sendable, Codable {
    /// Who loses what.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// The whole price was returned.
        case refund
        /// A part of the price was returned.
        case proratedRefund = "prorated_refund"
        /// Family sharing, or an assigned seat, ended.
        case sharingEnded = "sharing_ended"
    }

    /// When it was taken back.
    public var at: Timestamp
    /// Who loses what.
    public var kind: Kind
    /// The store's reason: 0 other, 1 an issue with the app.
    public var reason: Int?
    /// The share of the price that was returned, in thousandths of a percent (100000 is all of it).
    public var percentage: Int?

    /// Makes a revocation.
    public init(at: Timestamp, kind: Kind, reason: Int? = nil, percentage: Int? = nil) {
        self.at = at
        self.kind = kind
        self.reason = reason
        self.percentage = percentage
    }
}

/// A discount that applied to a transaction, or will apply to the next one.
public struct Offer: Hashable, Sendable, Codable {
    /// Who gets it, and how.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// For customers new to the group.
        case introductory
        /// For existing or former customers, by the developer's decision.
        case promotional
        /// By a code.
        case offerCode = "offer_code"
        /// For customers who left.
        case winBack = "win_back"
        /// A kind this version does not know.
        case other
    }

    /// How it is paid.
    public enum Payment: String, Hashable, Sendable, Codable, CaseIterable {
        /// Nothing for a while.
        case freeTrial = "free_trial"
        /// A lower price for some periods.
        case payAsYouGo = "pay_as_you_go"
        /// One payment for a longer time.
        case payUpFront = "pay_up_front"
        /// One discounted purchase.
        case oneTime = "one_time"
        /// A way this version does not know.
        case other
    }

    /// Who gets it, and how.
    public var kind: Kind
    /// How it is paid.
    public var payment: Payment?
    /// The offer's identifier in the catalogue.
    public var identifier: String?
    /// ISO 8601 duration of the offer.
    public var period: String?

    /// Makes an offer.
    public init(kind: Kind, payment: Payment? = nil, identifier: String? = nil, period: String? = nil) {
        self.kind = kind
        self.payment = payment
        self.identifier = identifier
        self.period = period
    }
}
