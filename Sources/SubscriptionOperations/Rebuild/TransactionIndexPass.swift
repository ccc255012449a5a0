import SubscriptionCore
import SubscriptionStorage

/// Compares the index of transactions with the facts that should be stored, for those purchases that are in question.
struct TransactionIndexPass: Sendable {
    let app: AppID
    let limit: Int

    /// What one page of rows shows; the last row is nil if there was none.
    typealias Page<Position> = (last: Position?, differences: [RebuildDifference])

    /// Looks up each transaction of a page of purchases in the index.
    ///
    /// - Parameters:
    ///   - purchase: The purchase before the page; nil for the first page.
    ///   - isOpen: Whether a purchase is in question.
    /// - Returns: The last purchase of the page, nil if there is none, and the differences.
    /// - Throws: ``StorageError``.
    func missing(
        after purchase: OriginalTransactionID?,
        _ storage: any StorageReading,
        where isOpen: (OriginalTransactionID) -> Bool
    ) throws(StorageError) -> Page<OriginalTransactionID> {
        let page = try storage.purchaseRows(of: app, after: purchase, limit: limit)
        var differences: [RebuildDifference] = []
        for row in page where row.isReadable && isOpen(row.id) {
            let evidence = try PurchaseEvidence(of: row.ledger, app: app, storage: storage)
            for entry in evidence.ledger(insteadOf: row.ledger).indexedTransactions
            where try !storage.purchases(with: entry.id, app: app).contains(row.id) {
                differences.append(.index(entry, derived: "transaction \(entry.id)"))
            }
        }
        return (page.last?.id, differences)
    }

    /// Looks up each transaction of a page of the index in the facts that should be stored of its purchase.
    ///
    /// A purchase that cannot be read was reported by the pass over purchases. One that is not stored has no entry. An
    /// input that cannot be read may contain what seems to be too much.
    ///
    /// - Parameters:
    ///   - entry: The entry before the page; nil for the first page.
    ///   - isOpen: Whether a purchase is in question.
    /// - Returns: The last entry of the page, nil if there is none, and the differences.
    /// - Throws: ``StorageError``.
    func surplus(
        after entry: IndexedTransaction?,
        _ storage: any StorageReading,
        where isOpen: (OriginalTransactionID) -> Bool
    ) throws(StorageError) -> Page<IndexedTransaction> {
        let page = try storage.indexedTransactions(of: app, after: entry, limit: limit)
        var differences: [RebuildDifference] = []
        var known: [OriginalTransactionID: Set<TransactionID>] = [:]
        var unknown: Set<OriginalTransactionID> = []
        for entry in page where isOpen(entry.purchaseID) && !unknown.contains(entry.purchaseID) {
            if known[entry.purchaseID] == nil {
                guard let transactions = try transactions(of: entry.purchaseID, storage) else {
                    unknown.insert(entry.purchaseID)
                    continue
                }
                known[entry.purchaseID] = transactions
            }
            guard known[entry.purchaseID]?.contains(entry.id) != true else { continue }
            differences.append(.index(entry, stored: "transaction \(entry.id)"))
        }
        return (page.last, differences)
    }

    /// The transactions of a purchase that the index must have; nil if the purchase, or an input about it, cannot be
    /// read.
    private func transactions(
        of purchase: OriginalTransactionID,
        _ storage: any StorageReading
    ) throws(StorageError) -> Set<TransactionID>? {
        guard let row = try storage.purchaseRow(purchase, of: app) else { return [] }
        guard row.isReadable else { return nil }
        let evidence = try PurchaseEvidence(of: row.ledger, app: app, storage: storage)
        guard evidence.isComplete else { return nil }
        return Set(evidence.ledger(insteadOf: row.ledger).indexedTransactions.map(\.id))
    }
}

extension RebuildVerification {
    private static let entriesPerPage = 2_000

    /// Compares the index of transactions with the balance of the entries that it must have, and looks up what differs
    /// and what belongs to purchases whose facts are in question.
    ///
    /// - Parameters:
    ///   - expected: The entries of all stored purchases.
    ///   - facts: The balance of the facts of all purchases.
    ///   - report: Called with the differences of each page that has any.
    /// - Throws: ``OperationError`` with storage's codes, and what `report` throws.
    func compareIndex(
        with expected: FactBalance,
        facts: FactBalance,
        of app: AppID,
        in summary: inout Summary,
        _ report: ([RebuildDifference]) async throws(OperationError) -> Void
    ) async throws(OperationError) {
        var balance = expected
        var entry: IndexedTransaction?
        while true {
            let page = try await read { [entry] storage throws(StorageError) in
                try storage.indexedTransactions(of: app, after: entry, limit: Self.entriesPerPage)
            }
            guard let last = page.last else { break }
            entry = last
            balance.subtract(page.map(FactBalance.Entry.init))
        }
        let open = [balance, facts].filter { !$0.isBalanced }
        if !open.isEmpty { try await lookUpIndex(open, of: app, in: &summary, report) }
    }

    private func lookUpIndex(
        _ balances: [FactBalance],
        of app: AppID,
        in summary: inout Summary,
        _ report: ([RebuildDifference]) async throws(OperationError) -> Void
    ) async throws(OperationError) {
        let pass = TransactionIndexPass(app: app, limit: Self.purchasesPerPage)
        try await lookUp(in: &summary, report) { purchase, storage throws(StorageError) in
            try pass.missing(after: purchase, storage) { id in balances.contains { $0.isOpen(id) } }
        }
        try await lookUp(in: &summary, report) { entry, storage throws(StorageError) in
            try pass.surplus(after: entry, storage) { id in balances.contains { $0.isOpen(id) } }
        }
    }

    /// Reports the differences of one page after another.
    private func lookUp<Position: Sendable>(
        in summary: inout Summary,
        _ report: ([RebuildDifference]) async throws(OperationError) -> Void,
        next:
            @escaping @Sendable (Position?, any StorageReading) throws(StorageError) ->
            TransactionIndexPass.Page<Position>
    ) async throws(OperationError) {
        var position: Position?
        while true {
            let page = try await read { [position] storage throws(StorageError) in try next(position, storage) }
            guard let last = page.last else { break }
            position = last
            try await note(page.differences, in: &summary, report)
        }
    }
}

extension RebuildDifference {
    fileprivate static func index(
        _ entry: IndexedTransaction,
        stored: String? = nil,
        derived: String? = nil
    ) -> RebuildDifference {
        var difference = RebuildDifference(.transactionIndexDiffers, entry.purchaseID, stored: stored, derived: derived)
        difference.transactionID = entry.id
        return difference
    }
}
