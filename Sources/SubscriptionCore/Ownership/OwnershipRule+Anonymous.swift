extension OwnershipRule {
    /// The anonymous owner whose alias the submitting anonymous identifier becomes. Without an account, only the signed
    /// purchase identifies a person on a second device.
    ///
    /// This applies only if the claim would otherwise be refused, and only if more than a client's statement proves
    /// that both are anonymous. Otherwise anybody could link their own identifier to a customer without purchases and
    /// get that customer's later purchases.
    ///
    /// - Returns: nil if the identifier becomes no alias.
    func customerToJoin() throws(OwnershipInput) -> CustomerID? {
        guard query.mayLink, let submission = query.submission, submission.claim.isAnonymous,
            submission.claim.policy == .keep || submission.claim.policy == .transferIfInactive,
            let owner = query.owner, owner != submission.customer
        else { return nil }
        switch query.basis {
        case .submitted, .contested, .shared: break
        case .accountToken, .erased, .transferred, nil: return nil
        }
        guard try isOwnedAnonymously(besides: submission.customer),
            try isAnonymous(owner), try isAnonymous(submission.customer, claiming: submission.claim),
            try !hasGrants(submission.customer)
        else { return nil }
        return owner
    }

    /// Whether the owner has the purchase by an anonymous claim and the other customer does not share it.
    private func isOwnedAnonymously(besides other: CustomerID) throws(OwnershipInput) -> Bool {
        let claims = try claims()
        guard claims.contains(where: \.isAnonymous) else { return false }
        let result = try evaluate(claims)
        return result.owner == query.owner && result.isOwnedAnonymously && !result.sharers.contains(other)
    }

    /// Whether all identifiers of a customer are anonymous and all purchases of the customer were claimed by them.
    private func isAnonymous(
        _ customer: CustomerID,
        claiming claim: PurchaseClaim? = nil
    ) throws(OwnershipInput) -> Bool {
        guard let identifiers = query.known.identifiers[customer] else { throw .identifiers(customer) }
        for name in identifiers {
            guard var claims = query.known.claimsBy[name] else { throw .claimsBy(name) }
            if let claim, claim.customer == name { claims.append(claim) }
            // An alias without claims was linked before, or an operator made it.
            guard claims.isEmpty && name != customer || isAnonymous(name, by: claims) else { return false }
        }
        guard let bases = query.known.bases[customer] else { throw .bases(customer) }
        return bases.allSatisfy { basis in
            switch basis {
            case .submitted, .contested, .shared: true
            case .accountToken: query.policy.accountToken == .hint
            case .erased, .transferred, nil: false
            }
        }
    }

    /// Whether an identifier has the developer's prefix of anonymous identifiers, or one of the developer's servers
    /// made all its claims and marked them as anonymous. A claim with a publishable key does not prove it.
    private func isAnonymous(_ name: CustomerID, by claims: [PurchaseClaim]) -> Bool {
        guard claims.allSatisfy(\.isAnonymous) else { return false }
        if let prefix = query.policy.anonymousPrefix, name.rawValue.utf8.starts(with: prefix.utf8) { return true }
        // If tokens are hints, a claim does not show whether a server or a client made it.
        return query.policy.accountToken == .owner && !claims.isEmpty && claims.allSatisfy(\.outranksToken)
    }

    private func hasGrants(_ customer: CustomerID) throws(OwnershipInput) -> Bool {
        guard let hasGrants = query.known.hasGrants[customer] else { throw .grants(customer) }
        return hasGrants
    }
}
