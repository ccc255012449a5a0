#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLWriter {
        /// Holds and reads what is expected in two exchanges with the server, however much it is.
        ///
        /// Every write of several inputs holds headers first, then inputs and purchases, then customers, each in the order
        /// of their numbers: so two of them never wait for each other.
        func expect(_ work: [ExpectedWork]) throws(StorageError) {
            let apps = Dictionary(grouping: work, by: \.evidence.appID).sorted { $0.key < $1.key }
            for (app, _) in apps { try transaction.share(app) }
            for (app, work) in apps { try expectHeaders(work, of: app) }
            var customers: [(app: AppID, ids: Set<CustomerID>)] = []
            for (app, work) in apps { customers.append((app, try expectPurchases(work, of: app))) }
            for (app, ids) in customers where !ids.isEmpty {
                try transaction.lock(ids.map(PostgreSQLLock.customer), of: app)
                let ids = Array(ids)
                try transaction.ask([.customers(ids), .aliases(ids), .holdings(ids), .grants(ids)], of: app)
            }
        }

        private func expectHeaders(_ work: [ExpectedWork], of app: AppID) throws(StorageError) {
            for item in work { _ = try number(ofHeader: SplitJWS.header(of: item.evidence.signedBytes), of: app) }
        }

        /// - Returns: The customers that will be touched.
        private func expectPurchases(_ work: [ExpectedWork], of app: AppID) throws(StorageError) -> Set<CustomerID> {
            let evidence = Set(work.map(\.evidence.id))
            let purchases = Set(work.flatMap(\.purchases))
            let named = Set(work.flatMap(\.customers))
            let locks = evidence.map(PostgreSQLLock.evidence) + purchases.map(PostgreSQLLock.purchase)
            try transaction.lock(locks, of: app)
            // Whom the names stand for is only a hint for the locks: it is read again once they are held.
            try transaction.ask(
                [
                    .evidence(Array(evidence)), .purchases(Array(purchases)), .facts(Array(purchases)),
                    .aliases(Array(named)), .definitions,
                ],
                of: app
            )
            guard var known = transaction.known[app] else { return named }
            let targets = known.takeAliases().map(\.customerID)
            transaction.known[app] = known
            let owners = purchases.compactMap { known.purchases[$0]??.customerID }
            var others: [CustomerID] = []
            for purchase in purchases.sorted() {
                switch known.purchases[purchase]??.claim {
                case .contested, .shared, .transferred:
                    others += try sharers(of: purchase, app: app)
                    others += try claims(on: purchase, app: app).map(\.customerID)
                case .accountToken, .erased, .submitted, nil: continue
                }
            }
            return named.union(targets).union(owners).union(others)
        }
    }
#endif
