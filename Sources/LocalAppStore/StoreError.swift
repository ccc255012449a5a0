/// Why the store refused a call: a stable code, a message with the remedy, and the kind of error.
///
/// Two errors are equal if their codes are equal; the message may change between versions.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of an error, in snake case.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name as it appears in answers.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
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

    /// Makes an error.
    public init(_ code: Code, kind: Kind, message: String, path: String? = nil) {
        self.code = code
        self.kind = kind
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
    public static let accountNotFound = Self(rawValue: "account_not_found")
    /// An account with this identifier already exists.
    public static let accountExists = Self(rawValue: "account_exists")
    /// An account identifier is empty, too long, or has characters that are invalid in a URL path.
    public static let accountIdInvalid = Self(rawValue: "account_id_invalid")
    /// The storefront is unknown.
    public static let storefrontUnknown = Self(rawValue: "storefront_unknown")
    /// The catalogue has no product with this identifier.
    public static let productNotFound = Self(rawValue: "product_not_found")
    /// The quantity is invalid for this product.
    public static let quantityInvalid = Self(rawValue: "quantity_invalid")
    /// The token is not a UUID.
    public static let appAccountTokenInvalid = Self(rawValue: "app_account_token_invalid")
    /// The offer type does not exist.
    public static let offerNotSupported = Self(rawValue: "offer_not_supported")
    /// The requested offer is not available for the account or the product.
    public static let offerNotEligible = Self(rawValue: "offer_not_eligible")
    /// The product has no offer with this identifier.
    public static let offerNotFound = Self(rawValue: "offer_not_found")
    /// A code cannot be redeemed for a downgrade.
    public static let offerWouldDowngrade = Self(rawValue: "offer_would_downgrade")
    /// The developer's signature of an offer is missing or incomplete.
    public static let signatureMissing = Self(rawValue: "signature_missing")
    /// The signature was already redeemed.
    public static let signatureNonceUsed = Self(rawValue: "signature_nonce_used")
    /// The signature is for another customer.
    public static let signatureCustomerMismatch = Self(rawValue: "signature_customer_mismatch")
    /// The signature is for another product or offer.
    public static let signatureOfferMismatch = Self(rawValue: "signature_offer_mismatch")
    /// The account's card is declined.
    public static let paymentDeclined = Self(rawValue: "payment_declined")
    /// The attempt after which a card recovers does not exist, or the card is not declined.
    public static let recoversAfterInvalid = Self(rawValue: "recovers_after_invalid")
    /// The account already owns the product.
    public static let alreadyOwned = Self(rawValue: "already_owned")
    /// The account is already subscribed to this product.
    public static let alreadySubscribed = Self(rawValue: "already_subscribed")
    /// The product is the current plan, or a change to it is pending.
    public static let planUnchanged = Self(rawValue: "plan_unchanged")
    /// The product does not belong to the subscription's group.
    public static let planNotInGroup = Self(rawValue: "plan_not_in_group")
    /// No subscription has this original transaction identifier.
    public static let subscriptionNotFound = Self(rawValue: "subscription_not_found")
    /// The subscription has ended.
    public static let subscriptionNotActive = Self(rawValue: "subscription_not_active")
    /// No transaction has this identifier.
    public static let transactionNotFound = Self(rawValue: "transaction_not_found")
    /// The transaction is already refunded.
    public static let alreadyRefunded = Self(rawValue: "already_refunded")
    /// The reason of a refund request is not one of Apple's.
    public static let refundReasonUnknown = Self(rawValue: "refund_reason_unknown")
    /// A refund request for this transaction is already pending.
    public static let refundAlreadyRequested = Self(rawValue: "refund_already_requested")
    /// No refund request for this transaction is pending.
    public static let refundNotRequested = Self(rawValue: "refund_not_requested")
    /// The transaction is not refunded.
    public static let notRefunded = Self(rawValue: "not_refunded")
    /// The account has the purchase through Family Sharing; only the purchaser's own can be changed.
    public static let familyShared = Self(rawValue: "family_shared")
    /// The account has a seat of the purchase; only the purchaser's own can be changed.
    public static let seatAssigned = Self(rawValue: "seat_assigned")
    /// A price is out of range.
    public static let priceInvalid = Self(rawValue: "price_invalid")
    /// The effective date of a price is in the past.
    public static let effectiveDatePast = Self(rawValue: "effective_date_past")
    /// The product does not renew.
    public static let notASubscription = Self(rawValue: "not_a_subscription")
    /// The subscriber was not asked to consent to an increase.
    public static let priceIncreaseNotAsked = Self(rawValue: "price_increase_not_asked")
    /// The subscriber has already agreed to the increase.
    public static let priceIncreaseAccepted = Self(rawValue: "price_increase_accepted")
    /// The account cannot be a member of this family.
    public static let familyMemberInvalid = Self(rawValue: "family_member_invalid")
    /// The account is already in a family.
    public static let alreadyInFamily = Self(rawValue: "already_in_family")
    /// The family has the maximum number of members.
    public static let familyFull = Self(rawValue: "family_full")
    /// The account is not in this family.
    public static let notInFamily = Self(rawValue: "not_in_family")
    /// The account's purchases need approval.
    public static let purchaseNotImmediate = Self(rawValue: "purchase_not_immediate")
    /// No pending purchase has this identifier.
    public static let pendingPurchaseNotFound = Self(rawValue: "pending_purchase_not_found")
    /// The purchase was already completed or declined.
    public static let purchaseNotPending = Self(rawValue: "purchase_not_pending")
    /// The purchase waits for a parent instead of the customer, or vice versa.
    public static let purchaseWaitsOtherwise = Self(rawValue: "purchase_waits_otherwise")
    /// No billing plan has this name.
    public static let billingPlanUnknown = Self(rawValue: "billing_plan_unknown")
    /// The billing plan is not available for the product or the account's country.
    public static let billingPlanUnavailable = Self(rawValue: "billing_plan_unavailable")
    /// A refund's percentage is outside 1 to 100,000 thousandths of a percent.
    public static let percentageInvalid = Self(rawValue: "percentage_invalid")
    /// A refund's reason is neither 0 nor 1.
    public static let reasonInvalid = Self(rawValue: "reason_invalid")
    /// The clock cannot move back.
    public static let clockBackwards = Self(rawValue: "clock_backwards")
    /// No notification has this UUID, or none of its attempts is in progress.
    public static let notificationNotFound = Self(rawValue: "notification_not_found")
    /// The URL is not an absolute HTTP or HTTPS URL.
    public static let urlInvalid = Self(rawValue: "url_invalid")
    /// The cursor was not created by this store.
    public static let cursorInvalid = Self(rawValue: "cursor_invalid")
    /// The limit of a list is out of range.
    public static let limitInvalid = Self(rawValue: "limit_invalid")
    /// A population's size or a probability is out of range.
    public static let populationInvalid = Self(rawValue: "population_invalid")
    /// No external purchase token has this type.
    public static let tokenTypeUnknown = Self(rawValue: "token_type_unknown")
    /// The lifetime is not positive, or the external purchase token has no end.
    public static let tokenLifetimeInvalid = Self(rawValue: "token_lifetime_invalid")
    /// Apple would refuse the signed request of Advanced Commerce; the message has Apple's error.
    public static let advancedCommerceRefused = Self(rawValue: "advanced_commerce_refused")
    /// The subscription belongs to Advanced Commerce, and the call does not support it.
    public static let advancedCommerceSubscription = Self(rawValue: "advanced_commerce_subscription")
    /// Parental consent was already withdrawn.
    public static let consentRescinded = Self(rawValue: "consent_rescinded")
    /// The product, subscription or transaction has no seats, or the call does not fit its kind of seats.
    public static let seatsNotSupported = Self(rawValue: "seats_not_supported")
    /// The account cannot have a seat of this subscription, or already has one.
    public static let seatMemberInvalid = Self(rawValue: "seat_member_invalid")
    /// The account has no seat of this subscription.
    public static let seatNotAssigned = Self(rawValue: "seat_not_assigned")
    /// The number of seats is out of range, or unchanged.
    public static let seatsInvalid = Self(rawValue: "seats_invalid")
    /// A payload could not be signed.
    public static let signingFailed = Self(rawValue: "signing_failed")
}
