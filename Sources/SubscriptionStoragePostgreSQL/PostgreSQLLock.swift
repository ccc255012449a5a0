#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    /// What a write holds for itself until its commit, so that writes that meet end as if one came after the other.
    ///
    /// The server locks numbers, not names. Two names with one number only wait for each other without need.
    enum PostgreSQLLock: Hashable {
        /// The app as a whole: shared by every write that touches something of it, alone by one that reads or changes
        /// all.
        case app
        /// Whether a signed input is held.
        case evidence(EvidenceID)
        /// The numbers of headers.
        case headers
        /// Facts, state, owner and claims of a purchase, also of one that is not known yet.
        case purchase(OriginalTransactionID)
        /// A customer, their grants, and which purchases are theirs.
        case customer(CustomerID)
        /// A row of a described table, by its key.
        case row(String, [ColumnValue])

        /// The number that is locked.
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

    /// The locks that one write holds.
    struct PostgreSQLLocks {
        /// Apps that are held, and whether alone.
        var apps: [AppID: Bool] = [:]
        /// What is held alone, so that its number is made once.
        var held: [AppID: Set<PostgreSQLLock>] = [:]
        /// The numbers of it.
        var numbers: Set<Int64> = []

        /// Whether nothing of the app can change under this write anyway.
        func holdsAlone(_ app: AppID) -> Bool { apps[app] ?? false }
    }

    extension PostgreSQLTransaction {
        /// Holds something of an app until the commit. Does nothing in a read, whose view does not change.
        func lock(_ lock: PostgreSQLLock, of app: AppID) throws(StorageError) {
            try self.lock([lock], of: app)
        }

        /// Holds several until the commit, in the order in which every write holds them.
        func lock(_ wanted: [PostgreSQLLock], of app: AppID) throws(StorageError) {
            guard isWriting, !locks.holdsAlone(app) else { return }
            let new = wanted.filter { locks.held[app, default: []].insert($0).inserted }
            guard !new.isEmpty else { return }
            try share(app)
            try wait(for: new.map { $0.number(of: app, schema: connection.schema) })
        }

        private func wait(for numbers: [Int64]) throws(StorageError) {
            let missing = numbers.filter { locks.numbers.insert($0).inserted }.sorted()
            guard !missing.isEmpty else { return }
            try enqueue(PostgreSQLQuery.lockMany, PostgreSQLParameters([.numbers(missing)]))
        }

        /// Keeps others from holding the app alone.
        func share(_ app: AppID) throws(StorageError) {
            guard isWriting, locks.apps[app] == nil else { return }
            locks.apps[app] = false
            let number = PostgreSQLLock.app.number(of: app, schema: connection.schema)
            try enqueue(PostgreSQLQuery.lockShared, PostgreSQLParameters([.number(number)]))
        }

        /// Waits until no other write touches the app, and holds it alone.
        func holdAlone(_ app: AppID) throws(StorageError) {
            guard isWriting, !locks.holdsAlone(app) else { return }
            locks.apps[app] = true
            let number = PostgreSQLLock.app.number(of: app, schema: connection.schema)
            try enqueue(PostgreSQLQuery.lock, PostgreSQLParameters([.number(number)]))
        }

        /// Of purchases whose rows this write has claimed, those that no other write is about to change.
        ///
        /// It never waits for a purchase, and for customers only in one order: so it stands in nobody's way for long.
        func claim(_ due: [(purchase: DuePurchase, customer: CustomerID?)]) throws(StorageError) -> [DuePurchase] {
            for app in Set(due.map(\.purchase.appID)).sorted() { try share(app) }
            let schema = connection.schema
            let numbers = due.map {
                PostgreSQLLock.purchase($0.purchase.id).number(of: $0.purchase.appID, schema: schema)
            }
            let answer = try rows(PostgreSQLQuery.tryLocks, [.numbers(numbers)]) { row throws(StorageError) in
                (number: try row.integer(0), isHeld: try row.flag(1))
            }
            let held = Set(answer.filter(\.isHeld).map(\.number))
            locks.numbers.formUnion(held)
            let claimed = zip(due, numbers).filter { held.contains($0.1) }.map(\.0)
            try wait(
                for: claimed.compactMap { entry in
                    entry.customer.map { PostgreSQLLock.customer($0).number(of: entry.purchase.appID, schema: schema) }
                }
            )
            return claimed.map(\.purchase)
        }

        /// Of grants whose rows this write has claimed, those whose customers no other write is about to change.
        func claim(_ due: [DueGrant]) throws(StorageError) -> [DueGrant] {
            for app in Set(due.map(\.appID)).sorted() { try share(app) }
            let schema = connection.schema
            let numbers = due.map { PostgreSQLLock.customer($0.customerID).number(of: $0.appID, schema: schema) }
            let held = try hold(numbers)
            return zip(due, numbers).filter { held.contains($0.1) }.map(\.0)
        }

        /// Holds what can be held without waiting, and says what that is.
        private func hold(_ numbers: [Int64]) throws(StorageError) -> Set<Int64> {
            let answer = try rows(PostgreSQLQuery.tryLocks, [.numbers(numbers)]) { row throws(StorageError) in
                (number: try row.integer(0), isHeld: try row.flag(1))
            }
            let held = Set(answer.filter(\.isHeld).map(\.number))
            locks.numbers.formUnion(held)
            return held
        }
    }
#endif
