/// The state of a subscription at a time: a pure function of its ledger, the policy and the time.
public struct SubscriptionState: Hashable, Sendable, Codable {
    /// What the present period costs the customer.
    public enum PeriodType: String, Hashable, Sendable, Codable, CaseIterable {
        /// The regular price.
        case normal
        /// Nothing, as an introduction.
        case trial
        /// Less, as an introduction.
        case introductory
        /// A promotional offer.
        case promotional
        /// An offer code.
        case offerCode = "offer_code"
        /// A win-back offer.
        case winBack = "win_back"
    }

    /// What is wrong with the payment.
    public enum BillingIssue: String, Hashable, Sendable, Codable, CaseIterable {
        /// The last charge failed and the store is still trying.
        case paymentFailed = "payment_failed"
    }

    /// Why it gives no access any more.
    public enum EndReason: String, Hashable, Sendable, Codable, CaseIterable {
        /// The customer cancelled.
        case cancelled
        /// The store could not charge.
        case billingError = "billing_error"
        /// The customer did not agree to a higher price.
        case priceIncreaseNotAccepted = "price_increase_not_accepted"
        /// The product was no longer sold.
        case productUnavailable = "product_unavailable"
        /// The period was refunded.
        case refunded
        /// Family sharing, or an assigned seat, ended.
        case sharingEnded = "sharing_ended"
        /// The store's retry period is over, and no signed fact states the result.
        case billingRetry = "billing_retry"
        /// The store reports another reason without details.
        case other
        /// It ended, and no signed fact says why.
        case unknown
    }

    /// What is known of the period after the present one.
    public struct NextPeriod: Hashable, Sendable, Codable {
        /// Its price; absent when nothing renews.
        public var price: Money?
        /// The offer that will apply to it; absent when nothing renews.
        public var offer: Offer?
        /// The win-back offers that the customer may have, in the store's order.
        public var winBackOfferIDs: [String]
        /// Until when access stays while a renewal is due but not reported; absent if none is due.
        public var awaitedUntil: Timestamp?
        /// Whether the customer agreed to a higher price; absent where there is none, or nothing renews.
        public var priceIncreaseAccepted: Bool?

        /// Makes it from its parts.
        package init(
            price: Money? = nil,
            offer: Offer? = nil,
            winBackOfferIDs: [String] = [],
            awaitedUntil: Timestamp? = nil,
            priceIncreaseAccepted: Bool? = nil
        ) {
            self.price = price
            self.offer = offer
            self.winBackOfferIDs = winBackOfferIDs
            self.awaitedUntil = awaitedUntil
            self.priceIncreaseAccepted = priceIncreaseAccepted
        }
    }

    /// A product that the customer had before another one in the same subscription.
    public struct FormerProduct: Hashable, Sendable, Codable {
        /// The product.
        public var id: ProductID
        /// When its last period ended or was replaced.
        public var endedAt: Timestamp

        /// Makes it from its parts.
        package init(id: ProductID, endedAt: Timestamp) {
            self.id = id
            self.endedAt = endedAt
        }
    }

    /// The subscription.
    public var id: OriginalTransactionID
    /// The product of the present or last period.
    public var productID: ProductID
    /// Its group.
    public var groupID: SubscriptionGroupID?
    /// Its status.
    public var status: SubscriptionStatus
    /// Whether it gives access.
    public var givesAccess: Bool
    /// What the present period costs.
    public var periodType: PeriodType
    /// How the customer came to own it.
    public var ownership: Ownership
    /// When the first period began.
    public var startedAt: Timestamp
    /// When the present or last period began.
    public var periodStartsAt: Timestamp
    /// When the present or last period ends.
    public var periodEndsAt: Timestamp
    /// The end of the billing grace period, while it runs.
    public var graceExpiresAt: Timestamp?
    /// Whether it renews.
    public var autoRenew: Bool
    /// The product that renews next; absent when nothing does.
    public var nextProductID: ProductID?
    /// What is wrong with the payment.
    public var billingIssue: BillingIssue?
    /// Why it gives no access any more.
    public var endReason: EndReason?
    /// When access was taken away before the end of the period; absent where it was not.
    public var endedEarlyAt: Timestamp?
    /// The price of the present period.
    public var price: Money?
    /// The storefront's ISO 3166-1 alpha-3 country.
    public var storefront: String?
    /// Whether an introductory offer was ever used in this subscription, refunded or not.
    public var introductoryOfferUsed: Bool
    /// The next time at which the state changes without a new fact.
    public var nextChangeAt: Timestamp?
    /// What is known of the period after the present one.
    public var nextPeriod: NextPeriod
    /// The products that the customer had before the present one, by identifier.
    public var formerProducts: [FormerProduct]

