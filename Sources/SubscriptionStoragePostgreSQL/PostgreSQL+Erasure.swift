#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLQuery {
        static let eventsAboutCustomer = query(
            "eventsAboutCustomer",
            """
            SELECT \(RecordColumns.event) FROM events
            WHERE app_id = $1 AND sequence > $2 AND sequence <= $3 AND customer_id = $4 ORDER BY sequence
            """
        )
        static let lastEvent = query(
            "lastEvent",
            "SELECT coalesce(max(sequence), 0) FROM events WHERE app_id = $1"
        )
        static let replaceEvent = query(
            "replaceEvent",
            """
            UPDATE events SET customer_id = $1, state_version = $2, event = $3 WHERE app_id = $4 AND sequence = $5
            """
        )
        static let removeClaimsOfCustomer = query(
            "removeClaimsOfCustomer",
            "DELETE FROM claims WHERE app_id = $1 AND customer_id = $2"
        )
        static let removeClaimsOfPurchase = query(
            "removeClaimsOfPurchase",
            "DELETE FROM claims WHERE app_id = $1 AND original_transaction_id = $2"
        )
    }

    extension PostgreSQLReading {
        func events(
            about customer: CustomerID,
            of app: AppID,
            after sequence: Int64,
            through end: Int64
        ) throws(StorageError) -> [EventRecord] {
            try transaction.flushAndLockCounters(of: app)
            let values: [ColumnValue] = [.text(app), .integer(sequence), .integer(end), .text(customer)]
            return try transaction.rows(
                PostgreSQLQuery.eventsAboutCustomer,
                values,
                decode: EventRecord.init(row:)
            )
        }

        func lastEvent(of app: AppID) throws(StorageError) -> Int64 {
            try transaction.flushAndLockCounters(of: app)
            return try transaction.row(PostgreSQLQuery.lastEvent, [.text(app)]) { row throws(StorageError) in
                try row.integer(0)
            } ?? 0
        }
    }

    extension PostgreSQLWriter {
        func save(_ event: EventRecord, of app: AppID) throws(StorageError) {
            try transaction.lockShared(app)
            let values: [ColumnValue] = [
                .text(event.customerID), .integer(event.stateVersion), .bytes(event.event.compactBytes),
                .text(app), .integer(event.sequence),
            ]
            try transaction.enqueue(PostgreSQLQuery.replaceEvent, values)
        }

        func removeClaims(by customer: CustomerID, app: AppID) throws(StorageError) {
            try transaction.lock(.customer(customer), of: app)
            try transaction.enqueue(PostgreSQLQuery.removeClaimsOfCustomer, [.text(app), .text(customer)])
        }

        func removeClaims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) {
            try transaction.lock(.purchase(purchase), of: app)
            try transaction.enqueue(PostgreSQLQuery.removeClaimsOfPurchase, [.text(app), .text(purchase)])
        }
    }
#endif
