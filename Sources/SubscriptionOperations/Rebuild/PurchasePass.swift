import SubscriptionCore
import SubscriptionStorage

/// A page of stored purchases: state, due time and owner must follow from the stored facts and claims, refunds from the
/// signed inputs.
struct PurchasePass: Sendable {
    let app: AppID
    /// The purchase before the page; nil for the first page.
    let after: OriginalTransactionID?
    let limit: Int
    let policy: AccessPolicy

    /// The result of a page.
    struct Result: Sendable {
        /// The last purchase; nil if there is none.
        var last: OriginalTransactionID?
        /// The number of purchases.
        var purchases = 0
        /// All stored facts.
        var stored: [FactBalance.Entry] = []
        /// The entries that the index of transactions must have.
        var indexed: [FactBalance.Entry] = []
        /// The differences.
        var differences: [RebuildDifference] = []
    }

    /// Compares the page on one snapshot.
    ///
    /// Purchases whose stored facts are not those of their inputs are left to the pass over open facts.
    ///
    /// - Throws: ``StorageError``.
    func run(_ storage: any StorageReading) throws(StorageError) -> Result {
        let page = try storage.purchaseRows(of: app, after: after, limit: limit)
        var result = try compare(page, storage).result
        result.differences += try RefundComparison(app: app, storage: storage).differences(of: page, after: after)
        return result
    }

    /// Compares some purchases on one snapshot instead of a page. Those that are not stored are left out.
    ///
    /// - Throws: ``StorageError``.
    func run(
        _ storage: any StorageReading,
        only purchases: [OriginalTransactionID]
    ) throws(StorageError) -> Result {
        var rows: [PurchaseRow] = []
        for purchase in purchases {
            guard let row = try storage.purchaseRow(purchase, of: app) else { continue }
            rows.append(row)
        }
        let compared = try compare(rows, storage)
        var result = compared.result
        let comparison = try PurchaseComparison(app: app, policy: policy, storage: storage)
        for row in compared.questioned { result.differences += try comparison.evidenceDifferences(of: row) }
        result.differences += try RefundComparison(app: app, storage: storage).differences(of: rows)
        return result
    }

    /// Also returns the purchases with a difference whose stored facts are not those of their inputs.
    private func compare(
        _ page: [PurchaseRow],
        _ storage: any StorageReading
    ) throws(StorageError) -> (result: Result, questioned: [PurchaseRow]) {
        let comparison = try PurchaseComparison(app: app, policy: policy, storage: storage)
        var result = Result(last: page.last?.id, purchases: page.count)
        var questioned: [PurchaseRow] = []
        for (row, differences) in zip(page, try comparison.differences(of: page)) {
            guard row.isReadable else {
                result.differences.append(
                    RebuildDifference(
                        .purchaseUnreadable,
                        row.id,
                        stored: "facts, a state or a reason for the owner that cannot be read",
                        derived: "the facts of its signed inputs, and a state from them"
                    )
                )
                continue
            }
            for fact in row.ledger.facts { result.stored.append(FactBalance.Entry(fact)) }
            for entry in row.ledger.indexedTransactions { result.indexed.append(FactBalance.Entry(entry)) }
            guard !differences.isEmpty else { continue }
            if try comparison.hasFactsOfEvidence(row) {
                result.differences += differences
            } else {
                questioned.append(row)
            }
        }
        return (result, questioned)
    }
}

extension StorageReading {
    /// A purchase as a page of purchases has it; nil if it is not stored.
    ///
    /// - Throws: ``StorageError``.
    func purchaseRow(
        _ id: OriginalTransactionID,
        of app: AppID
    ) throws(StorageError) -> PurchaseRow? {
        let page = try purchaseRows(of: app, after: id.predecessor, limit: 1)
        return page.first { $0.id == id }
    }
}

extension OriginalTransactionID {
    /// The text before this one in the order of the engines, which compare bytes.
    ///
    /// The highest scalar of Unicode, which no identifier contains, ends it: no other identifier is between the two.
    fileprivate var predecessor: OriginalTransactionID? {
        var scalars = rawValue.unicodeScalars
        // A zero character cannot be stored.
        guard let last = scalars.popLast(), last.value > 1 else { return nil }
        // Before the surrogates there is no scalar one below.
        scalars.append(Unicode.Scalar(last.value - 1) ?? "\u{D7FF}")
        scalars.append("\u{10FFFF}")
        return OriginalTransactionID(String(scalars))
    }
}
