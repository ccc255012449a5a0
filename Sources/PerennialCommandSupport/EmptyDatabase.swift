import SubscriptionServer
import SubscriptionStorage

/// The database that a command fills and measures, or compares with the ledger.
package struct EmptyDatabase: Sendable {
    /// The address, `sqlite:path` or `postgres://…`.
    package let address: String

    /// Makes a database from its address.
    package init(address: String) { self.address = address }

    /// The engine's name in results.
    package var engine: String { address.hasPrefix("sqlite:") ? "sqlite" : "postgresql" }

    /// Refuses a database with existing tables: their content would count for this run, and this run's customers would
    /// stay in them.
    ///
    /// - Throws: `RunError`, or errors of opening the database.
    package func require() async throws {
        let status = try await DatabaseAddress.schemaStatus(address)
        guard status.pending == status.steps.count else {
            throw RunError(.databaseInUse, "the database already has tables: give an empty database or an empty schema")
        }
    }
}
