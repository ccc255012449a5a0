import SubscriptionServer
import SubscriptionStorage

/// The database that a command fills and measures, or compares with what it sold.
package struct EmptyDatabase: Sendable {
    /// Where it is, `sqlite:path` or `postgres://…`.
    package let address: String

    /// Names a database.
    package init(address: String) { self.address = address }

    /// The engine's name in results.
    package var engine: String { address.hasPrefix("sqlite:") ? "sqlite" : "postgresql" }

    /// Refuses a database with tables of ours in it: what it holds would be counted as this run's, and the run's
    /// customers would stay in it.
    ///
    /// - Throws: `RunError`, or what opening the database throws.
    package func require() async throws {
        let status = try await DatabaseAddress.schemaStatus(address)
        guard status.pending == status.steps.count else {
            throw RunError(.databaseInUse, "the database has tables already: give an empty one, or an empty schema")
        }
    }
}
