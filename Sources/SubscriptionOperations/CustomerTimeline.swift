public import SubscriptionCore
public import SubscriptionStorage

/// The timeline of a customer: purchases, their changes, claims, transfers and grants.
///
/// It is derived from the stored inputs in the order of signing, so it does not depend on the order of arrival.
public struct CustomerTimeline: Sendable {
    private let database: any SubscriptionDatabase
    private let policy: AccessPolicy
    private let time: any TimeSource
    private let recentCount: Int

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, policy: AccessPolicy, time: any TimeSource) {
        self.init(database: database, policy: policy, time: time, recentCount: PurchaseHistory.recentCount)
    }

    /// Makes the use case.
    ///
    /// - Parameter recentCount: The minimum number of transactions of a purchase that each step considers. It does not
    ///   change the result.
    package init(
        database: any SubscriptionDatabase,
        policy: AccessPolicy,
        time: any TimeSource,
        recentCount: Int
    ) {
        self.database = database
        self.policy = policy
        self.time = time
        self.recentCount = recentCount
    }

    /// The timeline up to now, oldest first.
    ///
    /// - Throws: ``OperationError`` `customer_not_found`, or storage's codes.
    public func entries(of id: CustomerID, app: AppID) async throws(OperationError) -> [TimelineEntry] {
        let now = time.now()
        let entries: [TimelineEntry]?
        do {
            entries = try await database.read { [policy, recentCount] storage throws(StorageError) in
                var known = try storage.customer(named: id, of: app)
                if known == nil { known = try storage.claimant(named: id, app: app) }
                guard let customer = known else { return nil }
                return try storage.timeline(
                    of: customer,
                    app: app,
                    until: now,
                    policy: policy,
                    recentCount: recentCount
                )
            }
        } catch {
            throw OperationError(error)
        }
        guard let entries else { throw .customerNotFound }
        return entries
    }
}

extension StorageReading {
    /// A customer's timeline up to a time, oldest first.
    ///
    /// - Parameter namesOthers: Whether to name the other customer of a refused claim.
    /// - Throws: ``StorageError``.
    func timeline(
        of customer: CustomerRecord,
        app: AppID,
        until now: Timestamp,
        policy: AccessPolicy,
        recentCount: Int = PurchaseHistory.recentCount,
        namesOthers: Bool = true
    ) throws(StorageError) -> [TimelineEntry] {
        var entries: [TimelineEntry] = []
        let purchases = try purchases(of: customer.id, app: app)
        let purchaseIDs = purchases.map(\.id)
        for purchase in purchaseIDs {
            entries += try PurchaseHistory(
                of: purchase,
                app: app,
                until: now,
                policy: policy,
                recentCount: recentCount,
                storage: self
            )
            .entries
        }
        let names = [customer.id] + customer.profile.aliases
        var claimed = Set(purchaseIDs)
        for name in names { claimed.formUnion(try claims(by: name, app: app).map(\.purchaseID)) }
        for purchase in claimed.sorted() {
            entries += try claimEntries(on: purchase, of: customer.id, app: app, policy: policy)
        }
        for refused in try refusedClaims(concerning: customer, purchases: purchases, app: app) {
            let entry = TimelineEntry(refused, namesOther: namesOthers)
            entries.removeAll { $0.isSameClaim(as: entry) }
            entries.append(entry)
        }
        for alias in try aliases(Set(customer.profile.aliases), of: app).sorted(by: { $0.id < $1.id }) {
            let details = ["alias": alias.id.rawValue]
            entries.append(TimelineEntry("customer.aliased", at: alias.createdAt, details: details))
        }
        var transfers: [TransferID: TransferRecord] = [:]
        for name in names {
            for transfer in try self.transfers(of: name, app: app) { transfers[transfer.id] = transfer }
        }
        for transfer in transfers.values.sorted(by: { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }) {
            entries += transfer.entries(of: Set(names))
        }
        for grant in try grants(of: customer.id, app: app).map(\.state.grant) { entries += grant.entries(until: now) }
        // The sort is stable: entries of the same time keep their order.
        return entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    /// The outcomes of a customer's claims on a purchase, and its loss by a later claim of another customer.
    private func claimEntries(
        on purchase: OriginalTransactionID,
        of customer: CustomerID,
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) -> [TimelineEntry] {
        let claims = try claims(on: purchase, app: app)
        let evaluation = try evaluate(claims, on: purchase, app: app, policy: policy)
        let ownership = evaluation.ownership
        var entries: [TimelineEntry] = []
        var owner: CustomerID?
        for (index, claim) in claims.enumerated() {
            let claimer = evaluation.customers[claim.customerID, default: claim.customerID]
            let rule = ["transfer_policy": claim.policy.rawValue]
            if claimer == customer {
                let outcome = ownership.outcomes[index]
                entries.append(
                    TimelineEntry(
                        outcome.entryType,
                        at: claim.claimedAt,
                        purchaseID: purchase,
                        details: outcome == .first || outcome == .alreadyOwned ? nil : rule,
                        evidenceID: claim.evidenceID
                    )
                )
            } else if owner == customer, ownership.owners[index] != customer {
                entries.append(TimelineEntry("purchase.lost", at: claim.claimedAt, purchaseID: purchase, details: rule))
            }
            owner = ownership.owners[index]
        }
        return entries
    }
}

extension TimelineEntry {
    /// The entry of a refused claim for one of its two customers.
    fileprivate init(_ refused: RefusedClaimView, namesOther: Bool) {
        let claim = refused.claim
        var details = ["transfer_policy": claim.policy.rawValue, "reason": claim.reason.rawValue]
        details["what_to_do"] = RefusedClaimView.remedy
        if namesOther { details["other_app_user_id"] = refused.other?.rawValue }
        self.init(
            refused.role == .claimant ? "purchase.claim_refused" : "purchase.other_claim_refused",
            at: claim.claimedAt,
            purchaseID: claim.purchaseID,
            details: details,
            evidenceID: claim.evidenceID
        )
    }

