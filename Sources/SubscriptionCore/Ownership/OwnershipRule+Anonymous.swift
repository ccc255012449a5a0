extension OwnershipRule {
    /// The customer whose alias an anonymous identifier becomes: the anonymous one that has the purchase. Without an
    /// account, the signed purchase is what a person is recognised by on a second device.
    ///
    /// Only where the claim would be refused else, and only where both are anonymous by more than a client's word: else
    /// anybody could join an identifier of their own to one that has bought nothing yet, and get what it buys later.
    ///
    /// - Returns: nil where it becomes nobody's.
    func customerToJoin() throws(OwnershipInput) -> CustomerID? {
        guard question.mayLink, let submission = question.submission, submission.claim.isAnonymous,
            submission.claim.policy == .keep || submission.claim.policy == .transferIfInactive,
            let owner = question.owner, owner != submission.customer
        else { return nil }
        switch question.basis {
        case .submitted, .contested, .shared: break
        case .accountToken, .erased, .transferred, nil: return nil
        }
        guard try isOwnedAnonymously(besides: submission.customer),
            try isAnonymous(owner), try isAnonymous(submission.customer, claiming: submission.claim),
            try !hasGrants(submission.customer)
        else { return nil }
        return owner
    }

    /// Whether the owner has the purchase by an anonymous claim, and another customer does not share it.
    private func isOwnedAnonymously(besides other: CustomerID) throws(OwnershipInput) -> Bool {
        let claims = try claims()
        guard claims.contains(where: \.isAnonymous) else { return false }
        let result = try followed(claims)
        return result.owner == question.owner && result.isHeldAnonymously && !result.sharers.contains(other)
    }

    /// Whether a customer's identifiers are anonymous, and everything that the customer has was claimed by them.
    private func isAnonymous(
        _ customer: CustomerID,
        claiming claim: PurchaseClaim? = nil
    ) throws(OwnershipInput) -> Bool {
        guard let identifiers = question.known.identifiers[customer] else { throw .identifiers(customer) }
        for name in identifiers {
            guard var claims = question.known.claimsBy[name] else { throw .claimsBy(name) }
            if let claim, claim.customer == name { claims.append(claim) }
            // An alias without claims joined before, or an operator made it.
            guard claims.isEmpty && name != customer || isAnonymous(name, by: claims) else { return false }
        }
        guard let bases = question.known.bases[customer] else { throw .bases(customer) }
        return bases.allSatisfy { basis in
            switch basis {
            case .submitted, .contested, .shared: true
            case .accountToken: question.policy.accountToken == .hint
            case .erased, .transferred, nil: false
            }
        }
    }

    /// Whether an identifier begins as the developer said that anonymous ones do, or one of the developer's servers
    /// made every claim under it and said so. A claim by a publishable key may say it of anybody.
    private func isAnonymous(_ name: CustomerID, by claims: [PurchaseClaim]) -> Bool {
        guard claims.allSatisfy(\.isAnonymous) else { return false }
        if let prefix = question.policy.anonymousPrefix, name.rawValue.utf8.starts(with: prefix.utf8) { return true }
        // Where tokens are hints, a claim does not tell a server's word from a client's.
        return question.policy.accountToken == .owner && !claims.isEmpty && claims.allSatisfy(\.outranksToken)
    }

    private func hasGrants(_ customer: CustomerID) throws(OwnershipInput) -> Bool {
        guard let hasGrants = question.known.hasGrants[customer] else { throw .grants(customer) }
        return hasGrants
    }
}