    /// Makes a state from its parts, such as they were stored.
    package init(
        id: OriginalTransactionID,
        productID: ProductID,
        groupID: SubscriptionGroupID?,
        status: SubscriptionStatus,
        givesAccess: Bool,
        periodType: PeriodType,
        ownership: Ownership,
        startedAt: Timestamp,
        periodStartsAt: Timestamp,
        periodEndsAt: Timestamp,
        graceExpiresAt: Timestamp?,
        autoRenew: Bool,
        nextProductID: ProductID?,
        billingIssue: BillingIssue?,
        endReason: EndReason?,
        endedEarlyAt: Timestamp? = nil,
        price: Money?,
        storefront: String?,
        introductoryOfferUsed: Bool,
        nextChangeAt: Timestamp?,
        nextPeriod: NextPeriod = NextPeriod(),
        formerProducts: [FormerProduct] = []
    ) {
        self.id = id
        self.productID = productID
        self.groupID = groupID
        self.status = status
        self.givesAccess = givesAccess
        self.periodType = periodType
        self.ownership = ownership
        self.startedAt = startedAt
        self.periodStartsAt = periodStartsAt
        self.periodEndsAt = periodEndsAt
        self.graceExpiresAt = graceExpiresAt
        self.autoRenew = autoRenew
        self.nextProductID = nextProductID
        self.billingIssue = billingIssue
        self.endReason = endReason
        self.endedEarlyAt = endedEarlyAt
        self.price = price
        self.storefront = storefront
        self.introductoryOfferUsed = introductoryOfferUsed
        self.nextChangeAt = nextChangeAt
        self.nextPeriod = nextPeriod
        self.formerProducts = formerProducts
    }
}

/// The state of a one-time purchase at a time.
public struct OneTimePurchaseState: Hashable, Sendable, Codable {
    /// The purchase.
    public var id: OriginalTransactionID
    /// The product bought.
    public var productID: ProductID
    /// What kind of product it is.
    public var kind: ProductKind
    /// How many were bought.
    public var quantity: Int
    /// How the customer came to own it.
    public var ownership: Ownership
    /// When it was bought.
    public var purchasedAt: Timestamp
    /// When it was taken back.
    public var revokedAt: Timestamp?
    /// What the customer paid.
    public var price: Money?
    /// The storefront's ISO 3166-1 alpha-3 country.
    public var storefront: String?

    /// Makes a state from its parts, such as they were stored.
    package init(
        id: OriginalTransactionID,
        productID: ProductID,
        kind: ProductKind,
        quantity: Int,
        ownership: Ownership,
        purchasedAt: Timestamp,
        revokedAt: Timestamp?,
        price: Money?,
        storefront: String?
    ) {
        self.id = id
        self.productID = productID
        self.kind = kind
        self.quantity = quantity
        self.ownership = ownership
        self.purchasedAt = purchasedAt
        self.revokedAt = revokedAt
        self.price = price
        self.storefront = storefront
    }

    /// Whether the purchase gives access.
    public var givesAccess: Bool { revokedAt == nil && kind != .unknown }
}

/// The state of a purchase of either kind at a time.
public enum PurchaseState: Hashable, Sendable, Codable {
    /// A subscription.
    case subscription(SubscriptionState)
    /// A one-time purchase.
    case oneTime(OneTimePurchaseState)

    /// The purchase.
    public var id: OriginalTransactionID {
        switch self {
        case .subscription(let state): state.id
        case .oneTime(let state): state.id
        }
    }

    /// The product of the present or last period, or the one that was bought.
    public var productID: ProductID {
        switch self {
        case .subscription(let state): state.productID
        case .oneTime(let state): state.productID
        }
    }

    /// The next time at which the state changes without a new fact.
    public var nextChangeAt: Timestamp? {
        switch self {
        case .subscription(let state): state.nextChangeAt
        case .oneTime: nil
        }
    }

    /// Whether the purchase gives access.
    public var givesAccess: Bool {
        switch self {
        case .subscription(let state): state.givesAccess
        case .oneTime(let state): state.givesAccess
        }
    }
}
