import SubscriptionCore
import SubscriptionStorage

extension SQLiteQuery {
    /// A purchase with its facts.
    package static let purchase: SQLiteStatement = """
        SELECT \(RecordColumns.purchase), next_change_at, \(RecordColumns.purchaseFacts), last_evidence FROM purchases
        WHERE app_id = ? AND original_transaction_id = ?
        """
    /// Updates a purchase with the same owner, account and time of the next change: no index is written.
    package static let updatePurchase: SQLiteStatement = """
        UPDATE purchases SET claim = ?, evaluated_at = ?, state = ?, status = ?, facts = ?, last_evidence = ?
        WHERE app_id = ? AND original_transaction_id = ?
        """
    /// Updates a purchase with the same owner and account.
    package static let updateDuePurchase: SQLiteStatement = """
        UPDATE purchases
        SET claim = ?, evaluated_at = ?, state = ?, status = ?, facts = ?, last_evidence = ?, next_change_at = ?
        WHERE app_id = ? AND original_transaction_id = ?
        """
    static let savePurchase: SQLiteStatement =
        upsert(
            "purchases",
            key: "app_id, original_transaction_id",
            of: """
                app_id, \(RecordColumns.purchase), \(RecordColumns.purchaseIndex), \(RecordColumns.purchaseFacts), \
                last_evidence
                """
        )
    static let saveFacts: SQLiteStatement =
        upsert(
            "purchases",
            key: "app_id, original_transaction_id",
            of: "app_id, original_transaction_id, \(RecordColumns.purchaseFacts), last_evidence"
        )
    /// The transactions of a purchase that are not in its row.
    package static let earlierTransactions: SQLiteStatement = """
        SELECT \(FactColumns.transaction) FROM earlier_transactions WHERE app_id = ? AND original_transaction_id = ?
        """
    static let saveEarlierTransaction: SQLiteStatement =
        insertion("INSERT OR REPLACE", "earlier_transactions", "app_id, \(FactColumns.transaction)")
    static let noteTransaction: SQLiteStatement =
        insertion("INSERT OR IGNORE", "transaction_ids", "app_id, transaction_id, original_transaction_id")
}

/// A purchase's row as read or changed by a transaction.
struct SQLitePurchase {
    /// Owner and state: nil without a row, and for a row with facts only. They fail where they are used if they cannot
    /// be read.
    var record: Result<PurchaseRecord?, StorageError> = .success(nil)
    /// When the state changes, as in the index.
    var dueAt: Timestamp?
    /// The sequence number of the newest evidence about it. Each row of evidence contains the number of the previous
    /// one.
    var lastEvidence: Int64?
    /// The stored facts.
    var factBytes: [UInt8]?
    /// The decoded facts, once they were used.
    var facts: PurchaseFacts?
    /// Whether the facts have unwritten changes.
    var hasNewFacts = false
    /// Whether there is unwritten new evidence.
    var hasNewEvidence = false

    /// No row.
    init() {}

    /// Reads a row of ``SQLiteQuery/purchase``.
    init(row: SQLiteRow) throws(StorageError) {
        record = Result { () throws(StorageError) in try PurchaseRecord.stored(in: row) }
        dueAt = try row.optionalTime(6)
        factBytes = try row.optionalBytes(7)
        lastEvidence = try row.optionalInteger(8)
    }

    /// Whether facts or evidence are unwritten.
    var isUnsaved: Bool { hasNewFacts || hasNewEvidence }

    /// Marks facts and evidence as written.
    mutating func noteSaved() {
        if hasNewFacts { factBytes = facts?.compactBytes }
        hasNewFacts = false
        hasNewEvidence = false
    }

    /// The bytes of the facts to store.
    var bytes: ColumnValue { hasNewFacts ? .bytes(facts?.compactBytes) : .bytes(factBytes) }
}

/// The rows of purchases that a transaction has read or changed, so that each is read and written once.
struct SQLitePurchases {
    /// The maximum number of cached rows; further ones are read again.
    private static let knownMax = 4_096

    struct Key: Hashable {
        let app: AppID
        let id: OriginalTransactionID
    }

    private var rows: [Key: SQLitePurchase] = [:]
    /// Rows with unwritten facts, in order of change.
    private(set) var unsaved: [Key] = []

    subscript(key: Key) -> SQLitePurchase? { rows[key] }

    mutating func remember(_ row: SQLitePurchase, as key: Key) {
        if rows.count >= Self.knownMax, rows[key] == nil { rows = rows.filter { $0.value.isUnsaved } }
        if row.isUnsaved, rows[key]?.isUnsaved != true { unsaved.append(key) }
        rows[key] = row
    }

    /// Removes a row from the cache; its facts must be written.
    mutating func forget(_ key: Key) { rows[key] = nil }

    /// Removes and returns the rows with unwritten facts.
    mutating func takeUnsaved() -> [(key: Key, row: SQLitePurchase)] {
        defer { unsaved = [] }
        return unsaved.compactMap { key in
            guard let row = rows[key], row.isUnsaved else { return nil }
            return (key, row)
        }
    }
}

