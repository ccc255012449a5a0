import SubscriptionCore
import SubscriptionStorage

/// The outcome of claiming purchases.
enum ClaimOutcome: Hashable, Sendable {
    /// The customer has all of them.
    case claimed
    /// The customer has none of them and will not get any.
    case refused(ClaimRefusal)
}

extension StorageReading {
    /// The outcome of earlier claims by an identifier; nil if not all purchases were claimed or a new claim might have
    /// another outcome.
    ///
    /// - Throws: ``StorageError``.
    func outcome(
        ofClaiming purchases: [OriginalTransactionID],
        for claimant: Claimant,
        app: AppID
    ) throws(StorageError) -> ClaimOutcome? {
        let customer = try customerID(for: claimant.customer, app: app)
        let claimed = Set(try claims(by: claimant.customer, app: app).map(\.purchaseID))
        if claimed.isSuperset(of: purchases) {
            let owned = Set(try self.purchases(of: customer, app: app).map(\.id))
            return owned.isSuperset(of: purchases) ? .claimed : nil
        }
        guard !claimant.isSubmittedByServer, !claimant.isAnonymous else { return nil }
        let rule = try settings(of: app).transferPolicy
        guard rule == .keep else { return nil }
        let refused = try refusedClaims(by: [claimant.customer], app: app).filter { $0.policy == rule }
        guard Set(refused.map(\.purchaseID)).isSuperset(of: purchases), let last = refused.last else { return nil }
        // The owner of a purchase may have been erased since.
        for purchase in purchases where try self.purchase(purchase, of: app)?.customerID == nil { return nil }
        return .refused(last.reason)
    }
}
