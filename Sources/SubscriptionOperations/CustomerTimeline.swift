public import SubscriptionCore
public import SubscriptionStorage

/// Tells a customer's story: what was bought, what became of it, and what operators gave.
///
/// It is told again from the kept inputs, in the order in which they were signed, so that it is the same whatever way and in
/// whatever order they came.
public struct CustomerTimeline: Sendable {
    private let database: any SubscriptionDatabase
    private let policy: AccessPolicy
    private let time: any TimeSource

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, policy: AccessPolicy, time: any TimeSource) {
        self.database = database
        self.policy = policy
        self.time = time
    }

    /// The story up to now, oldest first.
    ///
    /// - Throws: ``OperationError`` `customer_not_found`, or storage's codes.
    public func entries(of id: CustomerID, app: AppID) async throws(OperationError) -> [TimelineEntry] {
        let now = time.now()
        let entries: [TimelineEntry]?
        do {
            entries = try await database.read { [policy] storage throws(StorageError) in
                guard try storage.customer(id, of: app) != nil else { return nil }
                return try storage.timeline(of: id, app: app, until: now, policy: policy)
            }
        } catch {
            throw OperationError(error)
        }
        guard let entries else { throw .customerNotFound }
        return entries
    }
}

extension StorageReading {
    fileprivate func timeline(
        of customer: CustomerID,
        app: AppID,
        until now: Timestamp,
        policy: AccessPolicy
    ) throws(StorageError) -> [TimelineEntry] {
        var entries: [TimelineEntry] = []
        for purchase in try purchases(of: customer, app: app).map(\.id) {
            entries += try PurchaseHistory(of: purchase, app: app, until: now, policy: policy, storage: self).entries
            entries += try claims(on: purchase, app: app).filter { $0.customerID == customer }.map { claim in
                TimelineEntry(
                    "purchase.claimed",
                    at: claim.claimedAt,
                    purchaseID: purchase,
                    evidenceID: claim.evidenceID
                )
            }
        }
        for grant in try grants(of: customer, app: app).map(\.state.grant) {
            var details = ["entitlement_id": grant.entitlementID.rawValue]
            details["reason"] = grant.reason
            entries.append(TimelineEntry("grant.given", at: grant.grantedAt, grantID: grant.id, details: details))
            if let end = grant.endsAt, end <= now {
                let why = grant.revokedAt == end ? "revoked" : "expired"
                entries.append(TimelineEntry("grant.ended", at: end, grantID: grant.id, details: ["because": why]))
            }
        }
        // Entries of one instant keep their order.
        return entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }
}
