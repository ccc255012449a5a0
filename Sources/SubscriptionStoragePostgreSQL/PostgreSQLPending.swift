#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    /// Rows of an app that a write has saved, and not sent yet: what it saves goes to the server table by table.
    struct PostgreSQLPending {
        /// Rows of one table; a later one takes the place of an earlier one with its key.
        struct Rows<Key: Hashable> {
            private(set) var rows: [[ColumnValue]] = []
            private var places: [Key: Int] = [:]

            mutating func save(_ row: [ColumnValue], as key: Key) {
                if let place = places[key] { return rows[place] = row }
                places[key] = rows.count
                rows.append(row)
            }
        }

        /// A transaction of a purchase.
        struct TransactionKey: Hashable {
            let purchase: OriginalTransactionID
            let id: TransactionID
        }

        var transactions = Rows<TransactionKey>()
        var renewals = Rows<OriginalTransactionID>()
        var statuses = Rows<OriginalTransactionID>()
        var purchases = Rows<OriginalTransactionID>()
        var customers = Rows<CustomerID>()

        /// What there is to send.
        var insertions: [(insertion: PostgreSQLInsertion, rows: [[ColumnValue]])] {
            [
                (PostgreSQLQuery.saveTransactions, transactions.rows), (PostgreSQLQuery.saveRenewals, renewals.rows),
                (PostgreSQLQuery.saveStatuses, statuses.rows), (PostgreSQLQuery.savePurchases, purchases.rows),
                (PostgreSQLQuery.saveCustomers, customers.rows),
            ].filter { !$0.1.isEmpty }
        }
    }

    extension PostgreSQLTransaction {
        /// How many rows of an app may wait.
        private static let pendingMax = 1_000

        /// Puts rows into the line to the server, with what is in it or with the commit.
        func save(in app: AppID, _ change: (inout PostgreSQLPending) -> Void) throws(StorageError) {
            change(&pending[app, default: PostgreSQLPending()])
            pendingCount += 1
            if pendingCount >= Self.pendingMax { try sendPending() }
        }

        /// Sends what waits, so that what comes behind it finds it.
        func sendPending() throws(StorageError) {
            guard pendingCount > 0 else { return }
            let apps = pending
            pending = [:]
            pendingCount = 0
            for (app, rows) in apps.sorted(by: { $0.key < $1.key }) {
                for (insertion, rows) in rows.insertions { try enqueue(insertion, rows, of: app) }
            }
        }

        func enqueue(
            _ insertion: PostgreSQLInsertion,
            _ rows: [[ColumnValue]],
            of app: AppID
        ) throws(StorageError) {
            try enqueue(insertion.statement, insertion.parameters(app: .text(app), rows: rows))
        }
    }
#endif
