import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// Grants and revokes entitlements by an operator's decision.
public struct Granting: Sendable {
    /// How many grants a customer may have, ended ones included.
    public static let grantsMax = 500

    /// When a grant expires.
    public enum End: Hashable, Sendable {
        /// Never.
        case never
        /// At a time.
        case at(Timestamp)
        /// After a duration from now.
        case after(CalendarDuration)
    }

    private let database: any SubscriptionDatabase
    private let time: any TimeSource

    /// Makes the use case.
    public init(database: any SubscriptionDatabase, time: any TimeSource) {
        self.database = database
        self.time = time
    }

    /// A customer's grants, ended ones too, oldest first.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    public func grants(of customer: CustomerID, app: AppID) async throws(OperationError) -> [GrantState] {
        let now = time.now()
        do {
            return try await database.read { storage throws(StorageError) in
                let customer = try storage.customerID(for: customer, app: app)
                return try storage.grants(of: customer, app: app).map { $0.state.grant.state(at: now) }
                    .sorted { ($0.grant.grantedAt, $0.grant.id) < ($1.grant.grantedAt, $1.grant.id) }
            }
        } catch {
            throw OperationError(error)
        }
    }

    /// Grants an entitlement. An existing grant with the same identifier is not changed.
    ///
    /// - Parameters:
    ///   - id: The identifier of the grant, from the request's idempotency key or random.
    ///   - entitlement: The entitlement; it must be defined if the app has definitions.
    ///   - customer: The customer, who may be unknown.
    ///   - app: The app of the caller's key.
    ///   - end: When it expires.
    ///   - reason: The reason, for people.
    ///   - who: The operator.
    /// - Throws: ``OperationError`` `clock_disputed`, `grant_ends_in_the_past`, `entitlement_unknown`,
    ///   `too_many_grants`, or storage's codes.
    public func grant(
        _ id: GrantID,
        of entitlement: EntitlementID,
        to customer: CustomerID,
        app: AppID,
        until end: End,
        reason: String?,
        by who: Operator
    ) async throws(OperationError) -> GrantState {
        let now = try presentTime()
        let expiresAt = end.time(from: now)
        if let expiresAt, expiresAt <= now { throw .grantEndsInThePast }
        let grant = Grant(id: id, entitlementID: entitlement, reason: reason, grantedAt: now, expiresAt: expiresAt)
        return try await commit { storage throws(StorageError) in
            let definitions = try storage.entitlementDefinitions(of: app)
            guard definitions.isEmpty || definitions.contains(where: { $0.id == entitlement }) else {
                return .failure(.entitlementUnknown)
            }
            let customer = try storage.customerID(for: customer, app: app)
            let existing = try storage.grants(of: customer, app: app)
            if let same = existing.first(where: { $0.state.grant.id == id }) {
                return .success(same.state.grant.state(at: now))
            }
            guard existing.count < Self.grantsMax else { return .failure(.tooManyGrants) }
            try storage.update(grant, of: customer, app: app, now: now)
            let after = AuditedValue(grant)
            try storage.audit(.grantCreated, .customer(customer), by: who, app: app, at: now, after: after)
            return .success(grant.state(at: now))
        }
    }

    /// Revokes a grant. A grant that has ended is not changed.
    ///
    /// - Throws: ``OperationError`` `clock_disputed`, `grant_not_found`, or storage's codes.
    public func revoke(
        _ id: GrantID,
        of customer: CustomerID,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> GrantState {
        let now = try presentTime()
        return try await commit { storage throws(StorageError) in
            let customer = try storage.customerID(for: customer, app: app)
            let record = try storage.grants(of: customer, app: app).first { $0.state.grant.id == id }
            guard var grant = record?.state.grant else { return .failure(.grantNotFound) }
            guard grant.state(at: now).isActive else { return .success(grant.state(at: now)) }
            let before = AuditedValue(grant)
            grant.revokedAt = now
            try storage.update(grant, of: customer, app: app, now: now)
            try storage.audit(
                .grantRevoked,
                .customer(customer),
                by: who,
                app: app,
                at: now,
                before: before,
                after: AuditedValue(grant)
            )
            return .success(grant.state(at: now))
        }
    }

    /// With a wrong clock, the grant would begin or end at another time than the operator sees.
    private func presentTime() throws(OperationError) -> Timestamp {
        let clock = time.reading
        guard !clock.isDisputed else { throw .clockDisputed }
        return clock.now
    }

    private func commit(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result<GrantState, OperationError>
    ) async throws(OperationError) -> GrantState {
        let result: Result<GrantState, OperationError>
        do {
            result = try await database.write(body)
        } catch {
            throw OperationError(unrepeatable: error)
        }
        return try result.get()
    }
}

extension StorageWriting {
    /// Records a grant and its effect on the customer.
    func update(_ grant: Grant, of customer: CustomerID, app: AppID, now: Timestamp) throws(StorageError) {
        let changes = try CustomerChanges(of: [customer], app: app, now: now, storage: self)
        try save(GrantRecord(customerID: customer, state: grant.state(at: now)), of: app)
        try changes.recordAndBumpVersions(events: [], owner: customer, changed: true)
    }
}

extension AuditedValue {
    fileprivate init(_ grant: Grant) {
        self.init([
            "id": .string(grant.id.rawValue), "entitlement_id": .string(grant.entitlementID.rawValue),
            "reason": grant.reason.map { .string($0) }, "expires_at": grant.expiresAt.map { .integer($0.milliseconds) },
            "revoked_at": grant.revokedAt.map { .integer($0.milliseconds) },
        ])
    }
}

extension Granting.End {
    fileprivate func time(from now: Timestamp) -> Timestamp? {
        switch self {
        case .never: nil
        case .at(let time): time
        case .after(let duration): now.adding(duration)
        }
    }
}

extension OperationError {
    fileprivate static let grantEndsInThePast = OperationError(
        "grant_ends_in_the_past",
        "expires_at is in the past. Give a future time.",
        kind: .invalidRequest,
        parameter: "expires_at"
    )

    fileprivate static let entitlementUnknown = OperationError(
        "entitlement_unknown",
        """
        No entitlement of this name is defined. GET /v1/entitlements lists them, PUT /v1/entitlements/{id} \
        defines one.
        """,
        kind: .invalidRequest,
        parameter: "entitlement_id"
    )

    fileprivate static let tooManyGrants = OperationError(
        "too_many_grants",
        "A customer may have at most \(Granting.grantsMax) grants, ended ones included. Define an entitlement instead.",
        kind: .conflict
    )

    fileprivate static let grantNotFound = OperationError(
        "grant_not_found",
        "The customer has no grant with this id. GET /v1/customers/{app_user_id}/grants lists them.",
        kind: .notFound,
        parameter: "id"
    )
}