    /// Whether both are about the same claim.
    fileprivate func isSameClaim(as other: TimelineEntry) -> Bool {
        type == other.type && at == other.at && purchaseID == other.purchaseID && evidenceID == other.evidenceID
    }
}

extension ClaimedOwnership.Outcome {
    fileprivate var entryType: String {
        switch self {
        case .first, .alreadyOwned, .transferred: "purchase.claimed"
        case .refused: "purchase.claim_refused"
        case .shared: "purchase.shared"
        }
    }
}

extension TransferRecord {
    /// The entries of a transfer and its undoing for the customer with these identifiers.
    fileprivate func entries(of names: Set<CustomerID>) -> [TimelineEntry] {
        let isGiven = from.map(names.contains) ?? false
        var details = ["transfer_id": id.rawValue]
        details["reason"] = reason
        details["other_app_user_id"] = (isGiven ? to : from)?.rawValue
        var entries: [TimelineEntry] = []
        // A transfer between two identifiers of the same customer has no effect.
        guard isGiven != (to.map(names.contains) ?? false) else { return [] }
        for item in items {
            let (moved, back) = isGiven ? ("given", "received") : ("received", "given")
            let purchase = item.purchaseID
            entries.append(
                TimelineEntry("transfer.\(moved)", at: createdAt, purchaseID: purchase, details: details)
            )
            if let undoneAt {
                var undoing = details
                undoing["because"] = "undone"
                entries.append(TimelineEntry("transfer.\(back)", at: undoneAt, purchaseID: purchase, details: undoing))
            }
        }
        return entries
    }
}

extension Grant {
    fileprivate func entries(until now: Timestamp) -> [TimelineEntry] {
        var details = ["entitlement_id": entitlementID.rawValue]
        details["reason"] = reason
        var entries = [TimelineEntry("grant.given", at: grantedAt, grantID: id, details: details)]
        if let end = endsAt, end <= now {
            let why = revokedAt == end ? "revoked" : "expired"
            entries.append(TimelineEntry("grant.ended", at: end, grantID: id, details: ["because": why]))
        }
        return entries
    }
}
