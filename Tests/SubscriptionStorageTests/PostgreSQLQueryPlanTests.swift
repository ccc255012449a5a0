import PostgreSQLTesting
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import Testing

@Suite struct `Query plans on PostgreSQL` {
    @Test(arguments: PostgreSQLDatabase.hotQueries.map(\.name))
    func `use an index and no sequential scan for a frequent query`(name: String) async throws {
        let query = try #require(PostgreSQLDatabase.hotQueries.first { $0.name == name }?.text)
        let plan = try await plan(of: query)
        #expect(plan.contains("Index"), "\(plan)")
        #expect(!plan.contains("Seq Scan"), "\(plan)")
    }

    @Test(arguments: PostgreSQLDatabase.hotQueries.map(\.name))
    func `do not read all rows of an app for a frequent query with more parameters`(name: String) async throws {
        let query = try #require(PostgreSQLDatabase.hotQueries.first { $0.name == name }?.text)
        guard query.split(separator: " LIMIT ")[0].contains("$2") else { return }
        #expect(!(try await plan(of: query)).contains(Self.allOfAnApp))
    }

    @Test func `use the index on the next change for due purchases, in order`() async throws {
        let query = try #require(PostgreSQLDatabase.hotQueries.first { $0.name == "due" }?.text)
        let plan = try await plan(of: query)
        #expect(plan.contains("purchases_due"), "\(plan)")
        #expect(!plan.contains("Sort"), "\(plan)")
    }

    @Test(arguments: StoredTables.all.map { $0.table.name })
    func `use an index for each lookup in a described table`(name: String) async throws {
        let table = try #require(StoredTables.all.first { $0.table.name == name }?.table)
        let app = table.scope == .app ? AppID("a") : nil
        for index in [nil] + table.indexes.map(Optional.some) {
            let columns = index?.columns ?? table.key
            for count in 0...columns.count where app != nil || count > 0 {
                let lookup = TableLookup(of: app, by: index, equal: Array(repeating: .null, count: count))
                let dialect = SQLDialect.postgreSQL
                var queries = [dialect.select(table, lookup), dialect.delete(table, lookup)]
                let isText = columns.first.flatMap(table.position).map { table.columns[$0].kind == .text } ?? false
                if app != nil, count == 1, isText { queries.append(dialect.selectMany(table, lookup)) }
                for query in queries {
                    let plan = try await plan(of: query)
                    #expect(plan.contains("Index") && !plan.contains("Seq Scan"), "\(plan) of \(query)")
                    #expect(app == nil || count == 0 || !plan.contains(Self.allOfAnApp), "\(plan) of \(query)")
                }
            }
        }
    }

    @Test func `show a sequential scan for a query without an index`() async throws {
        #expect(try await plan(of: "SELECT * FROM purchases WHERE claim = $1").contains("Seq Scan"))
        let compared = "SELECT * FROM earlier_transactions WHERE app_id = $1 AND original_transaction_id = ANY($2)"
        #expect(try await plan(of: compared).contains(Self.allOfAnApp))
    }

    private static let allOfAnApp = #""Index Cond": "(app_id = $1)""#

    /// The plan with the settings of the engine's sessions, on empty tables except for the evidence.
    ///
    /// Every index of the evidence starts with the app. On an empty table all of these indexes have the same cost.
    private func plan(of query: String) async throws -> String {
        let fixture = try PostgreSQLFixture()
        try await fixture.open().close()
        let highest = (1...9).last { query.contains("$\($0)") } ?? 0
        let nulls = Array(repeating: "NULL", count: highest).joined(separator: ", ")
        return try fixture.run(
            """
            INSERT INTO evidence
            SELECT 'a', n, n, 'notification', NULL, NULL, NULL, 0, 0, NULL, '' FROM generate_series(1, 2000) n;
            SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan;
            PREPARE hot AS \(query);
            EXPLAIN (FORMAT JSON) EXECUTE hot\(highest == 0 ? "" : "(\(nulls))")
            """
        ) ?? ""
    }
}
