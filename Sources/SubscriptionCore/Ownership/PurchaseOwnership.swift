/// The owner of a purchase, the basis, and the customers who share it.
public struct PurchaseOwnership: Hashable, Sendable {
    /// The owner; nil if there is none.
    public var owner: CustomerID?
    /// Why the owner has it; nil if there is no claim.
    public var basis: OwnershipBasis?
    /// The customers who share it, in order of their claims. After an operator's transfer the new owner may be among
    /// them, and shares it again when the transfer is undone.
    public var sharers: [CustomerID]

    /// Makes an ownership.
    public init(owner: CustomerID? = nil, basis: OwnershipBasis? = nil, sharers: [CustomerID] = []) {
        self.owner = owner
        self.basis = basis
        self.sharers = sharers
    }

    /// The customers who have the purchase besides the owner.
    public var others: [CustomerID] { sharers.filter { $0 != owner } }

    /// Whether the same customers have it, in any order of sharers.
    public func hasSameCustomers(as other: PurchaseOwnership) -> Bool {
        owner == other.owner && Set(others) == Set(other.others)
    }
}

extension ClaimedOwnership {
    /// The ownership by these claims.
    public var ownership: PurchaseOwnership {
        let shared: OwnershipBasis? = sharers.isEmpty ? nil : .shared
        let claimed: OwnershipBasis = isOwnedByToken ? .accountToken : .submitted
        let basis: OwnershipBasis = dependsOnFacts ? .contested : shared ?? claimed
        return PurchaseOwnership(owner: owner, basis: basis, sharers: sharers)
    }

    /// The ownership of a purchase with these claims and a stored owner and basis: the claims decide the owner, unless
    /// the basis is something other than a claim.
    public func ownership(ofPurchaseOwnedBy owner: CustomerID?, on basis: OwnershipBasis?) -> PurchaseOwnership {
        let isByToken = basis == .accountToken && outcomes.isEmpty
        guard let basis, basis != .erased, !isByToken else { return PurchaseOwnership(owner: owner, basis: basis) }
        if basis == .transferred {
            // An operator moved it away from the owner by claims; the sharers keep it.
            return PurchaseOwnership(owner: owner, basis: basis, sharers: sharers)
        }
        var ownership = self.ownership
        ownership.owner = self.owner ?? owner
        return ownership
    }
}

extension PurchaseOwnership {
    /// What to store so that a purchase has a given ownership.
    public struct Settlement: Hashable, Sendable {
        /// The basis to store.
        public var basis: OwnershipBasis?
        /// The claims that replace all stored ones; nil if the stored ones already lead to the ownership.
        public var claims: [PurchaseClaim]?
    }

    /// What to store so that the purchase has this ownership: claims with another result are replaced.
    ///
    /// - Parameters:
    ///   - claims: The stored claims that count.
    ///   - evaluation: The evaluation of these claims.
    ///   - customers: The customer of each identifier in the claims that is an alias.
    ///   - isFinal: Whether later facts must not change it.
    public func settlement(
        of claims: [PurchaseClaim],
        evaluation: ClaimedOwnership,
        customers: [CustomerID: CustomerID],
        isFinal: Bool = false
    ) -> Settlement {
        let derived = evaluation.ownership(ofPurchaseOwnedBy: owner, on: basis)
        if derived.hasSameCustomers(as: self), !(isFinal && evaluation.dependsOnFacts) {
            return Settlement(basis: derived.basis)
        }
        let isMoved = basis == .transferred
        // An operator's decision is not a claim. A placeholder stays as the owner by claims.
        let names = isMoved ? [.nobody] + sharers : [owner].compactMap(\.self) + others
        return Settlement(
            basis: isMoved ? basis : others.isEmpty ? .submitted : .shared,
            claims: claims.reduced(to: names, customers: customers)
        )
    }

    /// The ownership after a customer is erased; nil if no customer is left.
    ///
    /// The first sharer becomes the owner.
    public func without(_ customer: CustomerID) -> PurchaseOwnership? {
        var rest = self
        rest.sharers.removeAll { $0 == customer }
        guard owner == customer else { return rest }
        guard !rest.sharers.isEmpty else { return nil }
        rest.owner = rest.sharers.removeFirst()
        rest.basis = rest.sharers.isEmpty ? .submitted : .shared
        return rest
    }

    /// Whether ``restored(to:token:)`` depends on the account token.
    public var dependsOnTokenWhenRestored: Bool { basis == nil || basis == .accountToken }

    /// The ownership after an operator's transfer is undone.
    ///
    /// The previous owner gets the purchase back, even if later facts would give it to another customer. A purchase
    /// without a previous owner goes to the customer of an account token that became known since.
    ///
    /// - Parameters:
    ///   - owner: The owner before the transfer; nil if there was none.
    ///   - token: The customer of its account token.
    public func restored(to owner: CustomerID?, token: CustomerID?) -> PurchaseOwnership {
        var restored = self
        restored.owner = owner
        guard dependsOnTokenWhenRestored, let token else { return restored }
        if owner == nil {
            restored.owner = token
            restored.basis = .accountToken
        } else if owner != token {
            restored.basis = .submitted
        }
        return restored
    }
}

extension [PurchaseClaim] {
    /// One claim for each of these customers, regardless of the account token: the last claim of each, with the policy
    /// `share`. The first customer owns the purchase by them.
    func reduced(to names: [CustomerID], customers: [CustomerID: CustomerID]) -> [PurchaseClaim] {
        guard let oldest = first else { return [] }
        return names.map { name in
            let own = filter { customers[$0.customer, default: $0.customer] == name }
            var last = own.last ?? oldest
            if own.isEmpty { last.customer = name }
            last.policy = .share
            last.outranksToken = true
            last.isAnonymous = !own.isEmpty && own.allSatisfy(\.isAnonymous)
            return last
        }
    }
}

extension CustomerID {
    /// A placeholder for an owner who is not a customer; no customer has an empty identifier.
    fileprivate static let nobody = CustomerID("")
}
