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
    /// Who shared it before, as it is stored.
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
            try follow(submission, in: update)
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

    /// Whether anybody shares it, or did.
    var isShared: Bool { !sharers.isEmpty || !sharersBefore.isEmpty }

    /// Whether somebody shares it who did not before, or no longer.
    var changesSharers: Bool { Set(sharers) != Set(sharersBefore) }

    /// Stores the claim, the purchase, and with whom it is shared.
    ///
    /// - Throws: ``StorageError``.
    func store(in storage: any StorageWriting, app: AppID) throws(StorageError) {
        if let claim {
            if isRepeated { try storage.append(claim, of: app) } else { try storage.insert(claim, of: app) }
        }
        if isShared { try storage.save(record, sharers: sharers, app: app) } else { try storage.save(record, of: app) }
    }

    /// Follows the claims again, the new one included, by what is known now.
    private mutating func follow(_ submission: Submission?, in update: PurchaseUpdate) throws(StorageError) {
        let (storage, app) = (update.storage, update.app)
        sharersBefore = try storage.sharers(of: record.id, app: app)
        // What an operator decided is no rule of the app's: a claim against it counts for nothing later either.
        let isDecided = record.claim == .transferred
        if isDecided { claim?.policy = .keep }
        let held = try storage.claims(on: record.id, app: app)
        let claims = held + [claim].compactMap(\.self)
        let ownership = try storage.ownership(by: claims, of: record.id, app: app, policy: update.policy)
        if let submission, !isDecided { isRepeated = Self.counts(submission, in: ownership, after: held.last) }
        let holders = ownership.holders(of: record)
        record.customerID = holders.owner
        record.claim = holders.claim
        sharers = holders.others
    }

    /// Whether the last claim changes who has the purchase, now or by what may still become known: then it is kept even
    /// where the customer claimed by the same evidence before.
    private static func counts(
        _ submission: Submission,
        in ownership: ClaimedOwnership,
        after last: ClaimRecord?
    ) -> Bool {
        let outcome = ownership.outcomes.last
        if outcome == .transferred || outcome == .shared { return true }
        guard ownership.dependsOnFacts else { return false }
        let claim = submission.claim
        // Each asks of another instant whether it was active.
        if claim.policy == .transferIfInactive { return true }
        return last?.customerID != claim.customerID || last?.policy != claim.policy
    }
}
