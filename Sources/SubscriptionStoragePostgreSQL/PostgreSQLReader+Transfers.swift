#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLQuery {
        static let transfer = query(
            "transfer",
            """
            SELECT \(RecordColumns.transfer) FROM transfers WHERE app_id = $1 AND transfer_id = $2
            """
        )
        static let transfersFrom = query(
            "transfersFrom",
            "SELECT \(RecordColumns.transfer) FROM transfers WHERE app_id = $1 AND from_customer_id = $2"
        )
        static let transfersTo = query(
            "transfersTo",
            "SELECT \(RecordColumns.transfer) FROM transfers WHERE app_id = $1 AND to_customer_id = $2"
        )
        static let saveTransfer = upsert(
            "saveTransfer",
            "transfers",
            "app_id, transfer_id",
            "from_customer_id, to_customer_id, reason, items, created_at, undone_at"
        )
    }

    extension PostgreSQLReading {
        func transfer(_ id: TransferID, of app: AppID) throws(StorageError) -> TransferRecord? {
            try transaction.lock(.transfer(id), of: app)
            return try transaction.row(
                PostgreSQLQuery.transfer,
                [.text(app), .text(id)],
                decode: TransferRecord.init(row:)
            )
        }

        func transfers(of customer: CustomerID, app: AppID) throws(StorageError) -> [TransferRecord] {
            try transaction.lock(.customer(customer), of: app)
            let key: [ColumnValue] = [.text(app), .text(customer)]
            let given = try transaction.rows(PostgreSQLQuery.transfersFrom, key, decode: TransferRecord.init(row:))
            let received = try transaction.rows(PostgreSQLQuery.transfersTo, key, decode: TransferRecord.init(row:))
            return (given + received).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        }
    }

    extension PostgreSQLWriter {
        func save(_ transfer: TransferRecord, of app: AppID) throws(StorageError) {
            try transaction.lock(.transfer(transfer.id), of: app)
            try transaction.enqueue(PostgreSQLQuery.saveTransfer, [.text(app)] + transfer.columns)
        }
    }
#endif
