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
                TransferRecord(
                    id: id,
                    from: try row.identifier(0),
                    to: try row.identifier(1),
                    reason: try row.optionalText(2),
                    items: try transaction.value([TransferRecord.Item].self, from: try row.text(3)),
                    createdAt: try row.time(4),
                    undoneAt: try row.optionalTime(5)
                )
            }
        }
    }

    extension PostgreSQLWriter {
        func save(_ transfer: TransferRecord, of app: AppID) throws(StorageError) {
            try transaction.lock(.transfer(transfer.id), of: app)
            let values: [PostgreSQLValue] = [
                .text(app), .text(transfer.id), .text(transfer.from), .text(transfer.to), .text(transfer.reason),
                .text(try transaction.text(transfer.items)), .time(transfer.createdAt), .time(transfer.undoneAt),
            ]
            try transaction.enqueue(PostgreSQLQuery.saveTransfer, values)
        }
    }
#endif
