import SubscriptionCore
import SubscriptionStorage

extension SQLiteQuery {
    /// A page of the evidence of an app, with headers.
    package static let evidencePage: SQLiteStatement = """
        SELECT \(RecordColumns.evidence) FROM evidence e
        LEFT JOIN evidence_headers h ON h.app_id = ? AND h.header_id = e.header_id
        WHERE e.position > ? AND e.position <= ? ORDER BY e.position LIMIT ?
        """
    /// A page of an app's purchases with their facts. It reads them in the order of the primary key.
    package static let purchasePage: SQLiteStatement = """
        SELECT \(RecordColumns.purchase), next_change_at, \(RecordColumns.purchaseFacts) FROM purchases
        WHERE app_id = ? AND original_transaction_id > ? ORDER BY original_transaction_id LIMIT ?
        """
    static let removeFacts: SQLiteStatement =
        "UPDATE purchases SET facts = NULL WHERE app_id = ? AND original_transaction_id = ?"
    static let removeState: SQLiteStatement = """
        UPDATE purchases
        SET state = NULL, status = NULL, next_change_at = NULL, claim = \(RecordColumns.readableClaim)
        WHERE app_id = ? AND original_transaction_id = ?
        """
    static let removeEarlierTransactions: SQLiteStatement =
        "DELETE FROM earlier_transactions WHERE app_id = ? AND original_transaction_id = ?"
    static let removeTransaction: SQLiteStatement = """
        DELETE FROM transaction_ids WHERE app_id = ? AND original_transaction_id = ? AND transaction_id = ?
        """
}

extension SQLiteReading {
    func evidence(of app: AppID, after sequence: Int64, limit: Int) throws(StorageError) -> [SequencedEvidence] {
        guard let number = try number(of: app) else { return [] }
        let values: [ColumnValue] = [
            .text(app), .number(SQLiteEvidence.position(sequence, app: number)),
            .number(SQLiteEvidence.position(.max, app: number)), .integer(max(0, limit)),
        ]
        return try connection.rows(SQLiteQuery.evidencePage, values) { row in
            try SequencedEvidence(row: SQLiteEvidenceRow(row, key: 0), app: app)
        }
    }

    func purchaseRows(
        of app: AppID,
        after id: OriginalTransactionID?,
        limit: Int
    ) throws(StorageError) -> [PurchaseRow] {
        // No identifier is empty, so the empty text comes before all of them.
        let values: [ColumnValue] = [
            .text(app), .text(id ?? OriginalTransactionID("")), .integer(max(0, limit)),
        ]
        let page = try connection.rows(SQLiteQuery.purchasePage, values, decode: PurchaseRowContent.init(row:))
        var rows: [PurchaseRow] = []
        rows.reserveCapacity(page.count)
        for content in page {
            let earlier =
                content.mayHaveEarlier ? try readableEarlierTransactions(of: content.id, app: app) : []
            rows.append(
                content.row(
                    earlier: earlier.compactMap(\.self),
                    isComplete: !earlier.contains(nil),
                    claims: try claims(on: content.id, app: app),
                    sharers: try sharers(of: content.id, app: app)
                )
            )
        }
        return rows
    }

    /// The transactions of a purchase that are not in its row; nil for one that cannot be read, so that a write can go
    /// on.
    private func readableEarlierTransactions(
        of purchase: OriginalTransactionID,
        app: AppID
    ) throws(StorageError) -> [TransactionFact?] {
        let values: [ColumnValue] = [.text(app), .text(purchase)]
        return try connection.rows(SQLiteQuery.earlierTransactions, values) { row -> TransactionFact? in
            do throws(StorageError) {
                return try TransactionFact(row: row)
            } catch {
                guard error.code == .corrupt else { throw error }
                return nil
            }
        }
    }
}

extension SQLiteWriter {
    func removeFacts(_ ledger: PurchaseLedger, clearsState: Bool, of app: AppID) throws(StorageError) {
        try saveFacts()
        let key: [ColumnValue] = [.text(app), .text(ledger.originalID)]
        try connection.run(SQLiteQuery.removeFacts, key)
        if clearsState { try connection.run(SQLiteQuery.removeState, key) }
        try connection.run(SQLiteQuery.removeEarlierTransactions, key)
        for transaction in ledger.timeline {
            try connection.run(SQLiteQuery.removeTransaction, key + [.text(transaction.id)])
        }
        connection.purchases.forget(SQLitePurchases.Key(app: app, id: ledger.originalID))
    }

    func relink(_ sequence: Int64, to purchase: OriginalTransactionID, app: AppID) throws(StorageError) {
        let key = SQLitePurchases.Key(app: app, id: purchase)
        var row = try row(key)
        guard row.lastEvidence ?? 0 < sequence else { return }
        row.lastEvidence = sequence
        row.hasNewEvidence = true
        try remember(row, key)
    }
}
