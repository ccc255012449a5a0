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

    /// What the facts say about whose the purchase is.
    struct AccountToken {
        /// The newest signed one.
        let text: String?
        /// Whether this step brought it.
        let isNew: Bool
    }

    /// The purchase with its owner.
    private(set) var record: PurchaseRecord
    /// Who shared it before, as it is stored.
    private(set) var sharersBefore: [CustomerID] = []
    /// Who shares it from now on.
    private(set) var sharers: [CustomerID] = []
    /// The submission, where the customer did not get the purchase by it.
    private(set) var refused: RefusedClaim?
    private let update: PurchaseUpdate
    private let token: AccountToken
    private var claim: ClaimRecord?
    private var isRepeated = false
    /// What takes the place of all claims, where there are too many.
    private var fewer: [ClaimRecord]?

    /// Settles whose purchase it is: the app's rule decides between customers who submit the same, the account token
    /// counts as the first claim (`AccountTokenRule`), and what an operator decided stands.
    ///
    /// - Throws: ``StorageError``.
    init(
        of record: PurchaseRecord,
        submission: Submission?,
        token: AccountToken,
        in update: PurchaseUpdate
    ) throws(StorageError) {
        self.record = record
        self.update = update
        self.token = token
        switch record.claim {
        case .erased:
            if let submission { takeUnowned(submission) }
        case nil, .accountToken:
            if let submission {
                try settleFirst(submission)
            } else if let named = try namedCustomer() {
                self.record.customerID = named
                self.record.claim = .accountToken
            }
        case .submitted, .contested, .shared, .transferred:
            if record.claim != .submitted {
                sharersBefore = try update.storage.sharers(of: record.id, app: update.app)
                sharers = sharersBefore
            }
            try settle(submission)
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
        if let fewer {
            try storage.removeClaims(on: record.id, app: app)
            for claim in fewer { try storage.append(claim, of: app) }
        } else if let claim {
            if isRepeated { try storage.append(claim, of: app) } else { try storage.insert(claim, of: app) }
        }
        if isShared { try storage.save(record, sharers: sharers, app: app) } else { try storage.save(record, of: app) }
    }

    /// Nobody has it any more: whoever submits it now gets it, whatever was asked before and whatever token it carries.
    private mutating func takeUnowned(_ submission: Submission) {
        var claim = submission.claim
        claim.policy = .transfer
        claim.outranksToken = true
        self.claim = claim
        isRepeated = true
        record.customerID = submission.submitter
        record.claim = .submitted
    }

    /// Nobody has submitted it with success so far.
    private mutating func settleFirst(_ submission: Submission) throws(StorageError) {
        let claims = try update.storage.claims(on: record.id, app: update.app)
        if record.customerID == nil, !claims.isEmpty { return takeUnowned(submission) }
        if let named = try namedCustomer() {
            record.customerID = named
            record.claim = .accountToken
        }
        try settle(submission, after: claims)
    }

    /// Somebody has it by a claim, or by an operator's decision, against which no claim counts.
    private mutating func settle(_ submission: Submission?) throws(StorageError) {
        if record.claim == .transferred { return judge(submission, named: nil) }
        let dependsOnFacts = record.claim == .contested || token.isNew
        guard dependsOnFacts || submission != nil else { return }
        let claims = try update.storage.claims(on: record.id, app: update.app)
        // Without claims it is the customer's by an undone transfer, whatever facts and tokens say.
        guard !claims.isEmpty else { return judge(submission, named: nil) }
        if dependsOnFacts { _ = try follow(claims) }
        if let submission { try settle(submission, after: claims) }
    }

    private mutating func settle(_ submission: Submission, after claims: [ClaimRecord]) throws(StorageError) {
        // A claim that can never change anything costs no look at the others.
        guard submission.claim.mayCount(after: claims) || claims.count > ClaimRecord.countMax else {
            return judge(submission, named: try namedCustomer())
        }
        let ownership = try follow(claims + [submission.claim])
        if ownership.outcomes.last == .refused { refuse(submission, by: ownership) }
        claim = submission.claim
        isRepeated = Self.isKept(submission.claim, in: ownership, after: claims)
        if claims.count >= ClaimRecord.countMax { try compact(claims + [submission.claim], ownership) }
    }

    /// Compares a submission with who has the purchase, without following the claims.
    private mutating func judge(_ submission: Submission?, named: CustomerID?) {
        guard let submission, record.customerID != submission.submitter, !sharers.contains(submission.submitter) else {
            return
        }
        let isByToken = named == record.customerID && !submission.claim.outranksToken
        let reason: RefusedClaim.Reason =
            record.claim == .transferred ? .transferred : isByToken ? .accountToken : .submittedBefore
        refused = RefusedClaim(of: submission.claim, because: reason)
    }

    private mutating func refuse(_ submission: Submission, by ownership: FollowedOwnership) {
        let isByToken = ownership.token == record.customerID && !submission.claim.outranksToken
        let isFull = submission.claim.policy == .share
        let reason: RefusedClaim.Reason = isFull ? .sharedWithTooMany : isByToken ? .accountToken : .submittedBefore
        refused = RefusedClaim(of: submission.claim, because: reason)
    }

    /// Follows claims by what is known now.
    private mutating func follow(_ claims: [ClaimRecord]) throws(StorageError) -> FollowedOwnership {
        let named = try namedCustomer()
        let ownership = try update.storage.ownership(
            by: claims,
            of: record.id,
            app: update.app,
            policy: update.policy,
            token: named
        )
        let holders = ownership.holders
        record.customerID = holders.owner ?? record.customerID
        record.claim = holders.claim
        sharers = holders.others
        return FollowedOwnership(outcomes: ownership.outcomes, dependsOnFacts: ownership.dependsOnFacts, token: named)
    }

    /// What following the claims led to.
    private struct FollowedOwnership {
        let outcomes: [ClaimedOwnership.Outcome]
        let dependsOnFacts: Bool
        let token: CustomerID?
    }

    /// The customer whom the account token names; nil without one.
    ///
    /// Whoever has the purchase under this very identifier has it still: as an alias it would have lost it.
    private func namedCustomer() throws(StorageError) -> CustomerID? {
        guard let named = token.text.map(CustomerID.init(rawValue:)), named != record.customerID else {
            return token.text.map(CustomerID.init(rawValue:))
        }
        return try update.storage.customerID(for: named, app: update.app)
    }
}

