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
                    (PostgreSQLQuery.sharedPurchases, key),
                ])
            )
            return try transaction.decoded { () throws(StorageError) in
                let record = try answers[0].first(CustomerRecord.init(row:))
                guard let record else { return nil }
                let products = try answers[3].rows { row throws(StorageError) in
                    (
                        id: try row.identifier(0) as EntitlementID,
                        product: try row.optionalIdentifier(1) as ProductID?,
                        days: try row.optionalCount(2)
                    )
                }
                return CustomerHoldings(
                    customer: record,
                    purchases: try answers[1].rows(PurchaseRecord.init(row:))
                        .joined(with: try answers[4].rows(PurchaseRecord.init(row:))),
                    grants: try answers[2].rows(GrantRecord.init(row:)),
                    definitions: EntitlementDefinition.definitions(products)
                )
            }
        }
    }
#endif
