public import SubscriptionCore

extension RecordColumns {
    /// Of `claims`.
    package static let claim = "customer_id, evidence_id, claimed_at, policy, original_transaction_id, standing"
    /// Of `refused_claims`, behind the app.
    package static let refusedClaim =
        "original_transaction_id, customer_id, evidence_id, claimed_at, policy, reason, dropped_before"
}

/// What a claim counts for beside its rule; nothing is stored of one that outranks account tokens, by a known customer.
@usableFromInline enum ClaimStanding: String {
    case client
    case anonymousClient = "anonymous_client"
    case anonymous
}

extension ClaimRecord {
    /// Reads a row of ``RecordColumns/claim``.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`, as all of them.
    @inlinable package init(row: some ColumnReading) throws(StorageError) {
        let standing: ClaimStanding? = try row.optionalChoice(5)
        self.init(
            purchaseID: try row.identifier(4),
            customerID: try row.identifier(0),
            evidenceID: try row.identifier(1),
            claimedAt: try row.time(2),
            policy: try row.optionalChoice(3) ?? .keep,
            outranksToken: standing != .client && standing != .anonymousClient,
            isAnonymous: standing == .anonymousClient || standing == .anonymous
        )
    }

    /// What is stored in the column `standing`.
    package var standing: ColumnValue {
        let standing: ClaimStanding? =
            isAnonymous ? (outranksToken ? .anonymous : .anonymousClient) : outranksToken ? nil : .client
        return .text(standing)
    }
}

extension [ClaimRecord] {
    /// In order of time.
    package var inOrderOfTime: [ClaimRecord] {
        sorted { left, right in
            (left.claimedAt, left.purchaseID, left.evidenceID) < (right.claimedAt, right.purchaseID, right.evidenceID)
        }
    }
}

extension RefusedClaim {
    /// The record by columns, behind the app.
    package var columns: [ColumnValue] {
        [
            .text(purchaseID), .text(customerID), .text(evidenceID), .time(claimedAt), .text(policy), .text(reason),
            .integer(droppedBefore),
        ]
    }

    /// Reads a row of ``RecordColumns/refusedClaim``.
    @inlinable package init(row: some ColumnReading) throws(StorageError) {
        let claim = ClaimRecord(
            purchaseID: try row.identifier(0),
            customerID: try row.identifier(1),
            evidenceID: try row.identifier(2),
            claimedAt: try row.time(3),
            policy: try row.choice(4)
        )
        self.init(of: claim, because: try row.choice(5), droppedBefore: try row.integer(6))
    }
}

extension [RefusedClaim] {
    /// In order of time.
    package var inOrderOfTime: [RefusedClaim] {
        sorted { left, right in
            (left.claimedAt, left.purchaseID, left.customerID) < (right.claimedAt, right.purchaseID, right.customerID)
        }
    }
}
