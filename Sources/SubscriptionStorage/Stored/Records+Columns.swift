public import SubscriptionCore

/// The columns of the tables of records, in reading order.
package enum RecordColumns {
    /// The columns of a `PurchaseRecord` in `purchases`, after the app.
    package static let purchase =
        "original_transaction_id, customer_id, claim, evaluated_at, state, app_transaction_id"
    /// The stored claim, or for one that cannot be read: the owner stays, as one whom an operator chose does.
    package static let readableClaim = """
        CASE WHEN claim IN (\(OwnershipBasis.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "))) THEN claim
            WHEN claim IS NOT NULL AND customer_id IS NOT NULL THEN '\(OwnershipBasis.transferred.rawValue)' END
        """
    /// The columns of `purchases` after those: the searchable parts of the state.
    package static let purchaseIndex = "status, next_change_at"
    /// The columns of `purchases` after those: the facts (``PurchaseFacts``).
    package static let purchaseFacts = "facts"
    /// The columns of `grants`, after the app.
    package static let grant =
        "customer_id, grant_id, entitlement_id, reason, granted_at, expires_at, revoked_at, is_active"
    /// The columns of `events`.
    package static let event = "sequence, customer_id, state_version, recorded_at, event"
    /// The columns of `evidence` as `e` and `evidence_headers` as `h`.
    package static let evidence = """
        e.evidence_id, e.kind, e.type, e.subtype, e.original_transaction_id, e.signed_at, e.received_at, e.header_id, \
        h.bytes, e.remainder, e.sequence
        """
    /// The position of the header in ``evidence``.
    package static let evidenceHeader = 8
    /// The columns of `evidence` for a list.
    package static let evidenceSummary = "sequence, evidence_id, type, subtype, signed_at, received_at"
    /// The columns of `customers`.
    package static let customer = "customer_id, first_seen_at, state_version, profile"
}

extension PurchaseRecord {
    /// The values after the app, with the searchable columns.
    package var columns: [ColumnValue] {
        [
            .text(id), .text(customerID), .text(claim), .time(evaluatedAt), .bytes(state?.compactBytes),
            .text(appTransactionID), .text(state?.statusText), .time(state?.nextChangeAt),
        ]
    }

    /// The values of `claim`, `evaluated_at`, `state` and `status`, which change while owner and account stay the same.
    package var changingColumns: [ColumnValue] {
        [.text(claim), .time(evaluatedAt), .bytes(state?.compactBytes), .text(state?.statusText)]
    }

    /// Reads a row of ``RecordColumns/purchase``; nil for a row with facts only.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    @inlinable package static func stored(in row: some ColumnReading) throws(StorageError) -> PurchaseRecord? {
        guard try row.optionalTime(3) != nil else { return nil }
        return try PurchaseRecord(row: row)
    }

    /// Reads a row of ``RecordColumns/purchase``.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    @inlinable package init(row: some ColumnReading) throws(StorageError) {
        let id: OriginalTransactionID = try row.identifier(0)
        var state: PurchaseState?
        do throws(StorageError) {
            if let bytes = try row.optionalBytes(4) { state = try PurchaseState(compactBytes: bytes) }
        } catch {
            throw .unreadable("state", of: id, error)
        }
        self.init(
            id: id,
            customerID: try row.optionalIdentifier(1),
            claim: try row.optionalChoice(2),
            state: state,
            evaluatedAt: try row.time(3),
            appTransactionID: try row.optionalText(5)
        )
    }
}

extension PurchaseState {
    /// The status, for operators; a one-time purchase has none.
    fileprivate var statusText: String? {
        switch self {
        case .subscription(let state): state.status.rawValue
        case .oneTime: nil
        }
    }
}

extension EventRecord {
    /// Reads a row of ``RecordColumns/event``.
    package init(row: some ColumnReading) throws(StorageError) {
        self.init(
            sequence: try row.integer(0),
            customerID: try row.optionalIdentifier(1),
            stateVersion: try row.optionalInteger(2),
            recordedAt: try row.time(3),
            event: try SubscriptionEvent(compactBytes: try row.bytes(4))
        )
    }
}

