/// The ownership of a purchase after a claim or a fact, and the changes to store.
public struct OwnershipDecision: Hashable, Sendable {
    /// The outcome of a claim.
    public enum Outcome: Hashable, Sendable {
        /// The customer owns the purchase, or had it already.
        case accepted
        /// The purchase moved from another customer to this one.
        case moved(from: CustomerID)
        /// Another customer owns the purchase, and this one shares it.
        case shared
        /// The identifier became an alias of the customer who owns the purchase.
        case linked(to: CustomerID)
        /// The customer did not get the purchase.
        case refused(ClaimRefusal)
    }

    /// The change of the stored claims.
    public enum ClaimChange: Hashable, Sendable {
        /// They do not change.
        case none
        /// The claim is stored, unless the same customer claimed by the same signed input before.
        case insert(PurchaseClaim)
        /// The claim is stored, even if the same customer claimed by the same signed input before.
        case append(PurchaseClaim)
        /// These claims replace all stored ones, because there were too many.
        case replace([PurchaseClaim])
    }

    /// The outcome of the claim; nil if there was none.
    public internal(set) var outcome: Outcome?
    /// The new ownership; the owner is not among the sharers.
    public internal(set) var ownership: PurchaseOwnership
    /// The customers who shared it before.
    public internal(set) var previousSharers: [CustomerID] = []
    /// The change of the stored claims.
    public internal(set) var claims = ClaimChange.none

    /// Why the claim was refused; nil if it was not.
    public var refusal: ClaimRefusal? {
        if case .refused(let reason)? = outcome { reason } else { nil }
    }

    /// Whether any customer shares or shared the purchase.
    public var isShared: Bool { !ownership.sharers.isEmpty || !previousSharers.isEmpty }

    /// Whether the set of sharers changes.
    public var changesSharers: Bool { Set(ownership.sharers) != Set(previousSharers) }
}
