#if PostgreSQL
    package import SubscriptionStorage

    extension PostgreSQLDatabase: CopyableDatabase {
        /// Runs a body on a snapshot.
        package func readRows<Result: Sendable>(
            _ body: @escaping @Sendable (any CopiedRowReading) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            try await readWithTransaction { transaction throws(StorageError) in
                try body(PostgreSQLRowCopy(transaction: transaction))
            }
        }

        /// Runs a body in one transaction. The tables are locked: reads go on, other writes wait.
        package func writeRows<Result: Sendable>(
            _ body: @escaping @Sendable (any CopiedRowWriting) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            try await writeWithTransaction { transaction throws(StorageError) in
                try transaction.enqueue(PostgreSQLQuery.lockCopiedTables, [])
                return try body(PostgreSQLRowCopy(transaction: transaction))
            }
        }
    }

    extension PostgreSQLQuery {
        fileprivate static let lockCopiedTables = PostgreSQLStatement(
            "lockCopiedTables",
            "LOCK TABLE \(CopiedTables.all.map(\.name).joined(separator: ", ")) IN EXCLUSIVE MODE"
        )
        /// After an import, the next sequence numbers follow the last ones.
        fileprivate static let countCopiedRows = PostgreSQLStatement(
            "countCopiedRows",
            """
            INSERT INTO app_counters (app_id, evidence, events)
            SELECT app_id, max(evidence), max(events) FROM (
                SELECT app_id, max(sequence) AS evidence, 0 AS events FROM evidence GROUP BY app_id
                UNION ALL SELECT app_id, 0, max(sequence) FROM events GROUP BY app_id
            ) AS last GROUP BY app_id
            ON CONFLICT (app_id) DO UPDATE SET evidence = excluded.evidence, events = excluded.events
            """
        )

        fileprivate static func page(of table: CopiedTable, isFirst: Bool) -> PostgreSQLStatement {
            PostgreSQLStatement(
                "copy \(isFirst ? "first" : "next") \(table.name)",
                SQLDialect.postgreSQL.page(of: table, isFirst: isFirst)
            )
        }

        /// The sizes of the rows of a page.
        fileprivate static func sizes(of table: CopiedTable, isFirst: Bool) -> PostgreSQLStatement {
            let sizes = table.columns.filter { $0.kind == .text || $0.kind == .bytes }
                .map { "coalesce(octet_length(\($0.name)), 0)" }
            let sum = "(\((sizes + ["0"]).joined(separator: " + ")))::bigint"
            return PostgreSQLStatement(
                "sizes \(isFirst ? "first" : "next") \(table.name)",
                SQLDialect.postgreSQL.page(of: table, isFirst: isFirst, selecting: sum)
            )
        }

        /// An insertion of rows; each column is an array.
        fileprivate static func insertion(into table: CopiedTable) -> PostgreSQLStatement {
            let names = table.columns.map(\.name).joined(separator: ", ")
            let arrays = table.columns.enumerated().map { "$\($0 + 1)::\(PostgreSQLType($1.kind).name)[]" }
            return PostgreSQLStatement(
                "copy into \(table.name)",
                "INSERT INTO \(table.name) (\(names)) SELECT * FROM unnest(\(arrays.joined(separator: ", ")))"
            )
        }
    }

    extension PostgreSQLType {
        fileprivate init(_ kind: TableColumn.Kind) {
            switch kind {
            case .text: self = .text
            case .integer: self = .bigint
            case .flag: self = .boolean
            case .bytes: self = .bytea
            }
        }
    }

    /// Reads and writes tables as they are stored.
    private struct PostgreSQLRowCopy: CopiedRowWriting {
        let transaction: PostgreSQLTransaction

        /// The result of a query is in memory as a whole, so the sizes of the rows are asked for first.
        func page(
            of table: CopiedTable,
            after key: [ColumnValue]?,
            limit: CopiedPage.Limit
        ) throws(StorageError) -> CopiedPage {
            var count = limit.rowsMax
            var isFull = true
            if count > 1 { (count, isFull) = try size(of: table, after: key, limit: limit) }
            guard count > 0 else { return CopiedPage() }
            let page = PostgreSQLQuery.page(of: table, isFirst: key == nil)
            let rows = try transaction.rows(page, (key ?? []) + [.integer(count)]) { row throws(StorageError) in
                try table.values(of: row)
            }
            return CopiedPage(rows: rows, isFull: isFull && !rows.isEmpty)
        }

        /// The number of rows of a page, and whether the page ends at its limit.
        private func size(
            of table: CopiedTable,
            after key: [ColumnValue]?,
            limit: CopiedPage.Limit
        ) throws(StorageError) -> (count: Int, isFull: Bool) {
            let query = PostgreSQLQuery.sizes(of: table, isFirst: key == nil)
            let sizes = try transaction.rows(query, (key ?? []) + [.integer(limit.rowsMax)]) {
                row throws(StorageError) in try row.integer(0)
            }
            var bytes = 0
            for (number, size) in sizes.enumerated() {
                bytes += Int(size)
                if limit.isReached(rows: number + 1, bytes: bytes) { return (number + 1, true) }
            }
            return (sizes.count, false)
        }

        func insert(_ rows: [[ColumnValue]], into table: CopiedTable) throws(StorageError) {
            guard !rows.isEmpty else { return }
            var parameters = PostgreSQLParameters([])
            for (column, description) in table.columns.enumerated() {
                parameters.add(rows.lazy.map { $0[column] }, type: PostgreSQLType(description.kind))
            }
            try transaction.enqueue(PostgreSQLQuery.insertion(into: table), parameters)
            // Each page is sent at once, so that memory does not grow with the import.
            try transaction.send()
        }

        func finish() throws(StorageError) {
            try transaction.enqueue(PostgreSQLQuery.countCopiedRows, [])
            // Without new statistics, the planner assumes empty tables.
            for table in CopiedTables.all {
                try transaction.enqueue(PostgreSQLStatement("analyze \(table.name)", "ANALYZE \(table.name)"), [])
            }
            try transaction.send()
        }
    }
#endif
