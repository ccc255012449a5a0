#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLWriter {
        /// Locks and reads the expected rows in two round trips.
        ///
        /// A purchase that cannot be read fails the write only if it is used: the input may be held already.
        ///
        /// Every write of several inputs locks headers first, then inputs and purchases, then customers, each in the
        /// order of their numbers, so two writes never deadlock.
        func expect(_ work: [ExpectedWork]) throws(StorageError) {
            let apps = Dictionary(grouping: work, by: \.evidence.appID).sorted { $0.key < $1.key }
            for (app, _) in apps { try transaction.lockShared(app) }
            for (app, work) in apps { try expectHeaders(work, of: app) }
            var customers: [(app: AppID, ids: Set<CustomerID>)] = []
            for (app, work) in apps { customers.append((app, try expectPurchases(work, of: app))) }
            for (app, ids) in customers where !ids.isEmpty {
                try transaction.lock(ids.map(PostgreSQLLock.customer), of: app)
                let ids = Array(ids)
                try transaction.fetch(
                    [.customers(ids), .aliases(ids), .holdings(ids), .grants(ids)],
                    of: app,
                    isExpected: true
                )
            }
        }

        private func expectHeaders(_ work: [ExpectedWork], of app: AppID) throws(StorageError) {
            for item in work { _ = try number(ofHeader: SplitJWS.header(of: item.evidence.signedBytes), of: app) }
        }

        /// - Returns: The expected customers.
        private func expectPurchases(_ work: [ExpectedWork], of app: AppID) throws(StorageError) -> Set<CustomerID> {
            let evidence = Set(work.map(\.evidence.id))
            let purchases = Set(work.flatMap(\.purchases))
            let named = Set(work.flatMap(\.customers))
            let locks = evidence.map(PostgreSQLLock.evidence) + purchases.map(PostgreSQLLock.purchase)
            try transaction.lock(locks, of: app)
            // The customers of the names are only a hint for the locks; they are read again after locking.
            try transaction.fetch(
                [
                    .evidence(Array(evidence)), .purchases(Array(purchases)), .facts(Array(purchases)),
                    .aliases(Array(named)), .definitions,
                ],
                of: app,
                isExpected: true
            )
            guard var known = transaction.known[app] else { return named }
            let targets = known.takeAliases().map(\.customerID)
            transaction.known[app] = known
            let owners = purchases.compactMap { known.purchases[$0]??.customerID }
            let claimed = Set(work.filter(\.isClaim).flatMap(\.purchases))
            var others: Set<CustomerID> = []
            for purchase in purchases.sorted() {
                let claim = known.purchases[purchase]??.claim
                if claim == .contested || claim == .shared || claim == .transferred {
                    others.formUnion(try sharers(of: purchase, app: app))
                }
                // The owner may be derived from the claims again.
                if claim == .contested || claimed.contains(purchase) {
                    others.formUnion(try claims(on: purchase, app: app).map(\.customerID))
                }
            }
            return named.union(targets).union(owners).union(others).union(try customers(namedBy: others, app: app))
        }

        /// The customers of aliases, as a hint for the locks.
        private func customers(namedBy names: Set<CustomerID>, app: AppID) throws(StorageError) -> [CustomerID] {
            guard !names.isEmpty else { return [] }
            try transaction.fetch([.aliases(Array(names))], of: app)
            guard var known = transaction.known[app] else { return [] }
            let customers = known.takeAliases().map(\.customerID)
            transaction.known[app] = known
            return customers
        }
    }
#endif
