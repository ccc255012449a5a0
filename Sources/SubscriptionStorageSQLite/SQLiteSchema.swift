import GRDB
import SubscriptionStorage

/// The named migration steps from an empty file to the current version. Never edit a released step.
enum SQLiteSchema {
    /// The application id in the header of a SQLite file: "Pern".
    static let applicationID: Int64 = 0x5065_726E

    /// The first step of files from before the first version, which stored states and events as JSON text.
    private static let unreleasedStep = "0001 apps, evidence, facts, purchases, events"

    private struct Step {
        let name: String
        let run: @Sendable (Database) throws -> Void
    }

    /// Runs the steps that are not applied yet. The caller holds the ``SQLiteMigrationLock`` if there are any.
    ///
    /// - Throws: ``StorageError`` if the file belongs to another program or a newer version, or if steps are missing
    ///   and migrating is not allowed. The error of a step has its name.
    static func bringUpToDate(
        _ pool: DatabasePool,
        migrates: Bool,
        onProgress: @escaping MigrationProgress.Observer
    ) throws {
        let reporter = MigrationReporter(onProgress)
        let migrator = migrator(reporter)
        let done = try pool.read { db in
            try requireNotNewer(db, migrator)
            return try migrator.appliedMigrations(db).count
        }
        guard done < migrator.migrations.count else { return }
        guard migrates else { throw StorageError.schemaOutdated }
        reporter.start(done: done)
        do {
            try migrator.migrate(pool)
        } catch {
            throw reporter.named(StorageError(engine: error))
        }
        reporter.end()
    }

    /// The applied steps. It only reads.
    ///
    /// - Throws: ``StorageError`` if the file belongs to another program or a newer version.
    static func status(_ db: Database) throws -> SchemaStatus {
        let migrator = migrator()
        try requireNotNewer(db, migrator)
        return status(done: Set(try migrator.appliedIdentifiers(db)))
    }

    /// The status with these applied steps.
    static func status(done: Set<String>) -> SchemaStatus {
        SchemaStatus(
            steps: steps.map { SchemaStatus.Step(name: $0.name, isApplied: done.contains($0.name)) }
        )
    }

    private static func requireNotNewer(_ db: Database, _ migrator: DatabaseMigrator) throws {
        try requireOwnFile(db)
        guard try !migrator.appliedIdentifiers(db).contains(unreleasedStep) else { throw StorageError.schemaUnreleased }
        guard try migrator.hasBeenSuperseded(db) == false else {
            throw StorageError(
                .schemaTooNew,
                "A newer version of this program wrote the database. Install that version, or name another file.",
                isRetryable: false
            )
        }
    }

    /// Runs the steps, and reports each one if there is a reporter.
    private static func migrator(_ reporter: MigrationReporter? = nil) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        let steps = steps
        for (index, step) in steps.enumerated() {
            let progress = MigrationProgress.Step(number: index + 1, count: steps.count, name: step.name)
            migrator.registerMigration(step.name) { db in
                reporter?.begin(progress)
                try step.run(db)
            }
        }
        return migrator
    }

    private static var steps: [Step] {
        var steps: [Step] = []
        func add(_ name: String, _ run: @escaping @Sendable (Database) throws -> Void) {
            steps.append(Step(name: name, run: run))
        }
        add("0001 everything of the first version") { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            for table in SQLiteTables.all { try db.execute(sql: table) }
        }
        add("0002 customers: aliases, rules, sharing, signing keys, own grace periods") { db in
            for statement in SQLiteTables.aliases + SQLiteTables.ownership { try db.execute(sql: statement) }
            for table in [AppSettings.table, TransferRecord.table, SigningKeyRecord.table, IdempotencyRecord.table] {
                try define(table, step: 2, in: db)
            }
            try db.execute(sql: "ALTER TABLE entitlement_definitions ADD COLUMN billing_retry_grace_days INTEGER")
        }
        add("0003 customers who share a purchase, by purchase") { db in
            for statement in SQLiteTables.sharers { try db.execute(sql: statement) }
        }
        add("0004 products, and transactions by identifier") { db in
            for statement in SQLiteTables.products { try db.execute(sql: statement) }
        }
        add("0005 charges, win-back offers, the end of billing retry") { db in
            for statement in SQLiteTables.charges { try db.execute(sql: statement) }
        }
        add("0006 whom a kept answer names") { db in
            try define(IdempotencyRecord.table, step: 6, in: db)
        }
        add("0007 what the database is for") { db in
            for statement in SQLiteTables.installation { try db.execute(sql: statement) }
        }
        add("0008 customers: identifiers that are UUIDs in lower case") { db in
            for statement in SQLiteTables.lowerCaseCustomerIDs.statements { try db.execute(sql: statement) }
        }
        add("0009 purchases by the store's account") { db in
            for statement in SQLiteTables.appTransactions { try db.execute(sql: statement) }
        }
        add("0010 receipts") { db in
            try define(ReceiptRecord.table, step: 10, in: db)
        }
        add("0011 claims that were refused, and what a claim counts for") { db in
            try db.execute(sql: "ALTER TABLE claims ADD COLUMN standing TEXT")
            try define(RefusedClaim.table, step: 11, in: db)
        }
        add("0012 the latest time at which states were derived") { db in
            for statement in SQLiteTables.latestDerivation { try db.execute(sql: statement) }
        }
        for step in StoredTables.steps {
            add(SchemaStatus.name(ofStep: step.number, step.name)) { db in
                for record in StoredTables.all { try define(record.table, step: step.number, in: db) }
                switch step.work {
                case .none: break
                case .factsInPurchases: try SQLiteFactsStep(db).run()
                case .evidenceInOrder: try SQLiteEvidenceStep.run(db)
                }
            }
        }
        return steps
    }

    private static func define(_ table: TableDescription, step: Int, in db: Database) throws {
        for statement in SQLDialect.sqlite.definitions(of: table, step: step) { try db.execute(sql: statement) }
    }

    /// Refuses a file that belongs to another program. It only reads.
    ///
    /// - Throws: ``StorageError`` with `not_a_database`.
    static func requireOwnFile(_ db: Database) throws {
        let applicationID = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let isOwn = applicationID == Self.applicationID
        guard try isOwn || (applicationID == 0 && isEmpty(db)) else {
            throw StorageError(
                .notADatabase,
                "The file is a database of another program. Name another file.",
                isRetryable: false
            )
        }
    }

    /// Whether no step is applied yet.
    ///
    /// GRDB creates its own table before the transaction of the first step, so a first start that was interrupted
    /// leaves that table empty.
    private static func isEmpty(_ db: Database) throws -> Bool {
        let names = try String.fetchAll(db, sql: "SELECT tbl_name FROM sqlite_schema")
        guard names.allSatisfy({ $0 == "grdb_migrations" }) else { return false }
        return try names.isEmpty || Int64.fetchOne(db, sql: "SELECT count(*) FROM grdb_migrations") == 0
    }
}
