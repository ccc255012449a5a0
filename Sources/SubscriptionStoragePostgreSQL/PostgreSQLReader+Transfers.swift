#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLQuery {
        static let transfer = query(
            "transfer",
            """
            SELECT from_customer_id, to_customer_id, reason, items, created_at, undone_at FROM transfers
            WHERE app_id = $1 AND transfer_id = $2
            """
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
            return try transaction.row(PostgreSQLQuery.transfer, [.text(app), .text(id)]) { row throws(StorageError) in
                try TransferRecord(row: row, id: id)
            }
        }
    }

    extension PostgreSQLWriter {
        func save(_ transfer: TransferRecord, of app: AppID) throws(StorageError) {
            try transaction.lock(.transfer(transfer.id), of: app)
            try transaction.enqueue(PostgreSQLQuery.saveTransfer, [.text(app)] + transfer.columns)
        }
    }
#endif
