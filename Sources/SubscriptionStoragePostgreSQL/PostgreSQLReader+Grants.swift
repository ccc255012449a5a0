#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLReading {
        func grants(of customer: CustomerID, app: AppID) throws(StorageError) -> [GrantRecord] {
            if let known = transaction.known[app]?.grants[customer] { return known }
            try transaction.lock(.customer(customer), of: app)
            try transaction.fetch([.grants([customer])], of: app)
            return transaction.known[app]?.grants[customer] ?? []
        }

        /// In a write, grants that another write has locked are skipped, and the returned ones are locked until the
        /// commit.
        func dueGrants(until time: Timestamp, limit: Int) throws(StorageError) -> [DueGrant] {
            let query = transaction.isWriting ? PostgreSQLQuery.claimDueGrants : PostgreSQLQuery.dueGrants
            let due = try transaction.rows(query, [.time(time), .integer(max(0, limit))]) {
                row throws(StorageError) in
                DueGrant(
                    appID: try row.identifier(0),
                    customerID: try row.identifier(1),
                    id: try row.identifier(2),
                    dueAt: try row.time(3)
                )
            }
            guard transaction.isWriting, !due.isEmpty else { return due }
            return try transaction.claim(due)
        }

        func unknownNotifications(of app: AppID) throws(StorageError) -> [UnknownNotificationCount] {
            try transaction.lockExclusively(app)
            return try transaction.rows(
                PostgreSQLQuery.unknownNotifications,
                [.text(app)],
                decode: UnknownNotificationCount.init(row:)
            )
        }
    }

    extension PostgreSQLWriter {
        func save(_ record: GrantRecord, of app: AppID) throws(StorageError) {
            try transaction.lock(.customer(record.customerID), of: app)
            try transaction.enqueue(PostgreSQLQuery.saveGrant, [.text(app)] + record.columns)
            transaction.known[app]?.forget(record.customerID)
        }

        func countUnknownNotification(
            _ type: String,
            _ subtype: String?,
            receivedAt: Timestamp,
            of app: AppID
        ) throws(StorageError) {
            try transaction.lockShared(app)
            // The subtype is part of the key, so it is never null.
            let values: [ColumnValue] = [
                .text(app), .text(type), .text(subtype ?? ""), .time(receivedAt),
            ]
            try transaction.enqueue(PostgreSQLQuery.countUnknownNotification, values)
        }
    }
#endif
