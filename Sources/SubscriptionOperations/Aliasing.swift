import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// Makes an identifier, such as an anonymous one, an alias of a customer.
public struct Aliasing: Sendable {
    /// How many aliases a customer may have.
    public static let aliasesMax = 100

    /// The result of adding an alias.
    public struct Outcome: Hashable, Sendable {
        /// The customer.
        public var customer: CustomerID
        /// The alias.
        public var alias: CustomerID
        /// When the alias was added; nil for a preview.
        public var createdAt: Timestamp?
        /// The purchases of the customer and of the alias, by identifier.
        public var purchases: [OriginalTransactionID]
    }

    private let database: any SubscriptionDatabase
    private let policy: AccessPolicy
    private let time: any TimeSource

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, policy: AccessPolicy, time: any TimeSource) {
        self.database = database
        self.policy = policy
        self.time = time
    }

    /// Returns the result of adding an alias without adding it.
    ///
    /// - Throws: As ``add(_:to:app:by:)``.
    public func preview(_ alias: CustomerID, of customer: CustomerID, app: AppID) async throws(OperationError)
        -> Outcome
    {
        let result: Result<Merge, OperationError>
        do {
            result = try await database.read { storage throws(StorageError) in
                try storage.merge(alias, into: customer, app: app)
            }
        } catch {
            throw OperationError(error)
        }
        return try result.get().outcome
    }

    /// Makes an identifier an alias of a customer. The customer gets its purchases, grants and attributes. Repeating
    /// the call changes nothing.
    ///
    /// - Parameters:
    ///   - alias: The identifier, which may be unknown.
    ///   - customer: The customer, who may be unknown.
    ///   - app: The app of the caller's key.
    ///   - who: The operator.
    /// - Throws: ``OperationError`` `alias_of_itself`, `alias_cycle`, `customer_is_an_alias`, `alias_taken`,
    ///   `alias_has_aliases`, `too_many_aliases`, or storage's codes.
    public func add(
        _ alias: CustomerID,
        to customer: CustomerID,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> Outcome {
        let now = time.now()
        let result: Result<Outcome, OperationError>
        do {
            result = try await database.write { [policy] storage throws(StorageError) in
                let merge: Merge
                switch try storage.merge(alias, into: customer, app: app) {
                case .success(let plan): merge = plan
                case .failure(let error): return .failure(error)
                }
                var outcome = merge.outcome
                if outcome.createdAt == nil {
                    try storage.carryOut(merge, app: app, now: now, policy: policy)
                    outcome.createdAt = now
                    let after = AuditedValue([
                        "alias": .string(alias.rawValue), "purchases_moved": .integer(Int64(merge.moved.count)),
                    ])
                    try storage.audit(.aliasAdded, .customer(customer), by: who, app: app, at: now, after: after)
                }
                return .success(outcome)
            }
        } catch {
            throw OperationError(error)
        }
        return try result.get()
    }
}

/// The plan for merging two identifiers.
struct Merge {
    let outcome: Aliasing.Outcome
    /// The purchases that move.
    let moved: [OriginalTransactionID]
}

extension StorageReading {
    func merge(
        _ alias: CustomerID,
        into customer: CustomerID,
        app: AppID
    ) throws(StorageError) -> Result<Merge, OperationError> {
        guard alias != customer else { return .failure(.aliasOfItself) }
        if let own = try self.alias(customer, of: app) {
            return .failure(own.customerID == alias ? .aliasCycle : .customerIsAnAlias)
        }
        let existing = try self.alias(alias, of: app)
        if let existing, existing.customerID != customer { return .failure(.aliasTaken) }
        if let known = try self.customer(alias, of: app), !known.profile.aliases.isEmpty {
            return .failure(.aliasHasAliases)
        }
        if existing == nil, let known = try self.customer(customer, of: app),
            known.profile.aliases.count >= Aliasing.aliasesMax
        {
            return .failure(.tooManyAliases)
        }
        let moved = try purchases(of: alias, app: app).map(\.id)
        let all = Set(try purchases(of: customer, app: app).map(\.id)).union(moved)
        let outcome = Aliasing.Outcome(
            customer: customer,
            alias: alias,
            createdAt: existing?.createdAt,
            purchases: all.sorted()
        )
        return .success(Merge(outcome: outcome, moved: moved))
    }
}

