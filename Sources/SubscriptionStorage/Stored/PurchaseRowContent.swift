package import SubscriptionCore

/// What a row of `purchases` says about a purchase. A part that cannot be read is left out.
package struct PurchaseRowContent: Sendable {
    /// The purchase.
    package let id: OriginalTransactionID
    /// Whether the purchase may have rows in the table of earlier transactions.
    package let mayHaveEarlier: Bool
    private let record: PurchaseRecord?
    private let dueAt: Timestamp?
    private let facts: PurchaseFacts
    private let hasReadableFacts: Bool
    private let hasReadableRecord: Bool

    /// Reads a row of ``RecordColumns/purchase``, `next_change_at` and ``RecordColumns/purchaseFacts``.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`, if the identifier cannot be read.
    package init(row: some ColumnReading) throws(StorageError) {
        let id: OriginalTransactionID = try row.identifier(0)
        self.id = id
        var (isFactsReadable, isRecordReadable) = (true, true)
        record = try Self.read(&isRecordReadable) { () throws(StorageError) in try PurchaseRecord.stored(in: row) }
        dueAt = try Self.read(&isRecordReadable) { () throws(StorageError) in try row.optionalTime(6) }
        let facts = try Self.read(&isFactsReadable) { () throws(StorageError) in
            try PurchaseFacts(compactBytes: try row.optionalBytes(7), of: id)
        }
        mayHaveEarlier = facts?.hasEarlier ?? true
        self.facts = facts ?? PurchaseFacts()
        hasReadableFacts = isFactsReadable
        hasReadableRecord = isRecordReadable
    }

    /// The purchase.
    ///
    /// - Parameters:
    ///   - earlier: Its rows in the table of earlier transactions.
    ///   - isComplete: Whether all these rows can be read.
    ///   - claims: The claims on it.
    ///   - sharers: Its sharers.
    package func row(
        earlier: [TransactionFact],
        isComplete: Bool = true,
        claims: [ClaimRecord],
        sharers: [CustomerID]
    ) -> PurchaseRow {
        PurchaseRow(
            id: id,
            ledger: facts.ledger(of: id, earlier: earlier),
            record: record,
            dueAt: dueAt,
            claims: claims,
            sharers: sharers,
            hasReadableFacts: hasReadableFacts && isComplete,
            hasReadableRecord: hasReadableRecord
        )
    }

    /// Returns nil, and notes it, if a value cannot be read.
    private static func read<Value>(
        _ isReadable: inout Bool,
        _ value: () throws(StorageError) -> Value?
    ) throws(StorageError) -> Value? {
        do throws(StorageError) {
            return try value()
        } catch {
            guard error.code == .corrupt else { throw error }
            isReadable = false
            return nil
        }
    }
}
