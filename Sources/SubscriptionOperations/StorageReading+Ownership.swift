import SubscriptionCore
import SubscriptionStorage

/// The evaluated claims on a purchase, with the customers of their identifiers.
struct FollowedClaims {
    /// The ownership by the claims.
    let ownership: ClaimedOwnership
    /// The customers of those identifiers that are aliases.
    let customers: [CustomerID: CustomerID]
}

extension StorageReading {
    /// Evaluates the claims on a purchase, ignoring an operator's later decision.
    ///
    /// - Throws: ``StorageError``.
    func evaluate(
        _ claims: [ClaimRecord],
        on purchase: OriginalTransactionID,
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) -> FollowedClaims {
        var token: CustomerID?
        if claims.contains(where: { !$0.outranksToken }), let text = try ledger(of: purchase, app: app).accountToken {
            token = try customerID(for: CustomerID(text), app: app)
        }
        let customers = try customers(for: Set(claims.map(\.customerID)), app: app)
        let claims = claims.map(\.claim)
        if let ownership = ClaimedOwnership(claims: claims, customers: customers, token: token) {
            return FollowedClaims(ownership: ownership, customers: customers)
        }
        let history = try accessHistory(of: purchase, at: claims.timesToCheck, app: app, policy: policy)
        let ownership = ClaimedOwnership(claims: claims, customers: customers, token: token, history: history)
        return FollowedClaims(ownership: ownership, customers: customers)
    }

    /// Reads an input of the ownership rule.
    ///
    /// - Throws: ``StorageError``.
    func read(
        _ input: OwnershipInput,
        of purchase: OriginalTransactionID,
        into known: inout OwnershipKnowledge,
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) {
        switch input {
        case .sharers: known.sharers = try sharers(of: purchase, app: app)
        case .claims: known.claims = try claims(on: purchase, app: app).map(\.claim)
        case .tokenCustomer(let name): known.tokenCustomer = try customerID(for: name, app: app)
        case .customers(let names): known.customers = try customers(for: names, app: app)
        case .accessHistory(let times):
            known.history = try accessHistory(of: purchase, at: times, app: app, policy: policy)
        case .identifiers(let customer):
            known.identifiers[customer] = [customer] + (try self.customer(customer, of: app)?.profile.aliases ?? [])
        case .claimsBy(let name): known.claimsBy[name] = try claims(by: name, app: app).map(\.claim)
        case .bases(let customer): known.bases[customer] = try purchases(of: customer, app: app).map(\.claim)
        case .grants(let customer): known.hasGrants[customer] = try !grants(of: customer, app: app).isEmpty
        }
    }

    private func accessHistory(
        of purchase: OriginalTransactionID,
        at times: [Timestamp],
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) -> AccessHistory {
        var inputs: [AccessHistory.Input] = []
        for input in try PurchaseHistory.inputs(about: purchase, app: app, storage: self) {
            inputs.append(AccessHistory.Input(signedAt: input.signedAt, facts: try ParsedEvidence(input).facts))
        }
        return AccessHistory(of: purchase, inputs: inputs, at: times, policy: policy)
    }
}

extension StorageWriting {
    /// Stores a purchase and its sharers.
    ///
    /// - Throws: ``StorageError``.
    func save(_ record: PurchaseRecord, sharers: [CustomerID], app: AppID) throws(StorageError) {
        let before = try self.sharers(of: record.id, app: app)
        try save(record, of: app)
        for customer in before where !sharers.contains(customer) {
            try unshare(record.id, with: customer, app: app)
        }
        for customer in sharers where !before.contains(customer) { try share(record.id, with: customer, app: app) }
    }

    /// Stores an ownership, regardless of the claims
    /// (``PurchaseOwnership/settlement(of:evaluation:customers:isFinal:)``).
    ///
    /// - Parameters:
    ///   - claims: The stored claims that count.
    ///   - isFinal: Whether later facts must not change it.
    /// - Throws: ``StorageError``.
    func settle(
        _ record: PurchaseRecord,
        on ownership: PurchaseOwnership,
        claims: [ClaimRecord],
        isFinal: Bool = false,
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) {
        let evaluation = try evaluate(claims, on: record.id, app: app, policy: policy)
        let settlement = ownership.settlement(
            of: claims.map(\.claim),
            evaluation: evaluation.ownership,
            customers: evaluation.customers,
            isFinal: isFinal
        )
        if let owner = record.customerID, owner != ownership.owner { try forgetConsumption(on: record.id, app: app) }
        var record = record
        record.customerID = ownership.owner
        record.claim = settlement.basis
        if let claims = settlement.claims { try replaceClaims(on: record.id, with: claims, app: app) }
        try save(record, sharers: ownership.others, app: app)
    }

    /// Stores the decision of the ownership rule.
    ///
    /// - Throws: ``StorageError``.
    func store(_ decision: OwnershipDecision, of record: PurchaseRecord, app: AppID) throws(StorageError) {
        switch decision.claims {
        case .none: break
        case .insert(let claim): try insert(ClaimRecord(claim, on: record.id), of: app)
        case .append(let claim): try append(ClaimRecord(claim, on: record.id), of: app)
        case .replace(let claims): try replaceClaims(on: record.id, with: claims, app: app)
        }
        if decision.isShared {
            try save(record, sharers: decision.ownership.sharers, app: app)
        } else {
            try save(record, of: app)
        }
    }

    private func replaceClaims(
        on purchase: OriginalTransactionID,
        with claims: [PurchaseClaim],
        app: AppID
    ) throws(StorageError) {
        try removeClaims(on: purchase, app: app)
        for claim in claims { try append(ClaimRecord(claim, on: purchase), of: app) }
    }
}
