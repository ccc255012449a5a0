package import SubscriptionCore

/// Step 14, which moves facts from separate tables into the rows of their purchases; shared by the engines.
package enum FactsStep {
    /// The number of purchases that are moved at once.
    package static let pageSize = 1_000

    /// The key of a purchase.
    package struct Key: Hashable, Sendable {
        /// The app.
        package let app: AppID
        /// The purchase.
        package let id: OriginalTransactionID

        /// A key before all others, because no identifier is empty.
        package static let first = Key(app: AppID(""), id: OriginalTransactionID(""))

        /// Makes a key.
        package init(app: AppID, id: OriginalTransactionID) {
            self.app = app
            self.id = id
        }
    }

    /// The facts of a page of purchases.
    package struct Page: Sendable {
        /// By purchase.
        package var facts: [Key: PurchaseFacts] = [:]
        /// Transactions that are stored outside the rows.
        package var earlier: [(app: AppID, fact: TransactionFact)] = []

        /// Makes a page from the facts of its purchases.
        package init(_ found: [(app: AppID, fact: Fact)]) {
            // Sorted by purchase date, so that the newest stay in the row.
            for (key, facts) in Dictionary(grouping: found, by: { Key(app: $0.app, id: $0.fact.originalID) }) {
                var outside: [TransactionFact] = []
                let sorted = facts.map(\.fact).sorted { $0.purchasedAt < $1.purchasedAt }
                self.facts[key] = PurchaseFacts(sorted, outside: &outside)
                earlier += outside.map { (key.app, $0) }
            }
        }
    }

    /// The source tables with their columns; the app is read after them.
    package static let sources = [
        (table: "transaction_facts", columns: FactColumns.transaction),
        (table: "renewal_facts", columns: FactColumns.renewal),
        (table: "status_facts", columns: FactColumns.status),
    ]

    /// The unchanged columns of `purchases`.
    package static let kept = "app_id, \(RecordColumns.purchase), \(RecordColumns.purchaseIndex)"

    /// The fact in a row of one of the tables. An error names the table.
    package static func fact(in row: some ColumnReading, of table: String) throws(StorageError) -> Fact {
        do throws(StorageError) {
            switch table {
            case "transaction_facts": return .transaction(try TransactionFact(row: row))
            case "renewal_facts": return .renewal(try RenewalFact(row: row))
            default: return .status(try StatusFact(row: row))
            }
        } catch {
            throw StorageError(
                error.code,
                "A row of the table \(table) cannot be read. Restore the database from a backup.",
                isRetryable: error.isRetryable,
                detail: error.detail
            )
        }
    }

    /// The number of columns of a fact; the app's column follows them.
    package static func columnCount(_ columns: String) -> Int { columns.split(separator: ",").count }
}

extension Fact {
    /// The purchase date; facts without one come first.
    fileprivate var purchasedAt: Timestamp {
        if case .transaction(let fact) = self { return fact.purchasedAt }
        return Timestamp(milliseconds: .min)
    }
}
