#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLTables {
        /// Aliases and profiles of customers.
        static let aliases = [
            """
            CREATE TABLE aliases (
                app_id \(text) NOT NULL,
                alias_id \(text) NOT NULL,
                customer_id \(text) NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (app_id, alias_id)
            )
            """,
            "ALTER TABLE customers ADD COLUMN profile \(text)",
        ]
    }

    extension PostgreSQLQuery {
        static let aliases =
            lookup("aliases", "alias_id, customer_id, created_at", in: "aliases", by: "alias_id")
        static let saveAlias = upsert("saveAlias", "aliases", "app_id, alias_id", "customer_id, created_at")
        static let removeAlias = query("removeAlias", "DELETE FROM aliases WHERE app_id = $1 AND alias_id = $2")
        static let removeCustomer = query(
            "removeCustomer",
            "DELETE FROM customers WHERE app_id = $1 AND customer_id = $2"
        )
        static let removeGrants = query("removeGrants", "DELETE FROM grants WHERE app_id = $1 AND customer_id = $2")
    }

    extension PostgreSQLReading {
        /// An identifier is locked as the customer that it is or might become.
        func alias(_ id: CustomerID, of app: AppID) throws(StorageError) -> AliasRecord? {
            if let known = transaction.known[app]?.aliases[id] { return known }
            try transaction.lock(.customer(id), of: app)
            try transaction.fetch([.aliases([id])], of: app)
            return transaction.known[app]?.aliases[id] ?? nil
        }

        /// All are locked in the order in which every write locks customers, so that no two writes deadlock.
        func aliases(_ ids: Set<CustomerID>, of app: AppID) throws(StorageError) -> [AliasRecord] {
            let unknown = ids.filter { transaction.known[app]?.aliases[$0] == nil }
            if !unknown.isEmpty {
                try transaction.lock(unknown.map(PostgreSQLLock.customer), of: app)
                try transaction.fetch([.aliases(Array(unknown))], of: app)
            }
            return ids.sorted().compactMap { transaction.known[app]?.aliases[$0] ?? nil }
        }
    }

    extension PostgreSQLWriter {
        func save(_ alias: AliasRecord, of app: AppID) throws(StorageError) {
            try transaction.lock(.customer(alias.id), of: app)
            let values: [ColumnValue] = [
                .text(app), .text(alias.id), .text(alias.customerID), .time(alias.createdAt),
            ]
            try transaction.enqueue(PostgreSQLQuery.saveAlias, values)
            transaction.known[app]?.forget(alias.id)
        }

        func removeAlias(_ id: CustomerID, of app: AppID) throws(StorageError) {
            try transaction.lock(.customer(id), of: app)
            try transaction.enqueue(PostgreSQLQuery.removeAlias, [.text(app), .text(id)])
            transaction.known[app]?.forget(id)
        }

        func removeCustomer(_ id: CustomerID, of app: AppID) throws(StorageError) {
            try transaction.lock(.customer(id), of: app)
            try transaction.enqueue(PostgreSQLQuery.removeCustomer, [.text(app), .text(id)])
            transaction.known[app]?.forget(id)
        }

        func removeGrants(of customer: CustomerID, app: AppID) throws(StorageError) {
            try transaction.lock(.customer(customer), of: app)
            try transaction.enqueue(PostgreSQLQuery.removeGrants, [.text(app), .text(customer)])
            transaction.known[app]?.forget(customer)
        }
    }
#endif
