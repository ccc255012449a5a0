public import SubscriptionCore

extension RecordColumns {
    /// The columns of `claims`.
    package static let claim = "customer_id, evidence_id, claimed_at, policy, original_transaction_id, standing"
}

/// The strength of a claim. Null is stored for a claim of a known customer that outranks account tokens.
@usableFromInline enum ClaimStrength: String {
    case client
    case anonymousClient = "anonymous_client"
    case anonymous
}

extension ClaimRecord {
    /// Reads a row of ``RecordColumns/claim``.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    @inlinable package init(row: some ColumnReading) throws(StorageError) {
        let strength: ClaimStrength? = try row.optionalChoice(5)
        self.init(
            purchaseID: try row.identifier(4),
            customerID: try row.identifier(0),
            evidenceID: try row.identifier(1),
            claimedAt: try row.time(2),
            policy: try row.optionalChoice(3) ?? .keep,
            outranksToken: strength != .client && strength != .anonymousClient,
            isAnonymous: strength == .anonymousClient || strength == .anonymous
        )
    }

    /// The value of the column `standing`.
    package var strength: ColumnValue {
        let strength: ClaimStrength? =
            isAnonymous ? (outranksToken ? .anonymous : .anonymousClient) : outranksToken ? nil : .client
        return .text(strength)
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
