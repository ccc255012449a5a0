#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    /// The rows of an app that a write has saved but not sent yet; they are sent table by table.
    struct PostgreSQLPending {
        /// Rows of one table; a later row replaces an earlier one with the same key.
        struct Rows<Key: Hashable> {
            private(set) var keyedRows: [(key: Key, row: [ColumnValue])] = []
            private var indexes: [Key: Int] = [:]

            var rows: [[ColumnValue]] { keyedRows.map(\.row) }

            func has(_ key: Key) -> Bool { indexes[key] != nil }

            mutating func save(_ row: [ColumnValue], as key: Key) {
                if let index = indexes[key] { return keyedRows[index].row = row }
                indexes[key] = keyedRows.count
                keyedRows.append((key, row))
            }
        }

        /// A transaction of a purchase.
        struct TransactionKey: Hashable {
            let purchase: OriginalTransactionID
            let id: TransactionID
        }

        var earlierTransactions = Rows<TransactionKey>()
        /// The index of transactions by their own identifier.
        var transactionIDs = Rows<TransactionKey>()
        /// Without their facts, which are in ``facts``.
        var purchases = Rows<OriginalTransactionID>()
        /// The facts in the rows of purchases.
        private(set) var facts: [OriginalTransactionID: PurchaseFacts] = [:]
        private var factOrder: [OriginalTransactionID] = []
        var customers = Rows<CustomerID>()

        mutating func save(_ facts: PurchaseFacts, of id: OriginalTransactionID) {
            if self.facts.updateValue(facts, forKey: id) == nil { factOrder.append(id) }
        }

        /// The rows to send.
        var insertions: [(insertion: PostgreSQLInsertion, rows: [[ColumnValue]])] {
            let others = factOrder.filter { !purchases.has($0) }
            return [
                (PostgreSQLQuery.saveEarlierTransactions, earlierTransactions.rows),
                (PostgreSQLQuery.noteTransactions, transactionIDs.rows),
                (PostgreSQLQuery.saveFacts, others.map { [.text($0), bytes(of: $0)] }),
                (PostgreSQLQuery.savePurchases, purchases.keyedRows.map { $0.row + [bytes(of: $0.key)] }),
                (PostgreSQLQuery.saveCustomers, customers.rows),
            ].filter { !$0.1.isEmpty }
        }

        private func bytes(of id: OriginalTransactionID) -> ColumnValue { .bytes(facts[id]?.compactBytes) }
    }

    extension PostgreSQLTransaction {
        /// The maximum number of unsent rows of an app.
        private static let pendingMax = 1_000

        /// Saves rows, which are sent with the next query or with the commit.
        func save(in app: AppID, _ change: (inout PostgreSQLPending) -> Void) throws(StorageError) {
            change(&pending[app, default: PostgreSQLPending()])
            pendingCount += 1
            if pendingCount >= Self.pendingMax { try sendPending() }
        }

        /// Queues the unsent rows, so that later statements see them.
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
