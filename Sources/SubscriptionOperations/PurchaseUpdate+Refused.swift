import SubscriptionCore
import SubscriptionStorage

extension PurchaseUpdate {
    /// Keeps a claim that was refused, for people to see on both sides: the newest of a purchase, with a count of the
    /// rest.
    ///
    /// The same refusal again changes nothing, whatever signed input it came with. The customers on both sides get a
    /// new version, as long as nothing older is dropped for it.
    ///
    /// - Throws: ``StorageError``.
    func tell(of refused: RefusedClaim, owner: CustomerID?) throws(StorageError) {
        var refused = refused
        var held = try storage.refusedClaims(on: [refused.purchaseID], app: app)
        let dropped = held.map(\.droppedBefore).max() ?? 0
        let own = held.firstIndex { $0.customerID == refused.customerID }.map { held.remove(at: $0) }
        if let own, own.policy == refused.policy, own.reason == refused.reason { return }
        let old = held.prefix(max(0, held.count + 1 - RefusedClaim.keptMax))
        for old in old {
            try storage.removeRefusedClaim(on: old.purchaseID, by: old.customerID, app: app)
        }
        refused.droppedBefore = dropped + Int64(old.count)
        try storage.save(refused, of: app)
        // Past the limit the owner learns nothing new: else each invented identifier would be a new version.
        guard old.isEmpty else { return }
        let claimant = try storage.customerID(for: refused.customerID, app: app)
        for customer in Set([claimant, owner].compactMap(\.self)).sorted() {
            guard var record = try storage.customer(customer, of: app) else { continue }
            record.stateVersion += 1
            try storage.save(record, of: app)
        }
    }
}
