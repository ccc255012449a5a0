import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// Transfers purchases between customers by an operator's decision, and undoes transfers.
public struct Transferring: Sendable {
    /// The request of a transfer.
    public struct Request: Hashable, Sendable {
        /// The identifier of the transfer.
        public var id: TransferID
        /// The current owner; nil for purchases without an owner.
        public var from: CustomerID?
        /// The new owner, who may be unknown.
        public var to: CustomerID
        /// The purchases; nil for all of the customer's. Required if `from` is nil.
        public var purchases: Set<OriginalTransactionID>?
        /// The reason, for people.
        public var reason: String?

        /// Makes a request.
        public init(
            id: TransferID,
            from: CustomerID?,
            to: CustomerID,
            purchases: Set<OriginalTransactionID>? = nil,
            reason: String? = nil
        ) {
            self.id = id
            self.from = from
            self.to = to
            self.purchases = purchases
            self.reason = reason
        }
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

    /// A recorded transfer.
    ///
    /// - Throws: ``OperationError`` `transfer_not_found`, or storage's codes.
    public func transfer(_ id: TransferID, app: AppID) async throws(OperationError) -> TransferRecord {
        let record: TransferRecord?
        do {
            record = try await database.read { storage throws(StorageError) in try storage.transfer(id, of: app) }
        } catch {
            throw OperationError(error)
        }
        guard let record else { throw .transferNotFound }
        return record
    }

    /// Returns what a transfer would move without moving it.
    ///
    /// - Throws: As ``transfer(_:app:by:)``.
    public func preview(_ request: Request, app: AppID) async throws(OperationError) -> TransferRecord {
        let now = time.now()
        let result: Result<TransferRecord, OperationError>
        do {
            result = try await database.read { storage throws(StorageError) in
                try storage.plan(request, app: app, now: now)
            }
        } catch {
            throw OperationError(error)
        }
        return try result.get()
    }

    /// Moves purchases. An existing transfer with the same identifier is returned unchanged.
    ///
    /// The events and versions of both customers are part of the same transaction.
    ///
    /// - Throws: ``OperationError`` `transfer_to_the_same_customer`, `nothing_to_transfer`, `purchase_not_found`, or
    ///   storage's codes.
    public func transfer(
        _ request: Request,
        app: AppID,
        by who: Operator
    ) async throws(OperationError) -> TransferRecord {
        let now = time.now()
        return try await commit { [policy] storage throws(StorageError) in
            if let existing = try storage.transfer(request.id, of: app) { return .success(existing) }
            let result = try storage.plan(request, app: app, now: now)
            guard case .success(let record) = result else { return result }
            let moves = record.items.map {
                (purchase: $0.purchaseID, claim: OwnershipBasis.transferred as OwnershipBasis?)
            }
            _ = try storage.move(moves, .decided, from: record.from, to: record.to, app: app, now: now, policy: policy)
            try storage.save(record, of: app)
            let after = AuditedValue(record)
            try storage.audit(.transferMade, .transfer(record.id), by: who, app: app, at: now, after: after)
            return result
        }
    }

    /// Moves back the purchases of a transfer that later transfers have not moved. Repeating it changes nothing.
    ///
    /// - Throws: ``OperationError`` `transfer_not_found`, `transfer_moved_on` if nothing is left to move back, or
    ///   storage's codes.
    public func undo(_ id: TransferID, app: AppID, by who: Operator) async throws(OperationError) -> TransferRecord {
        let now = time.now()
        return try await commit { [policy] storage throws(StorageError) in
            guard var record = try storage.transfer(id, of: app) else { return .failure(.transferNotFound) }
            guard record.undoneAt == nil else { return .success(record) }
            let movedOn = try storage.movedOn(since: record, app: app)
            let moves = record.items.filter { !movedOn.contains($0.purchaseID) }
                .map { (purchase: $0.purchaseID, claim: $0.claim) }
            // Either may have become an alias since.
            guard let to = record.to else { return .failure(.transferMovedOn) }
            let from = try storage.customerID(for: to, app: app)
            var back = record.from
            if let name = back { back = try storage.customerID(for: name, app: app) }
            guard from != back else { return .failure(.transferMovedOn) }
            guard try storage.move(moves, .undone, from: from, to: back, app: app, now: now, policy: policy) else {
                return .failure(.transferMovedOn)
            }
            let before = AuditedValue(record)
            record.undoneAt = now
            try storage.save(record, of: app)
            try storage.audit(
                .transferUndone,
                .transfer(id),
                by: who,
                app: app,
                at: now,
                before: before,
                after: AuditedValue(record)
            )
            return .success(record)
        }
    }

