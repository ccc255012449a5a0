import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// Extends the period of one subscription.
///
/// The row is committed before Apple is asked. If the answer is lost, the row stays `asked`, and ``ExtensionChecks``
/// finds out whether the period was extended. The same request is never sent to Apple again.
public struct Extending: Sendable {
    /// The maximum number of days of an extension.
    ///
    /// - Source: App Store Server API, extendByDays.
    public static let daysMax = 90
    /// The maximum length of an identifier, in characters.
    ///
    /// - Source: App Store Server API, requestIdentifier.
    public static let identifierLengthMax = 128
    /// The number of extensions that are listed.
    static let listedMax = 100

    /// What an operator asks for.
    public struct Request: Hashable, Sendable {
        /// The identifier of the extension, and Apple's `requestIdentifier`.
        public var id: RenewalExtensionID
        /// Any transaction of the subscription.
        public var transactionID: TransactionID
        /// The number of days, 1 to ``Extending/daysMax``.
        public var days: Int
        /// The reason that the server sends Apple.
        public var reason: RenewalExtension.Reason

        /// Makes a request.
        public init(
            id: RenewalExtensionID,
            transactionID: TransactionID,
            days: Int,
            reason: RenewalExtension.Reason
        ) {
            self.id = id
            self.transactionID = transactionID
            self.days = days
            self.reason = reason
        }
    }

    /// The extensions of a subscription, and whether it can be extended now.
    public struct Overview: Hashable, Sendable {
        /// The subscription.
        public var purchaseID: OriginalTransactionID
        /// The newest extensions, newest first.
        public var extensions: [RenewalExtension]
        /// What is against another extension; empty if nothing is known against it.
        public var obstacles: [OperationError]
    }

    private let database: any SubscriptionDatabase
    private let call: ExtensionCall
    private let policy: AccessPolicy
    private let time: any TimeSource

    /// Makes the use case.
    ///
    /// - Parameter access: The clients of the App Store Server API.
    public init(database: any SubscriptionDatabase, access: AppStoreAccess, policy: AccessPolicy, time: any TimeSource)
    {
        self.database = database
        self.policy = policy
        self.time = time
        call = ExtensionCall(access: access, limits: access.limits)
    }

    /// The extensions of a subscription, and what is against another one. Apple is not asked.
    ///
    /// - Throws: ``OperationError`` `subscription_unknown`, or storage's codes.
    public func overview(of transaction: TransactionID, app: AppID) async throws(OperationError) -> Overview {
        let now = time.now()
        let overview: Overview?
        do {
            overview = try await database.read { [policy] storage throws(StorageError) in
                guard let purchase = try storage.purchases(named: transaction, app: app).first else { return nil }
                let known = try storage.renewalExtensions(of: purchase, app: app, limit: Self.listedMax)
                let obstacles = try storage.obstacles(to: purchase, known, at: now, app: app, policy: policy)
                return Overview(purchaseID: purchase, extensions: known, obstacles: obstacles)
            }
        } catch {
            throw OperationError(error)
        }
        guard let overview else { throw .subscriptionUnknown }
        return overview
    }

    /// Extends the present period of a subscription.
    ///
    /// A second request with the same identifier does not ask Apple again, no matter who sends it.
    ///
    /// - Returns: The extension: `extended`, or `asked` if its result is not known yet.
    /// - Throws: ``OperationError``: `app_store_api_not_configured`, `clock_disputed`, `subscription_unknown`, a code
    ///   that begins with `extension_`, `idempotency_key_reused`, `transaction_not_found`, `app_store_refused`,
    ///   `app_store_unauthorized`, `app_store_rate_limited`, `app_store_unavailable` or `app_store_busy` if Apple did
    ///   nothing, or storage's codes.
    public func extend(
        _ request: Request,
        app: AppID,
        by who: Operator,
        permit: some RequestPermit = NoRequestPermit()
    ) async throws(OperationError) -> RenewalExtension {
        let api = try call.api(of: app)
        guard time.dispute == nil else { throw .clockDisputed }
        let (row, isNew) = try await begin(request, app: app, by: who)
        guard isNew else { return try row.answered() }
        let outcome = try await permit.released { () throws(OperationError) in
            await call.make(request, of: row.purchaseID, app: app, by: api)
        }
        switch outcome {
        case .notSent(let error), .postponed(let error):
            try await withdraw(row, app: app, by: who, because: error)
            throw error
        case .inDoubt: return try await stored(row, app: app).answered()
        case .extended(let end): return try await finish(row, app: app, by: who, .made(end))
        case .refused(let error):
            let failure = StoredFailure(code: error.code, message: error.message)
            return try await finish(row, app: app, by: who, .refused(failure)).answered()
        }
    }

