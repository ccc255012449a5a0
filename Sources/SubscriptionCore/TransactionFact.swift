/// The content of a signed transaction: one purchase or renewal.
///
/// The newest `signedAt` per ``id`` wins; everything else about the transaction follows from that one statement.
public struct TransactionFact: Hashable, Sendable, Codable {
    /// The transaction.
    public var id: TransactionID
    /// The purchase it belongs to.
    public var originalID: OriginalTransactionID
    /// The product bought.
    public var productID: ProductID
    /// The subscription's group; absent for one-time purchases.
    public var groupID: SubscriptionGroupID?
    /// What kind of product it is.
    public var kind: ProductKind
    /// When this period or purchase began.
    public var purchasedAt: Timestamp
    /// When the first transaction of the purchase was made.
    public var originallyPurchasedAt: Timestamp
    /// When the paid period ends; absent for one-time purchases.
    public var expiresAt: Timestamp?
    /// How many were bought.
    public var quantity: Int
    /// How the customer came to own it.
    public var ownership: Ownership
    /// Whether the store renewed it, or the customer bought it.
    public var isRenewal: Bool
    /// Superseded by an upgrade.
    public var isUpgraded: Bool
    /// The revocation by the store; absent if there is none.
    public var revocation: Revocation?
    /// The offer that applied.
    public var offer: Offer?
    /// What the customer paid in total.
    public var price: Money?
    /// The storefront's ISO 3166-1 alpha-3 country.
    public var storefront: String?
    /// The developer's own account token given at purchase, in lower case.
    public var accountToken: String?
    /// The customer's copy of the app at the store.
    public var appTransactionID: String?
    /// The store's identifier of the charge of a subscription period; restored copies of the transaction have the same
    /// one.
    public var chargeID: String?
    /// When the store signed this statement.
    public var signedAt: Timestamp
    /// The signed input that said so.
    public var evidence: EvidenceID

    /// Makes a fact from its parts.
    public init(
        id: TransactionID,
        originalID: OriginalTransactionID,
        productID: ProductID,
        kind: ProductKind,
        purchasedAt: Timestamp,
        originallyPurchasedAt: Timestamp,
        signedAt: Timestamp,
        evidence: EvidenceID,
        groupID: SubscriptionGroupID? = nil,
        expiresAt: Timestamp? = nil,
        quantity: Int = 1,
        ownership: Ownership = .purchased,
        isRenewal: Bool = false,
        isUpgraded: Bool = false,
        revocation: Revocation? = nil,
        offer: Offer? = nil,
        price: Money? = nil,
        storefront: String? = nil,
        accountToken: String? = nil,
        appTransactionID: String? = nil,
        chargeID: String? = nil
    ) {
        self.id = id
        self.originalID = originalID
        self.productID = productID
        self.groupID = groupID
        self.kind = kind
        self.purchasedAt = purchasedAt
        self.originallyPurchasedAt = originallyPurchasedAt
        self.expiresAt = expiresAt
        self.quantity = quantity
        self.ownership = ownership
        self.isRenewal = isRenewal
        self.isUpgraded = isUpgraded
        self.revocation = revocation
        self.offer = offer
        self.price = price
        self.storefront = storefront
        self.accountToken = accountToken
        self.appTransactionID = appTransactionID
        self.chargeID = chargeID
        self.signedAt = signedAt
        self.evidence = evidence
    }
}