    private func commit(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result<TransferRecord, OperationError>
    ) async throws(OperationError) -> TransferRecord {
        let result: Result<TransferRecord, OperationError>
        do {
            result = try await database.write(body)
        } catch {
            throw OperationError(unrepeatable: error)
        }
        return try result.get()
    }
}

extension AuditedValue {
    fileprivate init(_ record: TransferRecord) {
        self.init([
            "from": record.from.map { .string($0.rawValue) }, "to": record.to.map { .string($0.rawValue) },
            "purchase_ids": .array(record.items.map { .string($0.purchaseID.rawValue) }),
            "reason": record.reason.map { .string($0) },
            "undone_at": record.undoneAt.map { .integer($0.milliseconds) },
        ])
    }
}

extension StorageReading {
    fileprivate func plan(
        _ request: Transferring.Request,
        app: AppID,
        now: Timestamp
    ) throws(StorageError) -> Result<TransferRecord, OperationError> {
        var request = request
        if let from = request.from { request.from = try customerID(for: from, app: app) }
        request.to = try customerID(for: request.to, app: app)
        guard request.from != request.to else { return .failure(.transferToTheSameCustomer) }
        let owned: [PurchaseRecord]
        if let from = request.from {
            owned = try purchases(of: from, app: app).filter { $0.customerID == from }
        } else {
            guard let asked = request.purchases else { return .failure(.purchasesMissing) }
            owned = try unowned(asked, app: app)
        }
        if let asked = request.purchases, !asked.isSubset(of: owned.map(\.id)) {
            return .failure(.purchaseNotFound)
        }
        let items = owned.filter { request.purchases?.contains($0.id) ?? true }.map {
            TransferRecord.Item(purchaseID: $0.id, claim: $0.claim)
        }
        guard !items.isEmpty else { return .failure(.nothingToTransfer) }
        // Two transfers of a purchase never have the same time, so that their order is defined.
        let moved = Set(items.map(\.purchaseID))
        var last: Timestamp?
        if let from = request.from {
            let earlier = try transfers(ofAnyNameOf: from, app: app)
            last = earlier.filter { !moved.isDisjoint(with: $0.items.map(\.purchaseID)) }.map(\.createdAt).max()
        }
        return .success(
            TransferRecord(
                id: request.id,
                from: request.from,
                to: request.to,
                reason: request.reason,
                items: items,
                createdAt: max(now, last?.adding(milliseconds: 1) ?? now)
            )
        )
    }

    /// The transfers from or to a customer under any identifier.
    private func transfers(ofAnyNameOf name: CustomerID, app: AppID) throws(StorageError) -> [TransferRecord] {
        let customer = try customer(named: name, of: app)
        var transfers: [TransferRecord] = []
        for name in Set([name] + (customer.map { [$0.id] + $0.profile.aliases } ?? [])).sorted() {
            transfers += try self.transfers(of: name, app: app)
        }
        return transfers
    }

