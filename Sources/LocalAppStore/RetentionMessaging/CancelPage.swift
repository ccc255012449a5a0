public import AppStoreSigning

/// The page where a customer cancels a subscription, before the developer's server was asked.
public struct CancelPageOpening: Hashable, Sendable {
    /// The subscription.
    public let originalTransactionId: String
    /// The customer's language and region.
    public let locale: String
    /// What the developer's server is asked; absent without a real-time URL.
    public let call: RealtimeCall?
}

/// What a customer sees on the page where a subscription is cancelled, and why.
public struct CancelPage: Hashable, Sendable {
    /// Where the message comes from.
    public enum Source: String, Hashable, Sendable, CaseIterable, Codable {
        /// The developer's server named it in its answer.
        case realtime
        /// The default for the product and the locale.
        case defaultMessage = "default"
        /// There is no message: the customer sees the plain page.
        case nothing
    }

    /// Where the message comes from.
    public let source: Source
    /// The message; absent when there is none.
    public let message: RetentionMessage?
    /// What the developer's answer offers beside the message; absent for defaults.
    public let offer: VerifiedRealtimeResponse.Content?
    /// Why no answer in real time is shown; absent when one is.
    public let realtimeRefusal: RetentionRefusal?
    /// Why no default is shown where one would have been; absent otherwise.
    public let defaultRefusal: RetentionRefusal?

    /// A message in real time.
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
    /// The answer did not come within the deadline.
    public static let timedOut = Self(rawValue: "realtime_timed_out")
    /// The developer's server could not be reached, or broke off.
    public static let unreachable = Self(rawValue: "realtime_unreachable")
    /// The answer's status is not 200.
    public static let status = Self(rawValue: "realtime_status")
    /// The answer is no `RealtimeResponseBody`.
    public static let answerMalformed = Self(rawValue: "realtime_answer_malformed")
    /// There is no message with this identifier.
    public static let messageNotFound = Self(rawValue: "message_not_found")
    /// The message is not approved.
    public static let messageNotApproved = Self(rawValue: "message_not_approved")
    /// An image of the message is not approved.
    public static let imageNotApproved = Self(rawValue: "image_not_approved")
    /// A message with an offer or another product has images, which such messages cannot.
    public static let messageHasImage = Self(rawValue: "message_has_image")
    /// Advanced Commerce data for another subscription, or something else for one of Advanced Commerce.
    public static let advancedCommerceMismatch = Self(rawValue: "advanced_commerce_mismatch")
    /// The product cannot be switched to.
    public static let productNotPossible = Self(rawValue: "alternate_product_not_possible")
    /// The product has no such promotional offer, or is of another group.
    public static let offerNotPossible = Self(rawValue: "promotional_offer_not_possible")
    /// The signature is for another customer.
    public static let signatureCustomerMismatch = Self(rawValue: "signature_customer_mismatch")
    /// The signature was redeemed already.
    public static let signatureNonceUsed = Self(rawValue: "signature_nonce_used")
    /// No default message is set for the product and the locale.
    public static let defaultNotSet = Self(rawValue: "default_not_set")
}
