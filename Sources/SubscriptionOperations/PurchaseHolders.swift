import SubscriptionCore
import SubscriptionStorage

/// Who has a purchase: what is stored of it always follows from the claims, the facts and what an operator decided.
struct PurchaseHolders {
    /// Whose it is.
    var owner: CustomerID?
    /// How it came to the owner.
    var claim: OwnershipClaim?
    /// Who has it beside the owner, in order of their claims. One to whom an operator moved it may be among them: they
    /// share it again when it is taken back.
    var sharers: [CustomerID] = []

    /// Who has it beside the owner.
    var others: [CustomerID] { sharers.filter { $0 != owner } }

    /// Whether the same customers have it, in whatever order they share it.
    func areTheSame(as other: PurchaseHolders) -> Bool {
        owner == other.owner && Set(others) == Set(other.others)
    }
}

extension ClaimedOwnership {
    /// Who has a purchase by these claims.
    var holders: PurchaseHolders {
        let shared: OwnershipClaim? = sharers.isEmpty ? nil : .shared
        let kind: OwnershipClaim = dependsOnFacts ? .contested : shared ?? (isHeldByToken ? .accountToken : .submitted)
        return PurchaseHolders(owner: owner, claim: kind, sharers: sharers)
    }

    /// Who has a purchase by these claims: they name its owner, unless it came to the owner in another way.
    func holders(of record: PurchaseRecord) -> PurchaseHolders {
        let isByToken = record.claim == .accountToken && outcomes.isEmpty
        guard let claim = record.claim, claim != .erased, !isByToken else {
            return PurchaseHolders(owner: record.customerID, claim: record.claim)
        }
        if claim == .transferred {
            // It was taken from whoever has it by the claims; those who share it keep it.
            return PurchaseHolders(owner: record.customerID, claim: claim, sharers: sharers)
        }
        var holders = self.holders
        holders.owner = owner ?? record.customerID
        return holders
    }
}

extension StorageReading {
    /// Whose a purchase is by its claims and its account token, whatever an operator decided since.
    ///
    /// - Throws: ``StorageError``.
    func ownership(
        by claims: [ClaimRecord],
        of purchase: OriginalTransactionID,
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) -> ClaimedOwnership {
        var token: CustomerID?
        if claims.contains(where: { !$0.outranksToken }), let text = try ledger(of: purchase, app: app).accountToken {
            token = try customerID(for: CustomerID(text), app: app)
        }
        return try ownership(by: claims, of: purchase, app: app, policy: policy, token: token)
    }

    /// Whose a purchase is by its claims and the customer whom its account token names.
    ///
    /// - Throws: ``StorageError``.
    func ownership(
        by claims: [ClaimRecord],
        of purchase: OriginalTransactionID,
        app: AppID,
        policy: AccessPolicy,
        token: CustomerID?
    ) throws(StorageError) -> ClaimedOwnership {
        let customers = try customers(for: Set(claims.map(\.customerID)), app: app)
        let named = claims.map { $0.told(as: customers[$0.customerID, default: $0.customerID]) }
        var past: PurchasePast?
        return try ClaimedOwnership(claims: named, token: token) { instant throws(StorageError) in
            if past == nil { past = try PurchasePast(of: purchase, app: app, policy: policy, storage: self) }
            return past?.gaveAccess(at: instant) ?? false
        }
    }
}

extension StorageWriting {
    /// Stores a purchase, and with whom it is shared.
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

    /// Lets customers have a purchase, whatever the claims on it say: where those lead elsewhere, they are kept as what
    /// they shall lead to.
    ///
    /// - Parameters:
    ///   - claims: The claims that count, of those that are held.
    ///   - isFinal: Whether nothing that becomes known later shall change it.
    /// - Throws: ``StorageError``.
    func settle(
        _ record: PurchaseRecord,
        on holders: PurchaseHolders,
        claims: [ClaimRecord],
        isFinal: Bool = false,
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) {
        var record = record
        record.customerID = holders.owner
        record.claim = holders.claim
        let ownership = try ownership(by: claims, of: record.id, app: app, policy: policy)
        let derived = ownership.holders(of: record)
        if derived.areTheSame(as: holders), !(isFinal && ownership.dependsOnFacts) {
            record.claim = derived.claim
        } else {
            try removeClaims(on: record.id, app: app)
            let names: [CustomerID]? = holders.claim == .transferred ? [.nobody] + holders.sharers : nil
            for claim in try self.claims(claims, leadingTo: holders, names, app: app) {
                try append(claim, of: app)
            }
            if holders.claim != .transferred { record.claim = holders.others.isEmpty ? .submitted : .shared }
        }
        try save(record, sharers: holders.others, app: app)
    }
}

extension StorageReading {
    /// Claims that lead to these customers, whatever the account token: each one's last, as one that is shared.
    ///
    /// - Parameter names: Whom they lead to, where those are others than who has the purchase: an operator's decision
    ///   is no claim, and it was taken from somebody.
    /// - Throws: ``StorageError``.
    func claims(
        _ claims: [ClaimRecord],
        leadingTo holders: PurchaseHolders,
        _ names: [CustomerID]? = nil,
        app: AppID
    ) throws(StorageError) -> [ClaimRecord] {
        guard let oldest = claims.first else { return [] }
        let customers = try customers(for: Set(claims.map(\.customerID)), app: app)
        var kept: [ClaimRecord] = []
        for name in names ?? ([holders.owner].compactMap(\.self) + holders.others) {
            let own = claims.filter { customers[$0.customerID, default: $0.customerID] == name }
            var last = own.last ?? oldest
            if own.isEmpty { last.customerID = name }
            last.policy = .share
            last.outranksToken = true
            last.isAnonymous = !own.isEmpty && own.allSatisfy(\.isAnonymous)
            kept.append(last)
        }
        return kept
    }
}

extension CustomerID {
    /// In the place of somebody who is no customer any more; no customer's identifier is empty.
    fileprivate static let nobody = CustomerID("")
}
