/// Who owns a purchase, on what basis, and with whom it is shared.
public struct PurchaseOwnership: Hashable, Sendable {
    /// The owner; nil while nobody has the purchase.
    public var owner: CustomerID?
    /// Why the owner has it; nil while nobody claimed it.
    public var basis: OwnershipBasis?
    /// Who shares it, in order of their claims. A customer to whom an operator moved it may be among them: they share
    /// it again when it is taken back.
    public var sharers: [CustomerID]

    /// Makes an ownership.
    public init(owner: CustomerID? = nil, basis: OwnershipBasis? = nil, sharers: [CustomerID] = []) {
        self.owner = owner
        self.basis = basis
        self.sharers = sharers
    }

    /// Who has the purchase beside the owner.
    public var others: [CustomerID] { sharers.filter { $0 != owner } }

    /// Whether the same customers have it, in whatever order they share it.
    public func hasSameCustomers(as other: PurchaseOwnership) -> Bool {
        owner == other.owner && Set(others) == Set(other.others)
    }
}

extension ClaimedOwnership {
    /// Who has a purchase by these claims.
    public var ownership: PurchaseOwnership {
        let shared: OwnershipBasis? = sharers.isEmpty ? nil : .shared
        let basis: OwnershipBasis = dependsOnFacts ? .contested : shared ?? (isHeldByToken ? .accountToken : .submitted)
        return PurchaseOwnership(owner: owner, basis: basis, sharers: sharers)
    }

    /// Who has a purchase by these claims, where it is owned by a customer on a basis: the claims name the owner,
    /// unless the purchase came to the owner in another way.
    public func ownership(ofPurchaseOwnedBy owner: CustomerID?, on basis: OwnershipBasis?) -> PurchaseOwnership {
        let isByToken = basis == .accountToken && outcomes.isEmpty
        guard let basis, basis != .erased, !isByToken else { return PurchaseOwnership(owner: owner, basis: basis) }
        if basis == .transferred {
            // It was taken from whoever has it by the claims; those who share it keep it.
            return PurchaseOwnership(owner: owner, basis: basis, sharers: sharers)
        }
        var ownership = self.ownership
        ownership.owner = self.owner ?? owner
        return ownership
    }
}

extension PurchaseOwnership {
    /// How a purchase is stored so that the customers in an ownership have it.
    public struct Settlement: Hashable, Sendable {
        /// The basis to store.
        public var basis: OwnershipBasis?
        /// What replaces all claims on the purchase; nil where those that are kept lead to these customers.
        public var claims: [PurchaseClaim]?
    }

    /// Lets these customers have the purchase, whatever the claims say: claims that lead elsewhere are replaced by
    /// claims that lead here.
    ///
    /// - Parameters:
    ///   - claims: The claims that count, of those that are kept.
    ///   - followed: What these claims lead to.
    ///   - customers: The customers that the identifiers in the claims stand for, where those are others.
    ///   - isFinal: Whether nothing that becomes known later shall change it.
    public func settlement(
        of claims: [PurchaseClaim],
        followed: ClaimedOwnership,
        customers: [CustomerID: CustomerID],
        isFinal: Bool = false
    ) -> Settlement {
        let derived = followed.ownership(ofPurchaseOwnedBy: owner, on: basis)
        if derived.hasSameCustomers(as: self), !(isFinal && followed.dependsOnFacts) {
            return Settlement(basis: derived.basis)
        }
        let isMoved = basis == .transferred
        // An operator's decision is no claim. The place of the owner by claims stays, without a name.
        let names = isMoved ? [.nobody] + sharers : [owner].compactMap(\.self) + others
        return Settlement(
            basis: isMoved ? basis : others.isEmpty ? .submitted : .shared,
            claims: claims.reduced(to: names, customers: customers)
        )
    }

    /// What is left when one of the customers is erased; nil where nobody has the purchase then.
    ///
    /// The first of those who share it becomes its owner.
    public func without(_ customer: CustomerID) -> PurchaseOwnership? {
        var rest = self
        rest.sharers.removeAll { $0 == customer }
        guard owner == customer else { return rest }
        guard !rest.sharers.isEmpty else { return nil }
        rest.owner = rest.sharers.removeFirst()
        rest.basis = rest.sharers.isEmpty ? .submitted : .shared
        return rest
    }

    /// Whether it matters to ``restored(to:token:)`` whom the account token names.
    public var dependsOnTokenWhenRestored: Bool { basis == nil || basis == .accountToken }

    /// What an operator's transfer leaves when it is undone.
    ///
    /// Whoever gets the purchase back has it, even where by what has become known since it would be another's. A
    /// purchase that nobody had becomes the customer's whom an account token has named since.
    ///
    /// - Parameters:
    ///   - owner: Who had the purchase before the transfer; nil where nobody had it.
    ///   - token: The customer whom its account token names.
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
    /// One claim for each of some customers, whatever the account token: each one's last, as one that is shared. The
    /// first customer owns the purchase by them.
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
    /// In the place of somebody who is no customer any more; no customer's identifier is empty.
    fileprivate static let nobody = CustomerID("")
}
