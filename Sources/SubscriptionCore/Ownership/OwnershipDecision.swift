/// Who has a purchase after a claim or a fact, and what is stored of it.
public struct OwnershipDecision: Hashable, Sendable {
    /// What became of the claim.
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

    /// What happens to the claims that are kept.
    public enum ClaimChange: Hashable, Sendable {
        /// They stay as they are.
        case none
        /// The claim is kept, unless the same customer claimed by the same signed input before.
        case insert(PurchaseClaim)
        /// The claim is kept, also where the same customer claimed by the same signed input before.
        case append(PurchaseClaim)
        /// These replace all claims: there were too many.
        case replace([PurchaseClaim])
    }

    /// What became of the claim; nil where nobody claimed the purchase.
    public internal(set) var outcome: Outcome?
    /// Who has the purchase from now on; the owner is none of the sharers.
    public internal(set) var ownership: PurchaseOwnership
    /// Who shared it before.
    public internal(set) var previousSharers: [CustomerID] = []
    /// What happens to the claims that are kept.
    public internal(set) var claims = ClaimChange.none

    /// Why the claim was refused; nil where it was not.
    public var refusal: ClaimRefusal? {
        if case .refused(let reason)? = outcome { reason } else { nil }
    }

    /// Whether anybody shares the purchase, or did.
    public var isShared: Bool { !ownership.sharers.isEmpty || !previousSharers.isEmpty }

    /// Whether a customer shares the purchase who did not before, or no longer.
    public var changesSharers: Bool { Set(ownership.sharers) != Set(previousSharers) }
}
