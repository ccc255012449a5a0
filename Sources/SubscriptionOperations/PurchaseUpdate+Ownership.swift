import SubscriptionCore
import SubscriptionStorage

extension PurchaseUpdate {
    /// Runs the ownership rule for a purchase: reads what it needs and links an alias if it requests that.
    ///
    /// Each input is read at most once, and an identifier is linked at most once.
    ///
    /// - Throws: ``StorageError``.
    func decideOwnership(
        of record: PurchaseRecord,
        _ query: OwnershipQuery,
        batch: CustomerBatch?
    ) throws(StorageError) -> OwnershipDecision {
        var query = query
        while true {
            switch OwnershipRule.next(query) {
            case .decided(let decision): return decision
            case .needs(let input):
                try storage.read(input, of: record.id, into: &query.known, app: app, policy: policy)
            case .links(let alias, let customer):
                guard case .success(let merge) = try storage.merge(alias, into: customer, app: app) else {
                    query.mayLink = false
                    continue
                }
                // The changes before the merge are recorded first.
                try batch?.recordAndBumpVersions()
                try storage.carryOut(merge, app: app, now: record.evaluatedAt, policy: policy)
                query = query.linked(to: customer)
            }
        }
    }

    /// How the customers of a purchase get its successor.
    ///
    /// - Returns: `none` if the predecessor has no owner, or if an account token decides the owner of the successor.
    /// - Throws: ``StorageError``.
    func succession(
        to fact: Fact,
        accountToken: String?,
        from predecessor: OriginalTransactionID
    ) throws(StorageError) -> OwnershipSuccession {
        guard let old = try storage.purchase(predecessor, of: app), old.customerID != nil else { return .none }
        let oldToken = try storage.ledger(of: predecessor, app: app).accountToken
        if old.claim == .accountToken { return OwnershipSuccession(accountToken: oldToken) }
        guard accountToken == nil || accountToken == oldToken else { return .none }
        let sharers = try storage.sharers(of: predecessor, app: app)
        let rule = try storage.settings(of: app).transferPolicy
        return OwnershipSuccession(
            from: PurchaseOwnership(owner: old.customerID, basis: old.claim, sharers: sharers),
            claims: try storage.claims(on: predecessor, app: app).map(\.claim),
            evidence: fact.evidence,
            at: claimTime(of: fact),
            policy: rule
        )
    }
}
