/// The content of a signed renewal record.
///
/// The newest `signedAt` per ``originalID`` wins.
public struct RenewalFact: Hashable, Sendable, Codable {
    /// Why a subscription ended.
    public enum ExpirationReason: String, Hashable, Sendable, Codable {
        /// The customer cancelled.
        case cancelled
        /// The store could not charge.
        case billingError = "billing_error"
        /// The customer did not agree to a higher price.
        case priceIncreaseNotAccepted = "price_increase_not_accepted"
        /// The product was no longer sold.
        case productUnavailable = "product_unavailable"
        /// Any other reason.
        case other
    }

    /// The subscription.
    public var originalID: OriginalTransactionID
    /// The product of the present or last period.
    public var productID: ProductID
    /// The product that renews next.
    public var nextProductID: ProductID
    /// Whether it renews.
    public var autoRenew: Bool
    /// Why it ended; present only after the end, or while the store retries the charge.
    public var expirationReason: ExpirationReason?
    /// The store is trying to charge.
    public var isInBillingRetry: Bool
    /// The end of the billing grace period.
    public var graceExpiresAt: Timestamp?
    /// A price increase: nil none, false waiting for consent, true agreed or notified.
    public var priceIncreaseAccepted: Bool?
    /// The offer that applies to the next period.
    public var offer: Offer?
    /// The end of the latest period; it may be in the past.
    public var renewsAt: Timestamp?
    /// The price of the next period, for all seats.
    public var renewalPrice: Money?
    /// The start of the present series of periods.
    public var recentStartAt: Timestamp?
    /// The win-back offers that the customer may have, in the store's order.
    public var winBackOfferIDs: [String]
    /// Whether the plan has a commitment: the store retries failed charges longer for those.
    public var isCommitted: Bool
    /// The developer's own account token of the next renewal, in lower case.
    public var accountToken: String?
    /// When the store signed this statement.
    public var signedAt: Timestamp
    /// The signed input that said so.
    public var evidence: EvidenceID

    /// Makes a fact from its parts.
    public init(
        originalID: OriginalTransactionID,
        productID: ProductID,
        nextProductID: ProductID,
        autoRenew: Bool,
        signedAt: Timestamp,
        evidence: EvidenceID,
        expirationReason: ExpirationReason? = nil,
        isInBillingRetry: Bool = false,
        graceExpiresAt: Timestamp? = nil,
        priceIncreaseAccepted: Bool? = nil,
        offer: Offer? = nil,
        renewsAt: Timestamp? = nil,
        renewalPrice: Money? = nil,
        recentStartAt: Timestamp? = nil,
        accountToken: String? = nil,
        winBackOfferIDs: [String] = [],
        isCommitted: Bool = false
    ) {
        self.originalID = originalID
        self.productID = productID
        self.nextProductID = nextProductID
        self.autoRenew = autoRenew
        self.expirationReason = expirationReason
        self.isInBillingRetry = isInBillingRetry
        self.graceExpiresAt = graceExpiresAt
        self.priceIncreaseAccepted = priceIncreaseAccepted
        self.offer = offer
        self.renewsAt = renewsAt
        self.renewalPrice = renewalPrice
        self.recentStartAt = recentStartAt
        self.accountToken = accountToken
        self.winBackOfferIDs = winBackOfferIDs
        self.isCommitted = isCommitted
        self.signedAt = signedAt
        self.evidence = evidence
    }
}
