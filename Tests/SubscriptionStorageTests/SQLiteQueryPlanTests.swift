import Foundation
import GRDB
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageSQLite
import Testing

@Suite
struct `The cost of queries` {
    @Test(arguments: SQLiteQuery.hot.map(\.name))
    func `a hot query uses an index and sorts nothing`(name: String) async throws {
        let query = try #require(SQLiteQuery.hot.first { $0.name == name }?.query.text)
        let plan = try await plan(of: query)
        #expect(!plan.isEmpty)
        // The test would mean nothing on a database without the engine's own tables and indexes.
        for step in plan {
            #expect(step.hasPrefix("SEARCH"), "\(step)")
            #expect(step.contains("INDEX") || step.contains("PRIMARY KEY"), "\(step)")
        }
    }

    @Test(arguments: SQLiteQuery.hot.map(\.name))
    func `a hot query that names more than an app does not go through all that the app has`(name: String) async throws {
        let query = try #require(SQLiteQuery.hot.first { $0.name == name }?.query.text)
        let isOfOneApp = query.contains("app_id = ?")
        guard isOfOneApp, query.split(separator: " LIMIT ")[0].count(where: { $0 == "?" }) > 1 else { return }
        for step in try await plan(of: query) { #expect(!step.hasSuffix("(app_id=?)"), "\(step)") }
    }

    @Test func `what is due is found by the index on the next change alone`() async throws {
        let plan = try await plan(of: SQLiteQuery.due.text)
        #expect(plan.count == 1)
        #expect(plan.first?.contains("COVERING INDEX purchases_due (next_change_at<?)") == true, "\(plan)")
    }

    @Test(arguments: StoredTables.all.map { $0.table.name })
    func `each look-up of a described table goes by its index and sorts nothing`(name: String) async throws {
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
                // The key of a table that keeps its rows elsewhere is an index of SQLite's; a whole key may be found by
                // any.
                let names = index.map { [$0.name] } ?? ["PRIMARY KEY", "sqlite_autoindex"] + table.indexes.map(\.name)
                #expect(plan.count == 1 && names.contains { plan[0].contains($0) }, "\(plan) of \(lookup)")
            }
        }
    }

    @Test func `a query without an index would be noticed`() async throws {
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
