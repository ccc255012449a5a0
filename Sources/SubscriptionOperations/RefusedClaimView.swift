public import SubscriptionCore
public import SubscriptionStorage

/// A refused claim on a purchase, from the view of one of its two customers.
public struct RefusedClaimView: Hashable, Sendable {
    /// The role of the customer in it.
    public enum Role: String, Hashable, Sendable {
        /// The customer submitted the purchase, and another one has it.
        case claimant
        /// The customer has the purchase, and another one submitted it.
        case owner
    }

    /// The claim.
    public var claim: RefusedClaim
    /// The role of the customer.
    public var role: Role
    /// The other customer: the current owner or the claimant; nil if the purchase has no owner any more.
    public var other: CustomerID?

    /// How an operator can give the purchase to the claimant.
    public static let remedy =
        "To move the purchase: POST /v1/transfers. If both customers are one person: "
        + "POST /v1/customers/{app_user_id}/aliases."
}

extension StorageReading {
    /// The refused claims that a customer made or that others made on the customer's purchases, in order of time.
    /// Claims are left out if the claimant has got the purchase since.
    ///
    /// - Throws: ``StorageError``.
    func refusedClaims(
        concerning customer: CustomerRecord,
        purchases: [PurchaseRecord],
        app: AppID
    ) throws(StorageError) -> [RefusedClaimView] {
        let owned = Set(purchases.map(\.id))
        var views: [RefusedClaimView] = []
        let names = [customer.id] + customer.profile.aliases
        for claim in try refusedClaims(by: names, app: app) where !owned.contains(claim.purchaseID) {
            let owner = try purchase(claim.purchaseID, of: app)?.customerID
            views.append(RefusedClaimView(claim: claim, role: .claimant, other: owner))
        }
        let own = purchases.filter { $0.customerID == customer.id }.map(\.id)
        let others = try own.isEmpty ? [] : refusedClaims(on: own, app: app)
        let customers = try self.customers(for: Set(others.map(\.customerID)), app: app)
        for claim in others {
            let claimant = customers[claim.customerID, default: claim.customerID]
            guard claimant != customer.id, try !sharers(of: claim.purchaseID, app: app).contains(claimant) else {
                continue
            }
            views.append(RefusedClaimView(claim: claim, role: .owner, other: claimant))
        }
        return views.sorted { $0.claim.claimedAt < $1.claim.claimedAt }
    }

    /// A customer with only refused claims; nil if there are none.
    ///
    /// - Throws: ``StorageError``.
    func claimant(named name: CustomerID, app: AppID) throws(StorageError) -> CustomerRecord? {
        guard let first = try refusedClaims(by: [name], app: app).first else { return nil }
        return CustomerRecord(id: name, firstSeenAt: first.claimedAt, stateVersion: 0)
    }
}
