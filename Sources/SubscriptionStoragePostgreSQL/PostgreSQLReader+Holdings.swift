#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLReading {
        /// In a read, all of it comes in one exchange with the server; a write reads one after another, under its
        /// locks.
        func holdings(of customer: CustomerID, app: AppID) throws(StorageError) -> CustomerHoldings? {
            guard !transaction.isWriting else { return try holdingsOneByOne(of: customer, app: app) }
            try transaction.ask(
                [.customers([customer]), .holdings([customer]), .grants([customer]), .definitions],
                of: app
            )
            return try holdingsOneByOne(of: customer, app: app)
        }
    }
#endif
