#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLReading {
        func ledger(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> PurchaseLedger {
            if let known = transaction.known[app]?.ledger(of: purchase) { return known }
            try transaction.lock(.purchase(purchase), of: app)
            // A write that reads the facts reads the record next, so both are read in the same round trip.
            let isRecordWanted = transaction.isWriting && transaction.known[app]?.purchases[purchase] == nil
            try transaction.fetch((isRecordWanted ? [.purchases([purchase])] : []) + [.facts([purchase])], of: app)
            return transaction.known[app]?.ledger(of: purchase) ?? PurchaseLedger(originalID: purchase)
        }

        func purchase(_ id: OriginalTransactionID, of app: AppID) throws(StorageError) -> PurchaseRecord? {
            if let known = transaction.known[app]?.purchases[id] { return known }
            try transaction.lock(.purchase(id), of: app)
            try transaction.fetch([.purchases([id])], of: app)
            return transaction.known[app]?.purchases[id] ?? nil
        }

        func claims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [ClaimRecord] {
            try transaction.lock(.purchase(purchase), of: app)
            let key: [ColumnValue] = [.text(app), .text(purchase)]
            return try transaction.rows(PostgreSQLQuery.claims, key, decode: ClaimRecord.init(row:))
        }

        func purchases(of customer: CustomerID, app: AppID) throws(StorageError) -> [PurchaseRecord] {
            if let known = transaction.known[app]?.holdings[customer] { return known }
            try transaction.lock(.customer(customer), of: app)
            try transaction.fetch([.holdings([customer])], of: app)
            return transaction.known[app]?.holdings[customer] ?? []
        }

        /// In a write, purchases that another write has locked are skipped, and the returned ones are locked until the
        /// commit.
        func duePurchases(until time: Timestamp, limit: Int) throws(StorageError) -> [DuePurchase] {
            let query = transaction.isWriting ? PostgreSQLQuery.claimDue : PostgreSQLQuery.due
            let due = try transaction.rows(query, [.time(time), .integer(max(0, limit))]) {
                row throws(StorageError) in
                (
                    purchase: DuePurchase(
                        appID: try row.identifier(0),
                        id: try row.identifier(1),
                        dueAt: try row.time(2)
                    ),
                    customer: try row.optionalIdentifier(3) as CustomerID?
                )
            }
            guard transaction.isWriting, !due.isEmpty else { return due.map(\.purchase) }
            return try transaction.claim(due)
        }
    }
#endif
