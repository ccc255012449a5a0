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
    /// - Throws: ``StorageError``.
    func run(_ storage: any StorageReading) throws(StorageError) -> Result {
        let page = try storage.purchaseRows(of: app, after: after, limit: limit)
        var result = try compare(page, storage)
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
        var result = try compare(rows, storage)
        result.differences += try RefundComparison(app: app, storage: storage).differences(of: rows)
        return result
    }

    private func compare(_ page: [PurchaseRow], _ storage: any StorageReading) throws(StorageError) -> Result {
        let rule = try storage.entitlementRule(of: app)
        let owners = try OwnerComparison(page, app: app, policy: policy, storage: storage)
        var result = Result(last: page.last?.id, purchases: page.count)
        for row in page {
            guard row.isReadable else {
                result.differences.append(
                    RebuildDifference(
                        .purchaseUnreadable,
                        row.id,
                        stored: "facts or a state that cannot be read",
                        derived: "the facts of its signed inputs, and a state from them"
                    )
                )
                continue
            }
            for fact in row.ledger.facts { result.stored.append(FactBalance.Entry(fact)) }
            for entry in row.ledger.indexedTransactions { result.indexed.append(FactBalance.Entry(entry)) }
            result.differences += compareState(of: row, under: rule)
            if let difference = try owners.compare(row) { result.differences.append(difference) }
        }
        return result
    }

    /// The state is derived for the time of the stored one, so a change that is due is no difference.
    private func compareState(of row: PurchaseRow, under rule: EntitlementRule) -> [RebuildDifference] {
        guard let record = row.record else {
            guard let fact = row.ledger.facts.last else { return [] }
            let facts = "a state from facts such as \(DifferenceText.summary(fact))"
            return [RebuildDifference(.stateDiffers, row.id, derived: facts)]
        }
        var found: [RebuildDifference] = []
        let derived = row.ledger.state(at: record.evaluatedAt, policy: policy)
        if !rule.allows(record, derived: derived) {
            let texts = DifferenceText.members(stored: record.state?.content, derived: derived?.content)
            found.append(RebuildDifference(.stateDiffers, row.id, stored: texts.stored, derived: texts.derived))
        }
        // A transaction without the identifier does not remove it.
        if let account = row.ledger.appTransactionID, account != record.appTransactionID {
            found.append(
                RebuildDifference(
                    .stateDiffers,
                    row.id,
                    stored: record.appTransactionID.map { "appTransactionID: \($0)" },
                    derived: "appTransactionID: \(account)"
                )
            )
        }
        let dueAt = record.state?.nextChangeAt
        if dueAt != row.dueAt {
            found.append(
                RebuildDifference(.dueTimeDiffers, row.id, stored: row.dueAt?.exactText, derived: dueAt?.exactText)
            )
        }
        return found
    }
}

extension StorageReading {
    /// A purchase as a page of purchases has it; nil if it is not stored.
    ///
    /// - Throws: ``StorageError``.
    fileprivate func purchaseRow(
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

extension EntitlementRule {
    /// Whether a stored record has the derived state.
    ///
    /// While the store retries a charge, the next change also depends on own grace periods. An operator may have
    /// changed them after the state was derived, so each end that they can have is allowed.
    fileprivate func allows(_ record: PurchaseRecord, derived: PurchaseState?) -> Bool {
        guard case .subscription(let stored)? = record.state, case .subscription(var expected)? = derived,
            stored.status == .inBillingRetry, expected.status == .inBillingRetry
        else { return record.state == derived }
        let last = expected.nextChangeAt
        expected.nextChangeAt = stored.nextChangeAt
        guard stored == expected else { return false }
        if stored.nextChangeAt == last { return true }
        if case .subscription(let timed) = timed(.subscription(expected), at: record.evaluatedAt),
            timed.nextChangeAt == stored.nextChangeAt
        {
            return true
        }
        guard let next = stored.nextChangeAt, next > stored.periodEndsAt else { return false }
        return last.map { next < $0 } ?? true
    }
}