extension PurchaseOwnership {
    /// Whether the last claim is kept even where the customer claimed by the same evidence before: it changes who has
    /// the purchase, now or by what may still become known.
    private static func isKept(
        _ claim: ClaimRecord,
        in ownership: FollowedOwnership,
        after earlier: [ClaimRecord]
    ) -> Bool {
        switch ownership.outcomes.last {
        case .first, .transferred, .shared: return true
        case .held, .refused, nil: break
        }
        let own = earlier.filter { $0.customerID == claim.customerID }
        if !claim.isAnonymous, own.last?.isAnonymous ?? false { return true }
        // The token of a later notification may name another customer.
        if claim.outranksToken, !own.contains(where: \.outranksToken) { return true }
        let dependsOnFacts = ownership.dependsOnFacts || !claim.outranksToken
        // Each asks of another instant whether the purchase was active.
        if claim.policy == .transferIfInactive { return dependsOnFacts }
        guard dependsOnFacts, let last = earlier.last else { return false }
        return last.customerID != claim.customerID || last.policy != claim.policy
    }

    /// Keeps fewer claims: those that led to whoever has the purchase, and the newest of those that led to nothing; or,
    /// where that is not the same or not few enough, one for each who has it.
    private mutating func compact(_ claims: [ClaimRecord], _ ownership: FollowedOwnership) throws(StorageError) {
        let holders = PurchaseHolders(owner: record.customerID, claim: record.claim, sharers: sharers)
        let idle = claims.indices.filter { ownership.outcomes[$0] == .refused || ownership.outcomes[$0] == .held }
        let dropped = Set(idle.dropLast(ClaimRecord.countMax / 4))
        let kept = claims.indices.filter { !dropped.contains($0) }.map { claims[$0] }
        if kept.count <= ClaimRecord.countMax * 3 / 4 {
            _ = try follow(kept)
            let same = PurchaseHolders(owner: record.customerID, claim: record.claim, sharers: sharers)
            if same.areTheSame(as: holders) { return fewer = kept }
        }
        fewer = try update.storage.claims(claims, leadingTo: holders, app: update.app)
        record.customerID = holders.owner
        record.claim = holders.others.isEmpty ? .submitted : .shared
        sharers = holders.others
    }
}

extension ClaimRecord {
    /// How many claims on a purchase are kept: each holds one customer who has it, or may count later.
    static let countMax = 200

    /// Whether the claim could change who has the purchase.
    func mayCount(after earlier: [ClaimRecord]) -> Bool {
        told(as: customerID).mayCount(after: earlier.map { $0.told(as: $0.customerID) })
    }

    /// The claim as one of a customer.
    func told(as customer: CustomerID) -> ClaimedOwnership.Claim {
        ClaimedOwnership.Claim(
            customer: customer,
            at: claimedAt,
            policy: policy,
            outranksToken: outranksToken,
            isAnonymous: isAnonymous
        )
    }
}
