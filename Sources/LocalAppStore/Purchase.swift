public import AppStoreModel

/// What an account asks the store to sell.
public struct PurchaseRequest: Hashable, Sendable, Codable {
    /// An offer that the app names in its purchase.
    public struct Offer: Hashable, Sendable, Codable {
        /// The kind: `introductory`, `promotional`, `offer_code` or `win_back`.
        public var type: String

        /// The offer's identifier, for kinds that have one; of an offer with codes its reference name.
        public var identifier: String?

        /// A code of an offer with codes; the offer need not be named then.
        public var code: String?

        /// The developer's signature of a promotional offer: a JWS, or base64 of DER together with ``keyId``, ``nonce``
        /// and ``timestamp``; of an introductory offer, a JWS that says whether the account is eligible.
        public var signature: String?

        /// The key of a signature of the first form.
        public var keyId: String?

        /// The one-time UUID of a signature of the first form.
        public var nonce: String?

        /// When a signature of the first form was made, milliseconds since 1970.
        public var timestamp: Int64?

        /// Names an offer.
        public init(
            type: String,
            identifier: String? = nil,
            code: String? = nil,
            signature: String? = nil,
            keyId: String? = nil,
            nonce: String? = nil,
            timestamp: Int64? = nil
        ) {
            self.keyId = keyId
            self.nonce = nonce
            self.timestamp = timestamp
            self.type = type
            self.identifier = identifier
            self.code = code
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

    /// How a yearly subscription is paid; `nil` for the usual way, at once for the year.
    public var billingPlan: BillingPlanType?

    /// Makes a request.
    public init(
        productId: String,
        quantity: Int = 1,
        appAccountToken: String? = nil,
        offer: Offer? = nil,
        fixesPayment: Bool = false,
        billingPlan: BillingPlanType? = nil
    ) {
        self.billingPlan = billingPlan
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
