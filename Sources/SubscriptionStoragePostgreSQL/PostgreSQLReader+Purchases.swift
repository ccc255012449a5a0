#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLReading {
        func ledger(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> PurchaseLedger {
            try transaction.lock(.purchase(purchase), of: app)
            let key: [ColumnValue] = [.text(app), .text(purchase)]
            // A write that wants the facts wants the record next: it comes in the same exchange.
            let isRecordWanted = transaction.isWriting && transaction.purchases[.init(app: app, id: purchase)] == nil
            let record = isRecordWanted ? [(statement: PostgreSQLQuery.purchaseForUpdate, values: key)] : []
            let answers = try transaction.answers(
                record + [
                    (PostgreSQLQuery.transactions, key), (PostgreSQLQuery.renewal, key), (PostgreSQLQuery.status, key),
                ]
            )
            return try transaction.decoded { () throws(StorageError) in
                if isRecordWanted { try remember(answers[0], of: purchase, app: app) }
                let facts = answers.suffix(3)
                return PurchaseLedger(
                    originalID: purchase,
                    transactions: try facts[facts.startIndex].rows(TransactionFact.init(row:)),
                    renewal: try facts[facts.startIndex + 1].first(RenewalFact.init(row:)),
                    status: try facts[facts.startIndex + 2].first(StatusFact.init(row:))
                )
            }
        }

        func purchase(_ id: OriginalTransactionID, of app: AppID) throws(StorageError) -> PurchaseRecord? {
            let key: [ColumnValue] = [.text(app), .text(id)]
            guard transaction.isWriting else {
                return try transaction.row(PostgreSQLQuery.purchase, key, decode: PurchaseRecord.init(row:))
            }
            if let known = transaction.purchases[.init(app: app, id: id)] { return known }
            try transaction.lock(.purchase(id), of: app)
            let answer = try transaction.answers([(PostgreSQLQuery.purchaseForUpdate, key)])
            return try transaction.decoded { () throws(StorageError) in try remember(answer[0], of: id, app: app) }
        }

        @discardableResult
        private func remember(
            _ answer: PostgreSQLResult,
            of id: OriginalTransactionID,
            app: AppID
        ) throws(StorageError) -> PurchaseRecord? {
            let record = try answer.first(PurchaseRecord.init(row:))
            transaction.purchases[.init(app: app, id: id)] = .some(record)
            return record
        }

        func claims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [ClaimRecord] {
            try transaction.lock(.purchase(purchase), of: app)
            let key: [ColumnValue] = [.text(app), .text(purchase)]
            return try transaction.rows(PostgreSQLQuery.claims, key, decode: ClaimRecord.init(row:))
        }

        func purchases(of customer: CustomerID, app: AppID) throws(StorageError) -> [PurchaseRecord] {
            try transaction.lock(.customer(customer), of: app)
            let key: [ColumnValue] = [.text(app), .text(customer)]
            let answers = try transaction.answers([
                (PostgreSQLQuery.purchasesOfCustomer, key), (PostgreSQLQuery.sharedPurchases, key),
            ])
            return try transaction.decoded { () throws(StorageError) in
                let own = try answers[0].rows(PurchaseRecord.init(row:))
                let shared = try answers[1].rows(PurchaseRecord.init(row:))
                return shared.isEmpty ? own : own.joined(with: shared)
            }
        }

        /// In a write, what another write has claimed is passed over, and what is returned is held until the commit.
        func duePurchases(until instant: Timestamp, limit: Int) throws(StorageError) -> [DuePurchase] {
            let query = transaction.isWriting ? PostgreSQLQuery.claimDue : PostgreSQLQuery.due
            let due = try transaction.rows(query, [.time(instant), .integer(max(0, limit))]) {
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
