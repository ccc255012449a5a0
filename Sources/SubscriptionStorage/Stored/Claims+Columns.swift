public import SubscriptionCore

extension RecordColumns {
    /// Of `claims`.
    package static let claim = "customer_id, evidence_id, claimed_at, policy, original_transaction_id, standing"
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
