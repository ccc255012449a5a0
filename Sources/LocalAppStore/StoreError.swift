/// Why the store refused a call: a stable code, a message with the remedy, and the kind of error.
///
/// Two errors are equal if their codes are equal; the message may change between versions.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of an error, in snake case, and its usual kind.
    ///
    /// Two codes are equal if their names are equal.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name as it appears in answers.
        public let rawValue: String

        let kind: Kind

        /// Makes a code from its name.
        public init(rawValue: String) { self.init(rawValue, .unprocessable) }

        init(_ rawValue: String, _ kind: Kind) {
            self.rawValue = rawValue
            self.kind = kind
        }

        /// Whether two codes have the same name.
        public static func == (one: Code, other: Code) -> Bool { one.rawValue == other.rawValue }

        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    }

    /// The kind of error, which determines the HTTP status.
    public enum Kind: Int, Hashable, Sendable {
        /// The request is invalid (400).
        case invalid = 400
        /// The requested object does not exist (404).
        case notFound = 404
        /// The request conflicts with the current state (409).
        case conflict = 409
        /// The request is valid, but the store cannot execute it (422).
        case unprocessable = 422
        /// The store failed (500).
        case failure = 500
    }

    /// The stable name of the error.
    public let code: Code

    /// One sentence that states the problem and the remedy.
    public let message: String

    /// The invalid field of the request, if there is one.
    public let path: String?

    /// The kind of error.
    public let kind: Kind

    /// Makes an error; without a kind, it has that of its code.
    init(_ code: Code, _ message: String, path: String? = nil, kind: Kind? = nil) {
        self.code = code
        self.kind = kind ?? code.kind
        self.message = message
        self.path = path
    }

    /// The HTTP status of the response.
    public var httpStatus: Int { kind.rawValue }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}

