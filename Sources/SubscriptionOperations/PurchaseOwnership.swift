import SubscriptionCore
import SubscriptionStorage

/// Whose a purchase becomes in one step, and what is to be stored of it.
struct PurchaseOwnership {
    /// That a customer's app submits the purchase.
    struct Submission {
        /// As it is kept, with the identifier that the app used.
        var claim: ClaimRecord
        /// The customer whom that identifier stands for.
        let submitter: CustomerID
    }

    /// The purchase with its owner.
    private(set) var record: PurchaseRecord
    /// Who shared it before.
    private(set) var sharersBefore: [CustomerID] = []
    /// Who shares it from now on.
    private(set) var sharers: [CustomerID] = []
    private var claim: ClaimRecord?
    private var isRepeated = false

    /// Settles whose purchase it is: what an app submitted beats the account token, the app's rule decides between customers
    /// who submit the same, and what an operator decided stands.
    ///
    /// - Throws: ``StorageError``.
    init(
        of record: PurchaseRecord,
        submission: Submission?,
        accountToken: String?,
        in update: PurchaseUpdate
    ) throws(StorageError) {
        self.record = record
        let (storage, app) = (update.storage, update.app)
        claim = submission?.claim
        if let held = record.claim, held >= .submitted {
            let isPlain = held == .submitted && (submission == nil || submission?.submitter == record.customerID)
            guard !isPlain else { return }
            try settle(submission, by: held, in: update)
        } else if let submission {
            let others = try storage.claims(on: record.id, app: app)
            if !others.isEmpty {
                // Nobody has it any more: whoever submits it now gets it, whatever was asked before.
                claim?.policy = .transfer
                isRepeated = true
            }
            self.record.customerID = submission.submitter
            self.record.claim = .submitted
        } else if let accountToken, record.claim != .erased {
            let named = CustomerID(accountToken)
            // Whoever has the purchase under this very identifier has it still: as an alias it would have lost it.
            if record.customerID != named { self.record.customerID = try storage.customerID(for: named, app: app) }
            self.record.claim = .accountToken
        }
    }

    /// Customers whose entitlements may change: owners and sharers, before and after.
    func customers(before: PurchaseRecord) -> [CustomerID] {
        [before.customerID, record.customerID].compactMap(\.self) + sharersBefore + sharers
    }

    /// Stores the claim, the purchase, and with whom it is shared.
    ///
    /// - Throws: ``StorageError``.
    func store(in storage: any StorageWriting, app: AppID) throws(StorageError) {
        if let claim {
            if isRepeated { try storage.append(claim, of: app) } else { try storage.insert(claim, of: app) }
        }
        try storage.save(record, of: app)
        for customer in sharersBefore where !sharers.contains(customer) {
            try storage.unshare(record.id, with: customer, app: app)
        }
        for customer in sharers where !sharersBefore.contains(customer) {
            try storage.share(record.id, with: customer, app: app)
        }
    }

    /// Follows the claims again, the new one included.
    private mutating func settle(
        _ submission: Submission?,
        by held: OwnershipClaim,
        in update: PurchaseUpdate
    ) throws(StorageError) {
        let isDecided = held == .transferred
        // What an operator decided is no rule of the app's: a claim against it counts for nothing later either.
        if isDecided { claim?.policy = .keep }
        var claims = try update.storage.claims(on: record.id, app: update.app)
        let before = try update.storage.ownership(by: claims, of: record.id, app: update.app, policy: update.policy)
        let shared = before.sharers.filter { $0 != record.customerID }
        sharersBefore = shared
        sharers = shared
        guard !isDecided else { return }
        var after = before
        if let claim, submission?.submitter != record.customerID {
            claims.append(claim)
            after = try update.storage.ownership(by: claims, of: record.id, app: update.app, policy: update.policy)
            let isEffective = after.outcomes.last == .transferred || after.outcomes.last == .shared
            isRepeated = isEffective || claim.policy == .transferIfInactive
        }
        sharersBefore = before.sharers
        sharers = after.sharers
        record.customerID = after.owner ?? record.customerID
        record.claim = after.dependsOnFacts ? .contested : after.sharers.isEmpty ? .submitted : .shared
    }
}

extension StorageReading {
    /// Whose a purchase is by its claims, whatever an operator decided since.
    ///
    /// - Throws: ``StorageError``.
    func ownership(
        by claims: [ClaimRecord],
        of purchase: OriginalTransactionID,
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) -> ClaimedOwnership {
        var named: [ClaimedOwnership.Claim] = []
        for claim in claims {
            let customer = try customerID(for: claim.customerID, app: app)
            named.append(ClaimedOwnership.Claim(customer: customer, at: claim.claimedAt, policy: claim.policy))
        }
        return try ClaimedOwnership(claims: named) { instant throws(StorageError) in
            let past = try PurchaseHistory(of: purchase, app: app, until: instant, policy: policy, storage: self)
            return past.ledger.state(at: instant, policy: policy)?.givesAccess ?? false
        }
    }
}
