import SubscriptionCore
import SubscriptionStorage

extension PurchaseUpdate {
    /// Stores a refused claim, which is shown to both customers, and increments their versions. The newest claims on a
    /// purchase are stored, with a count of the dropped ones.
    ///
    /// Repeating a refusal changes nothing, even with another signed input. The versions are not incremented once older
    /// claims are dropped.
    ///
    /// - Throws: ``StorageError``.
    func storeRefusedClaim(_ refused: RefusedClaim, owner: CustomerID?) throws(StorageError) {
        var refused = refused
        var stored = try storage.refusedClaims(on: [refused.purchaseID], app: app)
        let dropped = stored.map(\.droppedBefore).max() ?? 0
        let own = stored.firstIndex { $0.customerID == refused.customerID }.map { stored.remove(at: $0) }
        if let own, own.policy == refused.policy, own.reason == refused.reason { return }
        let old = stored.prefix(max(0, stored.count + 1 - RefusedClaim.keptMax))
        for old in old {
            try storage.removeRefusedClaim(on: old.purchaseID, by: old.customerID, app: app)
        }
        refused.droppedBefore = dropped + Int64(old.count)
        try storage.save(refused, of: app)
        // Above the limit, invented identifiers must not create new versions.
        guard old.isEmpty else { return }
        let claimant = try storage.customerID(for: refused.customerID, app: app)
        for customer in Set([claimant, owner].compactMap(\.self)).sorted() {
            guard var record = try storage.customer(customer, of: app) else { continue }
            record.stateVersion += 1
            try storage.save(record, of: app)
        }
    }
}
