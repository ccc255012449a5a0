#if PostgreSQL
    import SubscriptionStorage

    /// The migration steps from an empty schema to the current version. Never edit a released step.
    enum PostgreSQLSchema {
        /// A step; its number is its one-based index.
        struct Step: Sendable {
            let name: String
            let statements: [String]
            /// The work after the statements.
            var work: (@Sendable (PostgreSQLTransaction) throws(StorageError) -> Void)?
        }

        static let steps: [Step] =
            [
                Step(name: "everything of the first version", statements: PostgreSQLTables.all),
                Step(
                    name: "customers: aliases, rules, sharing, signing keys, own grace periods",
                    statements: PostgreSQLTables.aliases + PostgreSQLTables.ownership + [
                        "ALTER TABLE entitlement_definitions ADD COLUMN billing_retry_grace_days BIGINT"
                    ]
                        + [AppSettings.table, TransferRecord.table, SigningKeyRecord.table, IdempotencyRecord.table]
                        .flatMap { SQLDialect.postgreSQL.definitions(of: $0, step: 2) }
                ),
                Step(name: "customers who share a purchase, by purchase", statements: PostgreSQLTables.sharers),
                Step(name: "products, and transactions by identifier", statements: PostgreSQLTables.products),
                Step(name: "charges, win-back offers, the end of billing retry", statements: PostgreSQLTables.charges),
                Step(
                    name: "whom a kept answer names",
                    statements: SQLDialect.postgreSQL.definitions(of: IdempotencyRecord.table, step: 6)
                ),
                Step(name: "what the database is for", statements: PostgreSQLTables.installation),
                Step(
                    name: "customers: identifiers that are UUIDs in lower case",
                    statements: PostgreSQLTables.lowerCaseCustomerIDs.statements
                ),
                Step(name: "purchases by the store's account", statements: PostgreSQLTables.appTransactions),
                Step(
                    name: "receipts",
                    statements: SQLDialect.postgreSQL.definitions(of: ReceiptRecord.table, step: 10)
                ),
                Step(
                    name: "claims that were refused, and what a claim counts for",
                    statements: ["ALTER TABLE claims ADD COLUMN standing \(PostgreSQLTables.text)"]
                        + SQLDialect.postgreSQL.definitions(of: RefusedClaim.table, step: 11)
                ),
                Step(
                    name: "the latest time at which states were derived",
                    statements: PostgreSQLTables.latestDerivation
                ),
            ]
            + StoredTables.steps.map { step in
                let definitions = StoredTables.all.flatMap {
                    SQLDialect.postgreSQL.definitions(of: $0.table, step: step.number)
                }
                switch step.work {
                case .none, .evidenceInOrder: return Step(name: step.name, statements: definitions)
                case .factsInPurchases:
                    return Step(
                        name: step.name,
                        statements: definitions + PostgreSQLFactsStep.made,
                        work: { transaction throws(StorageError) in try PostgreSQLFactsStep(transaction).run() }
                    )
                }
            }

        /// Runs the missing steps in one transaction, so a killed process leaves no partial changes. If several
        /// processes start together, one runs the steps and the others wait.
        ///
        /// - Throws: ``StorageError`` with `schema_too_new`; `not_a_database` if tables of another program have the
        ///   same names; `not_found` if the tables are missing and may not be created.
        static func bringUpToDate(
            _ transaction: PostgreSQLTransaction,
            makesTables: Bool,
            reporter: MigrationReporter
        ) throws(StorageError) {
            try lock(transaction, reporter)
            let present = try Self.present(transaction)
            if !present.isOurs {
                guard makesTables else { throw missing(present.schema) }
                try transaction.enqueue(makeStepTable, [])
            }
            let version = try Self.version(transaction, of: steps)
            guard version < Int64(steps.count) else { return }
            reporter.start(done: Int(version))
            for (index, step) in steps.enumerated().dropFirst(Int(version)) {
                let name = SchemaStatus.name(ofStep: index + 1, step.name)
                reporter.begin(MigrationProgress.Step(number: index + 1, count: steps.count, name: name))
                for (number, statement) in step.statements.enumerated() {
                    try transaction.enqueue(PostgreSQLStatement("step \(index + 1).\(number)", statement), [])
                }
                try step.work?(transaction)
                try transaction.enqueue(recordStep, [.integer(index + 1), .string(step.name)])
                // The reported duration is that of the step, not of the queue.
                try transaction.send()
            }
            reporter.end()
        }

        /// The applied steps of the schema.
        ///
        /// - Throws: ``StorageError`` with `schema_too_new`; `not_a_database` if tables of another program have the
        ///   same names.
        static func status(_ transaction: PostgreSQLTransaction) throws(StorageError) -> SchemaStatus {
            let isOurs = try present(transaction).isOurs
            let version = isOurs ? try Self.version(transaction, of: steps) : 0
            return SchemaStatus(
                steps: steps.enumerated().map { index, step in
                    let name = SchemaStatus.name(ofStep: index + 1, step.name)
                    return SchemaStatus.Step(name: name, isApplied: index < version)
                }
            )
        }

        /// Whether this program's tables exist, and the name of the schema.
        private static func present(
            _ transaction: PostgreSQLTransaction
        ) throws(StorageError) -> (isOurs: Bool, schema: String) {
            let present = try transaction.row(tables, []) { row throws(StorageError) in
                (isOurs: try row.flag(0), isTaken: try row.flag(1), schema: try row.optionalText(2))
            }
            guard let present, let schema = present.schema else { throw noSchema }
            guard present.isOurs || !present.isTaken else { throw foreign(schema) }
            return (present.isOurs, schema)
        }

        /// The number of applied steps.
        private static func version(
            _ transaction: PostgreSQLTransaction,
            of steps: [Step]
        ) throws(StorageError) -> Int64 {
            guard try transaction.row(unreleasedStep, [], decode: { _ throws(StorageError) in true }) == nil else {
                throw StorageError.schemaUnreleased
            }
            let version = try transaction.row(lastStep, []) { row throws(StorageError) in try row.integer(0) } ?? 0
            guard version <= Int64(steps.count) else {
                throw StorageError(
                    .schemaTooNew,
                    """
                    A newer version of this program wrote the database. Install that version, or name another \
                    database.
                    """,
                    isRetryable: false
                )
            }
            return version
        }

        private static func lock(
            _ transaction: PostgreSQLTransaction,
            _ reporter: MigrationReporter
        ) throws(StorageError) {
            var checksum = Checksum()
            checksum.add("\(transaction.connection.schema)\0schema".utf8)
            let isLocked = try transaction.row(PostgreSQLQuery.tryLocks, [.numbers([checksum.value])]) {
                row throws(StorageError) in try row.flag(1)
            }
            guard isLocked != true else { return }
            // Each start locks, also if no step is missing.
            if try status(transaction).pending > 0 { reporter.wait() }
            try transaction.enqueue(PostgreSQLQuery.lock, [.number(checksum.value)])
        }

        /// Checks whether the table of steps exists and whether tables of another program have the same names.
        private static let tables = PostgreSQLStatement(
            "tables",
            """
            SELECT coalesce(bool_or(relname = 'perennial_schema'), false),
                coalesce(bool_or(relname IN ('apps', 'evidence', 'purchases', 'customers', 'events')), false),
                current_schema()::text
            FROM pg_class
            WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
            """
        )
        private static let makeStepTable = PostgreSQLStatement(
            "makeStepTable",
            "CREATE TABLE perennial_schema (step BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL)"
        )
        private static let lastStep = PostgreSQLStatement(
            "lastStep",
            "SELECT coalesce(max(step), 0) FROM perennial_schema"
        )
        /// The first step of schemas from before the first version, which stored states and events as JSON text.
        private static let unreleasedStep = PostgreSQLStatement(
            "unreleasedStep",
            """
            SELECT step FROM perennial_schema WHERE step = 1 AND name = 'apps, evidence, facts, purchases, \
            claims, events'
            """
        )
        private static let recordStep = PostgreSQLStatement(
            "recordStep",
            "INSERT INTO perennial_schema (step, name) VALUES ($1, $2)"
        )

        private static let noSchema = StorageError(
            .notFound,
            "The database has no schema for the tables. Create the one that search_path names.",
            isRetryable: true
        )

        private static func foreign(_ schema: String) -> StorageError {
            StorageError(
                .notADatabase,
                "The schema \(schema) holds tables of another program; they were left as they are. Name another "
                    + "database, "
                    + "or a schema with ?options=-csearch_path%3DNAME.",
                isRetryable: false
            )
        }

        private static func missing(_ schema: String) -> StorageError {
            StorageError(
                .notFound,
                "The schema \(schema) holds no data of this program: check the address, or start perennial serve "
                    + "with it, "
                    + "which makes the tables.",
                isRetryable: false
            )
        }
    }
#endif