    /// Stores the request before Apple is asked, or finds the row of an earlier copy.
    private func begin(
        _ request: Request,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> (row: RenewalExtension, isNew: Bool) {
        let now = time.now()
        let result: Result<(RenewalExtension, Bool), OperationError>
        do {
            result = try await database.write { [policy] storage throws(StorageError) in
                guard let purchase = try storage.purchases(named: request.transactionID, app: app).first else {
                    return .failure(.subscriptionUnknown)
                }
                let known = try storage.renewalExtensions(of: purchase, app: app, limit: Self.listedMax)
                if let row = try storage.renewalExtension(request.id, of: app) {
                    return row.isOf(request, purchase) ? .success((row, false)) : .failure(.requestIdentifierReused)
                }
                if let obstacle = try storage.obstacles(to: purchase, known, at: now, app: app, policy: policy).first {
                    return .failure(obstacle)
                }
                guard let row = try storage.newExtension(request, of: purchase, at: now, app: app) else {
                    return .failure(OperationError(.notASubscription))
                }
                try storage.save(row, of: app)
                try storage.audit(
                    .extensionRequested,
                    .purchase(purchase),
                    by: who,
                    app: app,
                    at: now,
                    before: AuditedValue(endBefore: row),
                    after: AuditedValue(request: row)
                )
                return .success((row, true))
            }
        } catch {
            throw OperationError(unrepeatable: error)
        }
        return try result.get()
    }

    /// An extension as it is stored now: Apple's announcement may have completed it during the call.
    private func stored(_ row: RenewalExtension, app: AppID) async -> RenewalExtension {
        let stored = try? await database.read { storage throws(StorageError) in
            try storage.renewalExtension(row.id, of: app)
        }
        // Apple was asked, so an error of the database must not look as if it was not.
        return (stored ?? nil) ?? row
    }

    /// What Apple answered.
    private enum Answer: Sendable {
        /// It extended the period to this end.
        case made(Timestamp?)
        /// It did nothing.
        case refused(StoredFailure)
    }

    /// Stores what Apple answered, also in the audit log. Apple's announcement may have come first; after a refusal
    /// it is that of another extension.
    private func finish(
        _ row: RenewalExtension,
        app: AppID,
        by who: Operator,
        _ answer: Answer
    ) async throws(OperationError) -> RenewalExtension {
        let now = time.now()
        do {
            return try await database.write { storage throws(StorageError) in
                // The look-up by purchase takes the lock that the announcement takes.
                let known = try storage.renewalExtensions(of: row.purchaseID, app: app, limit: Self.listedMax)
                guard var row = known.first(where: { $0.id == row.id }) else { return row }
                switch answer {
                case .made(let end):
                    row.noteAnswer(end)
                    try storage.takeAnsweredAnnouncement(for: &row, app: app)
                case .refused(let failure):
                    try storage.noteWithoutEffect(&row, among: known, app: app)
                    row.noteRefusal(failure)
                }
                try storage.save(row, of: app)
                try storage.auditResult(of: row, by: who, app: app, at: now)
                return row
            }
        } catch  where error.code == .commitUnknown || error.isRetryable {
            // Apple was asked, so nothing may be repeated: the row is checked later.
            return row
        } catch {
            throw OperationError(error)
        }
    }

    /// Removes the row of a request that Apple did not get, so that it can be sent again.
    ///
    /// An announcement that completed the row meanwhile is of another extension, which stays in the list.
    private func withdraw(
        _ row: RenewalExtension,
        app: AppID,
        by who: Operator,
        because error: OperationError
    ) async throws(OperationError) {
        let now = time.now()
        do {
            try await database.write { storage throws(StorageError) in
                // The look-up by purchase takes the lock that the announcement takes.
                let known = try storage.renewalExtensions(of: row.purchaseID, app: app, limit: Self.listedMax)
                try storage.separateAnnouncement(of: row.id, among: known, app: app)
                try storage.remove(RenewalExtension.self, TableLookup(of: app, equal: [.text(row.id)]))
                try storage.audit(
                    .extensionWithdrawn,
                    .purchase(row.purchaseID),
                    by: who,
                    app: app,
                    at: now,
                    before: AuditedValue(request: row),
                    after: AuditedValue(["error": .string(error.code)])
                )
            }
        } catch {
            throw OperationError(error)
        }
    }
}

extension PurchaseLedger {
    /// What is against an extension now.
    ///
    /// - Parameter known: The newest extensions of the subscription.
    func obstacles(known: [RenewalExtension], at now: Timestamp, policy: AccessPolicy) -> [OperationError] {
        let extended = known.filter { $0.state == .extended }.map { $0.announcedAt ?? $0.createdAt }
        let obstacles = extensionObstacles(at: now, policy: policy, extensions: extended)
        let doubt = known.contains { $0.state == .asked } ? [OperationError.extensionInDoubt] : []
        return doubt + obstacles.map { OperationError($0) }
    }
}

extension StorageWriting {
    /// Writes the result into the audit log.
    fileprivate func auditResult(
        of row: RenewalExtension,
        by who: Operator,
        app: AppID,
        at now: Timestamp
    ) throws(StorageError) {
        let result: (action: AuditedAction, after: AuditedValue)
        switch row.state {
        case .extended: result = (.extensionMade, AuditedValue(extended: row))
        case .refused: result = (.extensionRefused, AuditedValue(refused: row))
        case .planned, .ordered, .asked, .skipped, .unknown: return
        }
        try audit(
            result.action,
            .purchase(row.purchaseID),
            by: who,
            app: app,
            at: now,
            before: AuditedValue(endBefore: row),
            after: result.after
        )
    }
}

extension StorageReading {
    /// What is against an extension of a subscription now.
    fileprivate func obstacles(
        to purchase: OriginalTransactionID,
        _ known: [RenewalExtension],
        at now: Timestamp,
        app: AppID,
        policy: AccessPolicy
    ) throws(StorageError) -> [OperationError] {
        try ledger(of: purchase, app: app).obstacles(known: known, at: now, policy: policy)
    }

