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

        func rows(
            of table: CopiedTable,
            after key: [ColumnValue]?,
            limit: Int
        ) throws(StorageError) -> [[ColumnValue]] {
            let page = PostgreSQLQuery.page(of: table, isFirst: key == nil)
            return try transaction.rows(page, (key ?? []) + [.integer(limit)]) { row throws(StorageError) in
                try table.values(of: row)
            }
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