extension GrantRecord {
    /// The values after the app, with the searchable time.
    package var columns: [ColumnValue] {
        let grant = state.grant
        return [
            .text(customerID), .text(grant.id), .text(grant.entitlementID), .text(grant.reason), .time(grant.grantedAt),
            .time(grant.expiresAt), .time(grant.revokedAt), .flag(state.isActive), .time(state.nextChangeAt),
        ]
    }

    /// Reads a row of ``RecordColumns/grant``.
    @inlinable package init(row: some ColumnReading) throws(StorageError) {
        let grant = Grant(
            id: try row.identifier(1),
            entitlementID: try row.identifier(2),
            reason: try row.optionalText(3),
            grantedAt: try row.time(4),
            expiresAt: try row.optionalTime(5),
            revokedAt: try row.optionalTime(6)
        )
        self.init(
            customerID: try row.identifier(0),
            state: GrantState(grant: grant, isActive: try row.flag(7))
        )
    }
}

extension SequencedEvidence {
    /// Reads a row of ``RecordColumns/evidence``.
    package init(row: some ColumnReading, app: AppID) throws(StorageError) {
        do throws(StorageError) {
            try self.init(parts: row, app: app)
        } catch {
            throw .unreadableInput(error)
        }
    }

    private init(parts row: some ColumnReading, app: AppID) throws(StorageError) {
        let id: EvidenceID = try row.identifier(0)
        let header = try row.optionalBytes(RecordColumns.evidenceHeader)
        if header == nil, try row.optionalInteger(7) != nil { throw .unreadable("the header of evidence \(id)") }
        guard let signedBytes = SplitJWS.joined(header: header, remainder: try row.bytes(9)) else {
            throw .unreadable("the evidence \(id)")
        }
        let record = EvidenceRecord(
            appID: app,
            id: id,
            kind: try row.choice(1),
            signedAt: try row.time(5),
            receivedAt: try row.time(6),
            signedBytes: signedBytes,
            type: try row.optionalText(2),
            subtype: try row.optionalText(3),
            purchaseID: try row.optionalIdentifier(4)
        )
        self.init(sequence: try row.integer(10), record: record)
    }
}

extension FoundEvidence {
    /// Reads a row of ``RecordColumns/evidence``.
    package init(row: some ColumnReading, app: AppID) throws(StorageError) {
        var record: EvidenceRecord?
        do throws(StorageError) {
            record = try SequencedEvidence(row: row, app: app).record
        } catch {
            guard error.code == .corrupt else { throw error }
        }
        self.init(sequence: try row.integer(10), record: record)
    }
}

extension FoundSummary {
    /// Reads a row of ``RecordColumns/evidenceSummary``.
    package init(row: some ColumnReading) throws(StorageError) {
        var summary: EvidenceSummary?
        do throws(StorageError) {
            summary = try EvidenceSummary(parts: row)
        } catch {
            guard error.code == .corrupt else { throw error }
        }
        self.init(sequence: try row.integer(0), summary: summary)
    }
}

extension EvidenceSummary {
    fileprivate init(parts row: some ColumnReading) throws(StorageError) {
        self.init(
            sequence: try row.integer(0),
            id: try row.identifier(1),
            type: try row.optionalText(2),
            subtype: try row.optionalText(3),
            signedAt: try row.time(4),
            receivedAt: try row.time(5)
        )
    }
}

extension UnknownNotificationCount {
    /// Reads type, subtype, count and last receipt; an absent subtype is an empty text in the key.
    package init(row: some ColumnReading) throws(StorageError) {
        let subtype = try row.text(1)
        self.init(
            type: try row.text(0),
            subtype: subtype.isEmpty ? nil : subtype,
            count: try row.integer(2),
            lastReceivedAt: try row.time(3)
        )
    }
}

extension EntitlementDefinition {
    /// Makes definitions from ordered rows of entitlement and product; a null means no product.
    package static func definitions(
        _ rows: [(id: EntitlementID, product: ProductID?, days: Int?)]
    ) -> [EntitlementDefinition] {
        var definitions: [EntitlementDefinition] = []
        for row in rows {
            if definitions.last?.id != row.id {
                definitions.append(
                    EntitlementDefinition(id: row.id, productIDs: [], billingRetryGraceDays: row.days ?? 0)
                )
            }
            if let product = row.product { definitions[definitions.count - 1].productIDs.append(product) }
        }
        return definitions
    }
}
