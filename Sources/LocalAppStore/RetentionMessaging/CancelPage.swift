public import AppStoreSigning

/// The cancellation page of a subscription, before the developer's server was asked.
public struct CancelPageOpening: Hashable, Sendable {
    /// The subscription.
    public let originalTransactionId: String
    /// The customer's locale.
    public let locale: String
    /// The request to the developer's server; absent without a realtime URL.
    public let call: RealtimeCall?
}

/// The content of the cancellation page of a subscription, and its reason.
public struct CancelPage: Hashable, Sendable {
    /// The source of the message.
    public enum Source: String, Hashable, Sendable, CaseIterable, Codable {
        /// The answer of the developer's server.
        case realtime
        /// The default for the product and the locale.
        case defaultMessage = "default"
        /// No message: the customer sees the standard page.
        case nothing
    }

    /// The source of the message.
    public let source: Source
    /// The message; absent if there is none.
    public let message: RetentionMessage?
    /// The offer in the developer's answer beside the message; absent for defaults.
    public let offer: VerifiedRealtimeResponse.Content?
    /// Why no realtime answer is shown; absent if one is.
    public let realtimeRefusal: RetentionRefusal?
    /// Why no default is shown although one was needed; absent otherwise.
    public let defaultRefusal: RetentionRefusal?

    /// A realtime message.
    init(_ message: RetentionMessage, offer: VerifiedRealtimeResponse.Content) {
        source = .realtime
        self.message = message
        self.offer = offer
        realtimeRefusal = nil
        defaultRefusal = nil
    }

    /// A default, or none.
    init(instead message: Result<RetentionMessage, RetentionRefusal>, because refusal: RetentionRefusal) {
        realtimeRefusal = refusal
        offer = nil
        switch message {
        case .success(let message):
            source = .defaultMessage
            self.message = message
            defaultRefusal = nil
        case .failure(let reason):
            source = .nothing
            self.message = nil
            defaultRefusal = reason
        }
    }
}

/// Why a customer does not see a message: a stable code, and a sentence with the cause.
public struct RetentionRefusal: Error, Hashable, Sendable {
    /// The stable name of a cause, in snake case.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name as it appears in answers.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The stable name of the cause.
    public let code: Code
    /// One sentence about the cause.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension RetentionRefusal.Code {
    /// No real-time URL is set.
    public static let urlNotSet = Self(rawValue: "realtime_url_not_set")
    /// The answer exceeded the deadline.
    public static let timedOut = Self(rawValue: "realtime_timed_out")
    /// The developer's server was unreachable, or closed the connection.
    public static let unreachable = Self(rawValue: "realtime_unreachable")
    /// The answer's status is not 200.
    public static let status = Self(rawValue: "realtime_status")
    /// The answer is not a `RealtimeResponseBody`.
    public static let answerMalformed = Self(rawValue: "realtime_answer_malformed")
    /// There is no message with this identifier.
    public static let messageNotFound = Self(rawValue: "message_not_found")
    /// The message is not approved.
    public static let messageNotApproved = Self(rawValue: "message_not_approved")
    /// An image of the message is not approved.
    public static let imageNotApproved = Self(rawValue: "image_not_approved")
    /// A message with an offer or another product has images, which is not allowed.
    public static let messageHasImage = Self(rawValue: "message_has_image")
    /// Advanced Commerce data for another subscription, or other data for an Advanced Commerce subscription.
    public static let advancedCommerceMismatch = Self(rawValue: "advanced_commerce_mismatch")
    /// The subscription cannot switch to the product.
    public static let productNotPossible = Self(rawValue: "alternate_product_not_possible")
    /// The product has no such promotional offer, or is of another group.
    public static let offerNotPossible = Self(rawValue: "promotional_offer_not_possible")
    /// The signature is for another customer.
    public static let signatureCustomerMismatch = Self(rawValue: "signature_customer_mismatch")
    /// The signature was already redeemed.
    public static let signatureNonceUsed = Self(rawValue: "signature_nonce_used")
    /// No default message is set for the product and the locale.
    public static let defaultNotSet = Self(rawValue: "default_not_set")
}
