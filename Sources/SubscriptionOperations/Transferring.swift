import AppStoreModel
public import SubscriptionCore
public import SubscriptionStorage

/// Moves purchases from one customer to another, and back: an operator's decision, kept for good.
public struct Transferring: Sendable {
    /// What is to be moved.
    public struct Request: Hashable, Sendable {
        /// What to call the transfer.
        public var id: TransferID
        /// Whose the purchases are; nil for purchases that are nobody's.
        public var from: CustomerID?
        /// Whose they become; need not be known yet.
        public var to: CustomerID
        /// Which purchases; all of the customer's without it. What is nobody's must be named.
        public var purchases: Set<OriginalTransactionID>?
        /// Why, for people.
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

    /// A transfer that was done.
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

    /// What a transfer would move. Changes nothing.
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

    /// Moves purchases. A transfer that was done under the same identifier stays as it is.
    ///
    /// Both customers' events, and their versions, are part of the same transaction.
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
            if let held = try storage.transfer(request.id, of: app) { return .success(held) }
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

    /// Moves back what a transfer moved and what has not been moved on since. A second time changes nothing.
    ///
    /// - Throws: ``OperationError`` `transfer_not_found`, `transfer_moved_on` where nothing is left to move back, or
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
        let held: [PurchaseRecord]
        if let from = request.from {
            held = try purchases(of: from, app: app).filter { $0.customerID == from }
        } else {
            guard let asked = request.purchases else { return .failure(.purchasesMissing) }
            held = try unowned(asked, app: app)
        }
        if let asked = request.purchases, !asked.isSubset(of: held.map(\.id)) {
            return .failure(.purchaseNotFound)
        }
        let items = held.filter { request.purchases?.contains($0.id) ?? true }.map {
            TransferRecord.Item(purchaseID: $0.id, claim: $0.claim)
        }
        guard !items.isEmpty else { return .failure(.nothingToTransfer) }
        // Moves of one purchase never share an instant, so that their order can be told.
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

    /// Moves to or from a customer, whatever identifier they name.
    private func transfers(ofAnyNameOf name: CustomerID, app: AppID) throws(StorageError) -> [TransferRecord] {
        let customer = try customer(named: name, of: app)
        var transfers: [TransferRecord] = []
        for name in Set([name] + (customer.map { [$0.id] + $0.profile.aliases } ?? [])).sorted() {
            transfers += try self.transfers(of: name, app: app)
        }
        return transfers
    }

    /// The purchases that were moved on after a transfer: another one took them away, and stands.
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
    /// Those of the purchases that are known and nobody's, by identifier.
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

/// Whether an operator decides about purchases, or takes a decision back.
private enum Decision {
    case decided
    case undone
}

extension StorageWriting {
    /// Changes the owner of those purchases that are the first customer's, or nobody's, and records what that does to
    /// both.
    ///
    /// - Returns: Whether there was one.
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
            // Who has it by a claim of their own since then has it by no operator's decision.
            if decision == .undone, record.claim != .transferred { continue }
            let claims = try claims(on: purchase, app: app)
            var ownership = try follow(claims, on: purchase, app: app, policy: policy).ownership
                .ownership(ofPurchaseOwnedBy: to, on: claim)
            switch decision {
            // From whom it is taken has it no more, whatever they claimed once.
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
        try changes.record(events: [], owner: to, changed: !steps.isEmpty)
        return !steps.isEmpty
    }

    /// The customer whom a purchase's account token names; nil where it has none.
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
        "Without from, purchase_ids must name the purchases: those that nobody has.",
        kind: .invalidRequest,
        parameter: "purchase_ids"
    )

    fileprivate static let purchaseNotFound = OperationError(
        "purchase_not_found",
        "Not all of the purchases belong to the customer in from, or to nobody where from is absent. "
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
        "There is no transfer with this id. Transfers are named by the answer that made them.",
        kind: .notFound,
        parameter: "id"
    )
}