extension StoreError.Code {
    /// No account has this identifier.
    public static let accountNotFound = Self("account_not_found", .notFound)
    /// An account with this identifier already exists.
    public static let accountExists = Self("account_exists", .conflict)
    /// An account identifier is empty, too long, or has characters that are invalid in a URL path.
    public static let accountIdInvalid = Self("account_id_invalid", .invalid)
    /// The storefront is unknown.
    public static let storefrontUnknown = Self("storefront_unknown", .invalid)
    /// The catalogue has no product with this identifier.
    public static let productNotFound = Self("product_not_found", .notFound)
    /// The quantity is invalid for this product.
    public static let quantityInvalid = Self("quantity_invalid", .invalid)
    /// The token is not a UUID.
    public static let appAccountTokenInvalid = Self("app_account_token_invalid", .invalid)
    /// The offer type does not exist.
    public static let offerNotSupported = Self("offer_not_supported", .unprocessable)
    /// The requested offer is not available for the account or the product.
    public static let offerNotEligible = Self("offer_not_eligible", .unprocessable)
    /// The product has no offer with this identifier.
    public static let offerNotFound = Self("offer_not_found", .notFound)
    /// A code cannot be redeemed for a downgrade.
    public static let offerWouldDowngrade = Self("offer_would_downgrade", .conflict)
    /// The developer's signature of an offer is missing or incomplete.
    public static let signatureMissing = Self("signature_missing", .invalid)
    /// The signature was already redeemed.
    public static let signatureNonceUsed = Self("signature_nonce_used", .conflict)
    /// The signature is for another customer.
    public static let signatureCustomerMismatch = Self(rawValue: "signature_customer_mismatch")
    /// The signature is for another product or offer.
    public static let signatureOfferMismatch = Self(rawValue: "signature_offer_mismatch")
    /// The account's card is declined.
    public static let paymentDeclined = Self("payment_declined", .unprocessable)
    /// The attempt after which a card recovers does not exist, or the card is not declined.
    public static let recoversAfterInvalid = Self("recovers_after_invalid", .invalid)
    /// The account already owns the product.
    public static let alreadyOwned = Self("already_owned", .conflict)
    /// The account is already subscribed to this product.
    public static let alreadySubscribed = Self("already_subscribed", .conflict)
    /// The product is the current plan, or a change to it is pending.
    public static let planUnchanged = Self("plan_unchanged", .conflict)
    /// The product does not belong to the subscription's group.
    public static let planNotInGroup = Self("plan_not_in_group", .unprocessable)
    /// No subscription has this original transaction identifier.
    public static let subscriptionNotFound = Self("subscription_not_found", .notFound)
    /// The subscription has ended.
    public static let subscriptionNotActive = Self("subscription_not_active", .conflict)
    /// No transaction has this identifier.
    public static let transactionNotFound = Self("transaction_not_found", .notFound)
    /// The transaction is already refunded.
    public static let alreadyRefunded = Self("already_refunded", .conflict)
    /// The transaction was free, or everything was paid back already.
    public static let nothingToRefund = Self("nothing_to_refund", .conflict)
    /// The reason of a refund request is not one of Apple's.
    public static let refundReasonUnknown = Self("refund_reason_unknown", .invalid)
    /// A refund request for this transaction is already pending.
    public static let refundAlreadyRequested = Self("refund_already_requested", .conflict)
    /// No refund request for this transaction is pending.
    public static let refundNotRequested = Self("refund_not_requested", .conflict)
    /// The transaction is not refunded.
    public static let notRefunded = Self("not_refunded", .conflict)
    /// The account has the purchase through Family Sharing; only the purchaser's own can be changed.
    public static let familyShared = Self("family_shared", .conflict)
    /// The account has a seat of the purchase; only the purchaser's own can be changed.
    public static let seatAssigned = Self("seat_assigned", .conflict)
    /// A price is out of range.
    public static let priceInvalid = Self("price_invalid", .invalid)
    /// The effective date of a price is in the past.
    public static let effectiveDatePast = Self("effective_date_past", .unprocessable)
    /// The product does not renew.
    public static let notASubscription = Self("not_a_subscription", .unprocessable)
    /// The subscriber was not asked to consent to an increase.
    public static let priceIncreaseNotAsked = Self("price_increase_not_asked", .conflict)
    /// The subscriber has already agreed to the increase.
    public static let priceIncreaseAccepted = Self("price_increase_accepted", .conflict)
    /// The account cannot be a member of this family.
    public static let familyMemberInvalid = Self("family_member_invalid", .unprocessable)
    /// The account is already in a family.
    public static let alreadyInFamily = Self("already_in_family", .conflict)
    /// The family has the maximum number of members.
    public static let familyFull = Self("family_full", .conflict)
    /// The account is not in this family.
    public static let notInFamily = Self("not_in_family", .notFound)
    /// The account's purchases need approval.
    public static let purchaseNotImmediate = Self("purchase_not_immediate", .conflict)
    /// No pending purchase has this identifier.
    public static let pendingPurchaseNotFound = Self("pending_purchase_not_found", .notFound)
    /// The purchase was already completed or declined.
    public static let purchaseNotPending = Self("purchase_not_pending", .conflict)
    /// The purchase waits for a parent instead of the customer, or vice versa.
    public static let purchaseWaitsOtherwise = Self("purchase_waits_otherwise", .conflict)
    /// No billing plan has this name.
    public static let billingPlanUnknown = Self("billing_plan_unknown", .invalid)
    /// The billing plan is not available for the product or the account's country.
    public static let billingPlanUnavailable = Self("billing_plan_unavailable", .unprocessable)
    /// A refund's percentage is outside 1 to 100,000 thousandths of a percent, or does not fit the open request.
    public static let percentageInvalid = Self("percentage_invalid", .invalid)
    /// A refund's reason is neither 0 nor 1.
    public static let reasonInvalid = Self("reason_invalid", .invalid)
    /// The clock cannot move back.
    public static let clockBackwards = Self("clock_backwards", .conflict)
    /// No notification has this UUID, or none of its attempts is in progress.
    public static let notificationNotFound = Self("notification_not_found", .notFound)
    /// The URL is not an absolute HTTP or HTTPS URL.
    public static let urlInvalid = Self("url_invalid", .invalid)
    /// The cursor was not created by this store.
    public static let cursorInvalid = Self("cursor_invalid", .invalid)
    /// The limit of a list is out of range.
    public static let limitInvalid = Self("limit_invalid", .invalid)
    /// A population's size or a probability is out of range.
    public static let populationInvalid = Self("population_invalid", .invalid)
    /// No external purchase token has this type.
    public static let tokenTypeUnknown = Self("token_type_unknown", .invalid)
    /// The lifetime is not positive, or the external purchase token has no end.
    public static let tokenLifetimeInvalid = Self("token_lifetime_invalid", .invalid)
    /// Apple would refuse the signed request of Advanced Commerce; the message has Apple's error.
    public static let advancedCommerceRefused = Self("advanced_commerce_refused", .unprocessable)
    /// The subscription belongs to Advanced Commerce, and the call does not support it.
    public static let advancedCommerceSubscription = Self("advanced_commerce_subscription", .conflict)
    /// Parental consent was already withdrawn.
    public static let consentRescinded = Self("consent_rescinded", .conflict)
    /// The product, subscription or transaction has no seats, or the call does not fit its kind of seats.
    public static let seatsNotSupported = Self("seats_not_supported", .conflict)
    /// The account cannot have a seat of this subscription, or already has one.
    public static let seatMemberInvalid = Self("seat_member_invalid", .conflict)
    /// The account has no seat of this subscription.
    public static let seatNotAssigned = Self("seat_not_assigned", .notFound)
    /// The number of seats is out of range, or unchanged.
    public static let seatsInvalid = Self("seats_invalid", .invalid)
    /// A payload could not be signed.
    public static let signingFailed = Self("signing_failed", .failure)
}