    /// The row of a request; nil if the purchase has no period.
    fileprivate func newExtension(
        _ request: Extending.Request,
        of purchase: OriginalTransactionID,
        at now: Timestamp,
        app: AppID
    ) throws(StorageError) -> RenewalExtension? {
        guard let period = try ledger(of: purchase, app: app).extendablePeriod(at: now) else { return nil }
        var row = RenewalExtension(
            id: request.id,
            purchaseID: purchase,
            origin: .request,
            createdAt: now,
            state: .planned,
            transactionID: period.id
        )
        row.days = request.days
        row.reason = request.reason
        row.noteRequest(period, at: now)
        return row
    }
}

extension RenewalExtension {
    /// Whether it is the answer to a request. A member of a campaign is not.
    fileprivate func isOf(_ request: Extending.Request, _ purchase: OriginalTransactionID) -> Bool {
        purchaseID == purchase && days == request.days && reason == request.reason && campaignID == nil
    }

    /// The extension, unless it was not made.
    ///
    /// - Throws: ``OperationError`` with the stored reason.
    fileprivate func answered() throws(OperationError) -> RenewalExtension {
        guard let failure, state != .extended else { return self }
        let kind: OperationError.Kind =
            switch failure.code {
            case "transaction_not_found": .notFound
            case "app_store_refused": .invalidRequest
            default: .conflict
            }
        throw OperationError(failure.code, failure.message, kind: kind)
    }
}

extension AuditedValue {
    /// The end of the period before an extension.
    fileprivate init(endBefore row: RenewalExtension) {
        self.init(["period_ends_at": row.previousEnd.map { .integer($0.milliseconds) }])
    }

    /// What Apple is asked for.
    fileprivate init(request row: RenewalExtension) {
        self.init([
            "extension_id": .string(row.id.rawValue), "extend_by_days": row.days.map { .integer(Int64($0)) },
            "reason": row.reason.map { .string($0.rawValue) },
        ])
    }

    /// The new end of the period.
    fileprivate init(extended row: RenewalExtension) {
        self.init([
            "extension_id": .string(row.id.rawValue), "period_ends_at": row.newEnd.map { .integer($0.milliseconds) },
        ])
    }

    /// Why the period has the same end as before.
    fileprivate init(refused row: RenewalExtension) {
        self.init([
            "extension_id": .string(row.id.rawValue),
            "period_ends_at": row.previousEnd.map { .integer($0.milliseconds) },
            "error": row.failure.map { .string($0.code) },
        ])
    }
}
