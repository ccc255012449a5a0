/// What an account asks the store to sell.
public struct PurchaseRequest: Hashable, Sendable {
    /// An offer that the app names in its purchase.
    public struct Offer: Hashable, Sendable {
        /// The kind: `introductory`, or one that this version refuses (`promotional`, `offer_code`, `win_back`).
        public var type: String

        /// The offer's identifier, for kinds that have one.
        public var identifier: String?

        /// The developer's signature, for kinds that need one.
        public var signature: String?

        /// Names an offer.
        public init(type: String, identifier: String? = nil, signature: String? = nil) {
            self.type = type
            self.identifier = identifier
            self.signature = signature
        }
    }

    /// The product to buy.
    public var productId: String

    /// How many; more than one only for consumables.
    public var quantity: Int

    /// The developer's user, a UUID.
    public var appAccountToken: String?

    /// The offer that must apply; an introductory offer applies by itself where the account is eligible.
    public var offer: Offer?

    /// Whether the customer enters a card that works, where the one on file is declined.
    public var fixesPayment: Bool

    /// Makes a request.
    public init(
        productId: String,
        quantity: Int = 1,
        appAccountToken: String? = nil,
        offer: Offer? = nil,
        fixesPayment: Bool = false
    ) {
        self.fixesPayment = fixesPayment
        self.productId = productId
        self.quantity = quantity
        self.appAccountToken = appAccountToken
        self.offer = offer
    }
}

/// What the device gets back from a purchase.
public struct PurchaseOutcome: Hashable, Sendable {
    /// The new transaction.
    public let transactionId: String

    /// The first transaction of the same purchase line.
    public let originalTransactionId: String

    /// The transaction as a JWS.
    public let signedTransactionInfo: String

    /// The subscription's renewal information as a JWS; absent for other products.
    public let signedRenewalInfo: String?
}
