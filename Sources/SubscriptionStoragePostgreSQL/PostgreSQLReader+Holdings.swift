#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLReading {
        /// In a read, all of it comes in one exchange with the server; a write reads one after another, under its locks.
        func holdings(of customer: CustomerID, app: AppID) throws(StorageError) -> CustomerHoldings? {
            guard !transaction.isWriting else { return try holdingsOneByOne(of: customer, app: app) }
            let key: [ColumnValue] = [.text(app), .text(customer)]
            let answers = Array(
                try transaction.answers([
                    (PostgreSQLQuery.customer, key), (PostgreSQLQuery.purchasesOfCustomer, key),
                    (PostgreSQLQuery.grants, key), (PostgreSQLQuery.definitions, [.text(app)]),
                ])
            )
            return try transaction.decoded { () throws(StorageError) in
                let record = try answers[0].first { row throws(StorageError) in
                    CustomerRecord(id: customer, firstSeenAt: try row.time(0), stateVersion: try row.integer(1))
                }
                guard let record else { return nil }
                let products = try answers[3].rows { row throws(StorageError) in
                    (id: try row.identifier(0) as EntitlementID, product: try row.optionalIdentifier(1) as ProductID?)
                }
                return CustomerHoldings(
                    customer: record,
                    purchases: try answers[1].rows(PurchaseRecord.init(row:)),
                    grants: try answers[2].rows(GrantRecord.init(row:)),
                    definitions: EntitlementDefinition.definitions(products)
                )
            }
        }
    }
#endif