    /// The purchases that a later transfer moved away and that was not undone.
    fileprivate func movedOn(
        since transfer: TransferRecord,
        app: AppID
    ) throws(StorageError) -> Set<OriginalTransactionID> {
        guard let to = transfer.to else { return [] }
        let receiver = try customerID(for: to, app: app)
        var moved: Set<OriginalTransactionID> = []
        for later in try transfers(ofAnyNameOf: to, app: app) where later.createdAt > transfer.createdAt {
            guard later.undoneAt == nil, let from = later.from, try customerID(for: from, app: app) == receiver else {
                continue
            }
            moved.formUnion(later.items.map(\.purchaseID))
        }
        return moved
    }
}

extension StorageReading {
    /// The known purchases without an owner, by identifier.
    private func unowned(
        _ asked: Set<OriginalTransactionID>,
        app: AppID
    ) throws(StorageError) -> [PurchaseRecord] {
        var records: [PurchaseRecord] = []
        for id in asked.sorted() {
            if let record = try purchase(id, of: app), record.customerID == nil { records.append(record) }
        }
        return records
    }
}

/// Whether an operator makes a transfer or undoes it.
private enum Decision {
    case decided
    case undone
}

extension StorageWriting {
    /// Changes the owner of the purchases that belong to `from` (or have no owner if it is nil), and records the
    /// effects on both customers.
    ///
    /// - Returns: Whether any purchase moved.
    fileprivate func move(
        _ moves: [(purchase: OriginalTransactionID, claim: OwnershipBasis?)],
        _ decision: Decision,
        from: CustomerID?,
        to: CustomerID?,
        app: AppID,
        now: Timestamp,
        policy: AccessPolicy
    ) throws(StorageError) -> Bool {
        var steps: [(record: PurchaseRecord, ownership: PurchaseOwnership, claims: [ClaimRecord])] = []
        for (purchase, claim) in moves {
            guard let record = try self.purchase(purchase, of: app), record.customerID == from else { continue }
            // If the customer has it by a later claim of their own, the transfer does not apply.
            if decision == .undone, record.claim != .transferred { continue }
            let claims = try claims(on: purchase, app: app)
            var ownership = try evaluate(claims, on: purchase, app: app, policy: policy).ownership
                .ownership(ofPurchaseOwnedBy: to, on: claim)
            switch decision {
            // The previous owner loses it, regardless of earlier claims.
            case .decided: ownership.sharers.removeAll { $0 == from }
            case .undone:
                var token: CustomerID?
                if ownership.dependsOnTokenWhenRestored {
                    token = try tokenCustomer(of: purchase, app: app)
                }
                ownership = ownership.restored(to: to, token: token)
            }
            steps.append((record, ownership, claims))
        }
        let owners = [from, to] + steps.map(\.ownership.owner)
        let changes = try CustomerChanges(of: owners.compactMap(\.self), app: app, now: now, storage: self)
        for step in steps {
            let isFinal = decision == .decided
            try settle(step.record, on: step.ownership, claims: step.claims, isFinal: isFinal, app: app, policy: policy)
        }
        try changes.recordAndBumpVersions(events: [], owner: to, changed: !steps.isEmpty)
        return !steps.isEmpty
    }

    /// The customer of a purchase's account token; nil if it has none.
    private func tokenCustomer(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> CustomerID? {
        guard let token = try ledger(of: purchase, app: app).accountToken else { return nil }
        return try customerID(for: CustomerID(token), app: app)
    }
}

extension OperationError {
    fileprivate static let transferToTheSameCustomer = OperationError(
        "transfer_to_the_same_customer",
        "from and to name the same customer. Name another one.",
        kind: .invalidRequest,
        parameter: "to"
    )

    fileprivate static let nothingToTransfer = OperationError(
        "nothing_to_transfer",
        "The customer in from has no purchases. GET /v1/customers/{app_user_id} shows them.",
        kind: .conflict,
        parameter: "from"
    )

    fileprivate static let purchasesMissing = OperationError(
        "parameter_missing",
        "from and purchase_ids are both missing. Give from, or name purchases without an owner in purchase_ids.",
        kind: .invalidRequest,
        parameter: "purchase_ids"
    )

    fileprivate static let purchaseNotFound = OperationError(
        "purchase_not_found",
        "Not all purchases belong to the customer in from, or, without from, have no owner. "
            + "GET /v1/customers/{app_user_id} shows a customer's.",
        kind: .notFound,
        parameter: "purchase_ids"
    )

    fileprivate static let transferMovedOn = OperationError(
        "transfer_moved_on",
        "Everything that this transfer moved has been moved on since. Undo the later transfers first.",
        kind: .conflict,
        parameter: "id"
    )

    fileprivate static let transferNotFound = OperationError(
        "transfer_not_found",
        "There is no transfer with this id. The response of POST /v1/transfers contains the id.",
        kind: .notFound,
        parameter: "id"
    )
}
