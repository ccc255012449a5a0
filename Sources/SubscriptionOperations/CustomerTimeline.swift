public import SubscriptionCore
public import SubscriptionStorage

/// Tells a customer's story: what was bought, what became of it, and what operators gave.
///
/// It is told again from the kept inputs, in the order in which they were signed, so that it is the same whatever way
/// and in whatever order they came.
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
    /// - Parameter recentCount: How many transactions of a purchase each step looks at, at least. The story is the same
    ///   with any number.
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

    /// The story up to now, oldest first.
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
    /// A customer's story up to an instant, oldest first.
    ///
    /// - Parameter namesOthers: Whether to name the other customer of a claim that was refused.
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
        let held = purchases.map(\.id)
        for purchase in held {
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
        var claimed = Set(held)
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
        // Entries of one instant keep their order.
        return entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    /// What became of a customer's claims on a purchase, and whether a later claim of another took it.
    private func claimEntries(
        on purchase: OriginalTransactionID,
        of customer: CustomerID,
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) -> [TimelineEntry] {
        let claims = try claims(on: purchase, app: app)
        let followed = try follow(claims, on: purchase, app: app, policy: policy)
        let ownership = followed.ownership
        var entries: [TimelineEntry] = []
        var owner: CustomerID?
        for (place, claim) in claims.enumerated() {
            let claimer = followed.customers[claim.customerID, default: claim.customerID]
            let rule = ["transfer_policy": claim.policy.rawValue]
            if claimer == customer {
                let outcome = ownership.outcomes[place]
                entries.append(
                    TimelineEntry(
                        outcome.entryType,
                        at: claim.claimedAt,
                        purchaseID: purchase,
                        details: outcome == .first || outcome == .alreadyOwned ? nil : rule,
                        evidenceID: claim.evidenceID
                    )
                )
            } else if owner == customer, ownership.owners[place] != customer {
                entries.append(TimelineEntry("purchase.lost", at: claim.claimedAt, purchaseID: purchase, details: rule))
            }
            owner = ownership.owners[place]
        }
        return entries
    }
}

extension TimelineEntry {
    /// A claim that was refused, for one side.
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

    /// Whether it tells of the same claim.
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
    /// What a transfer, and its undoing, were for the customer who has these names.
    fileprivate func entries(of names: Set<CustomerID>) -> [TimelineEntry] {
        let isGiven = from.map(names.contains) ?? false
        var details = ["transfer_id": id.rawValue]
        details["reason"] = reason
        details["other_app_user_id"] = (isGiven ? to : from)?.rawValue
        var entries: [TimelineEntry] = []
        // A transfer between two identifiers that became one customer's moved nothing in the end.
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