extension SQLiteReading {
    func ledger(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> PurchaseLedger {
        let key = SQLitePurchases.Key(app: app, id: purchase)
        let facts = try self.facts(of: row(key), key)
        guard facts.hasEarlier else { return facts.ledger(of: purchase, earlier: []) }
        return facts.ledger(of: purchase, earlier: try earlierTransactions(of: purchase, app: app))
    }

    /// The transactions of a purchase that are not in its row.
    func earlierTransactions(
        of purchase: OriginalTransactionID,
        app: AppID
    ) throws(StorageError) -> [TransactionFact] {
        let values: [ColumnValue] = [.text(app), .text(purchase)]
        return try connection.rows(SQLiteQuery.earlierTransactions, values, decode: TransactionFact.init(row:))
    }

    func purchase(_ id: OriginalTransactionID, of app: AppID) throws(StorageError) -> PurchaseRecord? {
        let record = try row(SQLitePurchases.Key(app: app, id: id)).record
        return try connection.decoded { () throws(StorageError) in try record.get() }
    }

    func row(_ key: SQLitePurchases.Key) throws(StorageError) -> SQLitePurchase {
        if let known = connection.purchases[key] { return known }
        let values: [ColumnValue] = [.text(key.app), .text(key.id)]
        let row = try connection.row(SQLiteQuery.purchase, values, decode: SQLitePurchase.init(row:))
        connection.purchases.remember(row ?? SQLitePurchase(), as: key)
        return row ?? SQLitePurchase()
    }

    /// The facts of a row. A notification reads them more than once, so the decoded facts are kept.
    fileprivate func facts(
        of row: SQLitePurchase,
        _ key: SQLitePurchases.Key
    ) throws(StorageError) -> PurchaseFacts {
        if let known = row.facts { return known }
        let facts = try connection.decoded { () throws(StorageError) in
            try PurchaseFacts(compactBytes: row.factBytes, of: key.id)
        }
        var row = row
        row.facts = facts
        connection.purchases.remember(row, as: key)
        return facts
    }
}

extension SQLiteWriter {
    /// The maximum number of purchases with unwritten facts.
    private static let unsavedMax = 1_000

    func save(_ fact: Fact, of app: AppID) throws(StorageError) {
        try fact.requireStorableText()
        let key = SQLitePurchases.Key(app: app, id: fact.originalID)
        var row = try row(key)
        var facts = try facts(of: row, key)
        let outside = facts.save(fact)
        for earlier in outside.earlier {
            try connection.run(SQLiteQuery.saveEarlierTransaction, earlier.columns.prefixed(by: app))
        }
        if let new = outside.new, new.id.rawValue != new.originalID.rawValue {
            let values: [ColumnValue] = [.text(app), .text(new.id), .text(new.originalID)]
            try connection.run(SQLiteQuery.noteTransaction, values)
        }
        row.facts = facts
        row.hasNewFacts = true
        try remember(row, key)
    }

    /// Caches a changed row for a later write.
    func remember(_ row: SQLitePurchase, _ key: SQLitePurchases.Key) throws(StorageError) {
        connection.purchases.remember(row, as: key)
        if connection.purchases.unsaved.count >= Self.unsavedMax { try saveFacts() }
    }

    /// The owner rarely changes, and often the time of the next change is the same: then their indexes are not written.
    func save(_ purchase: PurchaseRecord, of app: AppID) throws(StorageError) {
        let key = SQLitePurchases.Key(app: app, id: purchase.id)
        var row = try row(key)
        let dueAt = purchase.state?.nextChangeAt
        let facts: [ColumnValue] = [row.bytes, .integer(row.lastEvidence)]
        if case .success(let record?) = row.record, record.customerID == purchase.customerID,
            record.appTransactionID == purchase.appTransactionID
        {
            let identity: [ColumnValue] = [.text(app), .text(purchase.id)]
            let changes = purchase.changingColumns + facts
            if row.dueAt == dueAt {
                try connection.run(SQLiteQuery.updatePurchase, changes + identity)
            } else {
                try connection.run(SQLiteQuery.updateDuePurchase, changes + [.time(dueAt)] + identity)
            }
        } else {
            try connection.run(SQLiteQuery.savePurchase, (purchase.columns + facts).prefixed(by: app))
        }
        row.record = .success(purchase)
        row.dueAt = dueAt
        row.noteSaved()
        connection.purchases.remember(row, as: key)
    }

    /// Writes the unwritten facts and evidence of purchases.
    func saveFacts() throws(StorageError) {
        for (key, row) in connection.purchases.takeUnsaved() {
            let values: [ColumnValue] = [.text(key.app), .text(key.id), row.bytes, .integer(row.lastEvidence)]
            try connection.run(SQLiteQuery.saveFacts, values)
            var row = row
            row.noteSaved()
            connection.purchases.remember(row, as: key)
        }
    }
}
