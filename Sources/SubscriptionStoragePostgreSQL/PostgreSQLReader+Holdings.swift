#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLReading {
        /// A read needs one round trip; a write reads the parts one after another under its locks.
        func holdings(of customer: CustomerID, app: AppID) throws(StorageError) -> CustomerHoldings? {
            guard !transaction.isWriting else { return try holdingsOneByOne(of: customer, app: app) }
            try transaction.fetch(
                [.customers([customer]), .holdings([customer]), .grants([customer]), .definitions],
                of: app
            )
            return try holdingsOneByOne(of: customer, app: app)
        }
    }
#endif
