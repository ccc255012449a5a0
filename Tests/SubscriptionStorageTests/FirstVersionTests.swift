import Foundation
import GRDB
import PostgreSQLTesting
import SubscriptionStorage
import SubscriptionStorageSQLite
import Testing

@testable import SubscriptionStoragePostgreSQL

@Suite struct `A database of the first version` {
    @Test func `is migrated on SQLite and keeps every value`() async throws {
        try await withTemporaryFolder { folder in
            let (old, new) = (folder.appending(path: "old.db").path, folder.appending(path: "new.db").path)
            let raw = try DatabaseQueue(path: old)
            let dump = try FirstVersion.dump("sqlite")
            try await raw.writeWithoutTransaction { db in try db.execute(sql: dump) }
            let before = try await raw.read { db in try Self.values(db, columns: Self.columns(db)) }
            let columns = try await raw.read(Self.columns)
            let facts = try await raw.read { db in
                try FirstVersion.factTables.flatMap { table in
                    try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { FirstVersion.text(of: $0) }
                }
            }
            let evidence = try await raw.read { db in
                try Row.fetchAll(db, sql: FirstVersion.evidence).map { FirstVersion.values(of: $0) }
            }
            try raw.close()
            #expect(before.count + facts.count + evidence.count > 30)
            #expect(try SQLiteDatabase.schemaStatus(path: old).pending > 0)
            try await SQLiteDatabase.open(path: old).close()
            try await SQLiteDatabase.open(path: new).close()
            #expect(try SQLiteDatabase.schemaStatus(path: old).pending == 0)

            let (migrated, fresh) = (try DatabaseQueue(path: old), try DatabaseQueue(path: new))
            try await migrated.write { db in
                #expect(try String.fetchOne(db, sql: Self.dueInBillingRetry) == "1")
                try db.execute(sql: Self.asBefore)
            }
            #expect(try await migrated.read { db in try Self.values(db, columns: columns) } == before)
            try await migrated.write { db in try db.execute(sql: Self.asAfter) }
            #expect(try await fresh.read(Self.structure) == migrated.read(Self.structure))
            try migrated.close()
            try fresh.close()

            let database = try SQLiteDatabase.open(path: old)
            #expect(try await FirstVersion.facts(in: database) == facts.sorted())
            #expect(facts.count == 8)
            #expect(evidence.count > 3)
            try await FirstVersion.checkEvidence(evidence, in: database)
            try await FirstVersion.check(database)
            try await database.close()
        }
    }

    @Test func `is migrated on PostgreSQL and keeps every value`() async throws {
        let (old, new) = (try PostgreSQLFixture(), try PostgreSQLFixture())
        try old.run(try FirstVersion.dump("postgresql"))
        let columns = try #require(try old.run(Self.columnsOnPostgreSQL)).split(separator: "\n").map(String.init)
        #expect(columns.count > 10)
        let values = "SELECT concat_ws(';', \(columns.joined(separator: ", ")))"
        let before = try old.run(values)
        let facts = try FirstVersion.factTables.flatMap { table in
            try old.run("SELECT string_agg(row_to_json(t)::text, E'\\n') FROM \(table) t")?.split(separator: "\n").map {
                try FirstVersion.text(ofJSON: String($0))
            } ?? []
        }
        let database = try await old.open()
        try await new.open().close()
        #expect(try old.run(Self.dueInBillingRetry) == "1")
        _ = try old.run(Self.asBefore)
        #expect(try old.run(values) == before)
        _ = try old.run(Self.asAfter)
        for description in [Self.tablesOnPostgreSQL, Self.indexesOnPostgreSQL] {
            #expect(try old.run(description) == new.run(description))
        }
        #expect(try await FirstVersion.facts(in: database) == facts.sorted())
        #expect(facts.count == 8)
        try await FirstVersion.check(database)
        try await database.close()
    }

