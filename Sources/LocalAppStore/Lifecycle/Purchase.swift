public import AppStoreModel

/// A purchase request of an account.
public struct PurchaseRequest: Hashable, Sendable, Codable {
    /// An offer that the app requests in its purchase.
    public struct Offer: Hashable, Sendable, Codable {
        /// The kind: `introductory`, `promotional`, `offer_code` or `win_back`.
        public var type: String

        /// The offer's identifier, for kinds that have one; for an offer with codes its reference name.
        public var identifier: String?

        /// An offer code; the offer may be omitted then.
        public var code: String?

        /// The developer's signature. For a promotional offer it is a JWS, or base64 of DER together with ``keyId``,
        /// ``nonce`` and ``timestamp``. For an introductory offer it is a JWS that states whether the account is
        /// eligible.
        public var signature: String?

        /// The key of a version 1 signature.
        public var keyId: String?

        /// The nonce of a version 1 signature.
        public var nonce: String?

        /// The time of a version 1 signature, milliseconds since 1970.
        public var timestamp: Int64?

        /// Requests an offer.
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

    /// The quantity; more than one only for consumables.
    public var quantity: Int

    /// The developer's identifier of the user, a UUID.
    public var appAccountToken: String?

    /// The requested offer; an introductory offer applies automatically if the account is eligible.
    public var offer: Offer?

    /// Whether the customer enters a valid card if the one on file is declined.
    public var fixesPayment: Bool

    /// The billing plan of a yearly subscription; `nil` for one yearly payment.
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

/// The result of a purchase on the device.
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
