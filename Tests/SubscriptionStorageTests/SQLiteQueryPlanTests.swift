import Foundation
import GRDB
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageSQLite
import Testing

@Suite struct `Query plans on SQLite` {
    @Test(arguments: SQLiteQuery.hot.map(\.name))
    func `use an index and no sort for a frequent query`(name: String) async throws {
        let query = try #require(SQLiteQuery.hot.first { $0.name == name }?.query.text)
        let plan = try await plan(of: query)
        #expect(!plan.isEmpty)
        // The test requires a database with the engine's tables and indexes.
        for step in plan {
            #expect(step.hasPrefix("SEARCH"), "\(step)")
            #expect(step.contains("INDEX") || step.contains("PRIMARY KEY"), "\(step)")
        }
    }

    @Test(arguments: SQLiteQuery.hot.map(\.name))
    func `do not read all rows of an app for a frequent query with more parameters`(name: String) async throws {
        let query = try #require(SQLiteQuery.hot.first { $0.name == name }?.query.text)
        let isOfOneApp = query.contains("app_id = ?")
        guard isOfOneApp, query.split(separator: " LIMIT ")[0].count(where: { $0 == "?" }) > 1 else { return }
        for step in try await plan(of: query) { #expect(!step.hasSuffix("(app_id=?)"), "\(step)") }
    }

    @Test func `use only the index on the next change for due purchases`() async throws {
        let plan = try await plan(of: SQLiteQuery.due.text)
        #expect(plan.count == 1)
        #expect(plan.first?.contains("COVERING INDEX purchases_due (next_change_at<?)") == true, "\(plan)")
    }

    @Test(arguments: StoredTables.all.map { $0.table.name })
    func `use the index and no sort for each lookup in a described table`(name: String) async throws {
        let table = try #require(StoredTables.all.first { $0.table.name == name }?.table)
        let app = table.scope == .app ? AppID("a") : nil
        for index in [nil] + table.indexes.map(Optional.some) {
            let columns = index?.columns ?? table.key
            for count in 0...columns.count where app != nil || count > 0 {
                let lookup = TableLookup(
                    of: app,
                    by: index,
                    equal: Array(repeating: .number(1), count: count),
                    after: Array(repeating: .number(1), count: columns.count - count),
                    limit: 1
                )
                for query in [SQLDialect.sqlite.select(table, lookup), SQLDialect.sqlite.delete(table, lookup)] {
                    for step in try await plan(of: query) {
                        #expect(!step.hasPrefix("SCAN") && !step.contains("TEMP B-TREE"), "\(step) of \(query)")
                    }
                }
                let plan = try await plan(of: SQLDialect.sqlite.select(table, lookup))
                // The key of a table with row identifiers is an automatic index of SQLite. A complete key can use any
                // index.
                let names = index.map { [$0.name] } ?? ["PRIMARY KEY", "sqlite_autoindex"] + table.indexes.map(\.name)
                #expect(plan.count == 1 && names.contains { plan[0].contains($0) }, "\(plan) of \(lookup)")
            }
        }
    }

    @Test func `show a scan for a query without an index`() async throws {
        let plan = try await plan(of: "SELECT * FROM purchases WHERE claim = ?")
        #expect(plan.first?.hasPrefix("SCAN") == true)
    }

    private func plan(of query: String) async throws -> [String] {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("test.db").path
            try await SQLiteDatabase.open(path: path).close()
            return try await DatabaseQueue(path: path).read { db in
                let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(query)")
                statement.setUncheckedArguments(StatementArguments())
                return try Row.fetchAll(statement).map { row in row["detail"] }
            }
        }
    }
}
