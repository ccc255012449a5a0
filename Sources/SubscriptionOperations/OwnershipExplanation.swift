import SubscriptionCore
import SubscriptionStorage

extension StorageReading {
    /// Why a customer has a purchase; nil if only this customer submitted it.
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
        let evaluation = try evaluate(claims, on: purchase, app: app, policy: policy)
        let isOwner = record.customerID == customer
        if isOwner, let refused = try refusedClaims(on: [purchase], app: app).last,
            refused.claimedAt >= claims.last?.claimedAt ?? refused.claimedAt
        {
            return Explanation.Step(.ownership(refused.policy), refused.reason.explanation)
        }
        for (claim, outcome) in zip(claims, evaluation.ownership.outcomes).reversed() {
            // A sharer has it by their own claim, regardless of later claims.
            if !isOwner, evaluation.customers[claim.customerID, default: claim.customerID] != customer { continue }
            switch outcome {
            case .first, .alreadyOwned: continue
            case .refused:
                return Explanation.Step(
                    .ownership(claim.policy),
                    "Another customer submitted the purchase too; by the app's rule it stayed with its owner."
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
    /// The explanation of why a purchase stayed with its owner.
    fileprivate var explanation: String {
        switch self {
        case .submittedBefore, .sharedWithTooMany:
            "Another customer submitted the purchase too; by the app's rule it stayed with its owner."
        case .accountToken:
            "Another customer submitted the purchase too; it stayed with the customer whom its account token names."
        case .transferred:
            "Another customer submitted the purchase too; it stayed with the customer to whom an operator moved it."
        }
    }
}
