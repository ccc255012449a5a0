/// The effect of a valid offer on a purchase.
struct OfferGrant: Hashable, Sendable, Codable {
    /// No offer: the full price.
    static let none = OfferGrant()

    /// The offer that starts with the purchase, or at the next renewal of a running subscription.
    var offer: GrantedOffer?

    /// The offer of a code that starts after the introductory offer of ``offer``.
    var following: GrantedOffer?

    /// Whether a running pay-as-you-go offer ends first.
    var isStackable = false

    /// The nonce of the signature.
    var nonce: String?
}

/// An offer that starts at a later renewal.
struct PendingOffer: Hashable, Sendable, Codable {
    let offer: GrantedOffer
    /// The product of the offer; a change to another plan cancels it.
    let productId: String
    /// Whether a running pay-as-you-go offer ends first.
    let waitsForRunning: Bool
}

/// The offer of the next period.
enum UpcomingOffer: Hashable, Sendable, Codable {
    /// The rest of a pay-as-you-go offer.
    case goesOn(Subscription.RunningOffer)
    /// An offer that starts.
    case begins(GrantedOffer)

    /// The offer itself.
    var offer: GrantedOffer {
        switch self {
        case .goesOn(let running): running.offer
        case .begins(let offer): offer
        }
    }
}
