import SubscriptionCore
import SubscriptionStorage

extension StorageReading {
    /// How a purchase came to be a customer's, where that is not plain; nil where the customer alone submitted it.
    ///
    /// - Throws: ``StorageError``.
    func ownershipStep(
        of purchase: OriginalTransactionID,
        for customer: CustomerID,
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) -> Explanation.Step? {
        guard let record = try self.purchase(purchase, of: app) else { return nil }
        if record.claim == .transferred, record.customerID == customer {
            return Explanation.Step(.ownership(nil), "An operator moved the purchase to this customer.")
        }
        let claims = try claims(on: purchase, app: app)
        let followed = try follow(claims, on: purchase, app: app, policy: policy)
        let isOwner = record.customerID == customer
        if isOwner, let refused = try refusedClaims(on: [purchase], app: app).last,
            refused.claimedAt >= claims.last?.claimedAt ?? refused.claimedAt
        {
            return Explanation.Step(.ownership(refused.policy), refused.reason.told)
        }
        for (claim, outcome) in zip(claims, followed.ownership.outcomes).reversed() {
            // Who shares it came to it by a claim of their own, whatever others asked since.
            if !isOwner, followed.customers[claim.customerID, default: claim.customerID] != customer { continue }
            switch outcome {
            case .first, .alreadyOwned: continue
            case .refused:
                return Explanation.Step(
                    .ownership(claim.policy),
                    "Another customer submitted the purchase too; by the app's rule it stayed where it was."
                )
            case .transferred:
                return Explanation.Step(
                    .ownership(claim.policy),
                    "Another customer had the purchase; by the app's rule it moved to the one who submitted it."
                )
            case .shared:
                return Explanation.Step(
                    .ownership(claim.policy),
                    "By the app's rule the purchase gives access to every customer who submits it."
                )
            }
        }
        return nil
    }
}

extension ClaimRefusal {
    /// Why a purchase stayed with its owner.
    fileprivate var told: String {
        switch self {
        case .submittedBefore, .sharedWithTooMany:
            "Another customer submitted the purchase too; by the app's rule it stayed where it was."
        case .accountToken:
            "Another customer submitted the purchase too; it stayed with the customer whom its account token names."
        case .transferred:
            "Another customer submitted the purchase too; it stayed with the customer to whom an operator moved it."
        }
    }
}
