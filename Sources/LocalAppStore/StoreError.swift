/// Why the store refused a call: a stable code, a sentence with the remedy, and what the caller may do about it.
///
/// Two errors are the same kind of refusal when their codes are equal; the message may change between versions.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of a refusal, in snake case.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name as it appears in answers.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// What sort of refusal it is, which decides the HTTP status of the answer.
    public enum Kind: Int, Hashable, Sendable {
        /// The request itself is wrong (400).
        case invalid = 400
        /// What the request names does not exist (404).
        case notFound = 404
        /// The request does not fit the present state (409).
        case conflict = 409
        /// The request is well formed, but the store does not carry it out (422).
        case unprocessable = 422
        /// The store itself failed (500).
        case failure = 500
    }

    /// The stable name of the refusal.
    public let code: Code

    /// One sentence that says what is wrong and what to do.
    public let message: String

    /// The field of the request that is wrong, where there is one.
    public let path: String?

    /// What sort of refusal it is.
    public let kind: Kind

    /// Makes an error.
    public init(_ code: Code, kind: Kind, message: String, path: String? = nil) {
        self.code = code
        self.kind = kind
        self.message = message
        self.path = path
    }

    /// The status of the HTTP answer.
    public var httpStatus: Int { kind.rawValue }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}

extension StoreError.Code {
    /// No account has this identifier.
    public static let accountNotFound = Self(rawValue: "account_not_found")
    /// An account with this identifier exists already.
    public static let accountExists = Self(rawValue: "account_exists")
    /// An account identifier is empty, too long, or has characters that do not fit a URL path.
    public static let accountIdInvalid = Self(rawValue: "account_id_invalid")
    /// The store does not know this storefront.
    public static let storefrontUnknown = Self(rawValue: "storefront_unknown")
    /// The catalogue has no product with this identifier.
    public static let productNotFound = Self(rawValue: "product_not_found")
    /// The quantity is not possible for this product.
    public static let quantityInvalid = Self(rawValue: "quantity_invalid")
    /// The token is no UUID.
    public static let appAccountTokenInvalid = Self(rawValue: "app_account_token_invalid")
    /// There is no such type of offer.
    public static let offerNotSupported = Self(rawValue: "offer_not_supported")
    /// The account or the product cannot have the offer that was asked for.
    public static let offerNotEligible = Self(rawValue: "offer_not_eligible")
    /// The product has no offer with this identifier.
    public static let offerNotFound = Self(rawValue: "offer_not_found")
    /// A code cannot be redeemed where that would lower the plan.
    public static let offerWouldDowngrade = Self(rawValue: "offer_would_downgrade")
    /// An offer that needs the developer's signature has none, or not all of it.
    public static let signatureMissing = Self(rawValue: "signature_missing")
    /// The signature was redeemed already.
    public static let signatureNonceUsed = Self(rawValue: "signature_nonce_used")
    /// The signature is for another customer.
    public static let signatureCustomerMismatch = Self(rawValue: "signature_customer_mismatch")
    /// The signature is for another product or offer.
    public static let signatureOfferMismatch = Self(rawValue: "signature_offer_mismatch")
    /// The account's card is declined.
    public static let paymentDeclined = Self(rawValue: "payment_declined")
    /// The account owns the product already.
    public static let alreadyOwned = Self(rawValue: "already_owned")
    /// The account is subscribed to this product already.
    public static let alreadySubscribed = Self(rawValue: "already_subscribed")
    /// The product is the running plan, or a change to it is pending.
    public static let planUnchanged = Self(rawValue: "plan_unchanged")
    /// The product does not belong to the subscription's group.
    public static let planNotInGroup = Self(rawValue: "plan_not_in_group")
    /// No subscription has this original transaction identifier.
    public static let subscriptionNotFound = Self(rawValue: "subscription_not_found")
    /// The subscription has ended.
    public static let subscriptionNotActive = Self(rawValue: "subscription_not_active")
    /// No transaction has this identifier.
    public static let transactionNotFound = Self(rawValue: "transaction_not_found")
    /// The transaction is refunded already.
    public static let alreadyRefunded = Self(rawValue: "already_refunded")
    /// The reason for a refund request is none of Apple's.
    public static let refundReasonUnknown = Self(rawValue: "refund_reason_unknown")
    /// A request for a refund of this transaction is open already.
    public static let refundAlreadyRequested = Self(rawValue: "refund_already_requested")
    /// No request for a refund of this transaction is open.
    public static let refundNotRequested = Self(rawValue: "refund_not_requested")
    /// The transaction is not refunded.
    public static let notRefunded = Self(rawValue: "not_refunded")
    /// The account has this through Family Sharing; only the purchaser's own can be changed.
    public static let familyShared = Self(rawValue: "family_shared")
    /// The account has a seat of this; only the purchaser's own can be changed.
    public static let seatAssigned = Self(rawValue: "seat_assigned")
    /// A price is outside its range.
    public static let priceInvalid = Self(rawValue: "price_invalid")
    /// A price cannot count from a date that has passed.
    public static let effectiveDatePast = Self(rawValue: "effective_date_past")
    /// The product does not renew.
    public static let notASubscription = Self(rawValue: "not_a_subscription")
    /// The subscriber was not asked to agree to a higher price.
    public static let priceIncreaseNotAsked = Self(rawValue: "price_increase_not_asked")
    /// The subscriber has agreed to the higher price already.
    public static let priceIncreaseAccepted = Self(rawValue: "price_increase_accepted")
    /// The account cannot be a member of this family.
    public static let familyMemberInvalid = Self(rawValue: "family_member_invalid")
    /// The account is in a family already.
    public static let alreadyInFamily = Self(rawValue: "already_in_family")
    /// A family has as many members as it can.
    public static let familyFull = Self(rawValue: "family_full")
    /// The account is not in this family.
    public static let notInFamily = Self(rawValue: "not_in_family")
    /// The account's purchases wait for somebody.
    public static let purchaseNotImmediate = Self(rawValue: "purchase_not_immediate")
    /// No pending purchase has this identifier.
    public static let pendingPurchaseNotFound = Self(rawValue: "pending_purchase_not_found")
    /// The purchase was made or declined already.
    public static let purchaseNotPending = Self(rawValue: "purchase_not_pending")
    /// The purchase waits for a parent rather than for the customer, or the other way round.
    public static let purchaseWaitsOtherwise = Self(rawValue: "purchase_waits_otherwise")
    /// No billing plan has this name.
    public static let billingPlanUnknown = Self(rawValue: "billing_plan_unknown")
    /// The product, or the account's country, has no such billing plan.
    public static let billingPlanUnavailable = Self(rawValue: "billing_plan_unavailable")
    /// A refund's percentage is outside 1 to 100,000 thousandths of a percent.
    public static let percentageInvalid = Self(rawValue: "percentage_invalid")
    /// A refund's reason is neither 0 nor 1.
    public static let reasonInvalid = Self(rawValue: "reason_invalid")
    /// The clock cannot go back.
    public static let clockBackwards = Self(rawValue: "clock_backwards")
    /// No notification has this UUID, or no attempt to deliver it is under way.
    public static let notificationNotFound = Self(rawValue: "notification_not_found")
    /// The URL is no absolute HTTP or HTTPS URL.
    public static let urlInvalid = Self(rawValue: "url_invalid")
    /// A list's cursor did not come from this store.
    public static let cursorInvalid = Self(rawValue: "cursor_invalid")
    /// A list's limit is outside its range.
    public static let limitInvalid = Self(rawValue: "limit_invalid")
    /// A population's size or a share of its behaviour is outside its range.
    public static let populationInvalid = Self(rawValue: "population_invalid")
    /// No external purchase token has this type.
    public static let tokenTypeUnknown = Self(rawValue: "token_type_unknown")
    /// The lifetime is not above zero, or the external purchase token has no end.
    public static let tokenLifetimeInvalid = Self(rawValue: "token_lifetime_invalid")
    /// Apple would refuse the signed request of Advanced Commerce; the message has Apple's error.
    public static let advancedCommerceRefused = Self(rawValue: "advanced_commerce_refused")
    /// The subscription is one of Advanced Commerce, which the call does not change.
    public static let advancedCommerceSubscription = Self(rawValue: "advanced_commerce_subscription")
    /// The consent to the app's use was withdrawn before.
    public static let consentRescinded = Self(rawValue: "consent_rescinded")
    /// The product, subscription or transaction has no seats, or the call does not fit the kind that it has.
    public static let seatsNotSupported = Self(rawValue: "seats_not_supported")
    /// The account can have no seat of this subscription, or has one already.
    public static let seatMemberInvalid = Self(rawValue: "seat_member_invalid")
    /// The account has no seat of this subscription.
    public static let seatNotAssigned = Self(rawValue: "seat_not_assigned")
    /// The number of seats is outside its range, or changes nothing.
    public static let seatsInvalid = Self(rawValue: "seats_invalid")
    /// A payload could not be signed.
    public static let signingFailed = Self(rawValue: "signing_failed")
}
