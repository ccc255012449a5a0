#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLReading {
        func rows<Record: TableRow>(of type: Record.Type, _ lookup: TableLookup) throws(StorageError) -> [Record] {
            try rows(of: type, [lookup]).first ?? []
        }

        /// Runs all look-ups in one round trip. Rows that this transaction has already read are not queried again.
        func rows<Record: TableRow>(
            of type: Record.Type,
            _ lookups: [TableLookup]
        ) throws(StorageError) -> [[Record]] {
            let table = Record.table
            var answers = lookups.map { transaction.found.rows(of: type, $0) }
            let unknown = answers.indices.filter { answers[$0] == nil }
            if !unknown.isEmpty {
                let missing = unknown.map { lookups[$0] }
                try transaction.acquireLocks(missing.map { ($0.app, $0.lock(in: table)) }, in: table, changes: false)
                // The cache may be too small for all of them.
                for (index, rows) in zip(unknown, try transaction.fetch(type, missing)) { answers[index] = rows }
            }
            return answers.map { $0 ?? [] }
        }
    }

    extension PostgreSQLWriter {
        func save<Record: TableRecord>(_ record: Record, in app: AppID?) throws(StorageError) {
            let table = Record.table
            let row = try record.columns
            try transaction.acquireLocks([(app, table.lock(ofRow: row, app: app))], in: table, changes: true)
            let statement = transaction.statement(TableStatement(.save, table)) { SQLDialect.postgreSQL.save(table) }
            try change(table, statement, table.values(ofRow: row, app: app))
        }

        func update<Record: TableRecord>(
            _ record: Record,
            from previous: Record,
            in app: AppID?
        ) throws(StorageError) {
            let table = Record.table
            let row = try record.columns
            guard let update = RowUpdate(of: table, to: row, from: try previous.columns, app: app) else { return }
            try transaction.acquireLocks([(app, table.lock(ofRow: row, app: app))], in: table, changes: true)
            let statement = transaction.statement(TableStatement(updating: update.columns, of: table)) {
                SQLDialect.postgreSQL.update(table, update.columns)
            }
            try change(table, statement, update.values)
        }

        /// Two writes that add the same row wait only for the commit of the first, because they share the app.
        func insert<Record: TableRecord>(once record: Record, in app: AppID?) throws(StorageError) {
            let table = Record.table
            let row = try record.columns
            try transaction.acquireLocks([(app, table.lock(ofRow: row, app: app))], in: table, changes: false)
            let statement = transaction.statement(TableStatement(.insert, table)) {
                SQLDialect.postgreSQL.insert(table)
            }
            try change(table, statement, table.values(ofRow: row, app: app))
        }

        func remove<Record: TableRecord>(_ type: Record.Type, _ lookup: TableLookup) throws(StorageError) {
            let table = Record.table
            try transaction.acquireLocks([(lookup.app, lookup.lock(in: table))], in: table, changes: true)
            let statement = transaction.statement(TableStatement(.delete, table, lookup)) {
                SQLDialect.postgreSQL.delete(table, lookup)
            }
            try change(table, statement, lookup.values)
        }

        private func change(
            _ table: TableDescription,
            _ statement: PostgreSQLStatement,
            _ values: [ColumnValue]
        ) throws(StorageError) {
            try transaction.enqueue(statement, values)
            transaction.found.forget(table)
        }
    }

    /// A cache of rows that a transaction has read from described tables. A write locks what it reads, so only its own
    /// changes invalidate the cache.
    struct PostgreSQLFoundRows {
        /// The maximum number of cached look-ups; further ones are queried again.
        private static let lookupsMax = 4_096

        private var rows: [String: [TableLookup: any Sendable]] = [:]
        private var count = 0

        func rows<Record: TableRow>(of type: Record.Type, _ lookup: TableLookup) -> [Record]? {
            rows[Record.table.name]?[lookup] as? [Record]
        }

        mutating func remember<Record: TableRow>(_ found: [Record], of lookup: TableLookup) {
            if count >= Self.lookupsMax { self = PostgreSQLFoundRows() }
            count += 1
            rows[Record.table.name, default: [:]][lookup] = found
        }

        mutating func forget(_ table: TableDescription) {
            rows[table.name] = nil
        }
    }

    extension PostgreSQLTransaction {
        /// A statement, made once per connection.
        func statement(_ statement: TableStatement, text: () -> String) -> PostgreSQLStatement {
            if let known = connection.tableStatements[statement] { return known }
            let new = PostgreSQLStatement(statement.name, text())
            connection.tableStatements[statement] = new
            return new
        }

        /// Stands for the database where a lock belongs to an app.
        private static var database: AppID { AppID(rawValue: "") }

        /// Acquires the locks for look-ups or rows; does nothing in a read.
        fileprivate func acquireLocks(
            _ wanted: [(app: AppID?, lock: LockTarget)],
            in table: TableDescription,
            changes: Bool
        ) throws(StorageError) {
            guard isWriting else { return }
            var locks: [AppID: [PostgreSQLLock]] = [:]
            for (app, lock) in wanted {
                if let app, case .nothing = lock { try lockShared(app) }
                guard let app = app ?? lock.app else {
                    // The rows of the database are locked like those of an app without a name.
                    if case .row(let key) = lock { locks[Self.database, default: []].append(.row(table.name, key)) }
                    continue
                }
                switch lock {
                case .nothing: break
                case .app(let app): if changes { try lockExclusively(app) } else { try lockShared(app) }
                case .appAlone(let app): try lockExclusively(app)
                case .row(let key): locks[app, default: []].append(.row(table.name, key))
                case .customer(let id): locks[app, default: []].append(.customer(id))
                case .purchase(let id): locks[app, default: []].append(.purchase(id))
                }
            }
            for (app, locks) in locks.sorted(by: { $0.key < $1.key }) { try lock(locks, of: app) }
        }

        /// Queries the server and caches the rows. Look-ups that differ in one text only are one statement.
        ///
        /// - Returns: The rows of each look-up.
        fileprivate func fetch<Record: TableRow>(
            _ type: Record.Type,
            _ lookups: [TableLookup]
        ) throws(StorageError) -> [[Record]] {
            let table = Record.table
            guard lookups.count > 1, let many = TableLookups(lookups, in: table) else {
                var found: [[Record]] = []
                for lookup in lookups { found.append(try fetch(type, lookup)) }
                return found
            }
            let statement = statement(TableStatement(.selectMany, table, many.first)) {
                SQLDialect.postgreSQL.selectMany(table, many.first)
            }
            let answer = try answers([(statement, [.text(many.app), .texts(many.texts)])]).last
            return try decoded { () throws(StorageError) in
                let rows = try answer?.rows { row throws(StorageError) in
                    (number: try row.count(table.columns.count), record: try Record(row: row))
                }
                let records = Dictionary(grouping: rows ?? [], by: \.number)
                return lookups.enumerated().map { index, lookup in
                    let mine = (records[index + 1] ?? []).map(\.record)
                    found.remember(mine, of: lookup)
                    return mine
                }
            }
        }
    }

    extension PostgreSQLTransaction {
        private func fetch<Record: TableRow>(
            _ type: Record.Type,
            _ lookup: TableLookup
        ) throws(StorageError) -> [Record] {
            let table = Record.table
            let statement = statement(TableStatement(.select, table, lookup, unread: Record.unread)) {
                SQLDialect.postgreSQL.select(table, lookup, unread: Record.unread)
            }
            let records = try rows(statement, lookup.values) { row throws(StorageError) in try Record(row: row) }
            found.remember(records, of: lookup)
            return records
        }
    }

    /// Look-ups of one app in one index that differ in one text only.
    private struct TableLookups {
        let app: AppID
        let first: TableLookup
        let texts: [String]

        /// Nil if they differ in something else.
        init?(_ lookups: [TableLookup], in table: TableDescription) {
            let texts = lookups.compactMap { $0.onlyText(in: table) }
            guard let first = lookups.first, let app = first.app, texts.count == lookups.count,
                lookups.allSatisfy({ $0.app == app && $0.index == first.index })
            else { return nil }
            (self.app, self.first, self.texts) = (app, first, texts)
        }
    }

    extension LockTarget {
        fileprivate var app: AppID? {
            switch self {
            case .app(let app), .appAlone(let app): app
            case .nothing, .row, .customer, .purchase: nil
            }
        }
    }
#endif
