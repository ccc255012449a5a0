/// What the offer of a purchase comes to, once it is found good.
struct OfferGrant: Hashable, Sendable, Codable {
    /// Nothing is granted: the full price.
    static let none = OfferGrant()

    /// The offer that begins with the purchase, or waits for the next renewal of a running subscription.
    var offer: GrantedOffer?

    /// A code's offer that begins when the introductory offer of ``offer`` is over.
    var following: GrantedOffer?

    /// Whether the offer lets one that is paid as you go run out first.
    var isStackable = false

    /// The one-time UUID of the signature that granted it.
    var nonce: String?
}

/// An offer that begins at a renewal to come.
struct PendingOffer: Hashable, Sendable, Codable {
    let offer: GrantedOffer
    /// The product that it is for; with a change of plan to another one it is lost.
    let productId: String
    /// Whether an offer that is paid as you go runs out first.
    let waitsForRunning: Bool
}

/// The offer of the next period.
enum UpcomingOffer: Hashable, Sendable, Codable {
    /// One that is paid as you go and has periods left.
    case goesOn(Subscription.RunningOffer)
    /// One that begins.
    case begins(GrantedOffer)

    /// The offer itself.
    var offer: GrantedOffer {
        switch self {
        case .goesOn(let running): running.offer
        case .begins(let offer): offer
        }
    }
}