    @Test func `keeps commits of an older server during the migration of the facts on PostgreSQL`() async throws {
        let fixture = try PostgreSQLFixture()
        try fixture.run(try FirstVersion.dump("postgresql"))
        for (index, step) in PostgreSQLSchema.steps.prefix(13).enumerated().dropFirst() {
            let name = step.name.replacingOccurrences(of: "'", with: "''")
            let record = "INSERT INTO perennial_schema (step, name) VALUES (\(index + 1), '\(name)')"
            _ = try fixture.run((step.statements + [record]).joined(separator: ";\n"))
        }
        // The older server commits after the migration has begun.
        let writer = Task.detached {
            try fixture.run("UPDATE transaction_facts SET quantity = 7", waitedForInSeconds: 0.1)
        }
        let lockCount = """
            SELECT count(*) FROM pg_locks WHERE relation = 'transaction_facts'::regclass AND granted
            AND mode = 'RowExclusiveLock'
            """
        try await until { try fixture.run(lockCount) == "1" }
        let database = try await fixture.open()
        try await writer.value
        let transactions = try await FirstVersion.facts(in: database).filter { $0.contains("quantity=") }
        #expect(!transactions.isEmpty && transactions.allSatisfy { $0.contains("quantity=7 ") }, "\(transactions)")
        try await database.close()
    }

    /// The number of purchases in billing retry that become due. The first version had no end of billing retry.
    private static let dueInBillingRetry = """
        SELECT count(*) FROM purchases WHERE status = 'in_billing_retry' AND next_change_at = evaluated_at
        """
    private static let asBefore = "UPDATE purchases SET next_change_at = NULL WHERE status = 'in_billing_retry'"
    private static let asAfter = "UPDATE purchases SET next_change_at = evaluated_at WHERE status = 'in_billing_retry'"

    /// Each table's columns, except for the tables whose format changed.
    @Sendable private static func columns(_ db: Database) throws -> [String: [String]] {
        let names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'grdb_migrations'"
        var columns: [String: [String]] = [:]
        for table in try String.fetchAll(db, sql: names)
        where !(FirstVersion.factTables + ["evidence"]).contains(table) {
            columns[table] = try db.columns(in: table).map(\.name)
        }
        return columns
    }

    /// Tables, columns, indexes and foreign keys, independent of the text of their SQL statements.
    @Sendable private static func structure(_ db: Database) throws -> [String] {
        let parts = [
            "SELECT name, wr, strict FROM pragma_table_list WHERE schema = 'main' ORDER BY name",
            """
            SELECT t.name, c.cid, c.name, c.type, c."notnull", c.dflt_value, c.pk
            FROM sqlite_schema t, pragma_table_xinfo(t.name) c WHERE t.type = 'table' ORDER BY t.name, c.cid
            """,
            """
            SELECT t.name, i.name, i."unique", i.origin, i.partial, c.seqno, c.name, c.desc, c.coll
            FROM sqlite_schema t, pragma_index_list(t.name) i, pragma_index_xinfo(i.name) c
            WHERE t.type = 'table' ORDER BY t.name, i.name, c.seqno
            """,
            """
            SELECT t.name, k."table", k.seq, k."from", k."to" FROM sqlite_schema t, pragma_foreign_key_list(t.name) k
            WHERE t.type = 'table' ORDER BY t.name, k."table", k.seq
            """,
        ]
        let rows = try parts.flatMap { try Row.fetchAll(db, sql: $0).map(\.description) }
        let indexes = try String.fetchAll(
            db,
            sql: "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name"
        )
        return rows + indexes.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    }

    /// Every value in these columns, row by row.
    private static func values(_ db: Database, columns: [String: [String]]) throws -> [String] {
        var values: [String] = []
        for (table, names) in columns.sorted(by: { $0.key < $1.key }) {
            let row = names.map { "quote(\($0))" }.joined(separator: " || ' ' || ")
            values += try String.fetchAll(db, sql: "SELECT '\(table) ' || \(row) AS line FROM \(table) ORDER BY line")
        }
        return values
    }

    /// For each of these tables an expression with the values of all its columns.
    private static let columnsOnPostgreSQL = """
        SELECT string_agg(
            format(
                '(SELECT md5(string_agg(line::text, '''' ORDER BY line::text)) FROM (SELECT %s FROM %I) line)',
                names, name
            ),
            E'\\n' ORDER BY name
        ) FROM (
            SELECT table_name AS name, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS names
            FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name <> 'perennial_schema'
            AND table_name NOT LIKE '%\\_facts'
            GROUP BY table_name
        ) tables
        """
    private static let tablesOnPostgreSQL = """
        SELECT string_agg(concat_ws(' ', table_name, column_name, data_type, is_nullable, collation_name), E'\\n'
            ORDER BY table_name, ordinal_position)
        FROM information_schema.columns WHERE table_schema = current_schema()
        """
    private static let indexesOnPostgreSQL = """
        SELECT string_agg(replace(indexdef, current_schema() || '.', ''), E'\\n' ORDER BY indexname)
        FROM pg_indexes WHERE schemaname = current_schema()
        """
}
