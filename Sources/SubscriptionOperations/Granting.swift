import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// Gives customers what they did not buy, and takes it back: an operator's decision, kept as evidence.
public struct Granting: Sendable {
    /// How many grants a customer may have, ended ones included.
    public static let grantsMax = 500

    /// When a grant ends by itself.
    public enum End: Hashable, Sendable {
        /// Never.
        case never
        /// At an instant.
        case at(Timestamp)
        /// After a length of time from now.
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

    /// Grants an entitlement. A grant that is there under the same identifier stays as it is.
    ///
    /// - Parameters:
    ///   - id: What to call the grant; made from a request's idempotency key, or at random.
    ///   - entitlement: What the customer may use; one that is defined, where any is.
    ///   - customer: The customer, who need not be known yet.
    ///   - app: The app of the caller's key.
    ///   - end: When it ends by itself.
    ///   - reason: Why, for people.
    ///   - who: Who grants it.
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
        let expiresAt = end.instant(from: now)
        if let expiresAt, expiresAt <= now { throw .grantEndsInThePast }
        let grant = Grant(id: id, entitlementID: entitlement, reason: reason, grantedAt: now, expiresAt: expiresAt)
        return try await commit { storage throws(StorageError) in
            let definitions = try storage.entitlementDefinitions(of: app)
            guard definitions.isEmpty || definitions.contains(where: { $0.id == entitlement }) else {
                return .failure(.entitlementUnknown)
            }
            let customer = try storage.customerID(for: customer, app: app)
            let held = try storage.grants(of: customer, app: app)
            if let same = held.first(where: { $0.state.grant.id == id }) {
                return .success(same.state.grant.state(at: now))
            }
            guard held.count < Self.grantsMax else { return .failure(.tooManyGrants) }
            try storage.update(grant, of: customer, app: app, now: now)
            let after = AuditedValue(grant)
            try storage.audit(.grantCreated, .customer(customer), by: who, app: app, at: now, after: after)
            return .success(grant.state(at: now))
        }
    }

    /// Takes a grant back. One that has ended stays as it is.
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
            let held = try storage.grants(of: customer, app: app).first { $0.state.grant.id == id }
            guard var grant = held?.state.grant else { return .failure(.grantNotFound) }
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

    /// What is dated by a wrong clock would begin, or end, at another time than the operator was told.
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
    /// Records a grant as it is now, and what that does to its customer.
    func update(_ grant: Grant, of customer: CustomerID, app: AppID, now: Timestamp) throws(StorageError) {
        let changes = try CustomerChanges(of: [customer], app: app, now: now, storage: self)
        try save(GrantRecord(customerID: customer, state: grant.state(at: now)), of: app)
        try changes.record(events: [], owner: customer, changed: true)
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
    fileprivate func instant(from now: Timestamp) -> Timestamp? {
        switch self {
        case .never: nil
        case .at(let instant): instant
        case .after(let duration): now.adding(duration)
        }
    }
}

extension OperationError {
    fileprivate static let grantEndsInThePast = OperationError(
        "grant_ends_in_the_past",
        "expires_at lies in the past. Give an instant of the future.",
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