extension StorageWriting {
    /// The customer gets events for changed entitlements. The alias gets none: it has the customer's entitlements from
    /// now on.
    func carryOut(_ merge: Merge, app: AppID, now: Timestamp, policy: AccessPolicy) throws(StorageError) {
        let (id, alias) = (merge.outcome.customer, merge.outcome.alias)
        let changes = try CustomerChanges(of: [id], app: app, now: now, storage: self)
        let old = try customer(alias, of: app)
        var record = try customer(id, of: app) ?? CustomerRecord(id: id, firstSeenAt: now, stateVersion: 0)
        record.firstSeenAt = min(record.firstSeenAt, old?.firstSeenAt ?? now)
        // A client that polls by the alias must see a higher version too.
        record.stateVersion = max(record.stateVersion, old?.stateVersion ?? 0)
        record.profile.join(old?.profile ?? CustomerProfile())
        record.profile.join(CustomerProfile(aliases: [alias]))
        for purchaseID in merge.moved {
            guard var purchase = try purchase(purchaseID, of: app) else { continue }
            if purchase.customerID == alias {
                purchase.customerID = id
                try save(purchase, of: app)
                try keepConsumption(on: purchaseID, of: alias, for: id, app: app)
            } else {
                try unshare(purchaseID, with: alias, app: app)
                if purchase.customerID != id { try share(purchaseID, with: id, app: app) }
            }
            if purchase.customerID == id { try unshare(purchaseID, with: id, app: app) }
        }
        for grant in try grants(of: alias, app: app) {
            try save(GrantRecord(customerID: id, state: grant.state), of: app)
        }
        try removeGrants(of: alias, app: app)
        try removeCustomer(alias, of: app)
        try save(AliasRecord(id: alias, customerID: id, createdAt: now), of: app)
        try save(record, of: app)
        for purchase in merge.outcome.purchases { try keepOwnership(of: purchase, app: app, policy: policy) }
        let event = SubscriptionEvent(kind: .aliased, occurredAt: now, details: ["alias": alias.rawValue])
        try changes.recordAndBumpVersions(events: [event], owner: id, changed: true)
    }
}

extension StorageWriting {
    /// After the merge, the claims may have another result. The ownership stays as it is.
    private func keepOwnership(
        of id: OriginalTransactionID,
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) {
        guard let record = try purchase(id, of: app), let claim = record.claim, claim > .erased else { return }
        let claims = try claims(on: id, app: app)
        let sharers = try sharers(of: id, app: app)
        let ownership = PurchaseOwnership(owner: record.customerID, basis: claim, sharers: sharers)
        try settle(record, on: ownership, claims: claims, app: app, policy: policy)
    }
}

extension OperationError {
    fileprivate static let aliasOfItself = OperationError(
        "alias_of_itself",
        "alias and app_user_id are the same identifier. Name another alias.",
        kind: .invalidRequest,
        parameter: "alias"
    )

    fileprivate static let aliasCycle = OperationError(
        "alias_cycle",
        "The customer in the path is an alias of the one in alias: they are one customer already.",
        kind: .conflict,
        parameter: "alias"
    )

    fileprivate static let customerIsAnAlias = OperationError(
        "customer_is_an_alias",
        "The identifier in the path is an alias itself. Add the alias to its customer: "
            + "GET /v1/customers/{app_user_id} names it.",
        kind: .conflict,
        parameter: "app_user_id"
    )

    fileprivate static let aliasTaken = OperationError(
        "alias_taken",
        "The identifier is already an alias of another customer.",
        kind: .conflict,
        parameter: "alias"
    )

    fileprivate static let aliasHasAliases = OperationError(
        "alias_has_aliases",
        "The identifier in alias has aliases of its own, so it is a known customer. Move the purchases with "
            + "POST /v1/transfers instead.",
        kind: .conflict,
        parameter: "alias"
    )

    fileprivate static let tooManyAliases = OperationError(
        "too_many_aliases",
        "A customer may have at most \(Aliasing.aliasesMax) aliases, and this one has them.",
        kind: .conflict
    )
}
