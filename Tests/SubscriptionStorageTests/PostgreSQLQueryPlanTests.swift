import PostgreSQLTesting
import SubscriptionStoragePostgreSQL
import Testing

@Suite
struct `The cost of queries on PostgreSQL` {
    @Test(arguments: PostgreSQLDatabase.hotQueries.map(\.name))
    func `a hot query goes by an index and reads no table whole`(name: String) async throws {
        let query = try #require(PostgreSQLDatabase.hotQueries.first { $0.name == name }?.text)
        let plan = try await plan(of: query)
        #expect(plan.contains("Index"), "\(plan)")
        #expect(!plan.contains("Seq Scan"), "\(plan)")
    }

    @Test func `what is due is found in order by the index on the next change`() async throws {
        let query = try #require(PostgreSQLDatabase.hotQueries.first { $0.name == "due" }?.text)
        let plan = try await plan(of: query)
        #expect(plan.contains("purchases_due"), "\(plan)")
        #expect(!plan.contains("Sort"), "\(plan)")
    }

    @Test func `a query without an index would be noticed`() async throws {
        #expect(try await plan(of: "SELECT * FROM purchases WHERE claim = $1").contains("Seq Scan"))
    }

    /// The plan under the settings of the engine's sessions, on its tables.
    private func plan(of query: String) async throws -> String {
        let fixture = try PostgreSQLFixture()
        try await fixture.open().close()
        let highest = (1...9).last { query.contains("$\($0)") } ?? 0
        let nulls = Array(repeating: "NULL", count: highest).joined(separator: ", ")
        return try fixture.run(
            """
            SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan;
            PREPARE hot AS \(query);
            EXPLAIN (FORMAT JSON) EXECUTE hot\(highest == 0 ? "" : "(\(nulls))")
            """
        ) ?? ""
    }
}
