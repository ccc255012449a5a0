import SubscriptionCore
import SubscriptionStorage

extension PurchaseUpdate {
    /// Lets an anonymous identifier join the anonymous one that has the purchase: without an account, the signed
    /// purchase is what a person is recognised by on a second device.
    ///
    /// Only where the claim would be refused else, and only where both are anonymous by more than a client's word: else
    /// anybody could join an identifier of their own to one that has bought nothing yet, and get what it buys later.
    ///
    /// - Returns: The submission, as of the customer who has the purchase where the identifier joined.
    /// - Throws: ``StorageError``.
    func joined(
        _ submission: PurchaseOwnership.Submission,
        on record: PurchaseRecord,
        token: String?,
        batch: CustomerBatch?
    ) throws(StorageError) -> PurchaseOwnership.Submission {
        let policy = submission.claim.policy
        guard submission.claim.isAnonymous, policy == .keep || policy == .transferIfInactive,
            let owner = record.customerID, owner != submission.submitter, let held = record.claim
        else { return submission }
        guard held == .submitted || held == .contested || held == .shared,
            try isHeldAnonymously(record, besides: submission.submitter, token: token),
            try isAnonymous(owner), try isAnonymous(submission.submitter, claiming: submission.claim),
            try storage.grants(of: submission.submitter, app: app).isEmpty,
            case .success(let merge) = try storage.merge(submission.submitter, into: owner, app: app)
        else { return submission }
        // What two customers had before they became one is told first.
        try batch?.record()
        try storage.carryOut(merge, app: app, now: record.evaluatedAt, policy: self.policy)
        return PurchaseOwnership.Submission(claim: submission.claim, submitter: owner)
    }

    private func isHeldAnonymously(
        _ record: PurchaseRecord,
        besides other: CustomerID,
        token: String?
    ) throws(StorageError) -> Bool {
        let claims = try storage.claims(on: record.id, app: app)
        guard claims.contains(where: \.isAnonymous) else { return false }
        var named: CustomerID?
        if let token { named = try storage.customerID(for: CustomerID(token), app: app) }
        let ownership = try storage.ownership(by: claims, of: record.id, app: app, policy: policy, token: named)
        return ownership.owner == record.customerID && ownership.isHeldAnonymously && !ownership.sharers.contains(other)
    }

    /// Whether a customer's identifiers are anonymous, and everything that the customer has was claimed by them.
    private func isAnonymous(
        _ customer: CustomerID,
        claiming claim: ClaimRecord? = nil
    ) throws(StorageError) -> Bool {
        let record = try storage.customer(customer, of: app)
        for name in [customer] + (record?.profile.aliases ?? []) {
            var claims = try storage.claims(by: name, app: app)
            if let claim, claim.customerID == name { claims.append(claim) }
            // An alias without claims joined before, or an operator made it.
            guard claims.isEmpty && name != customer || isAnonymous(name, by: claims) else { return false }
        }
        return try storage.purchases(of: customer, app: app).allSatisfy { purchase in
            switch purchase.claim {
            case .submitted, .contested, .shared: true
            case .accountToken: policy.accountToken == .hint
            case .erased, .transferred, nil: false
            }
        }
    }

    /// Whether an identifier begins as the developer said that anonymous ones do, or one of the developer's servers
    /// made every claim under it and said so. A claim by a publishable key may say it of anybody.
    private func isAnonymous(_ name: CustomerID, by claims: [ClaimRecord]) -> Bool {
        guard claims.allSatisfy(\.isAnonymous) else { return false }
        if let prefix = policy.anonymousPrefix, name.rawValue.utf8.starts(with: prefix.utf8) { return true }
        // Where tokens are hints, a claim does not tell a server's word from a client's.
        return policy.accountToken == .owner && !claims.isEmpty && claims.allSatisfy(\.outranksToken)
    }
}
