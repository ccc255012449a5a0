import SubscriptionCore
import SubscriptionStorage

extension PurchaseUpdate {
    /// Lets an anonymous identifier join the anonymous one that has the purchase: without an account, the signed purchase is
    /// what a person is recognised by on a second device.
    ///
    /// Only where the claim would be refused else, and only where neither is more than anonymous.
    ///
    /// - Returns: The submission, as of the customer who has the purchase where the identifier joined.
    /// - Throws: ``StorageError``.
    func joined(
        _ submission: PurchaseOwnership.Submission,
        on record: PurchaseRecord,
        token: String?
    ) throws(StorageError) -> PurchaseOwnership.Submission {
        let policy = submission.claim.policy
        guard submission.claim.isAnonymous, policy == .keep || policy == .transferIfInactive,
            let owner = record.customerID, owner != submission.submitter, let held = record.claim
        else { return submission }
        guard held == .submitted || held == .contested || held == .shared,
            try isHeldAnonymously(record, besides: submission.submitter, token: token),
            try isAnonymous(owner), try isAnonymous(submission.submitter),
            try storage.grants(of: submission.submitter, app: app).isEmpty,
            case .success(let merge) = try storage.merge(submission.submitter, into: owner, app: app)
        else { return submission }
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

    /// Whether everything that a customer has was claimed by anonymous identifiers.
    private func isAnonymous(_ customer: CustomerID) throws(StorageError) -> Bool {
        let record = try storage.customer(customer, of: app)
        for name in [customer] + (record?.profile.aliases ?? []) {
            guard try storage.claims(by: name, app: app).allSatisfy(\.isAnonymous) else { return false }
        }
        return try storage.purchases(of: customer, app: app).allSatisfy { purchase in
            switch purchase.claim {
            case .submitted, .contested, .shared: true
            case .accountToken: policy.accountToken == .hint
            case .erased, .transferred, nil: false
            }
        }
    }
}
