#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    /// The locks of a write until its commit, which make writes serializable.
    ///
    /// They are advisory locks on numbers. Two names with the same number only wait for each other unnecessarily.
    enum PostgreSQLLock: Hashable {
        /// The whole app: shared for a write that uses a part of it, exclusive for one that reads or changes all.
        case app
        /// Whether a signed input is stored.
        case evidence(EvidenceID)
        /// The numbers of headers.
        case headers
        /// Facts, state, owner and claims of a purchase, even if it is not stored yet.
        case purchase(OriginalTransactionID)
        /// A customer, their grants, and the set of their purchases.
        case customer(CustomerID)
        /// A row of a described table, by its key.
        case row(String, [ColumnValue])

        /// The number of the lock.
        func number(of app: AppID, schema: String) -> Int64 {
            var checksum = Checksum()
            for part in [schema, app.rawValue] + parts {
                checksum.add(part.utf8)
                checksum.add([0])
            }
            return checksum.value
        }

        private var parts: [String] {
            switch self {
            case .app: ["app"]
            case .evidence(let id): ["evidence", id.rawValue]
            case .headers: ["headers"]
            case .purchase(let id): ["purchase", id.rawValue]
            case .customer(let id): ["customer", id.rawValue]
            case .row(let table, let key): [table] + key.map { "\($0)" }
            }
        }
    }

    /// The locks of a write.
    struct PostgreSQLLocks {
        /// The locked apps, and whether exclusively.
        var apps: [AppID: Bool] = [:]
        /// The exclusive locks, so that each number is computed once.
        var exclusive: [AppID: Set<PostgreSQLLock>] = [:]
        /// The numbers of the exclusive locks.
        var numbers: Set<Int64> = []

        /// Whether this write has locked the whole app exclusively.
        func hasExclusiveLock(on app: AppID) -> Bool { apps[app] ?? false }
    }

    extension PostgreSQLTransaction {
        /// Locks something of an app until the commit. Does nothing in a read, which sees a snapshot.
        func lock(_ lock: PostgreSQLLock, of app: AppID) throws(StorageError) {
            try self.lock([lock], of: app)
        }

        /// Acquires several locks until the commit, in the order that every write uses.
        func lock(_ wanted: [PostgreSQLLock], of app: AppID) throws(StorageError) {
            guard isWriting, !locks.hasExclusiveLock(on: app) else { return }
            let new = wanted.filter { locks.exclusive[app, default: []].insert($0).inserted }
            guard !new.isEmpty else { return }
            try lockShared(app)
            try wait(for: new.map { $0.number(of: app, schema: connection.schema) })
        }

        private func wait(for numbers: [Int64]) throws(StorageError) {
            let missing = numbers.filter { locks.numbers.insert($0).inserted }.sorted()
            guard !missing.isEmpty else { return }
            try enqueue(PostgreSQLQuery.lockMany, PostgreSQLParameters([.numbers(missing)]))
        }

        /// Locks an app in shared mode.
        func lockShared(_ app: AppID) throws(StorageError) {
            guard isWriting, locks.apps[app] == nil else { return }
            locks.apps[app] = false
            let number = PostgreSQLLock.app.number(of: app, schema: connection.schema)
            try enqueue(PostgreSQLQuery.lockShared, PostgreSQLParameters([.number(number)]))
        }

        /// Waits until no other write uses the app and locks it exclusively.
        func lockExclusively(_ app: AppID) throws(StorageError) {
            guard isWriting, !locks.hasExclusiveLock(on: app) else { return }
            locks.apps[app] = true
            let number = PostgreSQLLock.app.number(of: app, schema: connection.schema)
            try enqueue(PostgreSQLQuery.lock, PostgreSQLParameters([.number(number)]))
        }

        /// Locks those of the due purchases that no other write has locked, and returns them.
        ///
        /// It never waits for a purchase, and waits for customers only in a fixed order, so it cannot deadlock.
        func claim(_ due: [(purchase: DuePurchase, customer: CustomerID?)]) throws(StorageError) -> [DuePurchase] {
            for app in Set(due.map(\.purchase.appID)).sorted() { try lockShared(app) }
            let schema = connection.schema
            let numbers = due.map {
                PostgreSQLLock.purchase($0.purchase.id).number(of: $0.purchase.appID, schema: schema)
            }
            let answer = try rows(PostgreSQLQuery.tryLocks, [.numbers(numbers)]) { row throws(StorageError) in
                (number: try row.integer(0), isLocked: try row.flag(1))
            }
            let locked = Set(answer.filter(\.isLocked).map(\.number))
            locks.numbers.formUnion(locked)
            let claimed = zip(due, numbers).filter { locked.contains($0.1) }.map(\.0)
            try wait(
                for: claimed.compactMap { entry in
                    entry.customer.map { PostgreSQLLock.customer($0).number(of: entry.purchase.appID, schema: schema) }
                }
            )
            return claimed.map(\.purchase)
        }

        /// Locks the customers of the due grants that no other write has locked, and returns those grants.
        func claim(_ due: [DueGrant]) throws(StorageError) -> [DueGrant] {
            for app in Set(due.map(\.appID)).sorted() { try lockShared(app) }
            let schema = connection.schema
            let numbers = due.map { PostgreSQLLock.customer($0.customerID).number(of: $0.appID, schema: schema) }
            let locked = try tryLock(numbers)
            return zip(due, numbers).filter { locked.contains($0.1) }.map(\.0)
        }

        /// Acquires the locks that are free, and returns their numbers.
        private func tryLock(_ numbers: [Int64]) throws(StorageError) -> Set<Int64> {
            let answer = try rows(PostgreSQLQuery.tryLocks, [.numbers(numbers)]) { row throws(StorageError) in
                (number: try row.integer(0), isLocked: try row.flag(1))
            }
            let locked = Set(answer.filter(\.isLocked).map(\.number))
            locks.numbers.formUnion(locked)
            return locked
        }
    }
#endif
